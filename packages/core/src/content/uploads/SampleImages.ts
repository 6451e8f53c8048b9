/** The smallest images of a given size. For tests. */

const text = (given: string) => Array.from(given, (character) => character.charCodeAt(0))
const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, n) => Math.floor(value / 256 ** (bytes - 1 - n)) % 256)
const little = (value: number, bytes: number) => big(value, bytes).reverse()

type Make = (width: number, height: number) => Uint8Array

export const png: Make = (width, height) =>
  Uint8Array.from([
    ...text("\x89PNG\r\n\x1a\n"),
    ...big(13, 4),
    ...text("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
    ...[8, 6, 0, 0, 0],
    ...big(0, 4)
  ])

export const gif: Make = (width, height) =>
  Uint8Array.from([...text("GIF89a"), ...little(width, 2), ...little(height, 2), 0, 0, 0, 0x3b])

/** With a comment before the frame and a fill byte. */
export const jpeg: Make = (width, height) =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xfe, 0, 6, 1, 2, 3, 4],
    ...[0xff, 0xff, 0xc2, 0, 11, 8],
    ...big(height, 2),
    ...big(width, 2),
    ...[1, 1, 0x11, 0]
  ])

const riff = (chunk: string, content: ReadonlyArray<number>, claimed = 22) =>
  Uint8Array.from([...text("RIFF"), ...little(claimed, 4), ...text(`WEBP${chunk}`), ...little(10, 4), ...content])

export const webpLossy = (width: number, height: number, claimed?: number): Uint8Array =>
  riff("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)], claimed)

export const webpLossless: Make = (width, height) =>
  riff("VP8L", [0x2f, ...little(width - 1 + (height - 1) * 2 ** 14, 4), 0, 0, 0, 0, 0])

export const webpExtended: Make = (width, height) =>
  riff("VP8X", [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)])

export const samples = {
  png,
  gif,
  jpg: jpeg,
  "webp lossy": webpLossy,
  "webp lossless": webpLossless,
  "webp extended": webpExtended
} as const

export const svg = Uint8Array.from(text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))
