/** Storage port of Idempotency-Keys. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { deleteInBatches } from "../Batches.ts"

/** The first use of a key. `status` and `body` are null while it runs. */
export interface FirstUse {
  readonly request: string
  readonly fingerprint: string
  readonly firstAt: DateTime.Utc
  readonly status: number | null
  readonly body: string | null
}

export interface KeyClaim {
  readonly owner: string
  /** The endpoint, such as `POST /v1/send`. */
  readonly request: string
  readonly fingerprint: string
  readonly expiresAt: DateTime.Utc
}

/**
 * A port: the middleware and requests of data subjects share it. Expiry uses `now`. The lease of a running request uses
 * the database clock.
 */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /**
     * Claims a key that is new or expired, or whose first request died. None when the key is claimed, else its first
     * use.
     */
    readonly claim: (
      project: ProjectId,
      key: string,
      claim: KeyClaim,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<FirstUse>>
    /** False when the claim is lost: the key was taken over, or its request is done. */
    readonly renew: (project: ProjectId, key: string, owner: string) => Effect.Effect<boolean>
    /** Joins the caller's transaction. That must not commit when the result is false: the key was taken over. */
    readonly keep: (
      project: ProjectId,
      key: string,
      owner: string,
      status: number,
      body: string
    ) => Effect.Effect<boolean>
    /** Claims keys that differ, in the caller's transaction. Returns the first uses of those that it cannot claim. */
    readonly claimAll: (
      project: ProjectId,
      keys: ReadonlyArray<Pick<KeyClaim, "fingerprint"> & { readonly key: string }>,
      claim: Omit<KeyClaim, "fingerprint">,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<string, FirstUse>>
    /** Stores successful responses, and frees these keys of the owner. Joins the caller's transaction. */
    readonly keepAll: (
      project: ProjectId,
      owner: string,
      freed: ReadonlyArray<string>,
      answers: ReadonlyArray<{ readonly key: string; readonly body: string }>
    ) => Effect.Effect<void>
    /** Frees the key, unless it has a response. */
    readonly release: (project: ProjectId, key: string, owner: string) => Effect.Effect<void>
    /** Whether the response is stored. Waits for a transaction that is about to commit it. */
    readonly isKept: (project: ProjectId, key: string, owner: string) => Effect.Effect<boolean>
    /**
     * Removes an address from the stored responses. A repeated request then gets the response without it, and still has
     * no effect. Reads all keys of the project. Joins a transaction.
     */
    readonly forget: (project: ProjectId, email: string) => Effect.Effect<void>
    /** Deletes expired keys. */
    readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/platform/http/IdempotencyKeys") {}

/**
 * How long a running request holds its key without renewing it. When a process is killed, its keys are free after this
 * time.
 */
const lease = "60 seconds"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      request: Schema.String,
      fingerprint: Schema.String,
      firstAt: Schema.DateTimeUtcFromDate,
      status: Schema.NullOr(Schema.Int),
      body: Schema.NullOr(Schema.String)
    })
  )
)

const usedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      request: Schema.String,
      fingerprint: Schema.String,
      firstAt: Schema.DateTimeUtcFromDate,
      status: Schema.NullOr(Schema.Int),
      body: Schema.NullOr(Schema.String)
    })
  )
)

const claimedKeys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String })))

export const layerSql: Layer.Layer<IdempotencyKeys, never, SqlClient.SqlClient> = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const until = sql.literal(`clock_timestamp() + interval '${lease}'`)
    const columns = sql.literal(`request, fingerprint, first_at as "firstAt", status, body`)

    const first = (project: ProjectId, key: string) =>
      sql`select ${columns} from idempotency_keys where project_id = ${project} and key = ${key}`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      )

    return IdempotencyKeys.of({
      claim: (project, key, { owner, request, fingerprint, expiresAt }, now) =>
        sql`
          insert into idempotency_keys as held
            (project_id, key, owner, request, fingerprint, first_at, expires_at, lease_until)
          values (${project}, ${key}, ${owner}, ${request}, ${fingerprint}, ${DateTime.toDate(now)},
                  ${DateTime.toDate(expiresAt)}, ${until})
          on conflict (project_id, key) do update set
            owner = excluded.owner, request = excluded.request, fingerprint = excluded.fingerprint,
            first_at = excluded.first_at, expires_at = excluded.expires_at, lease_until = excluded.lease_until,
            status = null, body = null
          where held.expires_at <= ${DateTime.toDate(now)}
             or (held.status is null and held.lease_until < clock_timestamp())
          returning owner`.pipe(
          Effect.orDie,
          Effect.flatMap((claimed) => (claimed.length > 0 ? Effect.succeedNone : first(project, key)))
        ),
      renew: (project, key, owner) =>
        sql`
          update idempotency_keys set lease_until = ${until}
          where project_id = ${project} and key = ${key} and owner = ${owner} and status is null
          returning owner`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
      keep: (project, key, owner, status, body) =>
        sql`
          update idempotency_keys set status = ${status}, body = ${body}
          where project_id = ${project} and key = ${key} and owner = ${owner}
          returning owner`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
      claimAll: Effect.fnUntraced(function* (project, keys, { owner, request, expiresAt }, now) {
        if (keys.length === 0) return new Map()
        const claimed = yield* claimedKeys(
          yield* sql`
            insert into idempotency_keys as held
              (project_id, key, owner, request, fingerprint, first_at, expires_at, lease_until)
            select ${project}::uuid, key, ${owner}::uuid, ${request}, fingerprint, ${DateTime.toDate(now)}::timestamptz,
                   ${DateTime.toDate(expiresAt)}::timestamptz, ${until}
            from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as given(key text, fingerprint text)
            order by key
            on conflict (project_id, key) do update set
              owner = excluded.owner, request = excluded.request, fingerprint = excluded.fingerprint,
              first_at = excluded.first_at, expires_at = excluded.expires_at, lease_until = excluded.lease_until,
              status = null, body = null
            where held.expires_at <= ${DateTime.toDate(now)}::timestamptz
               or (held.status is null and held.lease_until < clock_timestamp())
            returning key`
        )
        if (claimed.length === keys.length) return new Map()
        const found = yield* usedRows(
          yield* sql`
            select key, ${columns} from idempotency_keys
            where project_id = ${project} and key = any(${keys.map(({ key }) => key)}::text[])
              and owner <> ${owner}::uuid`
        )
        return new Map(found.map(({ key, ...first }) => [key, first]))
      }, Effect.orDie),
      keepAll: Effect.fnUntraced(function* (project, owner, freed, answers) {
        if (freed.length > 0) {
          yield* sql`
            delete from idempotency_keys
            where project_id = ${project} and key = any(${freed}::text[]) and owner = ${owner}::uuid and status is null`
        }
        if (answers.length === 0) return
        yield* sql`
          update idempotency_keys set status = 200, body = given.body
          from jsonb_to_recordset(${JSON.stringify(answers)}::text::jsonb) as given(key text, body text)
          where project_id = ${project} and idempotency_keys.key = given.key and owner = ${owner}::uuid`
      }, Effect.orDie),
      release: (project, key, owner) =>
        sql`
          delete from idempotency_keys
          where project_id = ${project} and key = ${key} and owner = ${owner} and status is null`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      isKept: (project, key, owner) =>
        sql`
          select status is not null as kept from idempotency_keys
          where project_id = ${project} and key = ${key} and owner = ${owner} for share`.pipe(
          Effect.map(([row]) => row?.["kept"] === true),
          Effect.orDie
        ),
      forget: (project, email) =>
        sql`
          update idempotency_keys set body = replace(body, ${JSON.stringify(email)}, '""')
          where project_id = ${project} and strpos(body, ${JSON.stringify(email)}) > 0`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      sweep: (now) =>
        deleteInBatches(sql, "idempotency_keys", sql`expires_at <= ${DateTime.toDate(now)}`).pipe(
          Effect.asVoid,
          Effect.orDie
        )
    })
  })
)
