// With the RandomXS128.java of libGDX beside it (made with its methods as of commit 08f0f6a):
// javac -d . RandomXS128.java LibgdxVectors.java && java -cp . LibgdxVectors > libgdx.json
import com.badlogic.gdx.math.RandomXS128;
import java.util.stream.IntStream;

public class LibgdxVectors {
    public static void main(String[] args) {
        long[] seeds = {0, 1, 42, -1, 860, 2147483648L, 4294967295L, 34359738367L};
        System.out.println("{\"source\": \"RandomXS128 of libGDX (LibgdxVectors.java)\", \"rows\": [");
        for (int i = 0; i < seeds.length; i++) {
            RandomXS128 words = new RandomXS128(seeds[i]), small = new RandomXS128(seeds[i]);
            RandomXS128 doubles = new RandomXS128(seeds[i]);
            System.out.println("{\"seed\": " + seeds[i]
                + ", \"next_long\": " + IntStream.range(0, 8).mapToObj(k -> words.nextLong()).toList()
                + ", \"next_int_below\": " + IntStream.rangeClosed(0, 50)
                    .mapToObj(k -> small.nextInt(52 - k)).toList()
                + ", \"next_double_times_52\": " + IntStream.range(0, 8)
                    .mapToObj(k -> (int) (doubles.nextDouble() * 52)).toList()
                + "}" + (i + 1 < seeds.length ? "," : ""));
        }
        System.out.println("]}");
    }
}
