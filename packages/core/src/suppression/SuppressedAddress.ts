/**
 * How an address stands in the suppression list: as it is, or, after its contact was erased, as a keyed hash from which
 * nobody reads it again (contract-1 12.17).
 *
 * The hash is made in the database, so that a whole audience is looked up without passing through here. Its key is
 * derived from the installation's secret; hashes made with the previous secret are still found.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { Secrets } from "../Secrets.ts"

/** What stands in place of an erased address begins with it; no address does. */
export const hashPrefix = "sha256:"

/** Of SHA-256. */
const blockBytes = 64

const hex = (byte: number) => byte.toString(16).padStart(2, "0")

export class SuppressedAddress extends Context.Service<
  SuppressedAddress,
  {
    /** The hash of an address of a project, both as SQL. */
    readonly hash: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
    /** Every form in which the address may stand in the list, as an SQL array. */
    readonly forms: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
    /**
     * Joins `suppression(reason)`, one row at most, to each row of a statement that has the project and the address in
     * these expressions.
     */
    readonly join: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
  }
>()("@posthorn/core/suppression/SuppressedAddress") {}

export const layer: Layer.Layer<SuppressedAddress, never, Digest.Digest | Secrets | SqlClient.SqlClient> = Layer.effect(
  SuppressedAddress,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const digest = yield* Digest.Digest
    const { current, previous } = yield* Secrets
    const utf8 = new TextEncoder()

    /** HMAC-SHA-256 (RFC 2104) in two calls of SHA-256, each with its half of the key. */
    const keyOf = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
      const given = utf8.encode(`erasure:${Redacted.value(secret)}`)
      const short = given.length > blockBytes ? yield* Effect.orDie(digest.digest(Digest.sha256, given)) : given
      const padded = (pad: number) => Array.from({ length: blockBytes }, (_, n) => hex((short[n] ?? 0) ^ pad)).join("")
      return { inner: padded(0x36), outer: padded(0x5c) }
    })

    const key = yield* keyOf(current)
    const formerKey = Option.isSome(previous) ? yield* keyOf(previous.value) : undefined

    const hashWith = ({ inner, outer }: typeof key, project: Statement.Fragment, email: Statement.Fragment) =>
      sql`${hashPrefix}::text || encode(sha256(decode(${outer}, 'hex') || sha256(
        decode(${inner}, 'hex') || convert_to(${project} || ':' || ${email}, 'UTF8'))), 'hex')`

    const forms = (project: Statement.Fragment, email: Statement.Fragment) =>
      formerKey === undefined
        ? sql`array[${email}, ${hashWith(key, project, email)}]`
        : sql`array[${email}, ${hashWith(key, project, email)}, ${hashWith(formerKey, project, email)}]`

    return SuppressedAddress.of({
      hash: (project, email) => hashWith(key, project, email),
      forms,
      join: (project, email) => sql`
        left join lateral (
          select reason from suppressions
          where suppressions.project_id = ${project} and suppressions.email = any(${forms(project, email)})
          limit 1
        ) as suppression on true`
    })
  })
)
