// mcs vectors.cs && mono vectors.exe > dotnet.json
using System;
using System.Linq;

class Vectors {
    static string Row(int seed) {
        Random words = new Random(seed), small = new Random(seed), keys = new Random(seed);
        int[] bounds = {52, 32, 1, 2, 2652, 3, 51, 16};
        var sorted = Enumerable.Range(0, 52).OrderBy(x => keys.Next()).ToArray();
        return "{\"seed\": " + seed
            + ", \"next\": [" + string.Join(", ", Enumerable.Range(0, 8).Select(x => words.Next()))
            + "], \"bounds\": [" + string.Join(", ", bounds)
            + "], \"next_below\": [" + string.Join(", ", bounds.Select(b => small.Next(b)))
            + "], \"sorted\": [" + string.Join(", ", sorted) + "]}";
    }

    static void Main() {
        int[] seeds = {0, 1, 42, -1, 860, int.MinValue, int.MaxValue, 161803398, 1985680249, 2000000000};
        Console.WriteLine("{\"source\": \"System.Random of Mono 6.8 (vectors.cs)\", \"random\": [");
        Console.WriteLine(string.Join(",\n", seeds.Select(Row)));
        Console.WriteLine("]}");
    }
}
