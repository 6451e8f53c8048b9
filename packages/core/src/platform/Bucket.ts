/**
 * Assigns contacts to shares. The bucket of a contact follows from a salt and its id, so an assignment needs no row, and
 * anybody can compute it again.
 */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import type { SqlClient, Statement } from "effect/sql"

const utf8 = new TextEncoder()
const range = 2 ** 32

/** The first four bytes of the SHA-256 of `<salt>:<contact id>`, as a number from 0 to 1, without 1. */
export const bucket: (salt: string, contact: string) => Effect.Effect<number, never, Digest.Digest> = Effect.fnUntraced(
  function* (salt, contact) {
    const digest = yield* Digest.Digest
    const hash = yield* digest.digest(Digest.sha256, utf8.encode(`${salt}:${contact.toLowerCase()}`))
    return new DataView(hash.buffer, hash.byteOffset).getUint32(0) / range
  }
)

/** The same number in SQL. `contact` is an expression of type `uuid`. */
export const bucketSql = (
  sql: SqlClient.SqlClient,
  salt: string,
  contact: Statement.Fragment
): Statement.Fragment => sql`
  (('x' || encode(substr(sha256(convert_to(${salt}::text || ':' || ${contact}::text, 'UTF8')), 1, 4), 'hex'))::bit(32)::bigint
    / ${range}::double precision)`

/** Shares have two decimals. Their sums are exact in hundredths. */
const hundredths = (share: number): number => Math.round(share * 100)

/** The first part whose share, added to those before it, is more than the bucket. Shares are percentages. */
export const partOf = <Part extends { readonly share: number }>(
  parts: ReadonlyArray<Part>,
  bucket: number
): Part | undefined => {
  let total = 0
  return parts.find(({ share }) => {
    total += hundredths(share)
    return total / 10_000 > bucket
  })
}
