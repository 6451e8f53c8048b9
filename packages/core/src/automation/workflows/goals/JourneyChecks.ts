/** Checks exit rules and re-entry of a workflow against each other and against what they name. */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { WorkflowContent } from "../WorkflowStore.ts"

type Settings = Pick<WorkflowContent, "allowReentry" | "reentryAfterHours">

/** On every save. */
export const reentryFaults = ({ allowReentry, reentryAfterHours }: Settings): ReadonlyArray<Fault> =>
  reentryAfterHours !== null && !allowReentry
    ? [{ field: "reentryAfterHours", code: "custom", message: "Needs `allowReentry`." }]
    : []

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, key: Schema.NullOr(Schema.String), tracks: Schema.Boolean }))
)

export interface RuleReport {
  /** Rules that name nothing of the project. They prevent enabling. */
  readonly unknown: ReadonlyArray<Fault>
  /** Rules that never act. */
  readonly idle: ReadonlyArray<Fault>
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** The segments that it names stay until the transaction ends. */
    rules: Effect.fn("JourneyChecks.rules")(function* (
      project: ProjectId,
      { exitRules }: Pick<WorkflowContent, "exitRules">
    ): Effect.fn.Return<RuleReport, unknown> {
      const segments = exitRules.flatMap(({ segmentId }) => segmentId ?? [])
      const topics = exitRules.flatMap(({ topicId }) => topicId?.toLowerCase() ?? [])
      if (segments.length + topics.length === 0) return { unknown: [], idle: [] }
      const found = yield* rows(
        yield* sql`
          select id::text as name, null as key, track_membership as tracks from segments
          where project_id = ${project} and id = any(${segments}::uuid[])
          union all
          select id::text, key, true from topics
          where project_id = ${project} and (key = any(${topics}::text[]) or id::text = any(${topics}::text[]))`
      )
      const unknown: Array<Fault> = []
      const idle: Array<Fault> = []
      for (const [n, { segmentId, topicId }] of exitRules.entries()) {
        const named = (segmentId ?? topicId)?.toLowerCase()
        if (named === undefined) continue
        const field = `exitRules.${n}.${segmentId == null ? "topicId" : "segmentId"}`
        const match = found.find(({ name, key }) => name === named || key === named)
        if (match === undefined) {
          const message = `The project has no such ${segmentId == null ? "topic" : "segment"}.`
          unknown.push({ field, code: "custom", message })
        } else if (!match.tracks) {
          idle.push({
            field,
            code: "custom",
            message: "The rule never acts: the segment does not track its membership."
          })
        }
      }
      return { unknown, idle }
    }, Effect.orDie)
  }
})
