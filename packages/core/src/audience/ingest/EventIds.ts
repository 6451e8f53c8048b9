/**
 * Ids of ingested events. The same message gets the same id, so a repeated one meets its own primary key, for as long as
 * the event is kept. Pure.
 */

import { Hex } from "effect/encoding"

const dashed = (text: string) =>
  `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`

/**
 * A UUID of version 7 (RFC 9562 5.7) of the time and the hash, or of version 8 (RFC 9562 5.8) of the hash alone. The
 * hash has at least 16 bytes.
 */
export const eventId = (hash: Uint8Array, millis: number | undefined): string => {
  const bytes = hash.slice(0, 16)
  const view = new DataView(bytes.buffer)
  if (millis !== undefined) {
    view.setUint16(0, Math.floor(millis / 2 ** 32))
    view.setUint32(2, millis % 2 ** 32)
  }
  view.setUint8(6, (view.getUint8(6) & 0x0f) | (millis === undefined ? 0x80 : 0x70))
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  return dashed(Hex.encode(bytes))
}
