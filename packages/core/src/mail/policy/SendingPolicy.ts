/** The settings of a project's sending. */
import {
  type FrequencyCap,
  type QuietHours,
  SendingSettings,
  type UpdateSendingSettings,
  type WriteFrequencyCap,
  type WriteQuietHours
} from "@posthorn/contract/mail/sending/SendingSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../platform/audit/Audited.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import * as Frequency from "./Frequency.ts"

/** A service: handlers change the settings; campaigns, workflows and the sender follow them. */
export class SendingPolicy extends Context.Service<
  SendingPolicy,
  {
    readonly get: (project: ProjectId) => Effect.Effect<SendingSettings>
    /** As `get`, from a cache of at most one second. */
    readonly getCached: (project: ProjectId) => Effect.Effect<SendingSettings>
    /** Removes the settings from the cache of this process. Call it after the commit of a change. */
    readonly invalidate: (project: ProjectId) => Effect.Effect<void>
    /** Absent fields keep their values. Topics of caps are ids of the project. */
    readonly update: (project: ProjectId, change: UpdateSendingSettings) => Effect.Effect<SendingSettings>
    /** Takes the places of mails under the frequency caps. Joins the caller's transaction, if there is one. */
    readonly takePlaces: Frequency.Frequency["take"]
    /** The mails of a contact that count for the caps, newest first. */
    readonly counted: Frequency.Frequency["of"]
  }
>()("@posthorn/core/mail/policy/SendingPolicy") {}

const defaults: SendingSettings = {
  quietHours: null,
  frequencyCaps: [],
  onCap: { campaigns: "SKIP", workflows: "WAIT" },
  maxWaitHours: 24,
  campaignApproval: "OFF",
  capsCountSince: null,
  updatedAt: null
}

const everyDay = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const

const quietHours = ({ days, from, to, timezone, action }: WriteQuietHours): QuietHours => ({
  days: days ?? everyDay,
  from,
  to,
  timezone: timezone ?? "CONTACT",
  action: action ?? "WAIT"
})

const frequencyCap = ({ id, limit, amount, unit, topicId }: WriteFrequencyCap): FrequencyCap => ({
  id,
  limit,
  amount,
  unit,
  topicId: topicId ?? null
})

/** The settings after a change. Caps count from the moment at which the first one was set. */
const changed = (
  before: SendingSettings,
  { quietHours: hours, frequencyCaps, onCap, maxWaitHours, campaignApproval }: UpdateSendingSettings,
  now: DateTime.Utc
): SendingSettings => {
  const caps = frequencyCaps === undefined ? before.frequencyCaps : (frequencyCaps ?? []).map(frequencyCap)
  return {
    quietHours: hours === undefined ? before.quietHours : hours && quietHours(hours),
    frequencyCaps: caps,
    onCap:
      onCap === null
        ? defaults.onCap
        : {
            campaigns: onCap?.campaigns ?? before.onCap.campaigns,
            workflows: onCap?.workflows ?? before.onCap.workflows
          },
    maxWaitHours: maxWaitHours === undefined ? before.maxWaitHours : (maxWaitHours ?? defaults.maxWaitHours),
    campaignApproval:
      campaignApproval === undefined ? before.campaignApproval : (campaignApproval ?? defaults.campaignApproval),
    capsCountSince: caps.length === 0 ? null : (before.capsCountSince ?? now),
    updatedAt: now
  }
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      settings: Schema.JsonObject,
      updatedAt: Schema.DateTimeUtcFromDate,
      topics: Schema.Array(Schema.String)
    })
  )
)
const { updatedAt: _, ...fields } = SendingSettings.fields
const Stored = Schema.Struct({ ...fields, capsCountSince: Schema.NullOr(Schema.DateTimeUtcFromString) })
const decode = Schema.decodeUnknownEffect(Stored)
const encode = Schema.encodeEffect(Stored)

export const layer: Layer.Layer<SendingPolicy, never, SqlClient.SqlClient> = Layer.effect(
  SendingPolicy,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = recorded(sql)
    const { take, of } = yield* Frequency.make

    /** A setting that the row does not have has its default. A cap of a deleted topic is gone with it. */
    const read = Effect.fnUntraced(function* (project: ProjectId, lock = sql``) {
      const [row] = yield* rows(
        yield* sql`
          select settings, updated_at as "updatedAt",
                 array(select topics.id::text from jsonb_path_query(settings, '$.frequencyCaps[*].topicId') as named (id)
                       join topics on topics.project_id = ${project} and topics.id::text = named.id #>> '{}') as topics
          from sending_settings where project_id = ${project} ${lock}`
      )
      if (row === undefined) return defaults
      const { frequencyCaps, ...settings } = yield* decode({ ...defaults, ...row.settings })
      const left = frequencyCaps.filter(({ topicId }) => topicId === null || row.topics.includes(topicId))
      return { ...settings, frequencyCaps: left, updatedAt: row.updatedAt }
    })

    const get = Effect.fn("SendingPolicy.get")((project: ProjectId) => Effect.orDie(read(project)))

    const update = Effect.fn("SendingPolicy.update")(
      function* (project: ProjectId, change: UpdateSendingSettings) {
        const names = Object.keys(change).sort()
        if (names.length === 0) return yield* get(project)
        const now = yield* DateTime.now
        // Two changes at once come one after the other.
        yield* sql`
          insert into sending_settings (project_id, settings, updated_at)
          values (${project}, '{}', ${DateTime.toDate(now)}) on conflict do nothing`
        const { updatedAt: _, ...next } = changed(yield* read(project, sql`for update`), change, now)
        yield* sql`
          update sending_settings
          set settings = ${JSON.stringify(yield* encode(next))}::text::jsonb, updated_at = ${DateTime.toDate(now)}
          where project_id = ${project}`
        yield* audit({ project, action: "project.settings_changed", details: { sending: names } })
        return { ...next, updatedAt: now }
      },
      sql.withTransaction,
      Effect.orDie
    )

    const cache = ShortCache.make(get)

    return SendingPolicy.of({
      get,
      getCached: cache.get,
      invalidate: cache.invalidate,
      update,
      takePlaces: take,
      counted: of
    })
  })
)
