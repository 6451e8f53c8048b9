/** Compares the description of webhooks in the contract with the events that the service records. */

import { assert, it } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { webhookEvents } from "@posthorn/contract/webhooks/WebhookEvent"
import { isPattern, webhookTypes } from "@posthorn/contract/webhooks/WebhookTypes"
import { DateTime, Effect, Schema } from "effect"
import * as MailEvents from "../mail/sending/MailEvents.ts"
import { payloadOf, webhookBody } from "./WebhookBody.ts"

const id = "019a0000-0000-7000-8000-000000000001"
const at = DateTime.makeUnsafe("2026-03-01T10:00:00.000Z")
const mail: MailEvents.EventMail = {
  id: EmailId.make(id),
  contactId: ContactId.make(id),
  to: "ada@example.com",
  from: "shop@example.com",
  fromName: null,
  subject: "Your order",
  sourceType: "TRANSACTIONAL",
  recipientType: "TO",
  groupId: null,
  messageId: null,
  tags: { order: "4711" },
  provider: "GMAIL",
  templateId: null,
  templateVersion: null,
  campaignId: null,
  workflowId: id,
  workflowExecutionId: id
}
const seen = { at, first: at, ordinal: 1, verdict: "human" } as const
const reply = { enhancedCode: "5.1.1", reply: "550 no such user" }

const decode = Schema.decodeUnknownEffect(Schema.Union(Object.values(webhookEvents)), { onExcessProperty: "error" })

it("the contract describes every type of event, and every described pattern is a type", () => {
  const described = Object.keys(webhookEvents).filter((key) => !/^(?:form|segment|topic)\./.test(key))
  assert.deepStrictEqual(described, [...webhookTypes])
  assert.isTrue(isPattern("segment.vip.entry") && isPattern("segment.vip.exit"))
  for (const pattern of ["form.*", "form.news.*", "form.news.submitted"]) assert.isTrue(isPattern(pattern), pattern)
  for (const pattern of ["topic.*", "topic.news.*", "topic.news.subscribed"]) assert.isTrue(isPattern(pattern), pattern)
  for (const pattern of ["form", "form.News.*", "form.news.opened", "topic.news", "topic.news.left"])
    assert.isFalse(isPattern(pattern), pattern)
})

it.effect("events about an email have exactly the described fields", () =>
  Effect.forEach(
    [
      MailEvents.sentEvent(mail, at),
      MailEvents.deliveryEvent(mail, at),
      MailEvents.openEvent(mail, seen),
      MailEvents.clickEvent(mail, null, seen),
      MailEvents.complaintEvent(mail, at, "abuse"),
      MailEvents.bounceEvent(mail, at, { ...reply, bounceType: "Permanent" }),
      MailEvents.softBounceEvent(mail, { reply: "450 later" }),
      MailEvents.failedEvent(mail, at, { code: "expired", message: "No answer for 4 days" }, 12)
    ],
    Effect.fnUntraced(function* ({ name, data }) {
      const event = { type: name, project: id, at: DateTime.formatIso(at), eventId: id, contactId: id }
      const payload = payloadOf({ source: "system", name, data: data as Schema.JsonObject })
      const body = yield* decode(JSON.parse(webhookBody({ ...event, contactEmail: mail.to, payload })))
      assert.strictEqual(body.type, name)
    })
  )
)
