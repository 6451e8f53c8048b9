/** The next status of a mail after each result of a try. Pure. */

import type {
  PolicyRefusal,
  SuppressionReason,
  TakingRefusal
} from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailFault, HoldReason } from "@posthorn/contract/mail/emails/Email"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { DateTime, Duration } from "effect"
import type { MailerError, Receipt } from "../../platform/Mailer.ts"
import type { Settings } from "../../platform/Settings.ts"
import type { AttemptResult, ClaimedEmail, Settlement } from "./DeliveryQueue.ts"
import { bounceEvent, failedEvent, sentEvent } from "./MailEvents.ts"
import { maxAmbiguities } from "./ReclaimSql.ts"
import { classify } from "./Replies.ts"
import { maxAge, patience, wait } from "./RetryLadder.ts"

/** How often a mail is retried at once after the connection broke before the end of the body. */
const maxBreaks = 3

/** The wait of a mail if no transport can be reached. The sender also pauses by itself. */
const unreachableWait = Duration.seconds(5)

export interface Moment {
  readonly now: DateTime.Utc
  /** In [0, 1). Spreads the retries of mails that failed together. */
  readonly random: number
  readonly evidenceWait: Settings["evidenceWait"]
}

type Change = Partial<Omit<Settlement, "projectId" | "id" | "claim" | "at">> & Pick<Settlement, "status">

const settlement = (mail: ClaimedEmail, { now }: Moment, change: Change): Settlement => ({
  projectId: mail.projectId,
  id: mail.id,
  claim: mail.claim,
  at: now,
  dueAt: null,
  attempts: mail.attempts,
  ladderStep: mail.ladderStep,
  breaks: mail.breaks,
  ambiguities: mail.ambiguities,
  provider: mail.provider,
  queue: null,
  error: null,
  suppression: null,
  hold: null,
  attempt: null,
  event: null,
  ...change
})

const refusals: { readonly [Reason in TakingRefusal]: string } = {
  UNSUBSCRIBED: "The contact unsubscribed before the mail was sent.",
  TOPIC_UNSUBSCRIBED: "The contact does not take the topic of the mail.",
  SNOOZED: "The contact wanted no mail at the time of sending."
}

const isRefusal = (reason: SuppressionReason): reason is TakingRefusal => reason in refusals

/** Not sent: the address is suppressed, or the contact does not take the mail. */
export const suppressed = (mail: ClaimedEmail, moment: Moment, reason: SuppressionReason): Settlement =>
  settlement(mail, moment, {
    status: "SUPPRESSED",
    suppression: reason,
    error: isRefusal(reason)
      ? { code: "contact_unsubscribed", message: refusals[reason] }
      : { code: "suppressed", message: "The address is on the suppression list." }
  })

const policyRefusals: { readonly [Reason in PolicyRefusal]: NonNullable<Settlement["error"]> } = {
  QUIET_HOURS: { code: "quiet_hours", message: "The mail would have been sent in the quiet hours of the project." },
  FREQUENCY_CAP: { code: "frequency_cap", message: "The contact got as much mail as the project allows." }
}

/** Not sent: the sending policy of the project skips mail that it does not allow now. */
export const refusedByPolicy = (mail: ClaimedEmail, moment: Moment, reason: PolicyRefusal): Settlement =>
  settlement(mail, moment, { status: "SUPPRESSED", suppression: reason, error: policyRefusals[reason] })

/** Queued again before its first try: the sending policy of the project allows it at `until`. */
export const held = (mail: ClaimedEmail, moment: Moment, hold: HoldReason, until: DateTime.Utc): Settlement =>
  settlement(mail, moment, { status: "PENDING", dueAt: until, hold })

/** Queued again, because its mailbox provider takes no more bulk mail now. It waits in the queue of the provider. */
export const shaped = (mail: ClaimedEmail, moment: Moment, queue: number): Settlement =>
  settlement(mail, moment, { status: "PENDING", dueAt: moment.now, queue })

/** Not sent: its contact was deleted. */
export const contactDeleted = (mail: ClaimedEmail, moment: Moment): Settlement =>
  settlement(mail, moment, {
    status: "CANCELLED",
    error: { code: "contact_deleted", message: "The contact was deleted." }
  })

/** Queued again, because its try did not begin. The next claim checks it again. */
export const released = (mail: ClaimedEmail, moment: Moment): Settlement =>
  settlement(mail, moment, { status: "PENDING", dueAt: moment.now })

/** Failed, with the reason. Records `email.failed`. */
export const failed = (
  mail: ClaimedEmail,
  moment: Moment,
  error: { readonly code: EmailFault; readonly message: string },
  more: Partial<Change> = {}
): Settlement =>
  settlement(mail, moment, {
    ...more,
    status: "FAILED",
    error,
    event: failedEvent(mail, moment.now, error, more.attempts ?? mail.attempts)
  })

/** Tried again after a wait, unless the mail is too old. The last try is at its maximum age. */
const postponed = (
  mail: ClaimedEmail,
  moment: Moment,
  delay: Duration.Duration,
  error: { readonly code: EmailFault; readonly message: string },
  more: Partial<Change>
): Settlement => {
  const deadline = DateTime.addDuration(mail.ladderSince, maxAge(mail.urgency))
  if (DateTime.isGreaterThanOrEqualTo(moment.now, deadline)) {
    return failed(mail, moment, { code: "expired", message: `Gave up after the last try: ${error.message}` }, more)
  }
  const dueAt = DateTime.min(DateTime.addDuration(moment.now, delay), deadline)
  return settlement(mail, moment, { ...more, status: "PENDING", dueAt, error })
}

/** Not tried, because the sender domain is not verified now: one step of the retry ladder. */
export const domainUnverified = (mail: ClaimedEmail, moment: Moment): Settlement => {
  const domain = domainOf(mail.from)
  const error = {
    code: "sender_domain_unverified",
    message: `The domain ${domain} is not verified at the moment.`
  } as const
  const delay = wait(mail.urgency, mail.ladderStep, moment.random)
  return postponed(mail, moment, delay, error, { ladderStep: mail.ladderStep + 1 })
}

/** Not tried, because no transport of its route works. Age counts. */
export const waiting = (mail: ClaimedEmail, moment: Moment, message: string): Settlement =>
  postponed(mail, moment, unreachableWait, { code: "connection_failed", message }, {})

export const accepted = (mail: ClaimedEmail, moment: Moment, receipt: Receipt): Settlement =>
  settlement(mail, moment, {
    status: "SENT",
    attempts: mail.attempts + 1,
    attempt: {
      outcome: "accepted",
      transport: receipt.transport,
      transportId: receipt.transportId ?? null,
      tls: receipt.tls ?? null,
      remoteHost: receipt.remoteHost,
      code: receipt.code,
      enhancedCode: receipt.enhancedCode ?? null,
      reply: receipt.reply,
      dialogue: mail.smtpDialogue === "ALL" ? (receipt.dialogue ?? null) : null
    },
    event: sentEvent(mail, moment.now)
  })

const attemptOf = (outcome: AttemptResult["outcome"], error: MailerError): AttemptResult => ({
  outcome,
  transport: error.transport,
  transportId: error.transportId ?? null,
  tls: error.tls ?? null,
  remoteHost: error.remoteHost ?? null,
  code: error.code ?? null,
  enhancedCode: error.enhancedCode ?? null,
  reply: error.reply,
  dialogue: error.dialogue ?? null
})

/** The server may have accepted it. Waits for a report, and is tried again at most twice, and not if the project holds it. */
export const ambiguous = (mail: ClaimedEmail, moment: Moment, attempt: AttemptResult): Settlement => {
  const ambiguities = mail.ambiguities + 1
  const rests = mail.ambiguousPolicy === "hold" || ambiguities >= maxAmbiguities
  return settlement(mail, moment, {
    status: "AMBIGUOUS",
    attempts: mail.attempts + 1,
    ambiguities,
    dueAt: rests ? null : DateTime.addDuration(moment.now, moment.evidenceWait[mail.urgency]),
    error: { code: "ambiguous", message: "The connection ended after the whole mail was handed over, before a reply." },
    attempt
  })
}

export const notAccepted = (mail: ClaimedEmail, moment: Moment, error: MailerError): Settlement => {
  const attempts = mail.attempts + 1
  const reason = (code: EmailFault) => ({ code, message: error.reply })
  const ladder = () => wait(mail.urgency, mail.ladderStep, moment.random)
  const step = { attempts, ladderStep: mail.ladderStep + 1 }
  switch (error.reason) {
    case "unreachable":
    case "authentication": {
      // The mail waits for a transport of its route. A try that reached none of them does not count.
      if (error.transportId !== undefined) return waiting(mail, moment, error.reply)
      const attempt = attemptOf("error", error)
      return postponed(mail, moment, unreachableWait, reason("connection_failed"), { attempts, attempt })
    }
    case "broken": {
      const attempt = attemptOf("deferred", error)
      if (mail.breaks >= maxBreaks)
        return postponed(mail, moment, ladder(), reason("connection_failed"), { ...step, attempt })
      const more = { attempts, breaks: mail.breaks + 1, attempt }
      return postponed(mail, moment, Duration.zero, reason("connection_failed"), more)
    }
    case "ambiguous":
      return ambiguous(mail, moment, attemptOf("ambiguous", error))
    case "unsupported":
      return failed(mail, moment, reason("invalid_recipient"), { attempts, attempt: attemptOf("rejected", error) })
    case "refused":
      switch (classify(error)) {
        case "address":
          return settlement(mail, moment, {
            status: "BOUNCED",
            attempts,
            attempt: attemptOf("rejected", error),
            error: reason("rejected"),
            event: bounceEvent(mail, moment.now, { ...error, bounceType: "Permanent" })
          })
        case "rejected":
          return failed(mail, moment, reason("rejected"), { attempts, attempt: attemptOf("rejected", error) })
        case "slow_down": {
          const delay = patience(mail.attempts, moment.random)
          return postponed(mail, moment, delay, reason("rejected"), { attempts, attempt: attemptOf("deferred", error) })
        }
        case "temporary":
          return postponed(mail, moment, ladder(), reason("rejected"), {
            ...step,
            attempt: attemptOf("deferred", error)
          })
      }
  }
}
