/**
 * The keys that hash erased addresses. Each secret of the installation has one key.
 *
 * A hash cannot be recomputed under another key, because its address is deleted. So once hashes exist, the key of a
 * previous secret is stored in the database, sealed with the current secret. The previous secret can then be removed,
 * and its hashes are still found.
 */
import { Array, DateTime, Effect, Redacted, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Secrets } from "../../platform/Secrets.ts"

/** The prefix of a hash that replaces an erased address. No address begins with it. */
export const hashPrefix = "sha256:"

/** The two halves of an HMAC-SHA-256 key (RFC 2104), as hexadecimal text for SQL. */
export interface ErasureKey {
  readonly inner: string
  readonly outer: string
}

export interface ErasureKeys {
  /** The key of the current secret, then the keys of all known earlier secrets. */
  readonly all: Effect.Effect<Array.NonEmptyReadonlyArray<ErasureKey>>
  /** Stores the keys of the previous secrets if hashes exist. Returns how many were newly stored. */
  readonly keep: Effect.Effect<number>
  /** The number of hashes, and whether the key of a previous secret still has to be stored. */
  readonly status: Effect.Effect<{ readonly hashes: number; readonly needPrevious: boolean }>
}

/** The block size of SHA-256. */
const blockBytes = 64
const purpose = "erasure"
const utf8 = new TextEncoder()

const hex = (byte: number) => byte.toString(16).padStart(2, "0")

const halvesOf = (key: Uint8Array): ErasureKey => {
  const padded = (pad: number) => Array.makeBy(blockBytes, (n) => hex((key[n] ?? 0) ^ pad)).join("")
  return { inner: padded(0x36), outer: padded(0x5c) }
}

const keptRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, key: Schema.String })))
const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

export type Needs = Digest.Digest | SecretBox | Secrets | SqlClient.SqlClient

export const make: Effect.Effect<ErasureKeys, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const digest = yield* Digest.Digest
  const box = yield* SecretBox
  const { current, previous } = yield* Secrets

  const keyOf = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
    const given = utf8.encode(`erasure:${Redacted.value(secret)}`)
    return given.length > blockBytes ? yield* Effect.orDie(digest.digest(Digest.sha256, given)) : given
  })

  /** The previous secrets, each with the name of its key in the database. */
  const named = Effect.gen(function* () {
    const [, ...ids] = yield* box.beginnings(purpose)
    return Array.zip(ids, previous)
  })

  const kept = Effect.flatMap(sql`select id, key from erasure_keys order by created_at desc, id`, keptRows)

  const all = Effect.gen(function* () {
    const inRing = yield* Effect.forEach(previous, keyOf)
    const known = (yield* named).map(([id]) => id)
    const others = (yield* kept).filter(({ id }) => !known.includes(id))
    // A key that cannot be opened is logged, and its hashes are not found.
    const opened = yield* Effect.forEach(others, ({ id, key }) =>
      box.open({ purpose, owner: id }, key).pipe(
        Effect.flatMap((text) => Effect.fromResult(Base64Url.decode(Redacted.value(text)))),
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.option
      )
    )
    return Array.map(
      [
        yield* keyOf(current),
        ...inRing,
        ...Array.getSomes(opened)
      ] as const satisfies Array.NonEmptyReadonlyArray<Uint8Array>,
      halvesOf
    )
  }).pipe(Effect.orDie, Effect.withSpan("ErasureKeys.all"))

  const hashes = sql`
    select (select count(*) from suppressions where starts_with(email, ${hashPrefix}))::int
         + (select count(*) from consents where starts_with(email, ${hashPrefix}))::int
         + (select count(*) from opt_ins where starts_with(email, ${hashPrefix}))::int
         + (select count(*) from privacy_requests where starts_with(email, ${hashPrefix}))::int
         + (select count(*) from opt_in_mails where starts_with(email, ${hashPrefix}))::int as count`.pipe(
    Effect.flatMap(countRow),
    Effect.map(([{ count }]) => count)
  )

  const keep = Effect.gen(function* () {
    if (previous.length === 0 || (yield* hashes) === 0) return 0
    const before = (yield* kept).map(({ id }) => id)
    const missing = (yield* named).filter(([id]) => !before.includes(id))
    const inserted = yield* Effect.forEach(
      missing,
      Effect.fnUntraced(function* ([id, secret]) {
        const sealed = yield* box.seal({ purpose, owner: id }, Redacted.make(Base64Url.encode(yield* keyOf(secret))))
        return yield* sql`
          insert into erasure_keys (id, key, created_at)
          values (${id}, ${sealed}, ${DateTime.toDate(yield* DateTime.now)})
          on conflict (id) do nothing returning 1`
      })
    )
    return inserted.flat().length
  }).pipe(Effect.orDie, Effect.withSpan("ErasureKeys.keep"))

  const status = Effect.gen(function* () {
    const before = (yield* kept).map(({ id }) => id)
    const missing = (yield* named).filter(([id]) => !before.includes(id))
    return { hashes: yield* hashes, needPrevious: missing.length > 0 }
  }).pipe(Effect.orDie, Effect.withSpan("ErasureKeys.status"))

  return { all, keep, status } satisfies ErasureKeys
})
