/** How mail of a project to each mailbox provider goes: its own figures, with the states of the installation. */
import type { ProviderDelivery } from "@posthorn/contract/insight/deliverability/Deliverability"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { otherProvider, otherQueue } from "../../mail/recipients/ProviderList.ts"
import * as ProviderRows from "../../mail/recipients/ProviderRows.ts"
import * as ShapingSql from "../../mail/shaping/ShapingSql.ts"
import { installation } from "../../mail/shaping/ShapingState.ts"
import { quarterOf } from "../../platform/QuarterHours.ts"
import { reading } from "../../platform/ReadSqlClient.ts"
import * as MailTotals from "../analytics/MailTotals.ts"

/** Waiting mails that are counted. */
const mostCounted = 1_000_000

const queueRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ queue: Schema.Int, waiting: Schema.Int })))

const quarter = { minutes: 15 } as const

export interface Deliverability {
  /** Providers that are slowed down or got mail in 7 days; the slowed ones first. */
  readonly providers: (project: ProjectId) => Effect.Effect<ReadonlyArray<ProviderDelivery>>
}

export type Needs = MailTotals.Needs | SqlClient.SqlClient

export const make: Effect.Effect<Deliverability, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const totals = yield* reading(MailTotals.make)
  const list = yield* ProviderRows.make

  const waitingOf = (project: ProjectId) =>
    Effect.map(
      Effect.flatMap(
        sql`
          select queue, count(*)::int as waiting from (
            (select queue from emails where project_id = ${project} and status = 'PENDING' and lane = 1
             limit ${mostCounted})
            union all
            (select queue from emails where project_id = ${project} and status = 'PENDING' and lane = 2
             limit ${mostCounted})
          ) as waiting group by queue`,
        queueRows
      ),
      (found) => new Map(found.map(({ queue, waiting }) => [queue, Math.min(mostCounted, waiting)]))
    )

  const sumsOf = (project: ProjectId, from: DateTime.Utc, until: DateTime.Utc) =>
    Effect.map(
      totals.byProvider(project, { from, until }),
      (found) => new Map(found.map((sums) => [sums.provider, sums]))
    )

  const ofProject = Effect.fn("Deliverability.providers")(function* (project: ProjectId) {
    const now = yield* DateTime.now
    const until = DateTime.add(quarterOf(now), quarter)
    const week = yield* sumsOf(project, DateTime.subtract(until, { days: 7 }), until)
    const hour = yield* sumsOf(project, DateTime.subtract(until, { hours: 1 }), until)
    const waiting = yield* waitingOf(project)
    const providers = yield* list
    const states = (yield* ShapingSql.readAll(sql)).filter(
      (row) => row.project === installation || row.project === project
    )

    const figures = (provider: string, queue: number) => {
      const {
        bounced = 0,
        complained = 0,
        deferred = 0,
        delivered = 0,
        sent = 0
      }: Partial<MailTotals.ProviderSums> = week.get(provider) ?? {}
      const last = hour.get(provider)
      return {
        waiting: waiting.get(queue) ?? 0,
        lastHour: { sent: last?.sent ?? 0, deferred: last?.deferred ?? 0 },
        sevenDays: { sent, delivered, bounced, complained, deferred }
      }
    }

    const troubled = states.map((state): ProviderDelivery => {
      const row = providers.row(state.key)
      const provider = row?.provider ?? otherProvider
      const { level, maxConnections, reason, status, until } = state
      return {
        provider,
        name: row?.name ?? state.key,
        transport: state.transport === ShapingSql.everyTransport ? null : state.transport,
        state: status,
        level,
        ratePerMinute: state.ratePerMinute,
        maxConnections,
        until: status === "PROBING" ? null : DateTime.makeUnsafe(until),
        reason: { ...reason, at: DateTime.makeUnsafe(reason.at) },
        ...figures(provider, state.queue)
      }
    })
    const isTroubled = new Set(states.map(({ key }) => key))
    const seen = new Set([
      ...week.keys(),
      ...[...waiting.keys()].map((queue) => providers.ofQueue(queue)?.provider ?? otherProvider)
    ])
    const normal = [...seen].flatMap((provider): ReadonlyArray<ProviderDelivery> => {
      if (isTroubled.has(provider)) return []
      const row = providers.row(provider)
      return [
        {
          provider,
          name: row?.name ?? "Other providers",
          transport: null,
          state: "NORMAL",
          level: 0,
          ratePerMinute: row?.ratePerMinute ?? null,
          maxConnections: row?.maxConnections ?? null,
          until: null,
          reason: null,
          ...figures(provider, row?.queue ?? otherQueue)
        }
      ]
    })
    const byMail = (one: ProviderDelivery, other: ProviderDelivery) =>
      other.sevenDays.sent - one.sevenDays.sent || (one.name < other.name ? -1 : 1)
    return [...troubled.toSorted(byMail), ...normal.toSorted(byMail)]
  }, Effect.orDie)

  return { providers: ofProject } satisfies Deliverability
})
