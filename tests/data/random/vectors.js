// node vectors.js > javascript.json
//
// What JavaScript programs paste: their arithmetic is JavaScript's own 32-bit one.
const imul = Math.imul;

const mulberry32 = (a) => () => {
  a |= 0;
  a = (a + 0x6d2b79f5) | 0;
  let t = imul(a ^ (a >>> 15), 1 | a);
  t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
};

const sfc32 = (a, b, c, d) => () => {
  const t = (((a + b) | 0) + d) | 0;
  d = (d + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (c << 21) | (c >>> 11);
  c = (c + t) | 0;
  return t >>> 0;
};

const xmur3 = (text) => {
  let h = 1779033703 ^ text.length;
  for (const letter of text) {
    h = imul(h ^ letter.charCodeAt(0), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  h = imul(h ^ (h >>> 16), 2246822507);
  h = imul(h ^ (h >>> 13), 3266489909);
  return (h ^ (h >>> 16)) >>> 0;
};

const cyrb53 = (text) => {
  let h1 = 0xdeadbeef, h2 = 0x41c6ce57;
  for (const letter of text) {
    h1 = imul(h1 ^ letter.charCodeAt(0), 2654435761);
    h2 = imul(h2 ^ letter.charCodeAt(0), 1597334677);
  }
  h1 = imul(h1 ^ (h1 >>> 16), 2246822507) ^ imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = imul(h2 ^ (h2 >>> 16), 2246822507) ^ imul(h1 ^ (h1 >>> 13), 3266489909);
  return 4294967296 * (2097151 & h2) + (h1 >>> 0);
};

const sine = (seed) => () => {
  const x = Math.sin(seed++) * 10000;
  return Math.floor((x - Math.floor(x)) * 52);
};

const take = (next, count = 12) => Array.from({ length: count }, () => next());
const seeds = [0, 1, 42, 860, 2147483648, 4294967295];
const texts = ["AAAAA24", "BK1-C4-AAAAA24", "aaaaa24", "860", "7654321"];

console.log(JSON.stringify({
  source: `JavaScript of Node.js ${process.version} (vectors.js)`,
  rows: seeds.flatMap((seed) => {
    const small = sfc32(0x9e3779b9, 0x243f6a88, 0xb7e15162, seed ^ 0xdeadbeef);
    take(small, 15);
    return [
      { name: "mulberry32", seed, values: take(mulberry32(seed)) },
      { name: "sfc32-javascript", seed, values: take(small) },
    ];
  }),
  sine_below_52: seeds.map((seed) => ({ seed, values: take(sine(seed)) })),
  xmur3: Object.fromEntries(texts.map((text) => [text, xmur3(text)])),
  cyrb53: Object.fromEntries(texts.map((text) => [text, cyrb53(text)])),
}, null, 1));
