/** Shortens the header of a message so that verifying its signatures takes bounded time. */

const maxHeadBytes = 256 * 1024
const maxFieldBytes = 16 * 1024
/**
 * The library takes quadratic time for blanks in a signature field. Even a signature with a large key and many names
 * has only 1 KB.
 */
const maxSignatureBytes = 4 * 1024
/** Each signature costs a lookup and a hash of the message. Lists and relays add one or two. */
const maxSignatures = 10

const isSignature = (field: Uint8Array) => /^dkim-signature[ \t]*:/i.test(Buffer.from(field.subarray(0, 64)).toString())

const lineEnd = (bytes: Uint8Array, from: number): number => {
  const at = bytes.indexOf(10, from)
  return at < 0 ? bytes.length : at + 1
}

/**
 * Removes fields that are too long, surplus signatures and what exceeds the total. The remaining fields are unchanged.
 */
export const shortHead = (bytes: Uint8Array): Uint8Array => {
  const kept: Array<Uint8Array> = []
  let size = 0
  let signatures = 0
  let from = 0
  while (from < bytes.length) {
    let end = lineEnd(bytes, from)
    // The empty line ends the header.
    if (bytes[from] === 10 || (bytes[from] === 13 && end - from === 2)) break
    while (bytes[end] === 32 || bytes[end] === 9) end = lineEnd(bytes, end)
    const field = bytes.subarray(from, end)
    from = end
    if (field.length > maxFieldBytes || size + field.length > maxHeadBytes) continue
    if (isSignature(field) && (field.length > maxSignatureBytes || ++signatures > maxSignatures)) continue
    kept.push(field)
    size += field.length
  }
  return Buffer.concat([...kept, bytes.subarray(from)])
}
