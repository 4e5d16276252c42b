// SHA-256, by hand: browsers keep theirs from pages that come over plain HTTP, as a table in a home network does.

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
const part = (/** @type {number} */ x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const K = PRIMES.slice(0, 64).map((p) => part(Math.cbrt(p)));
const H = PRIMES.slice(0, 8).map((p) => part(Math.sqrt(p)));
const turn = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));

/** The hash in hexadecimal. @param {Uint8Array} data */
export function sha256(data) {
  const room = new Uint8Array(((data.length + 72) >> 6) << 6);
  room.set(data);
  room[data.length] = 0x80;
  const view = new DataView(room.buffer);
  view.setUint32(room.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(room.length - 4, data.length << 3);
  const h = [...H];
  const w = new Int32Array(64);
  for (let at = 0; at < room.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = (w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 64; i += 1) {
      const one = (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, z] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, z].forEach((x, i) => { h[i] = (h[i] + x) | 0; });
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
