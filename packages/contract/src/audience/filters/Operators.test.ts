/** Each operator on each kind of field, and each type of value on each operator. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { FilterPlace } from "./FilterFields.ts"
import { type FilterFieldKind, type FilterOperator, kinds, operatorNames } from "./Operators.ts"
import { parseTree } from "./ParseTree.ts"

/** The operators and the kinds of field that each of them takes. */
const table: { readonly [Name in FilterOperator]: string } = {
  equals: "text flag time json",
  notEquals: "text flag time json",
  contains: "text json",
  notContains: "text json",
  startsWith: "text json",
  endsWith: "text json",
  in: "text json",
  notIn: "text json",
  greaterThan: "time json",
  greaterThanOrEqual: "time json",
  lessThan: "time json",
  lessThanOrEqual: "time json",
  between: "time json",
  exists: "json",
  notExists: "json",
  within: "time json",
  olderThan: "time json",
  triggered: "history",
  notTriggered: "history",
  triggeredWithin: "history",
  triggeredOlderThan: "history",
  notTriggeredWithin: "history",
  memberOfSegment: "membership",
  notMemberOfSegment: "membership"
}

const fields: { readonly [K in FilterFieldKind]: ReadonlyArray<string> } = {
  text: ["email", "contact.email"],
  flag: ["subscribed"],
  time: ["createdAt", "updatedAt", "contact.createdAt"],
  json: ["data.plan", "contact.data.a.b"],
  history: ["event.purchase", "email.opened"],
  membership: ["segment.019A9F3C-0000-7000-8000-0000000000f1"]
}

/** For each kind, a value that every operator on it accepts. */
const values: { readonly [K in FilterFieldKind]: (operator: FilterOperator) => unknown } = {
  text: (operator) => (operator === "in" || operator === "notIn" ? ["a"] : "a"),
  flag: () => true,
  time: (operator) => (operator === "between" ? ["2026-11-20", "2026-11-20"] : isSpan(operator) ? 1 : "2026-11-20"),
  json: (operator) =>
    /in$/i.test(operator) && !isSpan(operator) ? [1] : operator === "between" ? [1, 1] : isSpan(operator) ? 1 : "1",
  history: (operator) => (isSpan(operator) ? 1 : undefined),
  membership: () => undefined
}
const isSpan = (operator: FilterOperator) => /(Within|OlderThan|within|olderThan)$/.test(operator)

const cells = operatorNames.flatMap((operator) =>
  kinds.flatMap((kind) => fields[kind].map((field) => [operator, kind, field] as const))
)

const faults = (filter: object, place: FilterPlace = "audience") => {
  const read = parseTree({ groups: [{ filters: [filter] }] }, place)
  return Result.isSuccess(read)
    ? []
    : read.failure.map(({ code, path }) => `${code} ${path.slice(4).join(".")}`.trimEnd())
}

describe("operators", () => {
  it.each(cells)("%s on %s: %s", (operator, kind, field) => {
    const filter = { field, operator, value: values[kind](operator), unit: "days" }
    assert.deepStrictEqual(faults(filter), table[operator].split(" ").includes(kind) ? [] : ["custom operator"])
  })
})

/** Faults of `value` by operator and field. Where the operator takes only a span, the unit is days. */
const given: ReadonlyArray<readonly [field: string, operator: string, value: unknown, fault?: string]> = [
  ["email", "equals", undefined, "required value"],
  ["email", "equals", null, "invalid_type value"],
  ["email", "equals", 5, "invalid_type value"],
  ["email", "contains", 5],
  ["email", "contains", true],
  ["email", "contains", ["a"], "invalid_type value"],
  ["email", "startsWith", 5, "invalid_type value"],
  ["email", "in", "a", "invalid_type value"],
  ["email", "in", [], "too_small value"],
  ["email", "in", ["a", 5, true]],
  ["email", "in", ["a", null, { a: 1 }], "invalid_type value.1, invalid_type value.2"],
  ["email", "notIn", Array(1000).fill("a")],
  ["email", "notIn", Array(1001).fill("a"), "too_big value"],
  ["subscribed", "equals", "false"],
  ["subscribed", "equals", "yes", "invalid_enum value"],
  ["subscribed", "equals", 1, "invalid_type value"],
  ["subscribed", "notEquals", null, "invalid_type value"],
  ["createdAt", "equals", "2026-02-29", "invalid_string value"],
  ["createdAt", "equals", "yesterday", "invalid_string value"],
  ["createdAt", "greaterThan", 5, "invalid_type value"],
  ["createdAt", "between", ["2026-02-01"], "too_small value"],
  ["createdAt", "between", ["2026-02-01", "2026-02-01", "2026-02-01"], "too_big value"],
  ["createdAt", "between", ["2026-02-02", "2026-02-01"], "custom value"],
  ["createdAt", "between", ["2026-02-01T12:00Z", "2026-02-01"]],
  ["createdAt", "between", ["2026-02-01", "x"], "invalid_string value.1"],
  ["createdAt", "between", "2026-02-01", "invalid_type value"],
  ["data.a", "equals", undefined, "required value"],
  ["data.a", "equals", null],
  ["data.a", "notEquals", null],
  ["data.a", "equals", { a: [1, { b: null }] }],
  ["data.a", "equals", []],
  ["data.a", "contains", null, "invalid_type value"],
  ["data.a", "contains", { a: 1 }, "invalid_type value"],
  ["data.a", "endsWith", true, "invalid_type value"],
  ["data.a", "in", [null], "invalid_type value.0"],
  ["data.a", "lessThan", true, "invalid_type value"],
  ["data.a", "lessThan", null, "invalid_type value"],
  ["data.a", "between", [1, "2"], "custom value"],
  ["data.a", "between", ["2026-01-01", "a"], "custom value"],
  ["data.a", "between", [2, 1], "custom value"],
  ["data.a", "between", ["b", "a"], "custom value"],
  // Compared by UTF-16 unit, the first of these would be higher.
  ["data.a", "between", ["\uffff", "😀"]],
  ["data.a", "between", ["😀", "\uffff"], "custom value"],
  ["data.a", "exists", { ignored: true }],
  ["data.a", "notExists", null],
  ["data.a", "within", undefined, "required value"],
  ["data.a", "within", 0, "too_small value"],
  ["data.a", "within", -1, "too_small value"],
  ["data.a", "within", "0.5"],
  ["data.a", "within", 100_000],
  ["data.a", "within", 100_000.5, "too_big value"],
  ["data.a", "within", "1e3", "invalid_type value"],
  ["data.a", "within", true, "invalid_type value"],
  ["data.a", "equals", "a".repeat(1000)],
  ["data.a", "equals", "a".repeat(1001), "too_big value"],
  ["data.a", "equals", "😀".repeat(1000)],
  ["data.a", "equals", { deep: ["a".repeat(1001)] }, "too_big value.deep.0"],
  ["data.a", "equals", "\0", "invalid_string value"],
  ["data.a", "equals", "\ud800", "invalid_string value"],
  ["data.a", "equals", Number.POSITIVE_INFINITY, "too_big value"],
  ["event.a", "triggered", null],
  ["event.a", "triggered", {}],
  ["event.a", "triggered", 5, "invalid_type value"],
  ["event.a", "triggered", { atLeast: 0 }, "too_small value.atLeast"],
  ["event.a", "triggered", { atLeast: 10_000 }],
  ["event.a", "triggered", { atLeast: 10_001 }, "too_big value.atLeast"],
  ["event.a", "triggered", { atLeast: 1.5 }, "custom value.atLeast"],
  ["event.a", "triggered", { atLeast: "2" }, "invalid_type value.atLeast"],
  ["event.a", "notTriggered", 5],
  ["event.a", "triggeredWithin", { atLeast: 2 }, "required value.amount"],
  ["event.a", "triggeredWithin", { amount: "7", atLeast: 0 }, "too_small value.atLeast"],
  ["event.a", "triggeredWithin", null, "invalid_type value"],
  ["event.a", "triggeredOlderThan", { amount: 7 }, "invalid_type value"],
  ["event.a", "notTriggeredWithin", "7"]
]

describe("values", () => {
  it.each(given)("%s %s %j", (field, operator, value, fault) => {
    assert.deepStrictEqual(faults({ field, operator, value, unit: "days" }).join(", "), fault ?? "")
  })

  it("a unit must be known, is required for a span, and months must be whole", () => {
    const filter = { field: "createdAt", operator: "within", value: 1.5 }
    assert.deepStrictEqual(faults(filter), ["required unit"])
    assert.deepStrictEqual(faults({ ...filter, unit: null }), ["required unit"])
    assert.deepStrictEqual(faults({ ...filter, unit: "years" }), ["invalid_enum unit"])
    assert.deepStrictEqual(faults({ ...filter, unit: 5 }), ["invalid_type unit"])
    assert.deepStrictEqual(faults({ ...filter, unit: "months" }), ["custom value"])
    assert.deepStrictEqual(faults({ ...filter, unit: "weeks" }), [])
    assert.deepStrictEqual(faults({ field: "event.a", operator: "notTriggeredWithin" }), [
      "required unit",
      "required value"
    ])
  })
})

const names: ReadonlyArray<readonly [place: FilterPlace, field: unknown, operator: unknown, fault?: string]> = [
  ["audience", "plan", "equals", "custom field"],
  ["audience", "plan", "triggered"],
  ["audience", "email.sent", "triggered"],
  ["audience", "email.unknown", "triggered"],
  ["audience", "email.unknown", "equals", "custom field"],
  ["audience", "contact.subscribed", "triggered"],
  ["audience", "contact.subscribed", "equals"],
  ["audience", "segment.vip.entry", "triggered"],
  ["audience", "segment.vip", "memberOfSegment", "custom field"],
  ["audience", "contact.segment.vip", "memberOfSegment", "custom field"],
  ["audience", "event.a", "equals", "custom operator"],
  ["audience", "workflow.a", "equals", "custom field"],
  ["step", "event.a", "equals"],
  ["step", "workflow.a.b", "equals"],
  ["step", "event.a", "triggered"],
  ["step", "plan", "equals", "custom field"],
  ["audience", "event.", "triggered", "custom field"],
  ["audience", "data.", "equals", "custom field"],
  ["audience", "", "equals", "required field"],
  ["audience", undefined, "equals", "required field"],
  ["audience", 5, "equals", "invalid_type field"],
  ["audience", "data.a", undefined, "required operator"],
  ["audience", "data.a", 5, "invalid_type operator"],
  ["audience", "data.a", "Equals", "invalid_enum operator"],
  ["audience", "data.a", "__proto__", "invalid_enum operator"],
  ["audience", "data.a", "toString", "invalid_enum operator"],
  ["audience", `data.${"a".repeat(1000)}`, "equals", "too_big field"],
  ["audience", "data.\0", "equals", "invalid_string field"]
]

describe("fields", () => {
  it.each(names.map(([place, field, operator, fault = ""]) => [place, field, operator, fault] as const))(
    "in an %s: %s %s",
    (place, field, operator, fault) => {
      const value = operator === "triggered" ? undefined : true
      assert.deepStrictEqual(faults({ field, operator, value }, place).join(", "), fault)
    }
  )
})
