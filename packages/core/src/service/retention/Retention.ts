/** Deletes data whose retention has ended, in every project. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { eventsTable } from "../../events/EventPartitions.ts"
import { attemptsTable } from "../../mail/ledger/AttemptPartitions.ts"
import { createNext, deletedUntil, type PartitionedTable, removeBefore } from "../../platform/Partitions.ts"
import { Settings } from "../../platform/Settings.ts"
import * as Rules from "./RetentionSql.ts"

const idsRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ seen: Schema.Int, last: Schema.NullOr(Schema.String) })])
)
const stepRow = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      seen: Schema.Int,
      changed: Schema.Int,
      key: Schema.NullOr(Schema.String),
      id: Schema.NullOr(Schema.String)
    })
  ])
)

/** Handles all projects. After a crash, the next run deletes the rest. */
export const retain: Effect.Effect<void, never, Projects | SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const projects = yield* Projects
  const { retainBodiesDays, retainContextDays, retainEmailsDays, retainEventsDays, retainTestEmailsDays } =
    yield* Settings

  /** The rules by name. With 0 days, data is kept for ever. Emails are deleted before texts are checked. */
  const rules: ReadonlyArray<readonly [name: string, rule: Rules.Rule, days: number, divided?: PartitionedTable]> = [
    ["emails", Rules.emails, retainEmailsDays],
    ["test emails", Rules.testEmails, retainTestEmailsDays],
    ["events", Rules.events, retainEventsDays, eventsTable],
    ["texts", Rules.texts, retainBodiesDays],
    ["personal parts", Rules.personalParts, retainBodiesDays],
    ["attempts", Rules.attempts, retainBodiesDays, attemptsTable],
    ["inbound texts", Rules.inboundTexts, retainBodiesDays],
    ["contexts", Rules.contexts, retainContextDays]
  ]

  /** Of the divided tables: the same for all projects. */
  const begun = yield* DateTime.now
  const deletable = new Map<Rules.Rule, DateTime.Utc>()
  for (const [, rule, days, divided] of rules) {
    if (divided !== undefined) deletable.set(rule, yield* deletedUntil(divided, DateTime.subtract(begun, { days })))
  }

  const walk = Effect.fnUntraced(function* (project: ProjectId, rule: Rules.Rule, days: number) {
    const now = yield* DateTime.now
    const before = deletable.get(rule) ?? DateTime.subtract(now, { days })
    let changed = 0
    for (let after: Rules.LastRow | undefined = Rules.start; after !== undefined; ) {
      const [step]: Effect.Success<ReturnType<typeof stepRow>> = yield* Effect.flatMap(
        rule(sql, { project, before, now, after }),
        stepRow
      )
      changed += step.changed
      after =
        step.seen < Rules.rowsPerStep || step.key === null || step.id === null
          ? undefined
          : { key: step.key, id: step.id }
    }
    return changed
  })

  for (const { id } of yield* projects.list) {
    for (const [name, rule, days] of rules) {
      if (days === 0) continue
      const changed = yield* walk(id, rule, days)
      if (changed > 0)
        yield* Effect.logInfo(`Retention removed ${changed} ${name}`).pipe(Effect.annotateLogs({ project: id }))
    }
    const now = yield* DateTime.now
    if (retainBodiesDays > 0) yield* Rules.markPurged(sql, id, DateTime.subtract(now, { days: retainBodiesDays }), now)
    yield* Rules.deleteTestMailDays(sql, id, now)
    yield* Rules.deleteFrequencies(sql, id, now)
  }
  let after: string | null = retainEmailsDays > 0 ? "" : null
  while (after !== null) {
    const [step]: Effect.Success<ReturnType<typeof idsRow>> = yield* Effect.flatMap(
      Rules.deleteProviderIds(sql, after),
      idsRow
    )
    after = step.seen < Rules.rowsPerStep ? null : step.last
  }
}).pipe(Effect.orDie, Effect.withSpan("Retention.run"))

/** Creates the partitions of the next weeks, and removes those whose retention has ended. */
export const keepPartitions: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const { retainBodiesDays, retainEventsDays } = yield* Settings
  const tables = [
    [eventsTable, retainEventsDays],
    [attemptsTable, retainBodiesDays]
  ] as const
  for (const [table, days] of tables) {
    yield* createNext(table)
    if (days > 0) yield* removeBefore(table, DateTime.subtract(yield* DateTime.now, { days }))
  }
})

/** The first 03:00 UTC after the given time. */
export const nextNight = (begun: DateTime.Utc): DateTime.Utc => {
  const tonight = DateTime.add(DateTime.startOf(begun, "day"), { hours: 3 })
  return DateTime.isGreaterThan(tonight, begun) ? tonight : DateTime.add(tonight, { days: 1 })
}
