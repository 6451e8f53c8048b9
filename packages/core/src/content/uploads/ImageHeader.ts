/**
 * Reads the type and size of an image from its first bytes. Pure. Never reads outside of the bytes, and reads each byte
 * at most once.
 *
 * Written here because it must be strict: libraries accept more formats than the service does, and bytes that only
 * resemble them.
 */

export interface ImageHeader {
  readonly extension: "gif" | "jpg" | "png" | "webp"
  readonly width: number
  readonly height: number
}

/** By file extension. */
export const imageTypes = { jpg: "image/jpeg", png: "image/png", gif: "image/gif", webp: "image/webp" } as const

const maxSide = 10_000

type Reader = (bytes: DataView) => Pick<ImageHeader, "width" | "height"> | undefined

const holds = (bytes: DataView, at: number, text: string): boolean =>
  at + text.length <= bytes.byteLength &&
  Array.from(text).every((character, n) => bytes.getUint8(at + n) === character.charCodeAt(0))

/** Signature, then an IHDR chunk of 13 bytes (PNG 5.2, 11.2.2). */
const png: Reader = (bytes) =>
  holds(bytes, 0, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR") && bytes.byteLength >= 33
    ? { width: bytes.getUint32(16), height: bytes.getUint32(20) }
    : undefined

/** Header and logical screen descriptor (GIF89a 17, 18). */
const gif: Reader = (bytes) =>
  (holds(bytes, 0, "GIF87a") || holds(bytes, 0, "GIF89a")) && bytes.byteLength >= 13
    ? { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
    : undefined

/** A RIFF file whose first chunk determines the encoding of the image (RFC 9649 2.4 to 2.7). */
const webp: Reader = (bytes) => {
  if (!holds(bytes, 0, "RIFF") || !holds(bytes, 8, "WEBP") || bytes.byteLength < 30) return undefined
  if (bytes.getUint32(4, true) + 8 > bytes.byteLength) return undefined
  if (holds(bytes, 12, "VP8 ") && holds(bytes, 23, "\x9d\x01\x2a")) {
    return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff }
  }
  if (holds(bytes, 12, "VP8L") && bytes.getUint8(20) === 0x2f) {
    const bits = bytes.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (holds(bytes, 12, "VP8X")) {
    const side = (at: number) => bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 65_536 + 1
    return { width: side(24), height: side(27) }
  }
  return undefined
}

/** Start of a frame: every SOF marker. DHT, JPG and DAC share the range and are excluded (T.81 B.1.1.3). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Segments, each with its length, up to the start of the frame. The scan must not begin before it (T.81 B.1, B.2.2).
 */
const jpeg: Reader = (bytes) => {
  if (!holds(bytes, 0, "\xff\xd8\xff")) return undefined
  let at = 2
  while (at + 4 <= bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1)
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return undefined
    const length = bytes.getUint16(at + 2)
    if (length < 2 || at + 2 + length > bytes.byteLength) return undefined
    if (isFrame(marker)) {
      return length < 8 ? undefined : { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) }
    }
    at += 2 + length
  }
  return undefined
}

const readers = { png, gif, webp, jpg: jpeg } as const

const isSide = (pixels: number): boolean => pixels >= 1 && pixels <= maxSide

/**
 * Undefined for bytes that are not an image of these types, are truncated in the header, or describe a picture that is
 * too large.
 */
export const imageHeader = (given: Uint8Array): ImageHeader | undefined => {
  const bytes = new DataView(given.buffer, given.byteOffset, given.byteLength)
  for (const extension of ["png", "gif", "webp", "jpg"] as const) {
    const size = readers[extension](bytes)
    if (size !== undefined) return isSide(size.width) && isSide(size.height) ? { extension, ...size } : undefined
  }
  return undefined
}
