/** Projects in PostgreSQL, served or embedded. */

import {
  AmbiguousMode,
  DialogueMode,
  PublicKeyPolicy,
  TrackingMode
} from "@posthorn/contract/accounts/projects/Project"
import { DisabledReason, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Equal, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recordServiceEvents } from "../../events/ServiceEvents.ts"
import { audited } from "../../platform/audit/Audited.ts"
import { anyOf, nextDue } from "../../platform/jobs/Agenda.ts"
import type { StoredProject } from "./Project.ts"
import { type ProjectSettings, ProjectStore } from "./ProjectStore.ts"

const Row = Schema.Struct({
  id: ProjectId,
  name: Schema.String,
  publicKey: Schema.String,
  secretHint: Schema.String,
  disabled: Schema.NullOr(DisabledReason),
  disabledAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  tracking: TrackingMode,
  language: Schema.String,
  timezone: Schema.String,
  ambiguousTransactional: AmbiguousMode,
  ambiguousBulk: AmbiguousMode,
  smtpDialogue: DialogueMode,
  publicKeyPolicy: PublicKeyPolicy,
  sendRatePerSecond: Schema.NullOr(Schema.Int),
  requireTwoFactor: Schema.Boolean,
  rejectDmarcFailures: Schema.Boolean,
  resetting: Schema.Boolean,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([Row]))
const owners = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: ProjectId,
      disabled: Schema.NullOr(DisabledReason),
      resetting: Schema.Boolean,
      publicKeyPolicy: PublicKeyPolicy
    })
  )
)
const ofUser = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...Row.fields, role: MemberRole })))
const going = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ProjectId, resetting: Schema.NullOr(Schema.DateTimeUtcFromDate) }))
)
const begun = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ since: Schema.DateTimeUtcFromDate })))

const columns = `id, name, public_key as "publicKey", secret_hint as "secretHint", disabled_reason as disabled,
  disabled_at as "disabledAt", tracking, language, timezone, ambiguous_transactional as "ambiguousTransactional",
  ambiguous_bulk as "ambiguousBulk", smtp_dialogue as "smtpDialogue", public_key_policy as "publicKeyPolicy", send_rate_per_second as "sendRatePerSecond",
  require_two_factor as "requireTwoFactor", reject_dmarc_failures as "rejectDmarcFailures",
  resetting_since is not null as resetting, projects.created_at as "createdAt", updated_at as "updatedAt"`

/** The columns of the given settings. */
const record = (
  {
    rejectDmarcFailures,
    requireTwoFactor,
    sendRatePerSecond,
    smtpDialogue,
    ...given
  }: Omit<ProjectSettings, "ambiguousPolicy" | "publicKeyPolicy">,
  policy: ProjectSettings["ambiguousPolicy"]
): string =>
  JSON.stringify({
    ...given,
    require_two_factor: requireTwoFactor,
    reject_dmarc_failures: rejectDmarcFailures,
    send_rate_per_second: sendRatePerSecond,
    smtp_dialogue: smtpDialogue,
    ambiguous_transactional: policy?.transactional,
    ambiguous_bulk: policy?.bulk
  })

const toProject = ({ ambiguousTransactional, ambiguousBulk, ...row }: typeof Row.Type): StoredProject => ({
  ...row,
  ambiguousPolicy: { transactional: ambiguousTransactional, bulk: ambiguousBulk }
})

export const layer: Layer.Layer<ProjectStore, never, SqlClient.SqlClient> = Layer.effect(
  ProjectStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = sql.literal(columns)
    const audit = audited(sql)

    return ProjectStore.of({
      insert: ({ id, name, publicKey, secretHash, secretHint }, now) =>
        audit(
          sql`
            insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
            values (${id}, ${name}, ${publicKey}, ${secretHash}, ${secretHint}, ${DateTime.toDate(now)}, ${DateTime.toDate(now)})
            returning ${all}`.pipe(
            Effect.flatMap(oneRow),
            Effect.map(([row]) => toProject(row)),
            Effect.orDie
          ),
          () => ({ project: id, action: "project.created", details: { name, secretHint } })
        ),
      find: (project) =>
        sql`select ${all} from projects where id = ${project} and deleted_at is null`.pipe(
          Effect.flatMap(rows),
          Effect.map((found) => Array.head(found.map(toProject))),
          Effect.orDie
        ),
      list: sql`select ${all} from projects where deleted_at is null order by created_at desc, id desc`.pipe(
        Effect.flatMap(rows),
        Effect.map((found) => found.map(toProject)),
        Effect.orDie
      ),
      listOf: (user) =>
        sql`
          select ${all}, role from projects join members on project_id = id
          where user_id = ${user} and deleted_at is null order by projects.created_at desc, id desc`.pipe(
          Effect.flatMap(ofUser),
          Effect.map((found) => found.map(({ role, ...row }) => ({ project: toProject(row), role }))),
          Effect.orDie
        ),
      update: (project, { ambiguousPolicy, publicKeyPolicy, ...given }, now) => {
        const settings = {
          ...given,
          ...(ambiguousPolicy && { ambiguousPolicy: { ...ambiguousPolicy } }),
          ...(publicKeyPolicy && { publicKeyPolicy: { ...publicKeyPolicy } })
        }
        const policy = JSON.stringify(publicKeyPolicy ?? {})
        const change = sql`
          update projects set (name, tracking, language, timezone, ambiguous_transactional, ambiguous_bulk,
            smtp_dialogue, send_rate_per_second, require_two_factor, reject_dmarc_failures, public_key_policy, updated_at) = (
            select name, tracking, language, timezone, ambiguous_transactional, ambiguous_bulk, smtp_dialogue, send_rate_per_second,
                   require_two_factor, reject_dmarc_failures, public_key_policy || ${policy}::text::jsonb,
                   case when next is distinct from projects
                             or public_key_policy || ${policy}::text::jsonb <> public_key_policy then ${DateTime.toDate(now)}::timestamptz else updated_at end
            from jsonb_populate_record(projects, ${record(given, ambiguousPolicy)}::text::jsonb) as next
          )
          where id = ${project} and deleted_at is null returning ${all}`.pipe(
          Effect.flatMap(rows),
          Effect.map((found) => Array.head(found.map(toProject))),
          Effect.orDie
        )
        return audit(change, (changed) =>
          Option.exists(changed, ({ updatedAt }) => Equal.equals(updatedAt, now))
            ? { project, action: "project.settings_changed", details: settings }
            : undefined
        )
      },
      beginReset: (project, now) =>
        audit(
          sql`
            update projects set resetting_since = coalesce(resetting_since, ${DateTime.toDate(now)})
            where id = ${project} and deleted_at is null returning resetting_since as since`.pipe(
            Effect.flatMap(begun),
            Effect.map((found) => Array.head(found.map(({ since }) => since))),
            Effect.orDie
          ),
          ({ _tag }) => (_tag === "None" ? undefined : { project, action: "project.reset" })
        ),
      endReset: (project, since) =>
        audit(
          sql`
            update projects set resetting_since = null
            where id = ${project} and resetting_since = ${DateTime.toDate(since)} returning id`.pipe(
            Effect.map(Array.isReadonlyArrayNonEmpty),
            Effect.orDie
          ),
          (ended) => (ended ? { project, action: "project.reset_finished" } : undefined)
        ).pipe(Effect.asVoid),
      // Without domains, no reports or inbound mail reach the project, and other projects can add the domains.
      markDeleted: (project, now) =>
        audit(
          // A separate statement, so that the next one sees members who joined while this one waited for the lock.
          Effect.andThen(
            sql`select 1 from projects where id = ${project} for update`,
            sql`
            with going as (
              update projects set deleted_at = ${DateTime.toDate(now)}, disabled_at = ${DateTime.toDate(now)},
                     disabled_reason = 'MANUAL', public_key = 'deleted:' || id, secret_key_hash = 'deleted:' || id
              where id = ${project} and deleted_at is null returning id
            ),
            ended as (delete from members where project_id in (select id from going)),
            uninvited as (delete from invitations where project_id in (select id from going)),
            released as (delete from domains where project_id in (select id from going))
            select id from going`
          ).pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
          (marked) => (marked ? { project, action: "project.deleted" } : undefined)
        ),
      remove: (project) => sql`delete from projects where id = ${project}`.pipe(Effect.asVoid, Effect.orDie),
      nextGoing: nextDue(
        anyOf(sql, sql`projects where resetting_since is not null or deleted_at is not null order by id`)
      ),
      going: sql`
        select id, case when deleted_at is null then resetting_since end as resetting from projects
        where resetting_since is not null or deleted_at is not null order by id`.pipe(
        Effect.flatMap(going),
        Effect.orDie
      ),
      replaceKeys: (project, { publicKey, secretHash, secretHint }, now) =>
        audit(
          sql`
            update projects set public_key = ${publicKey}, secret_key_hash = ${secretHash}, secret_hint = ${secretHint},
                   updated_at = ${DateTime.toDate(now)}
            where id = ${project} and deleted_at is null returning id`.pipe(
            Effect.map(Array.isReadonlyArrayNonEmpty),
            Effect.orDie
          ),
          (replaced) => (replaced ? { project, action: "project.keys_replaced", details: { secretHint } } : undefined)
        ),
      // The event of enabling names the reason that has ended. Without a change there is no event.
      disable: (project, reason, now) =>
        audit(
          sql`
            with recorded as (${recordServiceEvents(
              sql,
              sql`
                select id as project_id, null::uuid as contact_id,
                       ${reason === null ? "project.enabled" : "project.disabled"}::text as name,
                       jsonb_build_object('reason', coalesce(${reason}::text, disabled_reason)) as data
                from projects
                where id = ${project} and deleted_at is null and disabled_reason is distinct from ${reason}::text`,
              now
            )})
            update projects set disabled_reason = ${reason}::text, updated_at = ${DateTime.toDate(now)},
                   standing_since = case when ${reason}::text is null then ${DateTime.toDate(now)}::timestamptz
                     else standing_since end,
                   disabled_at = case when ${reason}::text is null then null
                     else coalesce(disabled_at, ${DateTime.toDate(now)}::timestamptz) end
            where id = ${project} and deleted_at is null and disabled_reason is distinct from ${reason}::text
            returning id`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
          (changed) => {
            if (!changed) return undefined
            if (reason === null) return { project, action: "project.enabled" }
            return { project, action: "project.disabled", details: { reason } }
          }
        ),
      findBySecretHash: (hash) =>
        sql`select id, disabled_reason as disabled, resetting_since is not null as resetting, public_key_policy as "publicKeyPolicy" from projects where secret_key_hash = ${hash}`.pipe(
          Effect.flatMap(owners),
          Effect.map(Array.head),
          Effect.orDie
        ),
      findByPublicKey: (key) =>
        sql`select id, disabled_reason as disabled, resetting_since is not null as resetting, public_key_policy as "publicKeyPolicy" from projects where public_key = ${key}`.pipe(
          Effect.flatMap(owners),
          Effect.map(Array.head),
          Effect.orDie
        )
    })
  })
)
