/** Tests that every implementation of `RateWindows` must pass, over a layer. */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { type Ceilings, RateWindows, type Reservation, type WindowOf } from "./RateWindows.ts"

const length = 61
const start = Date.UTC(2026, 10, 20, 15) / 1000

interface Step {
  readonly second: number
  readonly wanted: number
  readonly ceilings: Ceilings
  readonly back: { readonly second: number; readonly slots: number }
}

/** A window as a list of slots: the promise in its plainest form. */
const plainWindow = () => {
  let slots: Array<{ readonly second: number; readonly isPublic: boolean }> = []
  return ({ back, ceilings: { all, ofPublicKey }, second, wanted }: Step): Reservation => {
    const isPublic = ofPublicKey !== undefined
    const giveBack = (count: number, among: (slot: (typeof slots)[number]) => boolean) => {
      for (let n = 0; n < count; n++) {
        const at = slots.findIndex(among)
        if (at >= 0) slots.splice(at, 1)
      }
    }
    slots = slots.filter((slot) => slot.second > second - length)
    if (back.second > second - length) {
      giveBack(back.slots, (slot) => slot.second === back.second && slot.isPublic === isPublic)
    }
    const ofPublic = () => slots.filter((slot) => slot.isPublic)
    const free = () => (isPublic ? Math.min(all - slots.length, ofPublicKey - ofPublic().length) : all - slots.length)
    const granted = Math.max(0, Math.min(wanted, free()))
    for (let n = 0; n < granted; n++) slots.push({ second, isPublic })
    const oldest = (found: ReadonlyArray<{ readonly second: number }>) =>
      Math.min(...found.map((slot) => slot.second)) + length
    const untilAll = slots.length >= all && slots.length > 0 ? oldest(slots) : second
    const untilPublic =
      isPublic && ofPublic().length >= ofPublicKey && ofPublic().length > 0 ? oldest(ofPublic()) : second
    return { granted, used: (ofPublicKey ?? all) - free(), nextFree: Math.max(untilAll, untilPublic) }
  }
}

/** Steps of one clock. Each gives back at most what its kind of key was granted last. */
const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 70 })),
    wanted: fc.integer({ min: 0, max: 20 }),
    isPublic: fc.boolean(),
    unused: fc.integer({ min: 0, max: 20 })
  }),
  { minLength: 1, maxLength: 40 }
)

export const rateWindowsSuite = (name: string, windows: Layer.Layer<RateWindows>) => {
  layer(windows, { timeout: "60 seconds" })(`RateWindows: ${name}`, (it) => {
    const reserve = (of: WindowOf, holder: string, { back, ceilings, second, wanted }: Step) =>
      RateWindows.use((service) => service.reserve(of, holder, second, wanted, ceilings, back))

    const nothing = { second: 0, slots: 0 }
    const take = (holder: string, second: number, wanted: number, all = 100) =>
      reserve("requests", holder, { second, wanted, ceilings: { all, ofPublicKey: undefined }, back: nothing })

    it.effect("grants what a list of slots would grant", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<RateWindows>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, async (drawn) => {
              const holder = randomUUID()
              const plain = plainWindow()
              let second = start
              const last = { public: nothing, secret: nothing }
              for (const { after, isPublic, unused, wanted } of drawn) {
                second += after
                const key = isPublic ? "public" : "secret"
                const back = { second: last[key].second, slots: Math.min(unused, last[key].slots) }
                const ceilings = { all: 30, ofPublicKey: isPublic ? 24 : undefined }
                const step = { second, wanted, ceilings, back }
                const expected = plain(step)
                const received = await Effect.runPromiseWith(context)(reserve("requests", holder, step))
                assert.deepStrictEqual({ ...received }, expected, JSON.stringify(step))
                last[key] = { second, slots: received.granted }
              }
            }),
            { numRuns: 30 }
          )
        )
      })
    )

    it.effect("never grants more than the window has to callers at the same time", () =>
      Effect.gen(function* () {
        const holder = randomUUID()
        const all = yield* Effect.all(
          Array.from({ length: 50 }, () => take(holder, start, 3)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          all.reduce((sum, { granted }) => sum + granted, 0),
          100
        )
        assert.deepInclude(yield* take(holder, start, 3), { granted: 0, used: 100, nextFree: start + length })
        assert.deepInclude(yield* take(holder, start + length, 3), { granted: 3, used: 3 })
      })
    )

    it.effect("takes slots of the latest second for a caller that is behind", () =>
      Effect.gen(function* () {
        const holder = randomUUID()
        yield* take(holder, start + 5, 60)
        assert.deepInclude(yield* take(holder, start, 60), { granted: 40, used: 100, nextFree: start + 5 + length })
        assert.deepInclude(yield* take(holder, start + length, 1), { granted: 0, nextFree: start + 5 + length })
        assert.deepInclude(yield* take(holder, start + 5 + length, 100), { granted: 100 })
      })
    )

    it.effect("counts used slots as of now after a clock that was ahead is set back", () =>
      Effect.gen(function* () {
        const holder = randomUUID()
        yield* take(holder, start + 3_600, 60)
        assert.deepInclude(yield* take(holder, start, 100), { granted: 40, used: 100, nextFree: start + length })
        assert.deepInclude(yield* take(holder, start + length, 100), { granted: 100 })
      })
    )

    it.effect("has a window for each holder and each kind", () =>
      Effect.gen(function* () {
        const [one, two] = [randomUUID(), randomUUID()]
        const step = { second: start, wanted: 5, ceilings: { all: 5, ofPublicKey: undefined }, back: nothing }
        for (const of of ["requests", "messages", "host users"] as const) {
          for (const holder of [one, two]) assert.deepInclude(yield* reserve(of, holder, step), { granted: 5 })
          assert.deepInclude(yield* reserve(of, one, step), { granted: 0 })
        }
        const text = `anna@example.com ${one} ':{}*"`
        assert.deepInclude(yield* reserve("host users", text, step), { granted: 5 })
        assert.deepInclude(yield* reserve("host users", `${text} `, step), { granted: 5 })
      })
    )
  })
}
