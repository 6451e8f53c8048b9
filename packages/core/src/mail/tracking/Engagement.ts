/**
 * Records opens and clicks. Decides whether a hit counts and whether a person made it, and writes the status of the mail
 * and the events.
 *
 * Hits that arrive while all writers are busy share the next transaction. A recorded hit is durable. While storage is
 * unavailable, hits wait in memory.
 */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { LinkTotals } from "../../content/links/LinkTotals.ts"
import * as GroupCommit from "../../platform/GroupCommit.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { openEvent } from "../sending/MailEvents.ts"
import { type BotVerdict, burst, verdictOf } from "./BotDetection.ts"
import { judge, type KnownHit } from "./EngagementRules.ts"
import {
  type DueClick,
  type HitMail,
  type LinkHit,
  make as makeStatements,
  type NewHit,
  type Owners
} from "./EngagementSql.ts"

/** A request for a pixel or a link, or a provider's report of one. It does not identify the caller. */
export interface Hit {
  readonly project: ProjectId
  readonly email: EmailId
  readonly kind: "open" | "click"
  /** For a click: the number of the link, if it is a link of the service. */
  readonly link: number | null
  /** For a click: the target. */
  readonly url: string | null
  readonly at: DateTime.Utc
  /** Whether the request itself looks like a program's; see `isMachineRequest`. */
  readonly isMachine: boolean
}

/** Records opens and clicks. A service, because HTTP handlers and the loop of click events call it. */
export class Engagement extends Context.Service<
  Engagement,
  {
    /**
     * Records hits in the caller's transaction. Hits of mail that does not exist, or has lost its contact, are dropped, and
     * so are repeats within a second.
     */
    readonly apply: (hits: ReadonlyArray<Hit>) => Effect.Effect<void>
    /** Returns when the hit is stored, together with others. */
    readonly record: (hit: Hit) => Effect.Effect<void>
    /** Takes up to `limit` clicks whose event is due, in the caller's transaction. Each is taken once. */
    readonly takeDueClicks: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueClick>>
  }
>()("@posthorn/core/mail/tracking/Engagement") {}

/** The delay of a click event, after which the verdict is final. */
const eventDelay = Duration.seconds(3)

/** Number of concurrent transactions. All lock their mails in the same order. */
const writers = 2
/** Maximum number of hits that wait in memory while storage is unavailable. Further hits are dropped. */
const maxWaiting = 20_000

/** Statuses of mail whose opens and clicks record no event. */
const silent = new Set(["SUPPRESSED", "CANCELLED", "PENDING", "SCHEDULED"])

const keyOf = ({ project, email }: Hit) => `${project} ${email}`
const targetOf = ({ kind, link, url }: Hit) => `${kind} ${link ?? url ?? ""}`

interface FreshHit extends KnownHit {
  readonly hit: Hit
}

const count = <A>(items: ReadonlyArray<A>, matches: (item: A) => boolean) => items.filter(matches).length
const isMachine = ({ verdict }: { readonly verdict: BotVerdict }) => verdict === "machine"

const ownersOf = ({ campaignId, templateId, test, variant, workflowStepId }: HitMail): Owners =>
  test
    ? { campaignId: null, templateId: null, stepId: null, variant: null }
    : { campaignId, templateId, stepId: workflowStepId, variant }

/** The changes that new hits make to one mail. */
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
    corrected: corrected.map((id) => ({ projectId: mail.projectId, emailId: mail.id, id, ...ownersOf(mail) })),
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

export const layer: Layer.Layer<
  Engagement,
  never,
  LinkTotals | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction
> = Layer.effect(
  Engagement,
  Effect.gen(function* () {
    const store = yield* makeStatements
    const links = yield* LinkTotals
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
            verdict: verdictOf(hit, mail.sentAt)
          })
        )
      )
    })

    /** The links that the clicks of a mail count for. Mail without a template or campaign has none. */
    const linksOf = Effect.fnUntraced(function* (mail: HitMail, hits: ReadonlyArray<NewHit>) {
      const owners = ownersOf(mail)
      const { campaignId, templateId } = owners
      const found: globalThis.Array<LinkHit> = []
      if (campaignId === null && templateId === null) return found
      const { projectId, id: emailId, templateVersion } = mail
      for (const { id, kind, url, verdict } of hits) {
        if (kind === "open") continue
        const campaignLink =
          campaignId === null
            ? null
            : yield* links.linkOf(
                projectId,
                { id: campaignId, version: null, content: store.campaignTexts(projectId, campaignId) },
                url ?? ""
              )
        const templateLink =
          templateId === null
            ? null
            : yield* links.linkOf(
                projectId,
                {
                  id: templateId,
                  version: templateVersion,
                  content: store.templateTexts(projectId, templateId, templateVersion)
                },
                url ?? ""
              )
        found.push({
          ...owners,
          id,
          projectId,
          emailId,
          machine: verdict === "machine",
          campaignLink,
          campaignFirst: !found.some((hit) => hit.campaignLink === campaignLink),
          templateLink,
          templateFirst: !found.some((hit) => hit.templateLink === templateLink)
        })
      }
      return found
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
          return { ...rest, links: yield* linksOf(mail, rest.hits), events: yield* eventsOf(mail, opened) }
        })
      )
      yield* store.write(
        {
          hits: outcomes.flatMap(({ hits }) => hits),
          links: outcomes.flatMap(({ links }) => links),
          corrected: outcomes.flatMap(({ corrected }) => corrected),
          mails: outcomes.map(({ change }) => change),
          events: outcomes.flatMap(({ events }) => events)
        },
        now
      )
    }, transaction.run)

    const record = yield* GroupCommit.make({
      write: (hits: ReadonlyArray<Hit>) => Effect.as(apply(hits), () => undefined),
      failed: "Opens and clicks cannot be recorded yet",
      writers,
      limit: {
        waiting: maxWaiting,
        refuse: Effect.logWarning("An open or click was not recorded: too many wait already")
      }
    })

    return Engagement.of({ apply, record, takeDueClicks: store.takeDueClicks })
  })
)
