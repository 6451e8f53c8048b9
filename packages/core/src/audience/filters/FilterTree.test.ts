/**
 * Filter trees in request bodies: what is accepted, what the errors say, and that very large trees are cheap to reject.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { faultsOf } from "../../platform/http/Faults.ts"
import { Segmented, treeOfDepth } from "./testing/Bodies.ts"

const decode = Schema.decodeUnknownResult(Schema.toCodecJson(Segmented), { errors: "all", reportInput: true })
const encode = Schema.encodeUnknownSync(Schema.toCodecJson(Segmented))

const faults = (condition: unknown) => {
  const read = decode({ condition })
  return Result.isFailure(read) ? faultsOf(read.failure.issue) : []
}
const lines = (condition: unknown) => faults(condition).map(({ code, field }) => `${code} ${field}`)

const filter = { field: "data.plan", operator: "equals", value: "pro" }
const group = { filters: [filter] }

describe("a filter tree", () => {
  it.each([
    { groups: [] },
    { logic: "OR", groups: [group] },
    { logic: null, groups: [{ filters: null, conditions: { groups: [] } }] },
    { groups: [{ filters: [{ field: "data.a", operator: "equals", value: null, unit: null }], conditions: null }] },
    { groups: [{ filters: [{ ...filter, value: { b: [1, { c: null }], a: "" } }] }] },
    { groups: [{ filters: [], conditions: { logic: "AND", groups: [group, group] } }] }
  ])("is encoded as it was decoded: %j", (condition) => {
    const read = Result.getOrThrow(decode({ condition }))
    assert.deepStrictEqual<unknown>(encode(read), { condition })
  })

  it("drops unknown keys", () => {
    const sent = { id: 1, groups: [{ name: "x", filters: [{ ...filter, label: "y" }] }] }
    assert.deepStrictEqual<unknown>(Result.getOrThrow(decode({ condition: sent })), { condition: { groups: [group] } })
  })

  it("reports every fault with its path and the received value", () => {
    const condition = {
      logic: "XOR",
      groups: [
        { filters: [filter, { field: "data.a", operator: "between", value: [1, true] }] },
        {},
        { conditions: { groups: [{ filters: [{ field: "email", operator: "sounds like", value: "x" }] }] } },
        { filters: {} },
        7
      ]
    }
    assert.deepStrictEqual(
      faults(condition).map(({ code, field, received }) => [code, field, received]),
      [
        ["invalid_enum", "condition.logic", "XOR"],
        ["invalid_type", "condition.groups.0.filters.1.value.1", "boolean"],
        ["too_small", "condition.groups.1", undefined],
        ["invalid_enum", "condition.groups.2.conditions.groups.0.filters.0.operator", "sounds like"],
        ["invalid_type", "condition.groups.3.filters", "object"],
        ["invalid_type", "condition.groups.4", "number"]
      ]
    )
  })

  it.each([
    [5, "invalid_type condition"],
    [[], "invalid_type condition"],
    [{}, "required condition.groups"],
    [{ groups: null }, "required condition.groups"],
    [{ groups: {} }, "invalid_type condition.groups"],
    [{ logic: 1, groups: [] }, "invalid_type condition.logic"],
    [{ groups: [{ filters: [], conditions: {} }] }, "required condition.groups.0.conditions.groups"],
    [{ groups: [{ conditions: 5 }] }, "invalid_type condition.groups.0.conditions"]
  ])("is refused: %j", (condition, fault) => {
    assert.deepStrictEqual(lines(condition), [fault])
  })

  it("has at most 10 levels and 100 filters", () => {
    assert.deepStrictEqual(lines(treeOfDepth(10)), [])
    assert.deepStrictEqual(lines(treeOfDepth(11)), [`too_big condition${".groups.0.conditions".repeat(10)}`])
    const full = {
      groups: [{ filters: Array(60).fill(filter), conditions: { groups: [{ filters: Array(40).fill(filter) }] } }]
    }
    assert.deepStrictEqual(lines(full), [])
    assert.deepStrictEqual(lines({ groups: [...full.groups, group, group] }), ["too_big condition.groups.1.filters.0"])
  })

  it.each([
    ["depth 100,000", treeOfDepth(100_000), 1],
    ["10,000 groups", { groups: Array(10_000).fill(group) }, 1],
    ["100,000 groups without filters", { groups: Array(100_000).fill({ conditions: { groups: [] } }) }, 1],
    ["100,000 empty groups", { groups: Array(100_000).fill({}) }, 50],
    ["100,000 filters", { groups: [{ filters: Array(100_000).fill(filter) }] }, 1],
    ["100,000 faulty filters", { groups: [{ filters: Array(100_000).fill(5) }] }, 50],
    [
      "a list of a million",
      { groups: [{ filters: [{ ...filter, operator: "in", value: Array(1_000_000).fill(1) }] }] },
      1
    ],
    ["a value a hundred thousand deep", { groups: [{ filters: [{ ...filter, value: nested(100_000) }] }] }, 1],
    ["AND of OR, ten wide and five deep", explosion(5), 1]
  ])("a huge tree is refused with few errors: %s", (_, condition, count) => {
    // The body codec rejects more than 100 levels, so this bypasses it.
    const read = Schema.decodeUnknownResult(Segmented.fields.condition, { reportInput: true })(condition)
    assert.strictEqual(Result.isFailure(read) ? faultsOf(read.failure.issue).length : 0, count)
  })

  it("ignores inherited properties of objects", () => {
    const polluted = JSON.parse(`{"__proto__": {"groups": []}, "constructor": {"groups": []}}`)
    assert.deepStrictEqual(lines(polluted), ["required condition.groups"])
    const sent = JSON.parse(`{"groups": [{"filters": [{"field": "data.__proto__.x", "operator": "equals",
      "value": {"__proto__": {"subscribed": true}}}]}]}`)
    assert.deepStrictEqual(lines(sent), [])
    assert.strictEqual(
      JSON.stringify(encode(Result.getOrThrow(decode({ condition: sent })))),
      JSON.stringify({ condition: sent })
    )
  })
})

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = [value]
  return value
}

function explosion(depth: number): unknown {
  const conditions = depth === 0 ? { groups: [group] } : explosion(depth - 1)
  return { logic: depth % 2 === 0 ? "AND" : "OR", groups: Array(10).fill({ conditions }) }
}
