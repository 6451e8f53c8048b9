import type { FilterTree } from "@posthorn/client/session"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { gapsIn, isTree } from "./check.ts"
import { allOperators, nameOf, type TreeFilter, treeUnits } from "./grammar.ts"
import { sentenceOf } from "./sentence.ts"
import { english } from "./sentenceWords.ts"

const segment = "019a9f3c-0000-7000-8000-0000000000f1"
const segments = new Map([[segment, "VIPs"]])

const field = fc.oneof(
  fc.constantFrom("email", "subscribed", "createdAt", "contact.updatedAt", "email.open", "event.purchase", "purchase"),
  fc.constantFrom(`segment.${segment}`, "segment.", "event.", "workflow.total", "", "data.email", "data.toString"),
  fc.string().map((key) => `data.${key}`),
  fc.string()
)

const test = fc.record(
  {
    path: fc.string(),
    operator: fc.constantFrom(...allOperators),
    value: fc.jsonValue(),
    unit: fc.constantFrom(...treeUnits)
  },
  { requiredKeys: ["path", "operator"] }
)

const filter: fc.Arbitrary<TreeFilter> = fc.record(
  {
    field,
    operator: fc.constantFrom(...allOperators),
    value: fc.oneof(fc.jsonValue(), fc.record({ amount: fc.integer(), atLeast: fc.integer() })),
    unit: fc.constantFrom(...treeUnits),
    where: fc.array(test, { maxLength: 2 })
  },
  { requiredKeys: ["field", "operator"] }
)

const tree = fc.letrec<{ tree: FilterTree; group: FilterTree["groups"][number] }>((tie) => ({
  tree: fc.record(
    { logic: fc.constantFrom("AND" as const, "OR" as const), groups: fc.array(tie("group"), { maxLength: 3 }) },
    { requiredKeys: ["groups"] }
  ),
  group: fc.record(
    {
      filters: fc.array(filter, { maxLength: 3 }),
      conditions: fc.option(tie("tree"), { nil: undefined, depthSize: "small" })
    },
    { requiredKeys: [] }
  )
})).tree

const filtersOf = ({ groups }: FilterTree): ReadonlyArray<TreeFilter> =>
  groups.flatMap(({ filters, conditions }) => [...(filters ?? []), ...(conditions ? filtersOf(conditions) : [])])

const read = (given: FilterTree) => sentenceOf(given, english, segments)

const plan: TreeFilter = { field: "data.plan", operator: "equals", value: "pro" }
const seats: TreeFilter = { field: "data.seats", operator: "greaterThan", value: 10 }
const bought: TreeFilter = { field: "purchase", operator: "triggeredWithin", value: 30, unit: "days" }

describe("the sentence of a condition", () => {
  it("exists for every tree, ends, and names what each filter is about", () => {
    fc.assert(
      fc.property(tree, (given) => {
        const text = read(given)
        assert.isAbove(text.length, 1)
        assert.strictEqual(text.at(-1), ".")
        for (const each of filtersOf(given)) {
          const name = nameOf(each).replace(/^data\./, "")
          if (each.field.startsWith("data.") && !/Segment$|riggered/.test(each.operator)) assert.include(text, name)
        }
      })
    )
  })

  it("writes no value as a machine would, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...allOperators), (value, operator) => {
        const text = read({ groups: [{ filters: [{ field: "data.x", operator, value, unit: "days" }] }] })
        if (!JSON.stringify(value).includes("undefined")) assert.notInclude(text, "undefined")
        assert.notInclude(text, "[object Object]")
      })
    )
  })

  it("tells AND from OR wherever there are two groups", () => {
    fc.assert(
      fc.property(fc.array(filter, { minLength: 2, maxLength: 4 }), (filters) => {
        const groups = filters.map((each) => ({ filters: [each] }))
        assert.notStrictEqual(read({ logic: "AND", groups }), read({ logic: "OR", groups }))
      })
    )
  })

  it.each([
    [{ groups: [] }, "Every contact."],
    [{ groups: [{ filters: [plan, seats] }] }, 'Contacts where plan is "pro" and seats is above 10.'],
    [
      {
        logic: "OR" as const,
        groups: [
          {
            filters: [plan],
            conditions: { logic: "OR" as const, groups: [{ filters: [bought] }, { filters: [seats] }] }
          },
          { filters: [{ field: `segment.${segment}`, operator: "memberOfSegment" as const }] }
        ]
      },
      'Contacts where (plan is "pro" and (purchase happened in the last 30 days or seats is above 10)) or the contact is in the segment VIPs.'
    ],
    [
      { groups: [{ filters: [{ field: "subscribed", operator: "notEquals" as const, value: "true" }] }] },
      "Contacts where the contact is not subscribed."
    ],
    [
      {
        groups: [
          {
            filters: [
              {
                field: "event.order",
                operator: "triggeredWithin" as const,
                value: { amount: 1, atLeast: 3 },
                unit: "weeks" as const
              },
              { field: "email.clicked", operator: "notTriggered" as const },
              { field: "data.tags", operator: "in" as const, value: ["a", 2, true] }
            ]
          }
        ]
      },
      'Contacts where order happened at least 3 times in the last 1 week and no mail was ever clicked and tags is "a", 2 or true.'
    ],
    [
      {
        groups: [
          {
            filters: [
              {
                field: "email.clicked",
                operator: "triggered" as const,
                where: [
                  { path: "link", operator: "equals" as const, value: "https://example.com" },
                  { path: "clicks", operator: "greaterThan" as const, value: 1 }
                ]
              },
              plan
            ]
          }
        ]
      },
      'Contacts where a mail was clicked (with data of which link is "https://example.com" and clicks is above 1) and plan is "pro".'
    ]
  ])("reads %j", (given, text) => {
    assert.strictEqual(read(given), text)
  })
})

describe("the check of a condition", () => {
  it("takes what the form can show, and names what is missing where it is missing", () => {
    fc.assert(fc.property(tree, (given) => assert.isTrue(isTree(JSON.parse(JSON.stringify(given))))))
    assert.isFalse(isTree({ groups: [{ filters: [{ field: "email", operator: "like", value: "a" }] }] }))
    assert.deepStrictEqual(
      gapsIn({
        groups: [
          { filters: [plan, { field: "", operator: "equals" }] },
          {},
          { filters: [], conditions: { groups: [{ filters: [{ ...seats, operator: "between", value: [5, 1] }] }] } },
          {
            filters: [
              { ...bought, value: 0, where: [{ path: " ", operator: "equals" }] },
              { field: "data.x", operator: "equals", value: null }
            ]
          }
        ]
      }),
      [
        { field: "groups.0.filters.1.field", code: "field" },
        { field: "groups.0.filters.1.value", code: "value" },
        { field: "groups.1", code: "empty" },
        { field: "groups.2.conditions.groups.0.filters.0.value", code: "order" },
        { field: "groups.3.filters.0.value", code: "amount" },
        { field: "groups.3.filters.0.where.0.path", code: "field" },
        { field: "groups.3.filters.0.where.0.value", code: "value" }
      ]
    )
  })
})
