import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration } from "effect"
import * as fc from "fast-check"
import { MailerError, type MailerReason } from "../../platform/Mailer.ts"
import { defaults } from "../../platform/Settings.ts"
import { receipt } from "../../testing/MailerMemory.ts"
import type { ClaimedEmail } from "./DeliveryQueue.ts"
import * as Outcome from "./Outcome.ts"

const accepted = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
const moment = (after: Duration.Input = 0, random = 0.5): Outcome.Moment => ({
  now: DateTime.addDuration(accepted, after),
  random,
  evidenceWait: defaults.evidenceWait
})

const mail = (more: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  projectId: ProjectId.make("019a0000-0000-7000-8000-000000000000"),
  id: EmailId.make("019a0000-0000-7000-8000-0000000000a1"),
  claim: 1,
  urgency: "transactional",
  contactId: ContactId.make("019a0000-0000-7000-8000-0000000000c1"),
  subscribed: true,
  suppression: null,
  ambiguousPolicy: "retry",
  smtpDialogue: "FAILURES",
  provider: "OTHER",
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
  workflowId: null,
  workflowExecutionId: null,
  domainId: "019a0000-0000-7000-8000-0000000000d1",
  ownReturnPath: false,
  attempts: 0,
  ladderStep: 0,
  breaks: 0,
  ambiguities: 0,
  ladderSince: accepted,
  createdAt: accepted,
  scheduledFor: null,
  linkHost: null,
  ...more
})

const error = (reason: MailerReason, code?: number, enhancedCode?: string) =>
  new MailerError({ reason, transport: "smtp1", code, enhancedCode, reply: `${code ?? reason} ${enhancedCode ?? ""}` })

const minutes = (due: DateTime.Utc | null) =>
  due === null ? null : Duration.toMinutes(DateTime.distance(accepted, due))

describe("What follows from a hand-over", () => {
  it("accepted: SENT, one try, and an event", () => {
    const outcome = Outcome.accepted(mail(), moment(), receipt)
    assert.deepInclude(outcome, { status: "SENT", attempts: 1, error: null })
    assert.strictEqual(outcome.event?.name, "email.sent")
  })

  it.each([
    ["refused", 451, "4.3.0", "PENDING", 1, 1],
    ["refused", 552, "5.2.2", "PENDING", 1, 1],
    ["refused", 421, "4.7.0", "PENDING", 0, 1.1],
    ["unreachable", undefined, undefined, "PENDING", 0, 5 / 60],
    ["authentication", 535, "5.7.8", "PENDING", 0, 5 / 60],
    ["broken", undefined, undefined, "PENDING", 0, 0],
    ["ambiguous", undefined, undefined, "AMBIGUOUS", 0, 20 / 60],
    ["refused", 550, "5.1.1", "BOUNCED", 0, null],
    ["refused", 550, "5.7.1", "FAILED", 0, null],
    ["unsupported", undefined, undefined, "FAILED", 0, null]
  ] as const)("%s %s %s: %s, %i steps up the ladder", (reason, code, enhanced, status, step, due) => {
    const outcome = Outcome.notAccepted(mail(), moment(), error(reason, code, enhanced))
    assert.deepInclude(outcome, { status, ladderStep: step, attempts: 1 })
    assert.strictEqual(minutes(outcome.dueAt), due)
  })

  it("three breaks are tried again at once, the fourth climbs the ladder", () => {
    const broken = (breaks: number) => Outcome.notAccepted(mail({ breaks }), moment(), error("broken"))
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((n) => minutes(broken(n).dueAt)),
      [0, 0, 0, 1]
    )
  })

  it("mail that is too old expires, and the last try falls on its last moment", () => {
    const late = Outcome.notAccepted(mail({ ladderStep: 9 }), moment("23 hours"), error("refused", 451))
    assert.strictEqual(minutes(late.dueAt), 24 * 60)
    const expired = Outcome.notAccepted(mail({ ladderStep: 9 }), moment("24 hours"), error("refused", 451))
    assert.deepInclude(expired, { status: "FAILED" })
    assert.strictEqual(expired.error?.code, "expired")
    assert.strictEqual(expired.event?.name, "email.failed")
    const bulk = Outcome.notAccepted(mail({ urgency: "bulk" }), moment("24 hours"), error("refused", 451))
    assert.strictEqual(bulk.status, "PENDING")
  })

  it("ambiguous mail rests where the project holds it, and after the third time", () => {
    const held = Outcome.notAccepted(mail({ ambiguousPolicy: "hold" }), moment(), error("ambiguous"))
    const third = Outcome.notAccepted(mail({ ambiguities: 2 }), moment(), error("ambiguous"))
    assert.deepStrictEqual([held.status, held.dueAt, third.status, third.dueAt], ["AMBIGUOUS", null, "AMBIGUOUS", null])
  })

  it("whatever happens, the mail waits in the future, rests, or has ended with a reason", () => {
    const reasons = ["unreachable", "authentication", "refused", "broken", "ambiguous", "unsupported"] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...reasons),
        fc.integer({ min: 400, max: 599 }),
        fc.constantFrom("", "4.7.1", "5.1.1", "5.2.2", "5.7.1", "4.4.2"),
        fc.record({
          urgency: fc.constantFrom("transactional" as const, "bulk" as const),
          ambiguousPolicy: fc.constantFrom("retry" as const, "hold" as const),
          attempts: fc.nat(50),
          ladderStep: fc.nat(50),
          breaks: fc.nat(5),
          ambiguities: fc.nat(3)
        }),
        fc.nat(80 * 60),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (reason, code, enhanced, state, age, random) => {
          const before = mail(state)
          const at = moment(Duration.minutes(age), random)
          const outcome = Outcome.notAccepted(before, at, error(reason, code, enhanced))
          assert.strictEqual(outcome.attempts, before.attempts + 1)
          assert.isNotNull(outcome.error)
          assert.isAtLeast(outcome.ladderStep, before.ladderStep)
          if (outcome.status === "PENDING") {
            assert.isNotNull(outcome.dueAt)
            if (outcome.dueAt) assert.isTrue(DateTime.isGreaterThanOrEqualTo(outcome.dueAt, at.now))
          } else assert.include(["AMBIGUOUS", "FAILED", "BOUNCED"], outcome.status)
          if (outcome.status === "FAILED") assert.strictEqual(outcome.event?.name, "email.failed")
          if (outcome.status === "BOUNCED") assert.strictEqual(outcome.event?.name, "email.bounce")
        }
      )
    )
  })
})
