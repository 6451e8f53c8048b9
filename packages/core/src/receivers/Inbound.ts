/** Mail that comes in for a verified domain: an event of its sender (contract-2 3.6, 14.1). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { InboundMail, Notification } from "@posthorn/contract/receivers/Notification"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Billing } from "../billing/Billing.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { SenderDomains } from "../domains/SenderDomains.ts"
import { EventLog } from "../events/EventLog.ts"
import { Transaction } from "../Transaction.ts"
import { ParkedNotifications } from "./ParkedNotifications.ts"

export class Inbound extends Context.Service<
  Inbound,
  {
    /**
     * Records the mail once for each project that a recipient's domain belongs to. The sender becomes a contact that is
     * not subscribed; a known one is not changed.
     */
    readonly receive: (kind: string, event: Notification) => Effect.Effect<"accepted" | "duplicates" | "ignored">
  }
>()("@posthorn/core/receivers/Inbound") {}

const maxTextBytes = 24 * 1024
const maxAttachments = 100

/** The first 24 KB, at a whole character. */
const first = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined) return null
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxTextBytes) return text
  return new TextDecoder().decode(bytes.subarray(0, maxTextBytes)).replace(/�+$/, "")
}

const recipientsOf = ({ recipient, mail }: Notification): ReadonlyArray<string> => {
  const to = mail?.to ?? []
  return [...(recipient ? [recipient] : []), ...(typeof to === "string" ? to.split(",") : to)]
}

/** Of an address in any spelling, `Ada <ada@example.com>` among them. */
const domainOf = (address: string): string =>
  address
    .trim()
    .replace(/>$/, "")
    .slice(address.trim().lastIndexOf("@") + 1)
    .replace(/>$/, "")
    .trim()
    .toLowerCase()

const payload = (inboundId: string, mail: InboundMail, to: string) => ({
  inboundId,
  messageId: mail.messageId ?? null,
  from: mail.from,
  fromName: mail.fromName ?? null,
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

export const layer: Layer.Layer<
  Inbound,
  never,
  Billing | Contacts | EventLog | ParkedNotifications | SecureRandom.SecureRandom | SenderDomains | Transaction
> = Layer.effect(
  Inbound,
  Effect.gen(function* () {
    const billing = yield* Billing
    const contacts = yield* Contacts
    const domains = yield* SenderDomains
    const events = yield* EventLog
    const receipts = yield* ParkedNotifications
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
      // Without data nothing of it can be too large.
      const { contact } = yield* Effect.orDie(contacts.touch(project, sender, { reason: "api" }))
      const data = payload(yield* random.uuidV7(), mail, to)
      yield* events.record(project, [{ contact: contact.id, name: "email.received", source: "system", data }], now)
      yield* billing.countInbound(project)
      return "accepted" as const
    }, transaction.run)

    const receive = Effect.fn("Inbound.receive")(function* (kind: string, event: Notification) {
      const recipients = recipientsOf(event)
      const { mail } = event
      if (!mail) return "ignored"
      const owners = yield* domains.owners(recipients.map(domainOf))
      const fates = new Set<"accepted" | "duplicates">()
      for (const project of new Set(owners.values())) {
        const to = recipients.find((address) => owners.get(domainOf(address)) === project) ?? ""
        fates.add(yield* record(project, `${event.id} ${project}`, kind, mail, to.trim()))
      }
      if (fates.has("accepted")) return "accepted"
      return fates.has("duplicates") ? "duplicates" : "ignored"
    })

    return Inbound.of({ receive })
  })
)
