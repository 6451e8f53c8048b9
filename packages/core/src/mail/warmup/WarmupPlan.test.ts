import { assert, it } from "@effect/vitest"
import { defaultHoldAt, defaultPauseAt, warmupPresets } from "@posthorn/contract/mail/domains/Warmup"
import { allowed, allowedFrom, dateAt, daysAfter, localDayOf } from "./WarmupDay.ts"
import { completesOn, freeAt, nextFree, nextSlot, type PlanState, reached, settledPlan } from "./WarmupPlan.ts"

const at = (text: string) => Date.parse(text)

const plan: PlanState = {
  caps: [50, 100, 200],
  timezone: "UTC",
  hours: null,
  holdAt: defaultHoldAt,
  pauseAt: defaultPauseAt,
  status: "ACTIVE",
  step: 1,
  day: "2026-11-27",
  closed: false,
  taken: 0,
  bounced: 0,
  complained: 0,
  deferred: 0,
  slots: 0
}

it("the presets rise from 50 to 140,000 in 17 steps, and from 200 to 220,000 in 13", () => {
  for (const [caps, first, last, steps] of [
    [warmupPresets.STANDARD, 50, 140_000, 17],
    [warmupPresets.FAST, 200, 220_000, 13]
  ] as const) {
    assert.deepStrictEqual([caps[0], caps.at(-1), caps.length], [first, last, steps])
    assert.deepStrictEqual(
      [...caps],
      [...new Set(caps)].toSorted((one, other) => one - other)
    )
  }
})

it("days begin in the zone of the plan, also where a clock change moves them", () => {
  assert.strictEqual(dateAt(at("2026-03-28T23:30:00Z"), "Europe/Berlin"), "2026-03-29")
  const spring = localDayOf("2026-03-29", "Europe/Berlin", { from: "02:30", to: "04:00" })
  assert.deepStrictEqual(
    [spring.begins, spring.opens, spring.closes, spring.ends],
    [at("2026-03-28T23:00Z"), at("2026-03-29T01:00Z"), at("2026-03-29T02:00Z"), at("2026-03-29T22:00Z")]
  )
  const autumn = localDayOf("2026-10-25", "Europe/Berlin", { from: "02:30", to: "04:00" })
  assert.deepStrictEqual([autumn.opens, autumn.closes], [at("2026-10-25T00:30Z"), at("2026-10-25T03:00Z")])
  assert.strictEqual(daysAfter("2026-02-28", 1), "2026-03-01")
})

it("the cap becomes free evenly over the hours: nothing before them, all of it until midnight", () => {
  const day = localDayOf("2026-11-27", "UTC", { from: "08:00", to: "18:00" })
  const free = (time: string) => allowed(50, day, at(`2026-11-27T${time}Z`))
  assert.deepStrictEqual(
    ["07:59:59.999", "08:00:00", "08:11:59.999", "08:12:00", "13:00:00", "17:47:59.999", "17:48:00", "23:59:59"].map(
      free
    ),
    [0, 1, 1, 2, 26, 49, 50, 50]
  )
  // All mails of the day leave on it, whatever the cap.
  const whole = localDayOf("2026-11-27", "UTC", null)
  for (const cap of [1, 2, 3, 7, 50, 1600, 140_000, 10_000_000]) {
    assert.strictEqual(allowed(cap, whole, whole.begins), 1)
    assert.strictEqual(allowed(cap, whole, whole.ends - 1), cap)
    for (const mails of [1, 2, Math.ceil(cap / 3), cap]) {
      if (mails > cap) continue
      const from = allowedFrom(cap, whole, mails)
      assert.isAtLeast(allowed(cap, whole, from), mails)
      if (mails > 1) assert.isBelow(allowed(cap, whole, from - 1), mails)
    }
  }
  // Hours that a clock change skips are an instant.
  const skipped = localDayOf("2026-03-29", "Europe/Berlin", { from: "02:10", to: "02:50" })
  assert.strictEqual(allowed(50, skipped, skipped.opens - 1), 0)
  assert.strictEqual(allowed(50, skipped, skipped.opens), 50)
})

it("a clean day leads to the next step, another one repeats it, and the last clean one completes", () => {
  const ends = at("2026-11-28T00:00:00Z")
  const results = (more: Partial<PlanState>, now = ends) => {
    const { completed, days, plan: next } = settledPlan({ ...plan, ...more }, now)
    return { days: days.map(({ result }) => result), step: next.step, status: next.status, completed, day: next.day }
  }
  const next = { status: "ACTIVE" as const, completed: false, day: "2026-11-28" }
  assert.deepStrictEqual(results({ taken: 25 }), { ...next, days: ["clean"], step: 2 })
  assert.deepStrictEqual(results({ taken: 24 }), { ...next, days: ["unused"], step: 1 })
  assert.deepStrictEqual(results({ taken: 50, bounced: 3 }), { ...next, days: ["held"], step: 1 })
  assert.deepStrictEqual(results({ taken: 50, closed: true }), { ...next, days: ["paused"], step: 1 })
  assert.deepStrictEqual(results({ taken: 50, closed: true, status: "PAUSED" }), {
    ...next,
    days: ["paused"],
    step: 1,
    status: "PAUSED"
  })
  assert.deepStrictEqual(results({ taken: 150, step: 3 }), {
    days: ["clean"],
    step: 3,
    status: "COMPLETED",
    completed: true,
    day: "2026-11-27"
  })
  assert.deepStrictEqual(results({}, ends - 1), { ...next, days: [], step: 1, day: "2026-11-27" })
  // Days on which the service stood still are unused.
  assert.deepStrictEqual(results({ taken: 50 }, at("2026-12-01T12:00:00Z")), {
    ...next,
    days: ["clean", "unused", "unused", "unused"],
    step: 2,
    day: "2026-12-01"
  })
})

it("rates are judged from 50 mails on, and from the least number of bounces and complaints on", () => {
  const figures = (taken: number, bounced = 0, complained = 0, deferred = 0) => ({
    taken,
    bounced,
    complained,
    deferred
  })
  const held = (...given: Parameters<typeof figures>) => reached(figures(...given), defaultHoldAt, "hold")
  const paused = (...given: Parameters<typeof figures>) => reached(figures(...given), defaultPauseAt, "pause")
  assert.isUndefined(held(49, 49, 49, 49))
  assert.strictEqual(held(50, 3), "bounceRate")
  assert.isUndefined(held(50, 2))
  assert.isUndefined(held(101, 3))
  assert.strictEqual(held(100, 3), "bounceRate")
  assert.strictEqual(held(1000, 0, 2), "complaintRate")
  assert.isUndefined(held(1000, 0, 1))
  assert.strictEqual(held(50, 0, 0, 5), "deferralRate")
  assert.isUndefined(held(51, 0, 0, 5))
  assert.isUndefined(paused(50, 4))
  assert.strictEqual(paused(50, 5), "bounceRate")
  assert.isUndefined(paused(1000, 0, 2))
  assert.strictEqual(paused(1000, 0, 3), "complaintRate")
  assert.strictEqual(paused(50, 0, 0, 15), "deferralRate")
  assert.isUndefined(reached(figures(50), { bounceRate: 0, complaintRate: 0, deferralRate: 0 }, "hold"))
  const { pausedBy, plan: after } = settledPlan({ ...plan, taken: 50, bounced: 5 }, at("2026-11-27T12:00:00Z"))
  assert.deepStrictEqual([pausedBy, after.status, after.closed], ["bounceRate", "PAUSED", true])
})

it("mails that wait get places of their own, the first of the next day when the cap is used up", () => {
  const noon = at("2026-11-27T12:00:00Z")
  assert.strictEqual(freeAt({ ...plan, taken: 20 }, noon), 6)
  assert.strictEqual(freeAt({ ...plan, taken: 60 }, noon), 0)
  assert.strictEqual(freeAt({ ...plan, closed: true }, noon), 0)
  const used: PlanState = { ...plan, taken: 26 }
  const iso = (millis: number) => new Date(millis).toISOString()
  assert.strictEqual(iso(nextFree(used)), "2026-11-27T12:28:48.000Z")
  const first = nextSlot(used)
  const second = nextSlot({ ...used, slots: first.slots })
  assert.deepStrictEqual([iso(first.at), iso(second.at)], ["2026-11-27T12:28:48.000Z", "2026-11-27T12:57:36.000Z"])
  const last = nextSlot({ ...used, slots: 49 })
  assert.deepStrictEqual([iso(last.at), last.slots], ["2026-11-27T23:31:12.000Z", 50])
  const over = nextSlot({ ...used, slots: 50 })
  assert.deepStrictEqual([iso(over.at), over.slots], ["2026-11-28T00:00:00.000Z", 50])
  const hours = { from: "09:00", to: "17:00" }
  assert.strictEqual(iso(nextFree({ ...plan, hours, taken: 50 })), "2026-11-28T09:00:00.000Z")
  assert.strictEqual(iso(nextFree({ ...plan, hours, closed: true })), "2026-11-28T09:00:00.000Z")
})

it("it completes on the day of the last step if every day is clean", () => {
  const standard = { ...plan, caps: warmupPresets.STANDARD, step: 6 }
  assert.strictEqual(completesOn(standard), "2026-12-08")
  assert.strictEqual(completesOn({ ...standard, closed: true }), "2026-12-09")
  assert.isNull(completesOn({ ...standard, closed: true, status: "PAUSED" }))
  assert.strictEqual(completesOn({ ...standard, status: "COMPLETED" }), "2026-11-27")
})
