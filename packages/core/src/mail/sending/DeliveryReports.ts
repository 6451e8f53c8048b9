/** Applies reports of servers and providers about sent mail: status, event, suppression and subscription. */
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type KnownMail, Ledger, type Notice, type NoticeOutcome, type ReportReceipt } from "../ledger/Ledger.ts"
import * as SenderReputation from "../reputation/SenderReputation.ts"
import {
  type BounceType,
  bounceEvent,
  complaintEvent,
  deliveryEvent,
  rejectionEvent,
  softBounceEvent
} from "./MailEvents.ts"

/** A report about one mail, with the fields of its event. */
export type Report =
  | { readonly kind: "delivered"; readonly at: DateTime.Utc }
  | {
      readonly kind: "bounced"
      readonly at: DateTime.Utc
      readonly bounceType: BounceType
      readonly enhancedCode?: string | undefined
      readonly diagnostic: string
      /** Whether a soft bounce is about the mailbox itself. Repeated ones suppress the address. */
      readonly aboutMailbox: boolean
    }
  | { readonly kind: "deferred"; readonly at: DateTime.Utc; readonly detail: string }
  | { readonly kind: "complained"; readonly at: DateTime.Utc; readonly feedbackType: string }
  | { readonly kind: "rejected"; readonly at: DateTime.Utc; readonly message: string }

export interface DeliveryReports {
  /**
   * Applies a report about a mail once, in one transaction: changes the status and records the event. A permanent bounce
   * or a complaint also suppresses the address and unsubscribes its contact. A time in the future counts as now. `early`
   * means that the mail was not sent yet, and nothing was written.
   */
  readonly apply: (mail: KnownMail, report: Report, receipt: ReportReceipt) => Effect.Effect<NoticeOutcome>
  /** The same for the id of a mail. `early` also means that the mail is unknown. */
  readonly report: (email: EmailId, report: Report, receipt: ReportReceipt) => Effect.Effect<NoticeOutcome>
}

const noticeOf = (report: Report): Notice => {
  const { at } = report
  if (report.kind !== "bounced") return report.kind === "complained" ? { kind: report.kind, at } : report
  return report.bounceType === "Transient"
    ? { kind: "softBounced", at }
    : { kind: "bounced", at, permanent: report.bounceType === "Permanent", diagnostic: report.diagnostic }
}

const eventOf = (mail: KnownMail, report: Report) => {
  switch (report.kind) {
    case "delivered":
      return deliveryEvent(mail, report.at)
    case "bounced": {
      const { bounceType, enhancedCode, diagnostic: reply } = report
      return bounceType === "Transient"
        ? softBounceEvent(mail, { enhancedCode, reply })
        : bounceEvent(mail, report.at, { bounceType, enhancedCode, reply })
    }
    case "complained":
      return complaintEvent(mail, report.at, report.feedbackType)
    case "rejected":
      return rejectionEvent(mail, report.at, report.message)
    case "deferred":
      return undefined
  }
}

export type Needs = Contacts | Ledger | SecureRandom.SecureRandom | SenderReputation.Needs | Suppressions | Transaction

export const make: Effect.Effect<DeliveryReports, never, Needs> = Effect.gen(function* () {
  const ledger = yield* Ledger
  const suppressions = yield* Suppressions
  const contacts = yield* Contacts
  const reputation = yield* SenderReputation.make
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction

  const write = Effect.fnUntraced(function* (
    mail: KnownMail,
    report: Report,
    receipt: ReportReceipt,
    now: DateTime.Utc
  ) {
    const event = eventOf(mail, report)
    const recorded = event && { id: yield* random.uuidV7(), name: event.name, data: event.data }
    return yield* ledger.notice(mail.projectId, mail.id, noticeOf(report), receipt, recorded, now)
  })

  /** Suppresses the address and unsubscribes its contact. */
  const endAddress = Effect.fnUntraced(function* (mail: KnownMail, why: "bounce" | "complaint", now: DateTime.Utc) {
    const reason = why === "bounce" ? "HARD_BOUNCE" : "COMPLAINT"
    yield* suppressions.add(mail.projectId, mail.to, reason, mail.id, now)
    yield* contacts.unsubscribeAddress(mail.projectId, mail.to, {
      reason: why,
      emailId: mail.id,
      ...(mail.campaignId !== null && { campaignId: mail.campaignId })
    })
    yield* reputation.changed(mail.projectId, now)
  })

  const follow = Effect.fnUntraced(function* (mail: KnownMail, report: Report, now: DateTime.Utc) {
    if (report.kind === "complained") return yield* endAddress(mail, "complaint", now)
    if (report.kind !== "bounced") return
    if (report.bounceType === "Permanent") return yield* endAddress(mail, "bounce", now)
    if (report.bounceType === "Transient" && report.aboutMailbox) {
      yield* suppressions.softBounce(mail.projectId, mail.to, mail.id, report.at)
    }
  })

  const apply = Effect.fn("DeliveryReports.apply")(function* (mail: KnownMail, given: Report, receipt: ReportReceipt) {
    const now = yield* DateTime.now
    const report = { ...given, at: DateTime.min(given.at, now) }
    // A single statement needs no transaction. A suppression needs several statements.
    if (report.kind !== "bounced" && report.kind !== "complained") return yield* write(mail, report, receipt, now)
    return yield* transaction.run(
      Effect.gen(function* () {
        const outcome = yield* write(mail, report, receipt, now)
        if (outcome === "applied") yield* follow(mail, report, now)
        return outcome
      })
    )
  })

  const report = Effect.fn("DeliveryReports.report")(function* (email: EmailId, given: Report, receipt: ReportReceipt) {
    const mail = (yield* ledger.lookUp({ ids: [email], providerIds: [], messageIds: [] })).get(email)
    return mail === undefined ? "early" : yield* apply(mail, given, receipt)
  })

  return { apply, report } satisfies DeliveryReports
})
