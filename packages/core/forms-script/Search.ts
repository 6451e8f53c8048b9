/**
 * The search of a challenge: the number whose SHA-256 behind the salt is known (FIPS 180-4). Plain arithmetic, because
 * the cryptography of browsers takes a promise for each hash, and is missing on pages without TLS.
 */

export interface Challenge {
  readonly algorithm: string
  readonly challenge: string
  readonly maxnumber: number
  readonly salt: string
  readonly signature: string
}

const primes: Array<number> = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)

const fractionOf = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0
const start = primes.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)))
const rounds = primes.map((prime) => fractionOf(Math.cbrt(prime)))

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** The hash of a text of ASCII characters, as eight words. */
export const sha256 = (text: string): Int32Array => {
  const { length } = text
  const blocks = ((length + 8) >> 6) + 1
  const message = new Int32Array(blocks * 16)
  const put = (at: number, byte: number) => {
    message[at >> 2] = (message[at >> 2] ?? 0) | (byte << (24 - (at & 3) * 8))
  }
  for (let at = 0; at < length; at++) put(at, text.charCodeAt(at))
  put(length, 0x80)
  message[blocks * 16 - 1] = length * 8
  const hash = Int32Array.from(start)
  const words = new Int32Array(64)
  for (let block = 0; block < blocks; block++) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
    words.set(message.subarray(block * 16, block * 16 + 16))
    for (let n = 16; n < 64; n++) {
      const [early = 0, late = 0, before = 0, between = 0] = [words[n - 15], words[n - 2], words[n - 16], words[n - 7]]
      words[n] =
        before +
        (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
        between +
        (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10))
    }
    for (let n = 0; n < 64; n++) {
      const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
      const first = (h + mixed + (rounds[n] ?? 0) + (words[n] ?? 0)) | 0
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) hash[n] = (hash[n] ?? 0) + word
  }
  return hash
}

/** Milliseconds of work between two pauses, in which the page can react. */
const slice = 20

/** The solution as base64 of JSON, as `altcha-lib` reads it. Undefined if there is none. */
export const solve = async ({ maxnumber, ...challenge }: Challenge): Promise<string | undefined> => {
  const wanted = challenge.challenge.match(/.{8}/g)?.map((word) => Number.parseInt(word, 16) | 0) ?? []
  let until = performance.now() + slice
  for (let number = 0; number <= maxnumber; number++) {
    if (performance.now() > until) {
      await new Promise((resume) => setTimeout(resume))
      until = performance.now() + slice
    }
    const hash = sha256(challenge.salt + number)
    if (wanted.every((word, n) => word === hash[n])) return btoa(JSON.stringify({ ...challenge, number }))
  }
  return undefined
}
