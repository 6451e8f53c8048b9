/** Accounts in PostgreSQL, served or embedded. */

import { AccountKind } from "@posthorn/contract/accounts/people/Account"
import { AccountId, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type AuditEntry, audited } from "../../platform/audit/Audited.ts"
import { AccountStore } from "./AccountStore.ts"

const Row = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  type: AccountKind,
  createdAt: Schema.DateTimeUtcFromDate
})
const accounts = Schema.decodeUnknownEffect(Schema.Array(Row))
const credentials = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Row.fields, passwordHash: Schema.NullOr(Schema.String), sessionVersion: Schema.Int }))
)
const hashes = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ hash: Schema.String })))
const origins = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ network: Schema.NullOr(Schema.String) })))
const Before = Schema.Struct({ before: Schema.Boolean })
const verified = Schema.decodeUnknownEffect(Schema.Array(Before))
const adopted = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Before.fields, id: AccountId, sessionVersion: Schema.Int }))
)
const addresses = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))
const memberships = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, role: MemberRole })))

const columns = `id, email, email_verified as "emailVerified", type, created_at as "createdAt"`

export const layer: Layer.Layer<AccountStore, never, SqlClient.SqlClient> = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = audited(sql)
    const all = sql.literal(columns)
    const about = (account: AccountId, action: string, details: AuditEntry["details"] = {}) => ({
      project: null,
      account,
      action,
      details
    })

    const insert: AccountStore["Service"]["insert"] = ({ id, email, emailVerified, type, passwordHash }, now) =>
      audit(
        sql`
          insert into users (id, email, password_hash, email_verified, type, created_at, updated_at)
          values (${id}, ${email}, ${passwordHash}, ${emailVerified}, ${type},
                  ${DateTime.toDate(now)}, ${DateTime.toDate(now)})
          on conflict (email) do nothing
          returning ${all}`.pipe(Effect.flatMap(accounts), Effect.map(Array.head), Effect.orDie),
        ({ _tag }) => (_tag === "None" ? undefined : about(id, "user.created", { type }))
      )
    const hasAny = sql`select 1 from users limit 1`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie)

    return AccountStore.of({
      insert,
      insertFirst: (account, now) =>
        Effect.gen(function* () {
          yield* sql`select pg_advisory_xact_lock(hashtextextended('posthorn:first-account:' || current_schema(), 0))`
          return (yield* hasAny) ? Option.none() : yield* insert(account, now)
        }).pipe(sql.withTransaction, Effect.orDie),
      hasAny,
      adopt: (email, now) =>
        audit(
          sql`
            with before as (select id, email_verified from users where email = ${email} for update)
            update users set email_verified = true,
                   password_hash = case when before.email_verified then password_hash end,
                   session_version = session_version + (not before.email_verified)::int,
                   updated_at = case when before.email_verified then updated_at
                                     else ${DateTime.toDate(now)}::timestamptz end
            from before where users.id = before.id
            returning users.id, session_version as "sessionVersion", before.email_verified as before`.pipe(
            Effect.flatMap(adopted),
            Effect.map(Array.head),
            Effect.orDie
          ),
          Option.match({
            onNone: () => undefined,
            onSome: ({ id, before }) => (before ? undefined : about(id, "user.taken_over"))
          })
        ).pipe(Effect.map(Option.map(({ id, sessionVersion }) => ({ id, sessionVersion })))),
      findByEmail: (email) =>
        sql`select ${all} from users where email = ${email}`.pipe(
          Effect.flatMap(accounts),
          Effect.map(Array.head),
          Effect.orDie
        ),
      find: (account) =>
        sql`select ${all} from users where id = ${account}`.pipe(
          Effect.flatMap(accounts),
          Effect.map(Array.head),
          Effect.orDie
        ),
      credentials: (of) =>
        sql`
          select ${all}, password_hash as "passwordHash", session_version as "sessionVersion" from users
          where ${"id" in of ? sql`id = ${of.id}` : sql`email = ${of.email}`}`.pipe(
          Effect.flatMap(credentials),
          Effect.map((found) =>
            Array.head(
              found.map(({ passwordHash, sessionVersion, ...account }) => ({ account, passwordHash, sessionVersion }))
            )
          ),
          Effect.orDie
        ),
      rehash: (account, before, hash) =>
        sql`update users set password_hash = ${hash} where id = ${account} and password_hash = ${before}`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      setOrigin: (account, network) =>
        sql`update users set made_from = ${network} where id = ${account}`.pipe(Effect.asVoid, Effect.orDie),
      origin: (account) =>
        sql`select made_from as network from users where id = ${account}`.pipe(
          Effect.flatMap(origins),
          Effect.map((found) => Array.head(found.map(({ network }) => network))),
          Effect.orDie
        ),
      verifyEmail: (account, now) =>
        audit(
          sql`
            with before as (select email_verified from users where id = ${account} for update)
            update users set email_verified = true,
                   updated_at = case when users.email_verified then updated_at
                                     else ${DateTime.toDate(now)}::timestamptz end
            from before where id = ${account} returning before.email_verified as before`.pipe(
            Effect.flatMap(verified),
            Effect.map(Array.head),
            Effect.orDie
          ),
          (found) => (Option.exists(found, ({ before }) => !before) ? about(account, "user.email_verified") : undefined)
        ).pipe(Effect.map(Option.isSome)),
      endSessions: (account, now) =>
        audit(
          sql`
            update users set session_version = session_version + 1, updated_at = ${DateTime.toDate(now)}
            where id = ${account}`.pipe(Effect.asVoid, Effect.orDie),
          () => about(account, "user.sessions_ended")
        ),
      lock: (account) =>
        sql`select ${all} from users where id = ${account} for update`.pipe(
          Effect.flatMap(accounts),
          Effect.map(Array.head),
          Effect.orDie
        ),
      remove: (account) =>
        audit(
          sql`
            with gone as (
              delete from users
              where id = ${account} and not exists (select 1 from members where user_id = ${account} and role = 'OWNER')
              returning id, email
            ),
            ended as (delete from invitations where kind = 'OWNERSHIP' and email in (select email from gone))
            select id from gone`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
          (removed) => (removed ? about(account, "user.removed") : undefined)
        ),
      passwordHash: (account) =>
        sql`select password_hash as hash from users where id = ${account} and password_hash is not null`.pipe(
          Effect.flatMap(hashes),
          Effect.map((found) => Array.head(found.map(({ hash }) => hash))),
          Effect.orDie
        ),
      setPasswordHash: (account, hash, now) =>
        audit(
          sql`
            update users set password_hash = ${hash}, session_version = session_version + 1,
                   updated_at = ${DateTime.toDate(now)}
            where id = ${account} returning id`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
          (found) => (found ? about(account, "user.password_set") : undefined)
        ),
      join: (account, { project, role }, now) =>
        sql`
          insert into members (project_id, user_id, role, created_at)
          values (${project}, ${account}, ${role}, ${DateTime.toDate(now)})`.pipe(Effect.asVoid, Effect.orDie),
      administrators: (project) =>
        sql`
          select email from members join users on users.id = user_id
          where project_id = ${project} and role in ('OWNER', 'ADMIN')
          order by role <> 'OWNER', members.created_at, user_id`.pipe(
          Effect.flatMap(addresses),
          Effect.map((found) => found.map(({ email }) => email)),
          Effect.orDie
        ),
      memberships: (account) =>
        sql`
          select project_id as project, role from members where user_id = ${account}
          order by created_at, project_id`.pipe(Effect.flatMap(memberships), Effect.orDie)
    })
  })
)
