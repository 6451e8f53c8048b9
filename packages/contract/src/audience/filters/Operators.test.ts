/** Each operator on each kind of field, and each type of value on each operator. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { FilterPlace } from "./FilterFields.ts"
import { type FilterFieldKind, type FilterOperator, kinds, operatorNames } from "./Operators.ts"
import { parseTree } from "./ParseTree.ts"

/** The operators and the kinds of field that each of them takes. */
const table: { readonly [Name in FilterOperator]: string } = {
  equals: "text id flag time moment choice json",
  notEquals: "text id flag time moment choice json",
  contains: "text id json",
  notContains: "text id json",
  startsWith: "text id json",
  endsWith: "text id json",
  in: "text id choice json",
  notIn: "text id choice json",
  greaterThan: "time moment json",
  greaterThanOrEqual: "time moment json",
  lessThan: "time moment json",
  lessThanOrEqual: "time moment json",
  between: "time moment json",
  exists: "id moment json",
  notExists: "id moment json",
  within: "time moment json",
  olderThan: "time moment json",
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
  id: ["externalId", "contact.externalId"],
  flag: ["subscribed", "topic.news.takes", "contact.topic.news.takes"],
  time: ["createdAt", "updatedAt", "contact.createdAt"],
  moment: ["snoozedUntil"],
  choice: ["subscription", "topic.news", "contact.topic.2_go"],
  json: ["data.plan", "contact.data.a.b", "locale", "contact.timezone"],
  history: ["event.purchase", "email.opened"],
  membership: ["segment.019A9F3C-0000-7000-8000-0000000000f1"]
}

/** For each kind, a value that every operator on it accepts. */
const values: { readonly [K in FilterFieldKind]: (operator: FilterOperator) => unknown } = {
  text: (operator) => (operator === "in" || operator === "notIn" ? ["a"] : "a"),
  id: (operator) => (operator === "in" || operator === "notIn" ? ["a"] : "a"),
  flag: () => true,
  moment: (operator) => (operator === "between" ? ["2026-11-20", "2026-11-20"] : isSpan(operator) ? 1 : "2026-11-20"),
  choice: (operator) => (operator === "in" || operator === "notIn" ? ["unsubscribed"] : "unsubscribed"),
  time: (operator) => (operator === "between" ? ["2026-11-20", "2026-11-20"] : isSpan(operator) ? 1 : "2026-11-20"),
  json: (operator) =>
    /in$/i.test(operator) && !isSpan(operator) ? [1] : operator === "between" ? [1, 1] : isSpan(operator) ? 1 : "1",
  history: (operator) => (isSpan(operator) ? 1 : undefined),
  membership: () => undefined
}
const laterNames = /(externalId|snoozedUntil|subscription|origin\.source|topic\..*|^locale|timezone)$/
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
    // With an event operator, every other name is that of an event.
    const isEvent = laterNames.test(field) && table[operator] === "history"
    const isPossible = isEvent || table[operator].split(" ").includes(kind)
    const filter = { field, operator, value: values[isEvent ? "history" : kind](operator), unit: "days" }
    assert.deepStrictEqual(faults(filter), isPossible ? [] : ["custom operator"])
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
  ["event.a", "triggered", { atMost: 1 }],
  ["event.a", "triggered", { atLeast: 2, atMost: 2 }],
  ["event.a", "triggered", { atLeast: 2, atMost: 1 }, "too_small value.atMost"],
  ["event.a", "triggered", { atMost: 0 }, "too_small value.atMost"],
  ["event.a", "triggered", { atMost: 10_001 }, "too_big value.atMost"],
  ["event.a", "triggered", { atMost: null }, "invalid_type value.atMost"],
  ["event.a", "triggeredWithin", { amount: 30, atLeast: 3, atMost: 2 }, "too_small value.atMost"],
  ["event.a", "triggeredWithin", { amount: 30, atMost: 2 }],
  ["externalId", "equals", 5, "invalid_type value"],
  ["externalId", "equals", null, "invalid_type value"],
  ["externalId", "in", ["a", 5]],
  ["snoozedUntil", "equals", "soon", "invalid_string value"],
  ["snoozedUntil", "exists", null],
  ["subscription", "equals", "pending"],
  ["subscription", "equals", "unset", "invalid_enum value"],
  ["subscription", "equals", true, "invalid_type value"],
  ["subscription", "in", [], "too_small value"],
  ["subscription", "in", ["pending", "no", 5], "invalid_enum value.1, invalid_type value.2"],
  ["origin.source", "in", ["form", "import"]],
  ["origin.source", "notEquals", "web", "invalid_enum value"],
  ["topic.news", "equals", "unset"],
  ["topic.news", "equals", "pending", "invalid_enum value"],
  ["topic.news.takes", "equals", "subscribed", "invalid_enum value"],
  ["locale", "equals", null],
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
  ["audience", "topic.news", "triggered"],
  ["audience", "topic.News", "equals", "custom field"],
  ["audience", "topic.news.takes.more", "equals", "custom field"],
  ["audience", "topic.", "equals", "custom field"],
  ["audience", "origin", "equals", "custom field"],
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

const entry = { path: "amount", operator: "greaterThan", value: 50 }
const wheres: ReadonlyArray<readonly [where: unknown, fault?: string]> = [
  [undefined],
  [null],
  [[entry]],
  [Array(10).fill(entry)],
  [Array(11).fill(entry), "too_big where"],
  [[], "too_small where"],
  [{}, "invalid_type where"],
  ["amount", "invalid_type where"],
  [[5, null, []], "invalid_type where.0, invalid_type where.1, invalid_type where.2"],
  [[{ operator: "exists" }], "required where.0.path"],
  [[{ path: "", operator: "exists" }], "required where.0.path"],
  [[{ path: 5, operator: "exists" }], "invalid_type where.0.path"],
  [[{ path: "a".repeat(1001), operator: "exists" }], "too_big where.0.path"],
  [[{ path: "a" }], "required where.0.operator"],
  [[{ path: "a", operator: "is" }], "invalid_enum where.0.operator"],
  [[{ path: "a", operator: "triggered" }], "custom where.0.operator"],
  [[{ path: "a", operator: "memberOfSegment" }], "custom where.0.operator"],
  [[entry, { path: "a", operator: "equals" }], "required where.1.value"],
  [[{ path: "a", operator: "equals", value: { deep: "\0" } }], "invalid_string where.0.value.deep"],
  [[{ path: "a", operator: "within", value: 5 }], "required where.0.unit"],
  [[{ path: "a", operator: "between", value: [2, 1] }], "custom where.0.value"],
  [[{ path: "coupon", operator: "notExists", more: true }]]
]

describe("tests of the data of events", () => {
  it.each(wheres)("%j", (where, fault) => {
    for (const [operator, value] of [
      ["triggered", undefined],
      ["notTriggered", undefined],
      ["triggeredWithin", { amount: 30, atMost: 2 }],
      ["triggeredOlderThan", 30],
      ["notTriggeredWithin", 30]
    ]) {
      const filter = { field: "event.purchase", operator, value, unit: "days", where }
      assert.deepStrictEqual(faults(filter).join(", "), fault ?? "")
    }
  })

  it.each([
    "email",
    "subscribed",
    "createdAt",
    "data.a",
    "externalId",
    "topic.news",
    "segment.019a9f3c-0000-7000-8000-0000000000f1"
  ])("are refused on other fields: %s", (field) => {
    const operator = field.startsWith("segment.") ? "memberOfSegment" : "equals"
    assert.deepStrictEqual(faults({ field, operator, value: "x", where: [entry] }), ["custom where"])
  })
})
