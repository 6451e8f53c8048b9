/** Records inbound mail for a verified domain as an event of its sender. */

import type { InboundMail, Notification } from "@posthorn/contract/mail/receivers/Notification"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { plainName } from "@posthorn/contract/platform/DisplayName"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { EventLog } from "../../events/EventLog.ts"
import { ParkedNotifications } from "../../platform/ParkedNotifications.ts"
import { Transaction } from "../../platform/Transaction.ts"

export interface Inbound {
  /**
   * Records the mail once for each project that owns the domain of a recipient. A new sender becomes a contact that is not
   * subscribed; a known contact does not change. A project that rejects mail that fails DMARC gets no such mail.
   */
  readonly receive: (kind: string, event: Notification) => Effect.Effect<"accepted" | "duplicates" | "ignored">
  /** Whether the mail is for at least one project, and all of them reject it. */
  readonly isRejected: (event: Notification) => Effect.Effect<boolean>
}

const maxTextBytes = 24 * 1024
const maxAttachments = 100

/** The first 24 KB, without a part of a character at the end. */
const first = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined) return null
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxTextBytes) return text
  // With `stream`, the decoder leaves an incomplete character out.
  return new TextDecoder().decode(bytes.subarray(0, maxTextBytes), { stream: true })
}

const recipientsOf = ({ recipient, mail }: Notification): ReadonlyArray<string> => {
  const to = mail?.to ?? []
  return [...(recipient ? [recipient] : []), ...(typeof to === "string" ? to.split(",") : to)]
}

/** The domain of an address in any form, including `Ada <ada@example.com>`. */
const recipientDomain = (address: string): string =>
  domainOf(address.trim().replace(/>$/, "")).replace(/>$/, "").trim().toLowerCase()

/** Accepts the forms of RFC 8601 and of SES, with or without a comment: `fail (p=reject)`, `FAIL`. */
const failsDmarc = ({ dmarc }: InboundMail): boolean => /^\s*fail\b/i.test(dmarc ?? "")

const payload = (inboundId: string, mail: InboundMail, to: string) => ({
  inboundId,
  messageId: mail.messageId ?? null,
  from: mail.from,
  fromName: plainName(mail.fromName ?? "") || null,
  to,
  subject: mail.subject ?? null,
  text: first(mail.text),
  html: first(mail.html),
  date: mail.date ?? null,
  attachments: (mail.attachments ?? []).slice(0, maxAttachments).map(({ filename, contentType, size }) => ({
    filename: filename ?? null,
    contentType: contentType ?? null,
    size: size ?? null
  })),
  spf: mail.spf ?? null,
  dkim: mail.dkim ?? null,
  dmarc: mail.dmarc ?? null,
  spam: mail.spam ?? null
})

export type Needs =
  | Billing
  | Contacts
  | EventLog
  | ParkedNotifications
  | Projects
  | SecureRandom.SecureRandom
  | SenderDomains
  | Transaction

export const make: Effect.Effect<Inbound, never, Needs> = Effect.gen(function* () {
  const billing = yield* Billing
  const contacts = yield* Contacts
  const domains = yield* SenderDomains
  const events = yield* EventLog
  const receipts = yield* ParkedNotifications
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction

  const record = Effect.fnUntraced(function* (
    project: ProjectId,
    receipt: string,
    kind: string,
    mail: InboundMail,
    to: string
  ) {
    const now = yield* DateTime.now
    if (!(yield* receipts.receive(kind, receipt, now))) return "duplicates" as const
    const sender = { email: mail.from, subscribedWhenNew: false, data: {} }
    // Cannot fail: there is no data that could be too large.
    const { contact } = yield* Effect.orDie(contacts.touch(project, sender, { reason: "api" }))
    const data = payload(yield* random.uuidV7(), mail, to)
    yield* events.record(project, [{ contact: contact.id, name: "email.received", source: "system", data }], now)
    yield* billing.countInbound(project)
    return "accepted" as const
  }, transaction.run)

  const rejects = Effect.fnUntraced(function* (project: ProjectId, mail: InboundMail) {
    if (!failsDmarc(mail)) return false
    return Option.exists(yield* Effect.option(projects.get(project)), ({ rejectDmarcFailures }) => rejectDmarcFailures)
  })

  const isRejected = Effect.fn("Inbound.isRejected")(function* (event: Notification) {
    const { mail } = event
    if (!mail || !failsDmarc(mail)) return false
    const owners = new Set((yield* domains.owners(recipientsOf(event).map(recipientDomain))).values())
    const answers = yield* Effect.forEach(owners, (project) => rejects(project, mail))
    return answers.length > 0 && answers.every(Boolean)
  })

  const receive = Effect.fn("Inbound.receive")(function* (kind: string, event: Notification) {
    const recipients = recipientsOf(event)
    const { mail } = event
    if (!mail) return "ignored"
    const owners = yield* domains.owners(recipients.map(recipientDomain))
    const results = new Set<"accepted" | "duplicates">()
    for (const project of new Set(owners.values())) {
      if (yield* rejects(project, mail)) continue
      const to = recipients.find((address) => owners.get(recipientDomain(address)) === project) ?? ""
      results.add(yield* record(project, `${event.id} ${project}`, kind, mail, to.trim()))
    }
    if (results.has("accepted")) return "accepted"
    return results.has("duplicates") ? "duplicates" : "ignored"
  })

  return { receive, isRejected }
})
