/** What peers and providers report about mail that went out: deliveries, bounces, complaints (contract-2 4.2, 4.4). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { EmailId } from "@posthorn/contract/emails/Email"
import { Context, DateTime, Effect, Layer } from "effect"
import { Contacts } from "../contacts/Contacts.ts"
import { Ledger, type LedgerEntry, type Notice } from "../emails/Ledger.ts"
import { EventLog } from "../events/EventLog.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { Transaction } from "../Transaction.ts"
import { bounceEvent, complaintEvent, deliveryEvent } from "./MailEvents.ts"

/** A notice with what its event tells beyond the mail. */
export type Report =
  | { readonly kind: "delivered"; readonly at: DateTime.Utc }
  | {
      readonly kind: "bounced"
      readonly at: DateTime.Utc
      readonly enhancedCode?: string
      readonly diagnostic: string
    }
  | { readonly kind: "complained"; readonly at: DateTime.Utc; readonly feedbackType: string }

export class Notices extends Context.Service<
  Notices,
  {
    /**
     * Applies a report with all that follows from it, in one transaction: the state, the event, and for a permanent
     * bounce or a complaint the suppression of the address and the end of the subscription. True when it was news:
     * a repeat changes nothing, and neither does a report about mail that has not left.
     */
    readonly report: (project: ProjectId, email: EmailId, report: Report) => Effect.Effect<boolean>
  }
>()("@posthorn/core/sending/Notices") {}

const eventOf = (mail: LedgerEntry, report: Report) => {
  switch (report.kind) {
    case "delivered":
      return deliveryEvent(mail, report.at)
    case "bounced":
      return bounceEvent(mail, report.at, { enhancedCode: report.enhancedCode, reply: report.diagnostic })
    case "complained":
      return complaintEvent(mail, report.at, report.feedbackType)
  }
}

export const layer: Layer.Layer<Notices, never, Contacts | EventLog | Ledger | Suppressions | Transaction> =
  Layer.effect(
    Notices,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const events = yield* EventLog
      const suppressions = yield* Suppressions
      const contacts = yield* Contacts
      const transaction = yield* Transaction

      const report = Effect.fn("Notices.report")(function* (project: ProjectId, email: EmailId, given: Report) {
        const now = yield* DateTime.now
        const notice: Notice = { kind: given.kind, at: DateTime.min(given.at, now) }
        const mail = yield* ledger.notice(project, email, notice, now)
        if (mail === undefined) return false
        yield* events.record(project, [eventOf(mail, given)], now)
        if (given.kind === "delivered") return true
        const [why, reason] =
          given.kind === "bounced" ? (["HARD_BOUNCE", "bounce"] as const) : (["COMPLAINT", "complaint"] as const)
        yield* suppressions.add(project, mail.to, why, email, now)
        yield* contacts.unsubscribeAddress(project, mail.to, {
          reason,
          emailId: email,
          ...(mail.campaignId !== null && { campaignId: mail.campaignId })
        })
        return true
      }, transaction.run)

      return Notices.of({ report })
    })
  )
