/** Names and values chosen to break SQL statements match only themselves and have no other effect. */
import { assert, layer } from "@effect/vitest"
import type { Filter } from "@posthorn/contract/audience/filters/FilterTree"
import { everyone, parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { DateTime, Effect, Result } from "effect"
import { databases } from "../../testing/Databases.ts"
import type { SegmentDefinition } from "./SegmentDefinitions.ts"
import { type LabContact, type LabScope, makeLab } from "./testing/FilterLab.ts"

const at = DateTime.makeUnsafe("2026-11-20T12:00:00.000Z")
const scope: LabScope = { now: at, topics: new Map(), segments: new Map() }

const names = [
  "a') OR 1=1--",
  "$.x",
  "a->>'b'",
  'a"; drop table contacts; --',
  "$1",
  "?",
  "{a,b}",
  "a\\",
  "%_",
  "constructor",
  "toString",
  "\u202eabc",
  "x".repeat(100)
]
const values = [
  ...names,
  "%_\\",
  "%",
  "_",
  "\\'",
  "{}",
  "[]",
  "null",
  "NaN",
  "infinity",
  "now",
  "epoch",
  "2026-02-30",
  "99999-01-01"
]

/** One contact for each value under each name, as data and as an event. The last contact has neither. */
const population: ReadonlyArray<LabContact> = [...values, undefined].map((value, n) => ({
  email: `c${n}@example.com`,
  subscribed: true,
  createdAt: at,
  updatedAt: at,
  data: value === undefined ? {} : Object.fromEntries(names.map((name) => [name, value])),
  events: value === undefined ? [] : [{ name: value, at: at.epochMilliseconds }],
  memberships: []
}))

const read = (...filters: ReadonlyArray<Filter>) => Result.getOrThrow(parseTree({ groups: [{ filters }] }, "audience"))

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`Hostile filters on ${name}`, (it) => {
    it.effect("a name and a value match exactly the contacts that have them", () =>
      Effect.gen(function* () {
        const lab = yield* makeLab(population)
        for (const [n, value] of values.entries()) {
          const field = `data.${names[n % names.length]}`
          assert.deepStrictEqual(yield* lab.select(read({ field, operator: "equals", value }), scope), [n], value)
          assert.deepStrictEqual(
            yield* lab.select(read({ field, operator: "in", value: [value, 5] }), scope),
            [n],
            value
          )
          assert.include(yield* lab.select(read({ field, operator: "contains", value }), scope), n, value)
          assert.include(yield* lab.select(read({ field, operator: "endsWith", value }), scope), n, value)
          const event = read({ field: `event.${value}`, operator: "triggered" })
          assert.deepStrictEqual(yield* lab.select(event, scope), [n], value)
        }
        assert.deepStrictEqual(
          yield* lab.select(everyone, scope),
          population.map((_, n) => n)
        )
      })
    )

    it.effect("every operator runs on every stored value without failing", () =>
      Effect.gen(function* () {
        const odd = [
          ...values,
          1e308,
          -5e-324,
          true,
          null,
          [],
          {},
          [[["2026-11-20"]]],
          { 0: "2026-11-20" },
          "9999-12-31"
        ]
        const lab = yield* makeLab(
          odd.map((value, n) => ({ ...contact, email: `c${n}@example.com`, data: { a: value } }))
        )
        const filters: ReadonlyArray<Omit<Filter, "field">> = [
          { operator: "equals", value: "9999-12-31" },
          { operator: "notEquals", value: "0001-01-01" },
          { operator: "greaterThan", value: "9999-12-31" },
          { operator: "lessThan", value: "0001-01-01T00:00+23:59" },
          { operator: "between", value: ["0001-01-01", "9999-12-31T23:59:59-23:59"] },
          { operator: "within", value: 100_000, unit: "months" },
          { operator: "olderThan", value: 100_000, unit: "months" },
          { operator: "olderThan", value: 0.0000001, unit: "minutes" },
          { operator: "greaterThan", value: 1.7976931348623157e308 },
          { operator: "lessThanOrEqual", value: -5e-324 },
          { operator: "contains", value: 1e21 },
          { operator: "equals", value: {} }
        ]
        for (const filter of filters) {
          for (const field of ["data.a", "data.a.0", "data.a.0.0.0", "data.a.99999999999", "createdAt"]) {
            const condition = Result.getOrUndefined(
              parseTree({ groups: [{ filters: [{ ...filter, field }] }] }, "audience")
            )
            if (condition === undefined) continue
            assert.deepStrictEqual(
              yield* lab.select(condition, scope),
              lab.evaluate(condition, scope),
              JSON.stringify({ ...filter, field })
            )
          }
        }
      })
    )

    it.effect("the largest accepted condition runs", () =>
      Effect.gen(function* () {
        const lab = yield* makeLab(population)
        const list = Array.from({ length: 1000 }, (_, n) => `value ${n}`)
        const deep = `data.${"a.".repeat(497)}a`
        const days = list.map((_, n) => new Date(n * 24 * 3_600_000).toISOString().slice(0, 10))
        const filters: ReadonlyArray<Filter> = [
          ...Array<Filter>(20).fill({ field: "data.a", operator: "notIn", value: list }),
          ...Array<Filter>(20).fill({ field: "data.a.b", operator: "notIn", value: days }),
          ...Array<Filter>(20).fill({ field: "data.0.1.-2.3.4.5.6.7.8.9", operator: "notExists" }),
          ...Array<Filter>(20).fill({ field: deep, operator: "notExists" }),
          ...Array<Filter>(20).fill({ field: "purchase", operator: "triggeredWithin", value: 1, unit: "days" })
        ]
        assert.deepStrictEqual(yield* lab.select(read(...filters), scope), [])
      })
    )

    it.effect("circular segment references terminate", () =>
      Effect.gen(function* () {
        const lab = yield* makeLab(population)
        const id = "019a9f3c-0000-7000-8000-0000000000b1"
        const circle: SegmentDefinition = {
          type: "DYNAMIC",
          condition: read({ field: `segment.${id}`, operator: "memberOfSegment" })
        }
        const circular = { ...scope, segments: new Map([[id, circle]]) }
        assert.deepStrictEqual(yield* lab.select(circle.condition, circular), [])
        assert.deepStrictEqual(lab.evaluate(circle.condition, circular), [])
      })
    )
  })
}

const [contact] = population as readonly [LabContact]
