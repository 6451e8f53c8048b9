import { assert, describe, it } from "@effect/vitest"
import type { Filter, FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { Result } from "effect"
import { dependenciesOf, expandedSize } from "./Dependencies.ts"
import type { SegmentDefinition } from "./SegmentDefinitions.ts"

const segment = (n: number) => `019a9f3c-0000-7000-8000-0000000000${n + 10}`
const read = (tree: FilterTree) => Result.getOrThrow(parseTree(tree, "audience"))
const all = (...filters: ReadonlyArray<Filter>) => read({ groups: [{ filters }] })
const member = (n: number): Filter => ({ field: `segment.${segment(n)}`, operator: "memberOfSegment" })

const looks: ReadonlyArray<readonly [filter: Filter, names: ReadonlyArray<string>, onTime: boolean]> = [
  [{ field: "email", operator: "contains", value: "a" }, ["email"], false],
  [{ field: "contact.subscribed", operator: "equals", value: true }, ["subscribed"], false],
  [{ field: "createdAt", operator: "lessThan", value: "2030-01-01" }, ["createdAt"], false],
  [{ field: "updatedAt", operator: "within", value: 1, unit: "days" }, ["updatedAt"], true],
  [{ field: "data.plan", operator: "equals", value: "pro" }, ["data.plan"], false],
  [{ field: "data.a.b.c", operator: "exists" }, ["data.a.b.c", "data.a"], false],
  [{ field: "data.a", operator: "greaterThan", value: "2026-01-01" }, ["data.a"], false],
  [{ field: "data.a", operator: "olderThan", value: 1, unit: "days" }, ["data.a"], true],
  [{ field: "purchase", operator: "triggered" }, ["event.purchase"], false],
  [{ field: "email.opened", operator: "notTriggered" }, ["event.email.open"], false],
  [{ field: "event.a", operator: "triggeredWithin", value: 1, unit: "days" }, ["event.a"], true],
  [{ field: "event.a", operator: "triggeredOlderThan", value: 1, unit: "days" }, ["event.a"], true],
  [{ field: "event.a", operator: "notTriggeredWithin", value: 1, unit: "days" }, ["event.a"], true],
  [{ field: "locale", operator: "equals", value: "de" }, ["data.locale"], false],
  [{ field: "externalId", operator: "exists" }, ["externalId"], false],
  [{ field: "snoozedUntil", operator: "exists" }, ["snoozedUntil"], true],
  [{ field: "subscription", operator: "equals", value: "pending" }, ["subscribed", "subscription"], true],
  [{ field: "origin.source", operator: "equals", value: "form" }, ["origin.source"], false],
  [{ field: "topic.news", operator: "equals", value: "unset" }, ["topic.news"], false],
  [
    { field: "contact.topic.news.takes", operator: "equals", value: true },
    ["subscribed", "snoozedUntil", "topic.news"],
    true
  ],
  [
    { field: "event.a", operator: "triggered", where: [{ path: "at", operator: "within", value: 1, unit: "days" }] },
    ["event.a"],
    true
  ],
  [member(1), [`segment.${segment(1)}`], false]
]

describe("dependencies of a condition", () => {
  it.each(looks)("%j", (filter, names, onTime) => {
    assert.deepStrictEqual(dependenciesOf(all(filter)), { names: new Set(names), onTime })
  })

  it("include those of all nested filters", () => {
    const condition = read({
      logic: "OR",
      groups: [
        { filters: [{ field: "email", operator: "equals", value: "a" }] },
        { conditions: { groups: [{ filters: [{ field: "purchase", operator: "notTriggered" }, member(1)] }] } }
      ]
    })
    assert.deepStrictEqual(dependenciesOf(condition), {
      names: new Set(["email", "event.purchase", `segment.${segment(1)}`]),
      onTime: false
    })
  })
})

describe("the size of a condition with its segments", () => {
  const one: Filter = { field: "subscribed", operator: "equals", value: true }
  const dynamic = (condition: SegmentDefinition & { type: "DYNAMIC" }): SegmentDefinition => condition

  it("counts the condition of a segment each time the segment is named", () => {
    const segments = new Map<string, SegmentDefinition>([
      [segment(1), dynamic({ type: "DYNAMIC", condition: all(one, one, one) })],
      [segment(2), dynamic({ type: "DYNAMIC", condition: all(member(1), member(1), member(3)) })],
      [segment(3), { type: "STATIC" }]
    ])
    assert.strictEqual(expandedSize(all(one, member(2), member(2), member(4)), segments), 1 + 7 + 7 + 1)
  })

  it("counts empty groups too", () => {
    const empty = read({ groups: Array(100).fill({ conditions: { groups: [] } }) })
    const chain = new Map([[segment(1), dynamic({ type: "DYNAMIC", condition: empty })]])
    assert.strictEqual(expandedSize(empty, chain), 100)
    assert.strictEqual(expandedSize(all(...Array<Filter>(11).fill(member(1))), chain), 1100)
  })

  it("is computed fast when it is huge, and is infinite in a circle", () => {
    const wide = (n: number) => all(...Array<Filter>(100).fill(member(n)))
    const chain = new Map([1, 2, 3, 4].map((n) => [segment(n), dynamic({ type: "DYNAMIC", condition: wide(n + 1) })]))
    assert.strictEqual(expandedSize(wide(1), chain), 100 ** 5)
    const circle = new Map([[segment(1), dynamic({ type: "DYNAMIC", condition: all(member(1)) })]])
    assert.strictEqual(expandedSize(all(member(1)), circle), Number.POSITIVE_INFINITY)
  })
})
