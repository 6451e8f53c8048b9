/**
 * Quoted-printable (RFC 2045 section 6.7) in one pass over the bytes, because composing a message spends most of its
 * time here. Nodemailer's encoder takes more than twice as long.
 *
 * The input is text, so CRLF, a lone CR and a lone LF are all line breaks. A dot or an `F` at the start of a line is
 * encoded, so that nothing needs dot-stuffing and no relay changes `From` to `>From`, which would break the signature.
 */
const lineLimit = 75 // and one more for the `=` of a soft line break
const cr = 0x0d
const lf = 0x0a
const equals = 0x3d
const hex = Buffer.from("0123456789ABCDEF", "latin1")

const literal = 0
const literalInsideLine = 1
const blank = 2
const encoded = 3
const lineBreak = 4

/** The class of each of the 256 byte values. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === cr || byte === lf) return lineBreak
  if (byte === 0x20 || byte === 0x09) return blank
  if (byte === 0x2e || byte === 0x46) return literalInsideLine
  return byte > 0x20 && byte < 0x7f && byte !== equals ? literal : encoded
})

/** Characters of a text that are looked at for a choice of its encoding, spread over all of it. */
const looks = 65_536

/** Whether base64 is shorter: an encoded byte takes three characters, and base64 takes four for three bytes. */
export const isLongerThanBase64 = (text: string): boolean => {
  const step = Math.ceil(text.length / looks)
  let literals = 0
  let bytes = 0
  for (let at = 0; at < text.length; at += step) {
    const code = text.charCodeAt(at)
    if (code < 0x80 && kinds[code] !== encoded) literals++
    // A surrogate is half of a character of four bytes.
    else bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  // Line breaks add a thirtieth to either.
  return literals + 3 * bytes > ((literals + bytes) * 4) / 3
}

export const encode = (text: string): string => {
  const bytes = Buffer.from(`${text}\n`) // so that every byte of the text has one after it
  const end = bytes.length - 1
  const out = Buffer.allocUnsafe(Math.ceil(end * 3.2) + 8)
  let length = 0
  let column = 0
  let i = 0

  while (i < end) {
    let byte = bytes[i++] ?? 0
    let kind = kinds[byte] ?? encoded
    // The common case: a run of literals inside a line.
    while (
      column > 0 &&
      column < lineLimit &&
      i < end &&
      (kind <= literalInsideLine || (kind === blank && kinds[bytes[i] ?? 0] !== lineBreak))
    ) {
      out[length++] = byte
      column++
      byte = bytes[i++] ?? 0
      kind = kinds[byte] ?? encoded
    }
    if (kind === lineBreak) {
      if (byte === cr && i < end && bytes[i] === lf) i++
      out[length++] = cr
      out[length++] = lf
      column = 0
      continue
    }
    const isEncoded = kind === encoded || (kind === blank && kinds[bytes[i] ?? 0] === lineBreak)
    if (column + (isEncoded ? 3 : 1) > lineLimit) {
      out[length++] = equals
      out[length++] = cr
      out[length++] = lf
      column = 0
    }
    if (isEncoded || (column === 0 && kind === literalInsideLine)) {
      out[length++] = equals
      out[length++] = hex[byte >> 4] ?? 0
      out[length++] = hex[byte & 15] ?? 0
      column += 3
    } else {
      out[length++] = byte
      column++
    }
  }
  return out.toString("latin1", 0, length)
}
