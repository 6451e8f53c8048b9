/**
 * How the suppression list stores an address: as it is or, after the erasure of its contact, as a keyed hash from which
 * the address cannot be recovered.
 *
 * The database computes the hash, so that a whole audience can be checked without reading it into the process. The key
 * is derived from the secret of the installation. Hashes from earlier secrets are still found.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as SecretBox from "../../platform/SecretBox.ts"
import * as ErasureKeys from "./ErasureKeys.ts"

/** A service, because the mail area joins the list in its statements, and the keys are derived once. */
export class SuppressedAddress extends Context.Service<
  SuppressedAddress,
  {
    /** The hash of an address of a project, both given as SQL. */
    readonly hash: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
    /** Every form in which the list may store the address, as an SQL array. */
    readonly forms: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
    /**
     * Joins `suppression(reason)`, at most one row, to each row of a statement. The expressions select the project and
     * the address of that row.
     */
    readonly join: (project: Statement.Fragment, email: Statement.Fragment) => Statement.Fragment
    /**
     * The same for many rows of one project, as hash joins: the joins, and whether the list has the address of a row.
     * Hashes are computed only if the project has erased addresses on its list.
     */
    readonly joinMany: (
      project: Statement.Fragment,
      email: Statement.Fragment
    ) => { readonly joins: Statement.Fragment; readonly isSuppressed: Statement.Fragment }
  }
>()("@posthorn/core/audience/suppression/SuppressedAddress") {}

/** The first text that sorts after all hashes, in the order of bytes. */
const afterHashes = ErasureKeys.hashPrefix.replace(/:$/, ";")

const layerKeys: Layer.Layer<SuppressedAddress, never, ErasureKeys.Needs> = Layer.effect(
  SuppressedAddress,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const keys = yield* (yield* ErasureKeys.make).all

    /** HMAC-SHA-256 (RFC 2104) as two calls of SHA-256, each with one half of the key. */
    const hashWith = (
      { inner, outer }: ErasureKeys.ErasureKey,
      project: Statement.Fragment,
      email: Statement.Fragment
    ) =>
      sql`${ErasureKeys.hashPrefix}::text || encode(sha256(decode(${outer}, 'hex') || sha256(
        decode(${inner}, 'hex') || convert_to(${project} || ':' || ${email}, 'UTF8'))), 'hex')`

    const forms = (project: Statement.Fragment, email: Statement.Fragment) =>
      sql`array[${sql.csv([email, ...keys.map((key) => hashWith(key, project, email))])}]`

    const joinMany = (project: Statement.Fragment, email: Statement.Fragment) => {
      const hasErased = sql`(
        select exists (
          select from suppressions as erased where erased.project_id = ${project}
            and erased.email >= ${ErasureKeys.hashPrefix} and erased.email < ${afterHashes}
        )
      )`
      const hashes = keys.map((key) => sql`case when ${hasErased} then ${hashWith(key, project, email)} end`)
      const forms = [email, ...hashes].map((form, n) => ({ form, name: sql.literal(`suppressed_${n}`) }))
      const joined = forms.map(
        ({ form, name }) => sql`
        left join suppressions as ${name} on ${name}.project_id = ${project} and ${name}.email = ${form}`
      )
      return {
        joins: joined.reduce((all, next) => sql`${all} ${next}`),
        isSuppressed: sql`coalesce(${sql.csv(forms.map(({ name }) => sql`${name}.email`))}) is not null`
      }
    }

    return SuppressedAddress.of({
      joinMany,
      hash: (project, email) => hashWith(keys[0], project, email),
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

export const layer = Layer.provide(layerKeys, SecretBox.layer)
