// g++ -std=c++17 -O1 vectors.cpp -o vectors && ./vectors > cpp.json
//
// Two kinds of rows. "library": what the C and C++ libraries give. "second": the published
// definitions once more in C's own arithmetic, for generators without a library to ask here.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gnu/libc-version.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

static bool first_row = true;

template <class Next> void row(const char *name, uint64_t seed, Next next, int count = 12) {
    std::printf("%s{\"name\": \"%s\", \"seed\": %llu, \"values\": [", first_row ? "" : ",\n", name,
                (unsigned long long)seed);
    first_row = false;
    for (int i = 0; i < count; i++)
        std::printf("%s%llu", i ? ", " : "", (unsigned long long)next());
    std::printf("]}");
}

template <class Engine> void shuffled(const char *name, uint64_t seed) {
    Engine engine(seed);
    std::vector<int> cards(52);
    std::iota(cards.begin(), cards.end(), 0);
    std::shuffle(cards.begin(), cards.end(), engine);
    size_t i = 0;
    row(name, seed, [&] { return cards[i++]; }, 52);
}

template <class Engine> void distributed(const char *name, uint64_t seed) {
    Engine engine(seed);
    int bound = 52;
    row(name, seed, [&] { return std::uniform_int_distribution<int>(0, bound-- - 1)(engine); }, 51);
}

static void library_rows(uint64_t seed) {
    std::mt19937 mt(seed);
    row("mt19937", seed, mt);
    std::mt19937_64 mt64(seed);
    row("mt19937-64", seed, mt64);
    std::minstd_rand0 old(seed);
    row("minstd-16807", seed, old);
    std::minstd_rand newer(seed);
    row("minstd-48271", seed, newer);
    std::srand(seed);
    row("glibc", seed, [] { return std::rand(); });
    srand48(seed);
    row("lrand48", seed, [] { return lrand48(); });
    srand48(seed);
    row("drand48", seed, [] { return (uint64_t)(drand48() * 281474976710656.0); });
    char eight_bytes[8]; // makes glibc's random() the simple congruence, TYPE_0
    char *before = initstate(seed, eight_bytes, sizeof eight_bytes);
    row("simple-c", seed, [] { return random(); });
    setstate(before);
    shuffled<std::mt19937>("shuffle mt19937", seed);
    shuffled<std::mt19937_64>("shuffle mt19937-64", seed);
    shuffled<std::minstd_rand0>("shuffle minstd-16807", seed);
    distributed<std::mt19937>("uniform mt19937", seed);
    distributed<std::mt19937_64>("uniform mt19937-64", seed);
    distributed<std::minstd_rand0>("uniform minstd-16807", seed);
}

struct Split {
    uint64_t x;
    uint64_t operator()() {
        uint64_t z = (x += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

static uint64_t turn(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static void pcg_row(const char *name, uint64_t seed, uint64_t stream) {
    // pcg32_srandom and pcg32_random.
    uint64_t state = 0, inc = (stream << 1) | 1;
    auto next = [&]() -> uint32_t {
        uint64_t old = state;
        state = old * 6364136223846793005u + inc;
        uint32_t xs = ((old >> 18) ^ old) >> 27, rot = old >> 59;
        return (xs >> rot) | (xs << (-rot & 31));
    };
    next();
    state += seed;
    next();
    row(name, seed, next);
}

static void second_rows(uint64_t seed) {
    row("splitmix64", seed, Split{seed});
    pcg_row("pcg32", seed, 1442695040888963407u >> 1);
    pcg_row("pcg32-54", seed, 54);
    pcg_row("pcg32-0", seed, 0);
    pcg_row("pcg32-1", seed, 1);
    pcg_row("pcg32-godot", seed, 1442695040888963407u);
    {
        uint32_t x = seed ? seed : 1;
        if (!x) x = 1;
        row("xorshift32", seed, [&] { x ^= x << 13; x ^= x >> 17; return x ^= x << 5; });
    }
    {
        uint64_t x = seed ? seed : 1;
        row("xorshift64", seed, [&] { x ^= x << 13; x ^= x >> 7; return x ^= x << 17; });
    }
    {
        uint64_t x = seed ? seed : 1;
        row("xorshift64-star", seed, [&] {
            x ^= x >> 12; x ^= x << 25; x ^= x >> 27;
            return x * 2685821657736338717u;
        });
    }
    for (int unity = 0; unity < 2; unity++) {
        uint32_t x = seed, y = 362436069, z = 521288629, w = 88675123;
        if (unity) {
            y = x * 1812433253u + 1;
            z = y * 1812433253u + 1;
            w = z * 1812433253u + 1;
        }
        row(unity ? "unity" : "xorshift128", seed, [&] {
            uint32_t t = x ^ (x << 11);
            x = y; y = z; z = w;
            return w = (w ^ (w >> 19)) ^ (t ^ (t >> 8));
        });
    }
    for (int v8 = 0; v8 < 2; v8++) {
        Split mix{seed};
        uint64_t s[2] = {mix(), mix()};
        row(v8 ? "xorshift128-plus-v8" : "xorshift128-plus", seed, [&] {
            uint64_t s1 = s[0], s0 = s[1], result = s0 + s1;
            s[0] = s0;
            s1 ^= s1 << 23;
            s[1] = s1 ^ s0 ^ (s1 >> (v8 ? 17 : 18)) ^ (s0 >> (v8 ? 26 : 5));
            return result;
        });
    }
    for (int stars = 0; stars < 2; stars++) {
        Split mix{seed};
        uint64_t s0 = mix(), s1 = mix();
        row(stars ? "xoroshiro128-star-star" : "xoroshiro128-plus", seed, [&] {
            uint64_t result = stars ? turn(s0 * 5, 7) * 9 : s0 + s1;
            s1 ^= s0;
            s0 = turn(s0, 24) ^ s1 ^ (s1 << 16);
            s1 = turn(s1, 37);
            return result;
        });
    }
    {
        Split mix{seed};
        uint64_t s[4] = {mix(), mix(), mix(), mix()};
        row("xoshiro256-star-star", seed, [&] {
            uint64_t result = turn(s[1] * 5, 7) * 9, t = s[1] << 17;
            s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3];
            s[2] ^= t;
            s[3] = turn(s[3], 45);
            return result;
        });
    }
    {
        uint32_t state = seed;
        row("numerical-recipes", seed, [&] { return state = state * 1664525u + 1013904223u; });
    }
    {
        uint32_t state = seed;
        row("unreal", seed, [&] { return (state = state * 196314165u + 907633515u) >> 9; });
    }
    {
        uint32_t state = seed;
        row("delphi", seed, [&] { return state = state * 134775813u + 1; });
    }
    {
        uint64_t state = seed;
        row("knuth-64", seed, [&] {
            return state = state * 6364136223846793005u + 1442695040888963407u;
        });
    }
    {
        uint64_t state = seed % 233280;
        row("modulus-233280", seed, [&] { return state = (state * 9301 + 49297) % 233280; });
    }
    {
        uint64_t n = seed;
        n = ~n + (n << 21); n ^= n >> 24; n *= 265; n ^= n >> 14; n *= 21; n ^= n >> 28;
        n += n << 31;
        if (!n) n = 0x5a17;
        auto next = [&] { n = 0xffffda61u * (n & 0xffffffffu) + (n >> 32); return n & 0xffffffffu; };
        for (int i = 0; i < 4; i++) next();
        row("dart", seed, next);
    }
    {
        uint32_t a = 0, b = seed, c = seed >> 32, counter = 1;
        auto next = [&] {
            uint32_t result = a + b + counter++;
            a = b ^ (b >> 9);
            b = c + (c << 3);
            c = ((c << 21) | (c >> 11)) + result;
            return result;
        };
        for (int i = 0; i < 12; i++) next();
        row("sfc32-practrand", seed, next);
    }
}

int main() {
    const uint64_t seeds[] = {0, 1, 42, 860, 2147483648u, 4294967295u};
    std::printf("{\"source\": \"libstdc++ of GCC %s, glibc %s; second: the definitions once more "
                "(vectors.cpp)\",\n\"library\": [\n", __VERSION__, gnu_get_libc_version());
    for (uint64_t seed : seeds) library_rows(seed);
    std::printf("],\n\"second\": [\n");
    first_row = true;
    for (uint64_t seed : seeds) second_rows(seed);
    second_rows(34359738367u);
    second_rows(0xfedcba9876543210u);
    std::printf("]}\n");
}
