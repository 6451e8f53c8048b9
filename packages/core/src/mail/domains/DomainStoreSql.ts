/** DomainStore in PostgreSQL, on a server or embedded. */
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { Array, DateTime, Effect, Equal, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { markProject } from "../warmup/WarmupSql.ts"
import { changeDomain } from "./DomainChangeSql.ts"
import { behind, domainColumns, domainRows, keyColumns, keyRows, oneDomainRow } from "./DomainRow.ts"
import { DomainHeld, DomainStore } from "./DomainStore.ts"
import { domainUsage } from "./DomainUsageSql.ts"

const takenRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ count: Schema.Int, existing: Schema.NullOr(DomainId), heldElsewhere: Schema.Boolean })])
)

export const layer: Layer.Layer<DomainStore, never, SqlClient.SqlClient> = Layer.effect(
  DomainStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = audited(sql)
    const columns = sql.literal(domainColumns)
    const keys = sql.literal(keyColumns)

    return DomainStore.of({
      holdProject: (project) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:domains:${project}`}, 0))`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      taken: (project, domain) =>
        sql`
          select count(*)::int as count,
                 (select id from domains where project_id = ${project} and domain = ${domain}) as existing,
                 exists (select 1 from domains where domain = ${domain} and verified and project_id <> ${project})
                   as "heldElsewhere"
          from domains where project_id = ${project}`.pipe(
          Effect.flatMap(takenRow),
          Effect.map(([taken]) => taken),
          Effect.orDie
        ),
      insert: (project, domain, now) =>
        audit(
          sql`
            insert into domains (id, project_id, domain, selector, rsa_public_key, rsa_private_key, ed25519_public_key,
              ed25519_private_key, verified, records, verified_at, created_at, updated_at)
            values (${domain.id}, ${project}, ${domain.domain}, ${domain.selector}, ${domain.rsaPublicKey},
              ${domain.rsaPrivateKey}, ${domain.ed25519PublicKey}, ${domain.ed25519PrivateKey}, ${domain.verified},
              ${JSON.stringify(domain.records)}::text::jsonb, ${domain.verified ? DateTime.toDate(now) : null},
              ${DateTime.toDate(now)}, ${DateTime.toDate(now)})
            returning ${columns}`.pipe(
            Effect.flatMap(oneDomainRow),
            Effect.map(([stored]) => stored),
            Effect.catchTag("SchemaError", Effect.die),
            Effect.catchReasons(
              "SqlError",
              {
                UniqueViolation: (reason): Effect.Effect<never, DomainHeld> =>
                  reason.constraint === "domains_verified" ? Effect.fail(new DomainHeld()) : Effect.die(reason)
              },
              (_, error) => Effect.die(error)
            )
          ),
          () => ({ project, action: "domain.added", details: { domain: domain.domain } })
        ),
      list: (project) =>
        sql`select ${columns} from domains where project_id = ${project} order by created_at desc, id desc`.pipe(
          Effect.flatMap(domainRows),
          Effect.orDie
        ),
      find: (project, id) =>
        sql`select ${columns} from domains where project_id = ${project} and id = ${id}`.pipe(
          Effect.flatMap(domainRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      saveCheck: (before, decide, now) =>
        changeDomain(
          sql,
          before.projectId,
          before.id,
          (domain) =>
            Equal.equals(domain.lastCheckedAt, before.lastCheckedAt)
              ? { ...decide(domain), trusted: domain.trusted, lastCheckedAt: now }
              : undefined,
          now
        ),
      setTrust: (project, id, trusted, now) =>
        audit(
          changeDomain(
            sql,
            project,
            id,
            (domain) => {
              if (!trusted) return { ...domain, trusted }
              return domain.heldElsewhere
                ? undefined
                : { ...domain, trusted, verified: true, verifiedElsewhere: false, failedChecks: 0 }
            },
            now
          ),
          (changed) =>
            Option.isSome(changed) && changed.value.domain.trusted === trusted
              ? {
                  project,
                  action: trusted ? "domain.trusted" : "domain.untrusted",
                  details: { domain: changed.value.domain.domain }
                }
              : undefined
        ).pipe(
          Effect.filterOrFail(
            (changed) => Option.isNone(changed) || changed.value.domain.trusted === trusted,
            () => new DomainHeld()
          )
        ),
      usage: (project, domain) => domainUsage(sql, project, domain),
      delete: (project, id) =>
        audit(
          sql`
            with reports as (delete from dmarc_rows where project_id = ${project} and domain_id = ${id})
            delete from domains where project_id = ${project} and id = ${id} returning ${columns}`.pipe(
            Effect.flatMap(domainRows),
            Effect.map(Array.head),
            // Its warm-ups went with it.
            Effect.tap(() => markProject(sql, project)),
            Effect.orDie
          ),
          Option.match({
            onNone: () => undefined,
            onSome: ({ domain }) => ({ project, action: "domain.removed", details: { domain } })
          })
        ).pipe(Effect.map(Option.isSome)),
      keys: (project, id) =>
        sql`select ${keys} from domains where project_id = ${project} and id = ${id}`.pipe(
          Effect.flatMap(keyRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      named: (domain) =>
        sql`select ${columns} from domains where domain = ${domain} order by created_at, id`.pipe(
          Effect.flatMap(domainRows),
          Effect.orDie
        ),
      toCheck: (checkedUntil, limit, after) =>
        sql`
          select ${columns} from domains
          where (last_checked_at is null or last_checked_at <= ${DateTime.toDate(checkedUntil)}) and ${behind(sql, after)}
          order by project_id, id limit ${limit}`.pipe(Effect.flatMap(domainRows), Effect.orDie)
    })
  })
)
