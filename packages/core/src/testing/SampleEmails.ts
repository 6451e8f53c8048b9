/** Emails for tests, as the stores of the mail area take and return them. */
import { randomUUID } from "node:crypto"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { NewEmail } from "../mail/ledger/Ledger.ts"
import type { ClaimedEmail } from "../mail/sending/DeliveryQueue.ts"

export const sampleTime = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

/** A transactional email on its first attempt, claimed at its creation. */
export const claimedEmail = (more: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  projectId: ProjectId.make("019a0000-0000-7000-8000-000000000000"),
  id: EmailId.make("019a0000-0000-7000-8000-0000000000a1"),
  claim: 1,
  urgency: "transactional",
  contactId: ContactId.make("019a0000-0000-7000-8000-0000000000c1"),
  topicId: null,
  topic: null,
  subscribed: true,
  refusal: null,
  suppression: null,
  ambiguousPolicy: "retry",
  smtpDialogue: "FAILURES",
  provider: "OTHER",
  queue: 0,
  projectName: "Example",
  to: "anna@example.com",
  toName: null,
  from: "hi@example.com",
  fromName: null,
  replyTo: null,
  mailing: null,
  personal: null,
  subject: "Hi",
  html: "<p>Hi</p>",
  text: "Hi",
  type: "TRANSACTIONAL",
  sourceType: "TRANSACTIONAL",
  test: false,
  mode: "LIVE",
  tracking: false,
  headers: {},
  tags: {},
  recipientType: "TO",
  groupId: null,
  messageId: null,
  shown: null,
  attachments: [],
  templateId: null,
  templateVersion: null,
  campaignId: null,
  variant: null,
  workflowId: null,
  workflowExecutionId: null,
  domainId: "019a0000-0000-7000-8000-0000000000d1",
  ownReturnPath: false,
  attempts: 0,
  ladderStep: 0,
  breaks: 0,
  ambiguities: 0,
  ladderSince: sampleTime,
  createdAt: sampleTime,
  scheduledFor: null,
  linkHost: null,
  cappedSince: null,
  ...more
})

/** A transactional email to accept. */
export const newEmail = (
  contactId: ContactId,
  contentId: string,
  to: string,
  more: Partial<NewEmail> = {}
): NewEmail => ({
  id: EmailId.make(randomUUID()),
  contactId,
  contentId,
  to,
  toName: null,
  from: "hi@example.com",
  fromName: null,
  replyTo: null,
  subject: "Hi",
  type: "TRANSACTIONAL",
  sourceType: "TRANSACTIONAL",
  templateId: null,
  tracking: false,
  headers: {},
  attachments: [],
  ...more
})
