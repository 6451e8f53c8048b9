/** Filters on the data and the times of events. */
import { assert, layer } from "@effect/vitest"
import type { Filter } from "@posthorn/contract/audience/filters/FilterTree"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { DateTime, Effect, Result } from "effect"
import { databases } from "../../testing/Databases.ts"
import { noDefinitions } from "./SegmentDefinitions.ts"
import { type LabContact, type LabScope, makeLab } from "./testing/FilterLab.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 12))
const daysAgo = (days: number) => now.epochMilliseconds - days * 86_400_000

const contact = (email: string, events: LabContact["events"]): LabContact => ({
  email,
  subscribed: true,
  createdAt: now,
  updatedAt: now,
  data: {},
  events,
  memberships: []
})

const a = contact("a@example.com", [
  { name: "purchase", at: daysAgo(3), data: { amount: 80, sku: "x" } },
  { name: "purchase", at: daysAgo(40), data: { amount: 20 } },
  { name: "email.click", at: daysAgo(2), data: { link: "https://example.com/a", verdict: "human" }, source: "system" },
  // Callers may track this name, but only the service knows of snoozes.
  { name: "contact.snoozed", at: daysAgo(1) },
  // Recorded today as history.
  { name: "moved", at: daysAgo(400), recordedAt: now.epochMilliseconds, data: null }
])
const b = contact("b@example.com", [
  {
    name: "email.click",
    at: daysAgo(2),
    data: { link: "https://example.com/b", verdict: "machine" },
    source: "system"
  },
  { name: "contact.snoozed", at: daysAgo(1), source: "system" }
])

const amount = (operator: "greaterThan" | "lessThan", value: string | number) => ({ path: "amount", operator, value })
const purchase = (operator: Filter["operator"], more: Omit<Filter, "field" | "operator"> = {}): Filter => ({
  field: "event.purchase",
  operator,
  ...more
})
const click = (...where: NonNullable<Filter["where"]>): Filter => ({
  field: "email.clicked",
  operator: "triggered",
  where
})

const table: ReadonlyArray<readonly [matches: string, filter: Filter]> = [
  ["A", purchase("triggered", { where: [amount("greaterThan", 50)] })],
  // No single event has both.
  ["", purchase("triggered", { where: [amount("greaterThan", 50), { path: "sku", operator: "equals", value: "y" }] })],
  ["", purchase("triggered", { where: [amount("lessThan", 50), { path: "sku", operator: "equals", value: "x" }] })],
  ["A", purchase("triggered", { value: { atLeast: 2, atMost: 2 } })],
  ["", purchase("triggered", { value: { atLeast: 1, atMost: 1 } })],
  ["A", purchase("triggered", { value: { atMost: 1 }, where: [amount("lessThan", 50)] })],
  ["", purchase("triggeredWithin", { value: { amount: 30, atLeast: 2 }, unit: "days" })],
  ["A", purchase("triggeredWithin", { value: { amount: 30, atMost: 1 }, unit: "days" })],
  ["AB", purchase("notTriggeredWithin", { value: 30, unit: "days", where: [amount("lessThan", 50)] })],
  ["B", purchase("notTriggeredWithin", { value: 30, unit: "days", where: [amount("greaterThan", 50)] })],
  ["A", purchase("triggeredOlderThan", { value: 30, unit: "days", where: [amount("lessThan", 50)] })],
  ["", purchase("triggeredOlderThan", { value: 30, unit: "days", where: [amount("greaterThan", 50)] })],
  ["B", purchase("notTriggered", { where: [amount("greaterThan", 50)] })],
  ["AB", purchase("notTriggered", { where: [amount("greaterThan", 100)] })],
  ["A", purchase("triggered", { where: [{ path: "coupon", operator: "notExists" }] })],
  // A number is no text.
  ["", purchase("triggered", { where: [amount("greaterThan", "50")] })],
  ["A", click({ path: "verdict", operator: "equals", value: "human" })],
  ["B", click({ path: "link", operator: "endsWith", value: "/b" }, { path: "verdict", operator: "exists" })],
  // Callers stated when it happened.
  ["A", { field: "event.moved", operator: "triggeredOlderThan", value: 12, unit: "months" }],
  ["", { field: "event.moved", operator: "triggeredWithin", value: 12, unit: "months" }],
  ["A", { field: "event.moved", operator: "triggered", where: [{ path: "to", operator: "notExists" }] }],
  ["B", { field: "event.contact.snoozed", operator: "triggered" }],
  ["A", { field: "event.contact.snoozed", operator: "notTriggered" }]
]

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`Data of events on ${name}`, (it) => {
    it.effect("every filter finds its contacts, in SQL and in memory, for many contacts and for few", () =>
      Effect.gen(function* () {
        const lab = yield* makeLab([a, b])
        const names = (numbers: ReadonlyArray<number>) => numbers.map((n) => "AB"[n]).join("")
        for (const [matches, filter] of table) {
          const condition = Result.getOrThrow(parseTree({ groups: [{ filters: [filter] }] }, "audience"))
          for (const few of [false, true]) {
            const scope: LabScope = { now, few, ...noDefinitions }
            const found = [names(yield* lab.select(condition, scope)), names(lab.evaluate(condition, scope))]
            assert.deepStrictEqual(found, [matches, matches], JSON.stringify(filter))
          }
        }
      })
    )
  })
}
