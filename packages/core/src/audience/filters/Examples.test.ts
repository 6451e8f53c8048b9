/** Examples of conditions with their expected results, in SQL and in memory. */
import { assert, describe, it, layer } from "@effect/vitest"
import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import type { FilterOperator, Unit } from "@posthorn/contract/audience/filters/Operators"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { DateTime, Effect, Result, Schema } from "effect"
import { faultsOf } from "../../platform/http/Faults.ts"
import { databases } from "../../testing/Databases.ts"
import { type LabContact, type LabScope, makeLab } from "./testing/FilterLab.ts"

const s1 = "019a9f3c-0000-7000-8000-0000000000f1"
const now = DateTime.makeUnsafe("2026-11-20T12:00:00.000Z")
const at = (text: string) => Date.parse(text)

const anna: LabContact = {
  email: "anna@example.com",
  subscribed: true,
  createdAt: DateTime.makeUnsafe("2026-11-01T08:00:00.000Z"),
  updatedAt: DateTime.makeUnsafe("2026-11-01T08:00:00.000Z"),
  data: {
    plan: "pro",
    seats: 5,
    score: 0,
    vip: false,
    zip: "01234",
    city: "Köln",
    tags: ["a", "b"],
    address: { country: "DE", line2: null },
    trialEnds: "2026-11-25",
    lastLogin: "2026-11-13T12:00:00Z",
    "a.b": 1
  },
  events: [
    { name: "purchase", at: at("2026-11-10T12:00:00Z") },
    { name: "purchase", at: at("2026-11-19T12:00:00Z") },
    { name: "email.open", at: at("2026-10-01T00:00:00Z") }
  ],
  memberships: [s1]
}
const bo: LabContact = {
  email: "bo@test.org",
  subscribed: false,
  createdAt: DateTime.makeUnsafe("2026-02-28T12:00:00.000Z"),
  updatedAt: DateTime.makeUnsafe("2026-02-28T12:00:00.000Z"),
  data: {},
  events: [],
  memberships: []
}

type Row = readonly [
  n: number,
  matches: "AB" | "A" | "B" | "",
  ...filter: readonly [string, FilterOperator, unknown?, Unit?]
]

const rows: ReadonlyArray<Row> = [
  [1, "A", "email", "equals", "ANNA@Example.com"],
  [2, "B", "email", "endsWith", "@test.org"],
  [3, "B", "email", "notContains", "example"],
  [4, "B", "subscribed", "equals", false],
  [5, "B", "subscribed", "notEquals", "true"],
  [6, "A", "createdAt", "equals", "2026-11-01"],
  [7, "A", "createdAt", "equals", "2026-11-01T08:00:00Z"],
  [8, "", "createdAt", "greaterThan", "2026-11-01"],
  [9, "AB", "createdAt", "lessThanOrEqual", "2026-11-01"],
  [10, "B", "createdAt", "between", ["2026-02-01", "2026-02-28"]],
  [11, "A", "createdAt", "within", 3, "weeks"],
  [12, "B", "createdAt", "olderThan", 8, "months"],
  [13, "A", "data.plan", "equals", "pro"],
  [14, "", "data.plan", "equals", "Pro"],
  [15, "A", "data.plan", "notEquals", "free"],
  [16, "B", "data.plan", "equals", null],
  [17, "A", "data.plan", "notEquals", null],
  [18, "A", "data.plan", "in", ["pro", "team"]],
  [19, "A", "data.plan", "notIn", ["free"]],
  [20, "", "data.seats", "equals", "5"],
  [21, "A", "data.seats", "greaterThan", 4],
  [22, "", "data.seats", "greaterThan", "4"],
  [23, "A", "data.seats", "between", [5, 10]],
  [24, "A", "data.score", "exists"],
  [25, "A", "data.score", "lessThan", 1],
  [26, "A", "data.vip", "equals", false],
  [27, "", "data.zip", "equals", 1234],
  [28, "A", "data.zip", "greaterThan", "01"],
  [29, "A", "data.city", "contains", "öln"],
  [30, "", "data.city", "contains", "köln"],
  [31, "A", "data.tags", "contains", "a"],
  [32, "A", "data.tags", "notContains", "c"],
  [33, "A", "data.tags", "equals", ["a", "b"]],
  [34, "A", "data.seats", "notContains", "5"],
  [35, "A", "data.address.country", "equals", "DE"],
  [36, "AB", "data.address.line2", "notExists"],
  [37, "A", "data.a.b", "equals", 1],
  [38, "A", "data.trialEnds", "greaterThan", "2026-11-24T23:00:00Z"],
  [39, "", "data.trialEnds", "within", 7, "days"],
  [40, "A", "data.lastLogin", "within", 7, "days"],
  [41, "", "data.lastLogin", "olderThan", 7, "days"],
  [42, "", "data.plan", "olderThan", 1, "days"],
  [43, "A", "purchase", "triggered"],
  [44, "", "event.purchase", "triggered", { atLeast: 3 }],
  [45, "A", "event.purchase", "triggeredWithin", { amount: 10, atLeast: 2 }, "days"],
  [46, "", "event.purchase", "triggeredOlderThan", 1, "days"],
  [47, "A", "event.purchase", "triggeredOlderThan", 12, "hours"],
  [48, "AB", "event.purchase", "notTriggeredWithin", 12, "hours"],
  [49, "AB", "event.refund", "notTriggered"],
  [50, "A", "email.opened", "triggeredOlderThan", 1, "months"],
  [51, "AB", "email.clicked", "notTriggered"],
  [52, "A", `segment.${s1}`, "memberOfSegment"],
  [53, "B", `segment.${s1}`, "notMemberOfSegment"],
  [54, "A", "contact.data.plan", "startsWith", "pr"]
]

const treeOf = ([, , field, operator, value, unit]: Row): unknown => ({
  groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }), ...(unit && { unit }) }] }]
})

const fullTree = {
  logic: "OR",
  groups: [
    {
      filters: [{ field: "data.plan", operator: "equals", value: "pro" }],
      conditions: {
        logic: "OR",
        groups: [
          { filters: [{ field: "purchase", operator: "triggeredWithin", value: 30, unit: "days" }] },
          { filters: [{ field: "data.seats", operator: "greaterThan", value: 10 }] }
        ]
      }
    },
    { filters: [{ field: `segment.${s1}`, operator: "memberOfSegment" }] }
  ]
}

const trees: ReadonlyArray<readonly [n: number, matches: string, tree: unknown]> = [
  ...rows.map((row) => [row[0], row[1], treeOf(row)] as const),
  [58, "AB", { logic: "OR", groups: [] }],
  [60, "A", fullTree]
]

const filter = (...[field, operator, value]: readonly [string, string, unknown?]) => ({
  groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }) }] }]
})
const refused: ReadonlyArray<readonly [n: number, fault: string, tree: unknown]> = [
  [55, "custom condition.groups.0.filters.0.field", filter("plan", "equals", "pro")],
  [56, "custom condition.groups.0.filters.0.operator", filter("email", "exists")],
  [57, "required condition.groups.0.filters.0.unit", filter("data.lastLogin", "within", 7)],
  [59, "too_small condition.groups.0", { groups: [{ filters: [] }] }]
]

const scope: LabScope = { now, topics: new Map(), segments: new Map([[s1, { type: "STATIC" }]]) }

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`Worked examples on ${name}`, (it) => {
    it.effect("every example selects its contacts, in SQL and in memory", () =>
      Effect.gen(function* () {
        const lab = yield* makeLab([anna, bo])
        const actual: Array<readonly [number, string, string]> = []
        const names = (numbers: ReadonlyArray<number>) => numbers.map((n) => "AB"[n]).join("")
        for (const [n, , tree] of trees) {
          const condition = Result.getOrThrow(parseTree(tree, "audience"))
          actual.push([n, names(yield* lab.select(condition, scope)), names(lab.evaluate(condition, scope))])
        }
        assert.deepStrictEqual(
          actual,
          trees.map(([n, matches]) => [n, matches, matches])
        )
      })
    )
  })
}

/** The operator decides between the two meanings of `event.`. */
const steps: ReadonlyArray<
  readonly [matches: string, field: string, operator: FilterOperator, value?: unknown, unit?: Unit]
> = [
  ["AB", "event.amount", "greaterThan", 5],
  ["AB", "workflow.amount", "greaterThan", 5],
  ["AB", "event.order.items.0", "equals", "book"],
  ["", "event.missing", "exists"],
  ["AB", "event.at", "within", 1, "days"],
  ["A", "event.purchase", "triggered"],
  ["", "event.amount", "triggered"],
  ["A", "contact.data.plan", "equals", "pro"]
]
const context = { amount: 9, order: { items: ["book"] }, at: "2026-11-20" }

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`A step of a workflow on ${name}`, (it) => {
    it.effect.each(steps)("%j", ([matches, field, operator, value, unit]) =>
      Effect.gen(function* () {
        const lab = yield* makeLab([anna, bo])
        const tree = { groups: [{ filters: [{ field, operator, value, unit }] }] }
        const condition = Result.getOrThrow(parseTree(tree, "step"))
        const inStep = { ...scope, context }
        const expected = [...matches].map((letter) => "AB".indexOf(letter))
        assert.deepStrictEqual(yield* lab.select(condition, inStep), expected)
        assert.deepStrictEqual(lab.evaluate(condition, inStep), expected)
      })
    )
  })
}

describe("Worked examples that are refused", () => {
  it.each(refused)("row %i", (_n, fault, tree) => {
    const body = Schema.Struct({ condition: FilterTree })
    const read = Schema.decodeUnknownResult(body, { errors: "all", reportInput: true })({ condition: tree })
    const faults = Result.isFailure(read) ? faultsOf(read.failure.issue) : []
    assert.deepStrictEqual(
      faults.map(({ code, field }) => `${code} ${field}`),
      [fault]
    )
  })

  it("row 55 suggests the custom field with that name", () => {
    const faults = parseTree(filter("plan", "equals", "pro"), "audience")
    assert.match(Result.isFailure(faults) ? faults.failure[0].message : "", /'data\.plan'/)
  })
})
