// javac Vectors.java && java Vectors > java.json
import java.util.*;
import java.util.stream.*;

public class Vectors {
    public static void main(String[] args) {
        long[] seeds = {0, 1, 42, -1, 860, 2147483648L, 4294967295L, 34359738367L, -2147483648L};
        System.out.println("{\"source\": \"java.util of OpenJDK " + System.getProperty("java.version")
            + " (Vectors.java)\",\n\"random\": [");
        for (int i = 0; i < seeds.length; i++) {
            long seed = seeds[i];
            Random words = new Random(seed), small = new Random(seed), doubles = new Random(seed);
            List<Integer> cards = IntStream.range(0, 52).boxed().collect(Collectors.toList());
            Collections.shuffle(cards, new Random(seed));
            System.out.println("{\"seed\": " + seed
                + ", \"next_int\": " + IntStream.range(0, 8).map(k -> words.nextInt()).boxed().toList()
                + ", \"bounds\": [52, 32, 1, 2, 2652, 3, 51, 16]"
                + ", \"next_int_below\": " + IntStream.of(52, 32, 1, 2, 2652, 3, 51, 16)
                    .map(small::nextInt).boxed().toList()
                + ", \"next_double_times_52\": " + IntStream.range(0, 8)
                    .map(k -> (int) (doubles.nextDouble() * 52)).boxed().toList()
                + ", \"shuffle\": " + cards + "}" + (i + 1 < seeds.length ? "," : ""));
        }
        System.out.println("],\n\"hash_code\": {");
        String[] texts = {"AAAAA24", "BK1-C4-AAAAA24", "aaaaa24", "ZZZZZZZ", "7654321"};
        for (int i = 0; i < texts.length; i++)
            System.out.println("\"" + texts[i] + "\": " + texts[i].hashCode()
                + (i + 1 < texts.length ? "," : ""));
        System.out.println("}, \"long_hash_code\": {\"860\": " + Long.hashCode(860L)
            + ", \"34359738367\": " + Long.hashCode(34359738367L)
            + ", \"4294967295\": " + Long.hashCode(4294967295L) + "}}");
    }
}
