/** Ids in binary payloads. Pure. */

const idBytes = 16
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

export const uuidBytes = (id: string): Uint8Array => {
  const digits = id.replaceAll("-", "")
  const bytes = new Uint8Array(idBytes)
  for (let n = 0; n < idBytes; n++) bytes[n] = Number.parseInt(digits.slice(2 * n, 2 * n + 2), 16)
  return bytes
}

/** Takes exactly 16 bytes. */
export const uuidText = (bytes: Uint8Array): string => {
  const text = Array.from(bytes, (byte) => hex[byte]).join("")
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-")
}
