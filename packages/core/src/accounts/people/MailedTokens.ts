/** Tokens in the links of emails: 32 random bytes, stored as SHA-256, valid once and until they expire. */
import { AccountId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, type Option, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SqlClient } from "effect/sql"

export type TokenPurpose = "verification" | "reset"

const lifetimes: { readonly [P in TokenPurpose]: Duration.Duration } = {
  verification: Duration.hours(24),
  reset: Duration.hours(1)
}

/** 43 characters of base64url. */
export const makeToken: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(32)),
  Base64Url.encode
)

/** SHA-256, hexadecimal. */
export const hashToken = (token: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) => Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(token))))

export interface MailedTokens {
  /**
   * Issues a token and ends the older one of the same purpose. The account need not exist; then the token cannot be
   * redeemed.
   */
  readonly issue: (purpose: TokenPurpose, account: AccountId) => Effect.Effect<string>
  /** The account of the token, if the token is valid. */
  readonly find: (purpose: TokenPurpose, token: string) => Effect.Effect<Option.Option<AccountId>>
  /** As `find`, and uses up the token. Of concurrent calls, one gets the account. Joins a transaction. */
  readonly redeem: (purpose: TokenPurpose, token: string) => Effect.Effect<Option.Option<AccountId>>
  readonly sweep: Effect.Effect<void>
}

const accounts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ account: AccountId })))
const first = (rows: unknown) => Effect.map(accounts(rows), (found) => Array.head(found.map(({ account }) => account)))

export const make: Effect.Effect<MailedTokens, never, Digest.Digest | SecureRandom.SecureRandom | SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
    const hashed = (token: string) => Effect.provideContext(hashToken(token), crypto)

    const issue = Effect.fn("MailedTokens.issue")(function* (purpose: TokenPurpose, account: AccountId) {
      const token = yield* Effect.provideContext(makeToken, crypto)
      const hash = yield* hashed(token)
      const expiresAt = DateTime.toDate(DateTime.addDuration(yield* DateTime.now, lifetimes[purpose]))
      yield* sql`
        insert into mailed_tokens (purpose, user_id, hash, expires_at)
        values (${purpose}, ${account}, ${hash}, ${expiresAt})
        on conflict (purpose, user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`
      return token
    }, Effect.orDie)

    const find = Effect.fn("MailedTokens.find")(function* (purpose: TokenPurpose, token: string) {
      const now = DateTime.toDate(yield* DateTime.now)
      return yield* first(
        yield* sql`
        select user_id as account from mailed_tokens
        where purpose = ${purpose} and hash = ${yield* hashed(token)} and expires_at > ${now}`
      )
    }, Effect.orDie)

    const redeem = Effect.fn("MailedTokens.redeem")(function* (purpose: TokenPurpose, token: string) {
      const now = DateTime.toDate(yield* DateTime.now)
      return yield* first(
        yield* sql`
        delete from mailed_tokens
        where purpose = ${purpose} and hash = ${yield* hashed(token)} and expires_at > ${now}
        returning user_id as account`
      )
    }, Effect.orDie)

    const sweep = Effect.gen(function* () {
      yield* sql`delete from mailed_tokens where expires_at <= ${DateTime.toDate(yield* DateTime.now)}`
    }).pipe(Effect.orDie)

    return { issue, find, redeem, sweep }
  })
