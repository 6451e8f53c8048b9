/** Applies the events of receivers. An event about unknown mail is parked until the mail is known. */
import { Notification, type Tally } from "@posthorn/contract/mail/receivers/Notification"
import { type Cause, DateTime, Duration, Effect, Exit, Metric, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ParkedNotifications } from "../../platform/ParkedNotifications.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as Refusals from "../domains/health/Refusals.ts"
import { type KnownMail, Ledger } from "../ledger/Ledger.ts"
import * as DeliveryReports from "../sending/DeliveryReports.ts"
import * as ShapingReports from "../shaping/ShapingReports.ts"
import { isMachineRequest } from "../tracking/BotDetection.ts"
import { Engagement, type Hit } from "../tracking/Engagement.ts"
import { kindOf } from "../transports/TransportNotifications.ts"
import { bounceType, isAboutMailbox, statusOf } from "./BounceClass.ts"
import type { Inbound } from "./Inbound.ts"
import { allIds, mailOf } from "./MailNamed.ts"

/** The result of one event. */
export type EventResult = keyof Tally

/** Number of events at the same time. Each has its own transaction. */
const concurrency = 8
/** How long events about unknown mail are parked. */
const parkedFor = Duration.hours(24)
const parkedBatch = 500
/** Maximum number of batches in one run. The next run continues with the others. */
const parkedRuns = 20

const notificationsTotal = Metric.counter("posthorn_notifications_total", {
  description: "Events that receivers took",
  incremental: true
})
const droppedTotal = Metric.counter("posthorn_notifications_dropped_total", {
  description: "Events about mail that stayed unknown for 24 hours",
  incremental: true
})

export interface NotificationProcessor {
  /**
   * Applies events in any order. `kind` and id identify an event, so that it is applied once. A kind of `kindFor` a
   * project acts on its mail alone. Each event has its own transaction. A defect fails the call after the other events were applied; the caller may then repeat all of them.
   */
  readonly apply: (kind: string, events: ReadonlyArray<Notification>) => Effect.Effect<Tally>
  /** Tries parked events again, and deletes those that were parked for a day. */
  readonly retryParked: Effect.Effect<void>
  /** Deletes receipts after 30 days. */
  readonly sweep: Effect.Effect<void>
}

/** Earlier times count as 1970. They come from a wrong clock, and the database may not be able to store them. */
const earliest = DateTime.makeUnsafe(0)

const NotificationJson = Schema.fromJsonString(Notification)
const encode = Schema.encodeEffect(NotificationJson)
const decode = Schema.decodeUnknownOption(NotificationJson)

const tally = (results: ReadonlyArray<EventResult>): Tally => {
  const count = (wanted: EventResult) => results.filter((result) => result === wanted).length
  return {
    accepted: count("accepted"),
    duplicates: count("duplicates"),
    parked: count("parked"),
    ignored: count("ignored")
  }
}

/** The report about the mail. Undefined if the event has no effect. */
const reportOf = (event: Notification): DeliveryReports.Report | undefined => {
  const { timestamp: at, diagnostic, status } = event
  switch (event.type) {
    case "delivery":
      return { kind: "delivered", at }
    case "bounce":
      return {
        kind: "bounced",
        at,
        bounceType: bounceType(event),
        enhancedCode: statusOf(event),
        diagnostic: diagnostic ?? status ?? "",
        aboutMailbox: isAboutMailbox(event)
      }
    case "complaint":
      return event.feedbackType === "not-spam"
        ? undefined
        : { kind: "complained", at, feedbackType: event.feedbackType ?? "abuse" }
    case "deferral":
      return { kind: "deferred", at, detail: [status, diagnostic].filter(Boolean).join(" ") }
    case "rejected":
      return { kind: "rejected", at, message: diagnostic ?? "The provider refused the mail." }
    default:
      return undefined
  }
}

const isFor = (mail: KnownMail, { recipient }: Notification) => !recipient || recipient === mail.to

export type Needs =
  | Engagement
  | Ledger
  | DeliveryReports.Needs
  | ParkedNotifications
  | SqlClient.SqlClient
  | Transaction

export const make = Effect.fnUntraced(function* (
  inbound: Inbound
): Effect.fn.Return<NotificationProcessor, never, Needs> {
  const ledger = yield* Ledger
  const reports = yield* DeliveryReports.make
  const parked = yield* ParkedNotifications
  const hits = yield* Engagement
  const transaction = yield* Transaction
  const refusals = yield* Refusals.make
  const delays = yield* ShapingReports.make

  /** Stores the receipt of an event that has no effect. */
  const receive = Effect.fnUntraced(function* (kind: string, id: string): Effect.fn.Return<EventResult> {
    return (yield* parked.receive(kind, id, yield* DateTime.now)) ? "ignored" : "duplicates"
  })

  /** Applies an open or a click that the provider recorded, as one that the service recorded. */
  const applyHit = Effect.fnUntraced(function* (
    kind: string,
    { type, id, link, timestamp, userAgent }: Notification,
    mail: KnownMail
  ): Effect.fn.Return<EventResult | "early"> {
    if (["SCHEDULED", "PENDING", "SENDING"].includes(mail.status)) return "early"
    if (mail.status === "SUPPRESSED" || mail.status === "CANCELLED") return "ignored"
    const now = yield* DateTime.now
    if (!(yield* parked.receive(kind, id, now))) return "duplicates"
    const hit: Hit = {
      project: mail.projectId,
      email: mail.id,
      kind: type === "open" ? "open" : "click",
      link: null,
      url: link ?? null,
      at: DateTime.min(timestamp, now),
      isMachine: isMachineRequest({ userAgent: userAgent ?? undefined })
    }
    yield* hits.apply([hit])
    return "accepted"
  }, transaction.run)

  /** `early`: the mail is unknown, or was not sent yet. */
  const applyTo = Effect.fnUntraced(function* (
    kind: string,
    event: Notification,
    mail: KnownMail | undefined
  ): Effect.fn.Return<EventResult | "early"> {
    if (mail === undefined) return "early"
    const { project } = kindOf(kind)
    if (project !== undefined && project !== mail.projectId) return "ignored"
    if (!isFor(mail, event)) return "ignored"
    if (event.type === "open" || event.type === "click") return yield* applyHit(kind, event, mail)
    const report = reportOf(event)
    if (report === undefined) return yield* receive(kind, event.id)
    if (report.kind === "bounced" || report.kind === "deferred") {
      yield* refusals.note(mail, { enhancedCode: statusOf(event), reply: event.diagnostic ?? "" })
    }
    const outcome = yield* reports.apply(mail, report, { kind, id: event.id })
    if (outcome === "applied" && report.kind === "deferred")
      yield* delays.note(mail, { enhancedCode: statusOf(event), reply: event.diagnostic ?? "" })
    if (outcome === "early") return mail.status === "SUPPRESSED" || mail.status === "CANCELLED" ? "ignored" : "early"
    return outcome === "applied" ? "accepted" : "duplicates"
  })

  const park = Effect.fnUntraced(function* (kind: string, event: Notification): Effect.fn.Return<EventResult> {
    const payload = yield* Effect.orDie(encode(event))
    return (yield* parked.park({ kind, id: event.id, payload }, yield* DateTime.now)) ? "parked" : "duplicates"
  })

  const one = Effect.fnUntraced(function* (
    kind: string,
    event: Notification,
    found: ReadonlyMap<string, KnownMail>
  ): Effect.fn.Return<EventResult> {
    if (event.type === "inbound") {
      // Inbound mail can be for any project, so only the installation's own receivers report it.
      return kindOf(kind).project === undefined ? yield* inbound.receive(kind, event) : "ignored"
    }
    const result = yield* applyTo(kind, event, mailOf(event, found))
    return result === "early" ? yield* park(kind, event) : result
  })

  const counted = (kind: string, { type }: Notification, result: string) =>
    Metric.update(Metric.withAttributes(notificationsTotal, { kind: kindOf(kind).base, type, result }), 1)

  const apply = Effect.fn("NotificationProcessor.apply")(function* (kind: string, given: ReadonlyArray<Notification>) {
    const events = given.map((event) => ({ ...event, timestamp: DateTime.max(event.timestamp, earliest) }))
    const found = yield* ledger.lookUp(allIds(events.filter(({ type }) => type !== "inbound")))
    const exits = yield* Effect.forEach(
      events,
      (event) =>
        Effect.exit(one(kind, event, found)).pipe(
          Effect.tap((exit) => counted(kind, event, Exit.isSuccess(exit) ? exit.value : "failed"))
        ),
      { concurrency }
    )
    const failed = exits.find(Exit.isFailure)
    if (failed !== undefined) return yield* Effect.failCause(failed.cause as Cause.Cause<never>)
    return tally(exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
  })

  const retryBatch = Effect.fnUntraced(function* (before: DateTime.Utc) {
    const batch = yield* parked.take(parkedBatch, before, yield* DateTime.now)
    const events = batch.flatMap((row) => {
      const event = decode(row.payload)
      return event._tag === "Some" ? [{ row, event: event.value }] : []
    })
    const found = yield* ledger.lookUp(allIds(events.map(({ event }) => event)))
    for (const { row, event } of events) {
      const result = yield* applyTo(row.kind, event, mailOf(event, found))
      if (result === "early") continue
      yield* parked.drop(row)
      yield* counted(row.kind, event, result)
    }
    return batch.length
  })

  const retryParked = Effect.gen(function* () {
    const now = yield* DateTime.now
    const dropped = yield* parked.expire(DateTime.subtractDuration(now, parkedFor))
    if (dropped > 0) {
      yield* Metric.update(droppedTotal, dropped)
      yield* Effect.logWarning("Notifications dropped: their mail stayed unknown for 24 hours", { dropped })
    }
    for (let run = 0; run < parkedRuns; run++) {
      if ((yield* retryBatch(now)) < parkedBatch) return
    }
  }).pipe(Effect.withSpan("NotificationProcessor.retryParked"))

  const sweep = Effect.flatMap(DateTime.now, (now) =>
    parked.sweepReceipts(DateTime.subtractDuration(now, Duration.days(30)))
  )

  return { apply, retryParked, sweep }
})
