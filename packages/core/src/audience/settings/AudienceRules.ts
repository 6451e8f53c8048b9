/** The rules of a project's audience, for the services that follow them. */
import {
  AudienceSettings,
  defaultAudienceSettings,
  type UpdateAudienceSettings
} from "@posthorn/contract/audience/settings/AudienceSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../platform/audit/Audited.ts"
import * as ShortCache from "../../platform/ShortCache.ts"

/** A service: handlers change the settings, and other areas read them. */
export class AudienceRules extends Context.Service<
  AudienceRules,
  {
    readonly get: (project: ProjectId) => Effect.Effect<AudienceSettings>
    /** As `get`, from a cache of at most one second. Writes of contacts need it. */
    readonly getCached: (project: ProjectId) => Effect.Effect<AudienceSettings>
    /** Removes the settings from the cache of this process. Call it after the commit of a change. */
    readonly invalidate: (project: ProjectId) => Effect.Effect<void>
    /** The settings. No other call changes them until the caller's transaction ends. */
    readonly hold: (project: ProjectId) => Effect.Effect<AudienceSettings>
    /** Stores settings that `hold` has read and the caller has checked. Joins the caller's transaction. */
    readonly set: (
      project: ProjectId,
      settings: AudienceSettings,
      change: UpdateAudienceSettings
    ) => Effect.Effect<AudienceSettings>
  }
>()("@posthorn/core/audience/settings/AudienceRules") {}

/** What is wrong with asking contacts to confirm in this project: confirmation mail needs a sender. */
export const senderFaults = ({ doubleOptIn }: AudienceSettings): ReadonlyArray<Fault> =>
  doubleOptIn.from === null
    ? [
        {
          field: "doubleOptIn",
          code: "custom",
          message: "Set `doubleOptIn.from` in the settings of the audience first."
        }
      ]
    : []

/** AudienceSettings with a change, one level deep. */
export const changed = (settings: AudienceSettings, change: UpdateAudienceSettings): AudienceSettings => {
  const groups = Object.entries(change).map(([name, value]) => {
    const before: unknown = settings[name as keyof AudienceSettings]
    return [name, Predicate.isObject(value) && Predicate.isObject(before) ? { ...before, ...value } : value]
  })
  return { ...settings, ...Object.fromEntries(groups) }
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ settings: Schema.JsonObject, updatedAt: Schema.DateTimeUtcFromDate }))
)
const { updatedAt: _, ...stored } = AudienceSettings.fields
const Stored = Schema.Struct(stored)
const decode = Schema.decodeUnknownEffect(Stored)
const encode = Schema.encodeEffect(Stored)

export const layer: Layer.Layer<AudienceRules, never, SqlClient.SqlClient> = Layer.effect(
  AudienceRules,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = recorded(sql)

    /** A setting that was added after the row was written has its default. */
    const read = Effect.fnUntraced(function* (project: ProjectId, lock = sql``) {
      const [row] = yield* rows(
        yield* sql`
          select settings, updated_at as "updatedAt" from audience_settings where project_id = ${project} ${lock}`
      )
      if (row === undefined) return defaultAudienceSettings
      const { updatedAt: _, ...defaults } = changed(defaultAudienceSettings, row.settings as UpdateAudienceSettings)
      return { ...(yield* decode(defaults)), updatedAt: row.updatedAt }
    }, Effect.orDie)

    const get = Effect.fn("AudienceRules.get")((project: ProjectId) => read(project))

    const hold = Effect.fn("AudienceRules.hold")(function* (project: ProjectId) {
      yield* Effect.orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`audience_settings:${project}`}, 0))`)
      return yield* read(project)
    })

    const set = Effect.fn("AudienceRules.set")(function* (
      project: ProjectId,
      { updatedAt: _, ...settings }: AudienceSettings,
      change: UpdateAudienceSettings
    ) {
      const now = yield* DateTime.now
      yield* sql`
        insert into audience_settings (project_id, settings, updated_at)
        values (${project}, ${JSON.stringify(yield* encode(settings))}::text::jsonb, ${DateTime.toDate(now)})
        on conflict (project_id) do update set settings = excluded.settings, updated_at = excluded.updated_at`
      // Names only: a setting may be an address.
      yield* audit({ project, action: "project.settings_changed", details: { audience: Object.keys(change).sort() } })
      return { ...settings, updatedAt: now }
    }, Effect.orDie)

    const cache = ShortCache.make(get)

    return AudienceRules.of({ get, getCached: cache.get, invalidate: cache.invalidate, hold, set })
  })
)
