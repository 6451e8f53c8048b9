import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as fc from "fast-check"
import { MailerError, type MailerReason } from "../../platform/Mailer.ts"
import { defaults } from "../../platform/Settings.ts"
import { receipt } from "../../testing/MailerMemory.ts"
import { claimedEmail, sampleTime } from "../../testing/SampleEmails.ts"
import * as Outcome from "./Outcome.ts"

const moment = (after: Duration.Input = 0, random = 0.5): Outcome.Moment => ({
  now: DateTime.addDuration(sampleTime, after),
  random,
  evidenceWait: defaults.evidenceWait
})

const error = (reason: MailerReason, code?: number, enhancedCode?: string) =>
  new MailerError({ reason, transport: "smtp1", code, enhancedCode, reply: `${code ?? reason} ${enhancedCode ?? ""}` })

const minutes = (due: DateTime.Utc | null) =>
  due === null ? null : Duration.toMinutes(DateTime.distance(sampleTime, due))

describe("What follows from a hand-over", () => {
  it("accepted: SENT, one try, and an event", () => {
    const outcome = Outcome.accepted(claimedEmail(), moment(), receipt)
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
    const outcome = Outcome.notAccepted(claimedEmail(), moment(), error(reason, code, enhanced))
    assert.deepInclude(outcome, { status, ladderStep: step, attempts: 1 })
    assert.strictEqual(minutes(outcome.dueAt), due)
  })

  it("three breaks are tried again at once, the fourth climbs the ladder", () => {
    const broken = (breaks: number) => Outcome.notAccepted(claimedEmail({ breaks }), moment(), error("broken"))
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((n) => minutes(broken(n).dueAt)),
      [0, 0, 0, 1]
    )
  })

  it("mail that is too old expires, and the last try falls on its last moment", () => {
    const late = Outcome.notAccepted(claimedEmail({ ladderStep: 9 }), moment("23 hours"), error("refused", 451))
    assert.strictEqual(minutes(late.dueAt), 24 * 60)
    const expired = Outcome.notAccepted(claimedEmail({ ladderStep: 9 }), moment("24 hours"), error("refused", 451))
    assert.deepInclude(expired, { status: "FAILED" })
    assert.strictEqual(expired.error?.code, "expired")
    assert.strictEqual(expired.event?.name, "email.failed")
    const bulk = Outcome.notAccepted(claimedEmail({ urgency: "bulk" }), moment("24 hours"), error("refused", 451))
    assert.strictEqual(bulk.status, "PENDING")
  })

  it("ambiguous mail rests where the project holds it, and after the third time", () => {
    const held = Outcome.notAccepted(claimedEmail({ ambiguousPolicy: "hold" }), moment(), error("ambiguous"))
    const third = Outcome.notAccepted(claimedEmail({ ambiguities: 2 }), moment(), error("ambiguous"))
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
          const before = claimedEmail(state)
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
