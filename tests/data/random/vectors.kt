// kotlinc vectors.kt -include-runtime -d vectors.jar && java -jar vectors.jar > kotlin.json
import kotlin.random.Random

val bounds = listOf(52, 32, 1, 2, 2652, 3, 51, 16)

fun row(seed: Long, make: () -> Random): String {
    val words = make()
    val small = make()
    val doubles = make()
    return "{\"seed\": $seed, \"next_int\": ${List(8) { words.nextInt() }}, \"bounds\": $bounds, " +
        "\"next_int_below\": ${bounds.map { small.nextInt(it) }}, " +
        "\"next_double_times_52\": ${List(8) { (doubles.nextDouble() * 52).toInt() }}}"
}

fun main() {
    val ints = listOf(0, 1, 42, -1, 860, Int.MIN_VALUE, Int.MAX_VALUE)
    val longs = listOf(0L, 1L, 42L, -1L, 860L, 2147483648L, 4294967295L, 34359738367L)
    println("{\"source\": \"kotlin.random of Kotlin ${KotlinVersion.CURRENT} (vectors.kt)\",")
    println("\"from_int\": [\n" + ints.joinToString(",\n") { row(it.toLong()) { Random(it) } } + "],")
    println("\"from_long\": [\n" + longs.joinToString(",\n") { row(it) { Random(it) } } + "]}")
}
