/** Statements about passkeys and their challenges. */
import { AccountId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"

const Row = Schema.Struct({
  id: Schema.String,
  user: AccountId,
  credentialId: Schema.String,
  publicKey: Schema.String,
  counter: Schema.Int,
  transports: Schema.Array(Schema.String),
  name: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type StoredPasskey = typeof Row.Type

export interface PasskeyStore {
  /** Oldest first. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<StoredPasskey>>
  readonly byCredential: (credentialId: string) => Effect.Effect<Option.Option<StoredPasskey>>
  /** False when the credential is registered already, with this account or another one. */
  readonly insert: (passkey: Omit<StoredPasskey, "lastUsedAt">) => Effect.Effect<boolean>
  /** Sets the counter if it is still `before`. False when a concurrent use has changed it. */
  readonly used: (id: string, before: number, counter: number, now: DateTime.Utc) => Effect.Effect<boolean>
  /** The name of the removed passkey. None when the account has no passkey with this id. */
  readonly remove: (account: AccountId, id: string) => Effect.Effect<Option.Option<string>>
  /** `boundTo` says who may answer the challenge, and for what. */
  readonly addChallenge: (hash: string, boundTo: string, expiresAt: DateTime.Utc) => Effect.Effect<void>
  /** Uses up a challenge. Of concurrent answers, one gets true. */
  readonly useChallenge: (hash: string, boundTo: string, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
}

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const names = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

const columns = `id, user_id as user, credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"`

export const make: Effect.Effect<PasskeyStore, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audit = audited(sql)
  const all = sql.literal(columns)
  const some = Effect.map(Array.isReadonlyArrayNonEmpty<unknown>)
  const about = (account: AccountId, action: string) => ({ project: null, account, action })

  return {
    list: (account) =>
      sql`select ${all} from passkeys where user_id = ${account} order by created_at, id`.pipe(
        Effect.flatMap(rows),
        Effect.orDie
      ),
    byCredential: (credentialId) =>
      sql`select ${all} from passkeys where credential_id = ${credentialId}`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    insert: ({ id, user, credentialId, publicKey, counter, transports, name, createdAt }) =>
      audit(
        sql`
            insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
            values (${id}, ${user}, ${credentialId}, ${publicKey}, ${counter},
                    ${JSON.stringify(transports)}::text::jsonb, ${name}, ${DateTime.toDate(createdAt)})
            on conflict (credential_id) do nothing returning id`.pipe(some, Effect.orDie),
        (added) => (added ? about(user, "user.passkey_added") : undefined)
      ),
    used: (id, before, counter, now) =>
      sql`
          update passkeys set counter = ${counter}, last_used_at = ${DateTime.toDate(now)}
          where id = ${id} and counter = ${before} returning id`.pipe(some, Effect.orDie),
    remove: (account, id) =>
      audit(
        sql`delete from passkeys where id = ${id} and user_id = ${account} returning name`.pipe(
          Effect.flatMap(names),
          Effect.map((found) => Array.head(found.map(({ name }) => name))),
          Effect.orDie
        ),
        ({ _tag }) => (_tag === "None" ? undefined : about(account, "user.passkey_removed"))
      ),
    addChallenge: (hash, boundTo, expiresAt) =>
      sql`
          insert into passkey_challenges (hash, bound_to, expires_at)
          values (${hash}, ${boundTo}, ${DateTime.toDate(expiresAt)})`.pipe(Effect.asVoid, Effect.orDie),
    useChallenge: (hash, boundTo, now) =>
      sql`
          delete from passkey_challenges
          where hash = ${hash} and bound_to = ${boundTo} and expires_at > ${DateTime.toDate(now)} returning hash`.pipe(
        some,
        Effect.orDie
      ),
    sweep: (now) =>
      sql`delete from passkey_challenges where expires_at <= ${DateTime.toDate(now)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})
