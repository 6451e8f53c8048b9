/**
 * Opens and clicks, recorded: what counts, whose it was, what it makes of the mail,
 * and the events.
 *
 * Hits share transactions: those that come while all writers are busy wait for the next, so a hit costs a share of a
 * commit. What is told as recorded is durable. Storage that is away is waited for, with the hits in hand.
 */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Deferred, Duration, Effect, Layer, Queue, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../../platform/Transaction.ts"
import { openEvent } from "../sending/MailEvents.ts"
import { type Actor, actorOf, burst } from "./BotDetection.ts"
import { judge, type KnownHit } from "./EngagementRules.ts"
import { EngagementStore, type HitMail, type NewHit } from "./EngagementStore.ts"

/** A request for a pixel or a link, or what a provider reports of one. Nothing in it tells who asked. */
export interface Hit {
  readonly project: ProjectId
  readonly email: EmailId
  readonly kind: "open" | "click"
  /** Of a click: the number of the link, where it was one of ours. */
  readonly link: number | null
  /** Of a click: where it led. */
  readonly url: string | null
  readonly at: DateTime.Utc
  /** What the request shows by itself; see `isMachineRequest`. */
  readonly isMachine: boolean
}

export class Engagement extends Context.Service<
  Engagement,
  {
    /**
     * Records hits in the caller's transaction. Those of mail that is not there, or has lost its contact, are dropped;
     * so are repeats within a second.
     */
    readonly apply: (hits: ReadonlyArray<Hit>) => Effect.Effect<void>
    /** Returns when the hit is on record, together with others. */
    readonly record: (hit: Hit) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/tracking/Engagement") {}

/** The event of a click waits until the verdict is final. */
const eventDelay = Duration.seconds(3)

/** Hits that share one transaction at most. */
const maxBatch = 500
/** Transactions at a time: one is made here while storage has the other in hand. Both lock their mails in one order. */
const writers = 2
/** Hits in hand while storage is away; what comes beyond it is not recorded. */
const maxWaiting = 20_000

const untilBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** States that emit nothing. */
const silent = new Set(["SUPPRESSED", "CANCELLED", "PENDING"])

const keyOf = ({ project, email }: Hit) => `${project} ${email}`
const targetOf = ({ kind, link, url }: Hit) => `${kind} ${link ?? url ?? ""}`

interface FreshHit extends KnownHit {
  readonly hit: Hit
}

interface Waiting {
  readonly hit: Hit
  readonly recorded: Deferred.Deferred<void>
}

const count = <A>(items: ReadonlyArray<A>, matches: (item: A) => boolean) => items.filter(matches).length
const isMachine = ({ verdict }: { readonly verdict: Actor }) => verdict === "machine"

/** What fresh hits make of one mail. */
const outcome = (mail: HitMail, known: ReadonlyArray<KnownHit>, fresh: ReadonlyArray<FreshHit>) => {
  const { counted, corrected } = judge(known, fresh)
  const opens = counted.filter(({ isClick }) => !isClick)
  const clicks = counted.filter(({ isClick }) => isClick)
  const hits = (of: ReadonlyArray<FreshHit>, before: number) =>
    of.map(
      ({ id, hit, verdict, isClick }, n): NewHit => ({
        projectId: mail.projectId,
        emailId: mail.id,
        id,
        at: hit.at,
        kind: hit.kind,
        link: hit.link,
        url: hit.url,
        verdict,
        ordinal: before + n + 1,
        eventDueAt: isClick && !silent.has(mail.status) ? DateTime.addDuration(hit.at, eventDelay) : null
      })
    )
  const opened = hits(opens, mail.opens)
  return {
    hits: [...opened, ...hits(clicks, mail.clicks)],
    opened: silent.has(mail.status) ? [] : opened,
    corrected: corrected.map((id) => ({ projectId: mail.projectId, emailId: mail.id, id })),
    change: {
      projectId: mail.projectId,
      id: mail.id,
      opens: opens.length,
      clicks: clicks.length,
      machineOpens: count(opens, isMachine),
      machineClicks: count(clicks, isMachine) + corrected.length,
      openedAt: opens[0]?.hit.at ?? null,
      clickedAt: clicks[0]?.hit.at ?? null
    }
  }
}

export const layer: Layer.Layer<Engagement, never, EngagementStore | SecureRandom.SecureRandom | Transaction> =
  Layer.effect(
    Engagement,
    Effect.gen(function* () {
      const store = yield* EngagementStore
      const random = yield* SecureRandom.SecureRandom
      const transaction = yield* Transaction

      const fresh = Effect.fnUntraced(function* (mail: HitMail, hits: ReadonlyArray<Hit>) {
        return yield* Effect.forEach(hits, (hit) =>
          Effect.map(
            random.uuidV7(),
            (id): FreshHit => ({
              hit,
              id,
              target: targetOf(hit),
              isClick: hit.kind === "click",
              at: DateTime.toEpochMillis(hit.at),
              verdict: actorOf(hit, mail.sentAt)
            })
          )
        )
      })

      const eventsOf = (mail: HitMail, opened: ReadonlyArray<NewHit>) =>
        Effect.forEach(opened, ({ at, ordinal, verdict }) =>
          Effect.map(random.uuidV7(), (id) => ({
            ...openEvent(mail, { at, first: mail.openedAt ?? opened[0]?.at ?? at, ordinal, verdict }),
            id,
            projectId: mail.projectId
          }))
        )

      const apply = Effect.fn("Engagement.apply")(function* (hits: ReadonlyArray<Hit>) {
        if (!Array.isReadonlyArrayNonEmpty(hits)) return
        const now = yield* DateTime.now
        const byMail = Array.groupBy(hits, keyOf)
        const keys = Object.values(byMail).map(([{ project, email }]) => ({ projectId: project, emailId: email }))
        const mails = yield* store.lock(keys)
        if (mails.length === 0) return
        const times = Array.map(hits, ({ at }) => at)
        const recent = yield* store.around(
          mails.map(({ projectId, id }) => ({ projectId, emailId: id })),
          DateTime.subtractDuration(Array.min(times, DateTime.Order), burst),
          DateTime.addDuration(Array.max(times, DateTime.Order), burst)
        )
        const known = Array.groupBy(recent, ({ emailId }) => emailId)
        const outcomes = yield* Effect.forEach(mails, (mail) =>
          Effect.gen(function* () {
            const given = yield* fresh(mail, byMail[`${mail.projectId} ${mail.id}`] ?? [])
            const { opened, ...rest } = outcome(mail, known[mail.id] ?? [], given)
            return { ...rest, events: yield* eventsOf(mail, opened) }
          })
        )
        yield* store.write(
          {
            hits: outcomes.flatMap(({ hits }) => hits),
            corrected: outcomes.flatMap(({ corrected }) => corrected),
            mails: outcomes.map(({ change }) => change),
            events: outcomes.flatMap(({ events }) => events)
          },
          now
        )
      }, transaction.run)

      const inbox = yield* Queue.dropping<Waiting>(maxWaiting)

      const flush = Effect.gen(function* () {
        const batch = yield* Queue.takeBetween(inbox, 1, maxBatch)
        yield* apply(batch.map(({ hit }) => hit)).pipe(
          Effect.tapDefect((defect) => Effect.logError("Opens and clicks cannot be recorded yet", defect)),
          Effect.catchDefect(Effect.fail),
          Effect.retry(untilBack),
          Effect.orDie
        )
        for (const { recorded } of batch) yield* Deferred.succeed(recorded, undefined)
      })
      yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(flush)), writers, { discard: true })

      const record = Effect.fnUntraced(function* (hit: Hit) {
        const recorded = yield* Deferred.make<void>()
        const isTaken = yield* Queue.offer(inbox, { hit, recorded })
        if (!isTaken) return yield* Effect.logWarning("An open or click was not recorded: too many wait already")
        yield* Deferred.await(recorded)
      })

      return Engagement.of({ apply, record })
    })
  )
