/** API keys in PostgreSQL or PGlite. */
import { ApiKeyId, KeyMode } from "@posthorn/contract/accounts/keys/ApiKey"
import { PublicKeyPolicy } from "@posthorn/contract/accounts/projects/Project"
import { DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type AuditEntry, audited, recordAs } from "../../platform/audit/Audited.ts"
import { ApiKeyStore, type KeySettings } from "./ApiKeyStore.ts"

const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const texts = Schema.Array(Schema.String)

const Row = Schema.Struct({
  id: ApiKeyId,
  projectId: ProjectId,
  name: Schema.String,
  mode: KeyMode,
  scopes: texts,
  senderDomains: texts,
  ipRanges: texts,
  rateLimitPerMinute: Schema.NullOr(Schema.Int),
  hint: Schema.String,
  expiresAt: moment,
  previousValidUntil: moment,
  lastUsedAt: moment,
  lastUsedVia: Schema.NullOr(Schema.Literals(["HTTP", "SMTP"])),
  createdBy: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const columns = `id, project_id as "projectId", name, mode, scopes, sender_domains as "senderDomains",
  ip_ranges as "ipRanges", rate_limit_per_minute as "rateLimitPerMinute", hint, expires_at as "expiresAt",
  previous_valid_until as "previousValidUntil", last_used_at as "lastUsedAt", last_used_via as "lastUsedVia",
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`

const held = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      disabled: Schema.NullOr(DisabledReason),
      resetting: Schema.Boolean,
      publicKeyPolicy: PublicKeyPolicy,
      id: Schema.String,
      name: Schema.String,
      mode: KeyMode,
      scopes: texts,
      senderDomains: texts,
      ipRanges: texts,
      rateLimitPerMinute: Schema.NullOr(Schema.Int),
      expiresAt: moment,
      replacedUntil: moment,
      lastUsedAt: moment
    })
  )
)

const expiring = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      id: ApiKeyId,
      name: Schema.String,
      mode: KeyMode,
      scopes: texts,
      hint: Schema.String,
      expiresAt: Schema.DateTimeUtcFromDate
    })
  )
)
const expiringColumns = `project_id as project, id, name, mode, scopes, hint, expires_at as "expiresAt"`

const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const toKey = ({ createdBy, ...row }: typeof Row.Type) => ({
  ...row,
  createdBy: createdBy === null ? ({ kind: "key", id: null } as const) : ({ kind: "member", id: createdBy } as const)
})

const dateOrNull = (time: DateTime.Utc | null) => (time === null ? null : DateTime.toDate(time))

type Change = "created" | "updated" | "rotated" | "deleted" | "expired"

const entryOf = (
  change: Change,
  project: ProjectId,
  { id, name, mode, scopes }: Pick<typeof Row.Type, "id" | "mode" | "name" | "scopes">
): AuditEntry => ({ project, action: `api_key.${change}`, details: { id, name, mode, scopes } })

export const layer: Layer.Layer<ApiKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = sql.literal(columns)
    const audit = audited(sql)
    const byId = (project: ProjectId, id: string) => sql`project_id = ${project} and id = ${id}`
    const many = (statement: Statement.Statement<unknown>) =>
      statement.pipe(
        Effect.flatMap(rows),
        Effect.map((found) => found.map(toKey)),
        Effect.orDie
      )
    const one = (statement: Statement.Statement<unknown>) => Effect.map(many(statement), Array.head)

    const changed = (change: Change, project: ProjectId, statement: Statement.Statement<unknown>) =>
      audit(one(statement), (found) => (Option.isSome(found) ? entryOf(change, project, found.value) : undefined))

    const changes = (
      { name, scopes, senderDomains, ipRanges, rateLimitPerMinute, expiresAt }: Partial<KeySettings>,
      now: DateTime.Utc
    ) =>
      sql.csv([
        ...(name === undefined ? [] : [sql`name = ${name}`]),
        ...(scopes === undefined ? [] : [sql`scopes = ${scopes}::text[]`]),
        ...(senderDomains === undefined ? [] : [sql`sender_domains = ${senderDomains}::text[]`]),
        ...(ipRanges === undefined ? [] : [sql`ip_ranges = ${ipRanges}::text[]`]),
        ...(rateLimitPerMinute === undefined ? [] : [sql`rate_limit_per_minute = ${rateLimitPerMinute}::int`]),
        ...(expiresAt === undefined ? [] : [sql`expires_at = ${dateOrNull(expiresAt)}::timestamptz`]),
        sql`updated_at = ${DateTime.toDate(now)}`
      ])

    return ApiKeyStore.of({
      lockCount: Effect.fn("ApiKeyStore.lockCount")(function* (project) {
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:api_keys:${project}`}, 0))`
        const [{ count }] = yield* countRow(
          yield* sql`select count(*)::int as count from api_keys where project_id = ${project}`
        )
        return count
      }, Effect.orDie),
      insert: (project, { id, name, mode, hash, hint, createdBy, ...settings }, now) =>
        changed(
          "created",
          project,
          sql`
            insert into api_keys (project_id, id, name, mode, scopes, sender_domains, ip_ranges, rate_limit_per_minute,
                                  hash, hint, expires_at, created_by, created_at, updated_at)
            values (${project}, ${id}, ${name}, ${mode}, ${settings.scopes}::text[], ${settings.senderDomains}::text[],
                    ${settings.ipRanges}::text[], ${settings.rateLimitPerMinute}::int, ${hash}, ${hint},
                    ${dateOrNull(settings.expiresAt)}::timestamptz, ${createdBy}::uuid, ${DateTime.toDate(now)},
                    ${DateTime.toDate(now)})
            returning ${all}`
        ).pipe(Effect.flatMap(Effect.fromOption), Effect.orDie),
      list: (project) =>
        many(sql`select ${all} from api_keys where project_id = ${project} order by created_at desc, id desc`),
      find: (project, id) => one(sql`select ${all} from api_keys where ${byId(project, id)}`),
      update: (project, id, change, now) =>
        changed(
          "updated",
          project,
          sql`update api_keys set ${changes(change, now)} where ${byId(project, id)} returning ${all}`
        ),
      rotate: (project, id, { hash, hint }, previousValidUntil, now) => {
        const until = sql`${dateOrNull(previousValidUntil)}::timestamptz`
        return changed(
          "rotated",
          project,
          sql`
            update api_keys set hash = ${hash}, hint = ${hint}, previous_valid_until = ${until},
                   previous_hash = case when ${until} is null then null else hash end,
                   updated_at = ${DateTime.toDate(now)}
            where ${byId(project, id)} returning ${all}`
        )
      },
      delete: (project, id) =>
        Effect.map(
          changed("deleted", project, sql`delete from api_keys where ${byId(project, id)} returning ${all}`),
          Option.isSome
        ),
      findByHash: (hash) =>
        sql`
          select projects.id as project, disabled_reason as disabled, resetting_since is not null as resetting,
                 public_key_policy as "publicKeyPolicy", api_keys.id, api_keys.name, mode, scopes,
                 sender_domains as "senderDomains", ip_ranges as "ipRanges",
                 rate_limit_per_minute as "rateLimitPerMinute", expires_at as "expiresAt",
                 case when hash <> ${hash} then previous_valid_until end as "replacedUntil",
                 last_used_at as "lastUsedAt"
          from api_keys join projects on projects.id = api_keys.project_id
          where (hash = ${hash} or previous_hash = ${hash}) and deleted_at is null`.pipe(
          Effect.flatMap(held),
          Effect.map((found) =>
            Option.map(Array.head(found), ({ project, disabled, resetting, publicKeyPolicy, ...apiKey }) => ({
              id: project,
              disabled,
              resetting,
              publicKeyPolicy,
              apiKey
            }))
          ),
          Effect.orDie
        ),
      used: (project, id, via, since, now) =>
        sql`
          update api_keys set last_used_at = ${DateTime.toDate(now)}, last_used_via = ${via}
          where ${byId(project, id)} and (last_used_at is null or last_used_at <= ${DateTime.toDate(since)})`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      takeExpiring: (until, now) =>
        sql`
          update api_keys set warned_for = expires_at
          where expires_at > ${DateTime.toDate(now)} and expires_at <= ${DateTime.toDate(until)}
            and warned_for is distinct from expires_at
          returning ${sql.literal(expiringColumns)}`.pipe(Effect.flatMap(expiring), Effect.orDie),
      recordExpired: Effect.fn("ApiKeyStore.recordExpired")(
        function* (now) {
          const ended = yield* expiring(
            yield* sql`
            update api_keys set expired_for = expires_at
            where expires_at <= ${DateTime.toDate(now)} and expired_for is distinct from expires_at
            returning ${sql.literal(expiringColumns)}`
          )
          for (const key of ended) {
            yield* recordAs(sql, { actor: "service", user: null }, entryOf("expired", key.project, key))
          }
        },
        sql.withTransaction,
        Effect.orDie
      )
    })
  })
)
