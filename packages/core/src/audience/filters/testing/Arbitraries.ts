/**
 * Generators of contacts and filter trees that often match: few keys and few values, many of them near a boundary,
 * different only in type, or hostile to SQL. For tests.
 */
import { ContactSource, ContactSubscription } from "@posthorn/contract/audience/contacts/Contact"
import type { Filter, FilterGroup, FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { type FilterFieldKind, type OperatorOf, units } from "@posthorn/contract/audience/filters/Operators"
import { DateTime, Record, type Schema } from "effect"
import fc from "fast-check"
import type { TopicDefinitions } from "../SegmentDefinitions.ts"
import type { LabContact } from "./FilterLab.ts"

export const staticSegments = ["019a9f3c-0000-7000-8000-0000000000a1", "019a9f3c-0000-7000-8000-0000000000a2"] as const
/** The second may name the first. */
export const dynamicSegments = ["019a9f3c-0000-7000-8000-0000000000b1", "019a9f3c-0000-7000-8000-0000000000b2"] as const
const noSegment = "019a9f3c-0000-7000-8000-0000000000ff"

const day = 24 * 3_600_000
const nows = ["2026-03-31T12:00:00.000Z", "2024-02-29T00:00:00.000Z", "2026-11-20T12:00:00.000Z"].map((text) =>
  Date.parse(text)
)
export const now = fc.constantFrom(...nows).map((instant) => DateTime.makeUnsafe(instant))

/** Instants just before, at and after the boundaries of the spans below, relative to the test times. */
const instant = fc
  .tuple(
    fc.constantFrom(...nows),
    fc.constantFrom(
      0,
      30_000,
      60_000,
      3_600_000,
      day / 2,
      day,
      2 * day,
      7 * day,
      28 * day,
      29 * day,
      31 * day,
      400 * day
    ),
    fc.constantFrom(-1, 0, 1)
  )
  .map(([from, back, aside]) => from - back + aside)

const isoText = instant.chain((at) => {
  const text = new Date(at).toISOString()
  return fc.constantFrom(
    text,
    text.slice(0, 10),
    text.slice(0, 16),
    `${text.slice(0, 19)}Z`,
    `${text.slice(0, 23)}999+00:00`,
    `${text.slice(0, 16)}-14:00`,
    `${text.slice(0, 19)}.5+23:59`
  )
})

const notQuiteIsoText = fc.constantFrom(
  "2026-02-29",
  "2024-02-29",
  "1900-02-29",
  "2000-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-10",
  "0000-01-01",
  "0001-01-01T00:00+23:59",
  "9999-12-31T23:59:59.9999-23:59",
  "2026-11-20T24:00",
  "2026-11-20T12:00:60Z",
  "2026-11-20T12",
  "2026-11-20 12:00",
  "2026-11-20Z",
  "2026-11-20T12:00z",
  "2026-11-20T12:00+2:00",
  "2026-11-20T12:00+24:00",
  "2026-11-20\n",
  " 2026-11-20",
  "٢٠٢٦-11-20",
  "12026-11-20",
  "2026-1-2"
)

const word = fc.oneof(
  { arbitrary: fc.constantFrom("pro", "Pro", "p", "o", "", "5", "Köln", "öln", "é", "\uffff", "😀", "😁"), weight: 4 },
  {
    arbitrary: fc.constantFrom("%", "_", "\\", "'", "'; drop table contacts; --", '"', "$1", "{}", "?", "a\nb"),
    weight: 1
  },
  {
    arbitrary: fc
      .string({ maxLength: 3, unit: "grapheme" })
      .filter((each) => !each.includes("\0") && each.isWellFormed()),
    weight: 1
  }
)
const number = fc.oneof(
  { arbitrary: fc.constantFrom(0, -0, 1, 5, 5.5, -1), weight: 4 },
  { arbitrary: fc.constantFrom(0.1, 0.1 + 0.2, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53), weight: 1 }
)
const date = fc.oneof({ arbitrary: isoText, weight: 5 }, { arbitrary: notQuiteIsoText, weight: 1 })
const text = fc.oneof(word, fc.constantFrom("true", "null", "1", "0.1"), date)
const scalar = fc.oneof(text, number, fc.boolean())
const element = fc.constantFrom("pro", "p", "5", 5, 1, true, "2026-03-30")

const keys = [
  "word",
  "a",
  "b",
  "a.b",
  "a.b.c",
  "0",
  "1",
  "-1",
  "01",
  "b.0",
  "it's",
  '"',
  "$.a",
  "",
  "söß",
  "constructor"
]
const key = fc.constantFrom(...keys)

const json = fc.letrec<{ readonly json: Schema.Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 3 })
  )
})).json

const list = fc.array(element, { maxLength: 3 })
const inner = fc.record({ b: fc.oneof(word, number, list), "0": word }, { requiredKeys: [] })

/** The usual value under a name. Sometimes the generator uses an unusual one. */
const usual = {
  word,
  number,
  date,
  list,
  a: fc.oneof(inner, fc.array(inner, { maxLength: 2 })),
  "a.b": fc.oneof(word, fc.constant(null)),
  "it's": word
} satisfies { readonly [key: string]: fc.Arbitrary<Schema.Json> }

export const data: fc.Arbitrary<Schema.JsonObject> = fc
  .tuple(fc.record(usual, { requiredKeys: [] }), fc.oneof(fc.constant({}), fc.dictionary(key, json, { maxKeys: 3 })))
  .map(([expected, surprises]) => ({ ...expected, ...surprises }))

const emails = ["anna@example.com", "an_a%x@example.com", "bo@test.org", "o'neil@x--y.example", "a@b.co"]
const events = [
  "purchase",
  "email.open",
  "email.click",
  "a.b",
  "it's",
  "söß",
  "contact.subscribed",
  "contact.snoozed",
  "topic.news.subscribed",
  "topic.gone.subscribed"
]

/** The topics of the project by key. Conditions also name one that the project does not have. */
export const topics: TopicDefinitions = new Map([
  ["news", { id: "019a9f3c-0000-7000-8000-0000000000c1", defaultOn: true }],
  ["offers", { id: "019a9f3c-0000-7000-8000-0000000000c2", defaultOn: false }]
])
const topicIds = [...topics.values()].map(({ id }) => id)
const topicKeys = [...topics.keys(), "gone"]

const externalIds = ["u-1", "U-1", "%", "Ä"]
/** External ids are unique in their project. */
let unique = 0

const contactWithoutTopics: fc.Arbitrary<Omit<LabContact, "email">> = fc.record({
  subscribed: fc.boolean(),
  createdAt: instant.map((at) => DateTime.makeUnsafe(at)),
  updatedAt: instant.map((at) => DateTime.makeUnsafe(at)),
  data,
  events: fc.array(
    fc.record({
      name: fc.constantFrom(...events),
      at: instant,
      recordedAt: instant,
      data: fc.oneof({ arbitrary: data, weight: 6 }, { arbitrary: fc.constant(null), weight: 1 }),
      source: fc.constantFrom("tracked", "system")
    }),
    { maxLength: 6 }
  ),
  memberships: fc.subarray([...staticSegments]),
  externalId: fc.option(fc.constantFrom(...externalIds), { nil: null }).map((id) => id && `${id}${unique++}`),
  snoozedUntil: fc.option(
    instant.map((at) => DateTime.makeUnsafe(at)),
    { nil: null }
  ),
  pendingUntil: fc.option(
    instant.map((at) => DateTime.makeUnsafe(at)),
    { nil: null }
  ),
  origin: fc.option(fc.constantFrom(...ContactSource.literals), { nil: null })
})

/** A topic is in one of the two lists or in none. */
const topicStates = fc
  .tuple(...topicIds.map((id) => fc.record({ id: fc.constant(id), state: fc.constantFrom("on", "off", "unset") })))
  .map((states) => {
    const listed = (wanted: string) => {
      const ids = states.filter(({ state }) => state === wanted).map(({ id }) => id)
      return ids.length === 0 ? null : ids
    }
    return { topicsOn: listed("on"), topicsOff: listed("off") }
  })

export const contact: fc.Arbitrary<Omit<LabContact, "email">> = fc
  .tuple(contactWithoutTopics, topicStates)
  .map(([one, topics]) => ({ ...one, ...topics }))

/** Addresses that are unique in their project. The first ones match the filters. */
export const email = (n: number): string => emails[n] ?? `c${n}@example.com`

type Value = Omit<Filter, "field" | "operator">
type Values<K extends FilterFieldKind> = { readonly [Name in OperatorOf<K>]: fc.Arbitrary<Value> }

const value = (of: fc.Arbitrary<Schema.Json>): fc.Arbitrary<Value> => of.map((value) => ({ value }))
const nothing: fc.Arbitrary<Value> = fc.oneof(fc.constant({}), value(json))
const pairOf = <A extends Schema.Json>(of: fc.Arbitrary<A>) => fc.tuple(of, of)

const amount = fc.constantFrom<Schema.Json>(1, 2, 7, 12, "7", "0.5", 0.5, 1.5, 28, 100_000, 0.0000001)
const span = fc
  .record({ value: amount, unit: fc.constantFrom(...units) })
  .map((each) => (each.unit === "months" ? { ...each, value: Math.ceil(Number(each.value)) } : each))
const counts = fc.record(
  { atLeast: fc.integer({ min: 1, max: 4 }), atMost: fc.integer({ min: 1, max: 4 }) },
  {
    requiredKeys: []
  }
)
const counted = fc.tuple(span, counts).map(([{ value, unit }, counts]) => ({
  value: { amount: value, ...counts },
  unit
}))

const emailText = fc.oneof(
  fc.constantFrom(
    ...emails,
    "ANNA@Example.com",
    " bo@TEST.org ",
    "an",
    "example",
    "@",
    "%",
    "_a",
    ".org",
    "'",
    "",
    "1"
  ),
  text
)

const textValues: Values<"text"> = {
  equals: value(emailText),
  notEquals: value(emailText),
  contains: value(fc.oneof(emailText, number, fc.boolean())),
  notContains: value(fc.oneof(emailText, number, fc.boolean())),
  startsWith: value(emailText),
  endsWith: value(emailText),
  in: value(fc.array(fc.oneof(emailText, scalar), { minLength: 1, maxLength: 3 })),
  notIn: value(fc.array(fc.oneof(emailText, scalar), { minLength: 1, maxLength: 3 }))
}

const idText = fc.oneof(fc.constantFrom("u-10", "u-1", "U", "1", "%", "_", "ä", ""), text)
const idValues: Values<"id"> = {
  equals: value(idText),
  notEquals: value(idText),
  contains: value(fc.oneof(idText, number, fc.boolean())),
  notContains: value(fc.oneof(idText, number, fc.boolean())),
  startsWith: value(idText),
  endsWith: value(idText),
  in: value(fc.array(fc.oneof(idText, scalar), { minLength: 1, maxLength: 3 })),
  notIn: value(fc.array(fc.oneof(idText, scalar), { minLength: 1, maxLength: 3 })),
  exists: nothing,
  notExists: nothing
}

const choiceValues = (words: ReadonlyArray<string>): Values<"choice"> => {
  const word = value(fc.constantFrom(...words))
  const some = value(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }))
  return { equals: word, notEquals: word, in: some, notIn: some }
}

const flag = value(fc.constantFrom<Schema.Json>(true, false, "true", "false"))
const flagValues: Values<"flag"> = { equals: flag, notEquals: flag }

const timeValues: Values<"time"> = {
  equals: value(isoText),
  notEquals: value(isoText),
  greaterThan: value(isoText),
  greaterThanOrEqual: value(isoText),
  lessThan: value(isoText),
  lessThanOrEqual: value(isoText),
  between: value(pairOf(isoText)),
  within: span,
  olderThan: span
}

const momentValues: Values<"moment"> = { ...timeValues, exists: nothing, notExists: nothing }

/** Values like those under the name. */
const jsonValues = (alike: fc.Arbitrary<Schema.Json>): Values<"json"> => {
  const scalars = alike.filter((each): each is string | number | boolean => typeof each !== "object")
  const texts = alike.filter((each): each is string => typeof each === "string")
  const comparable = fc.oneof(
    alike.filter((each): each is string | number => typeof each === "string" || typeof each === "number"),
    number
  )
  const some = fc.array(fc.oneof(scalars, scalar), { minLength: 1, maxLength: 4 })
  return {
    equals: value(alike),
    notEquals: value(alike),
    contains: value(scalars),
    notContains: value(scalars),
    startsWith: value(texts),
    endsWith: value(texts),
    in: value(some),
    notIn: value(some),
    greaterThan: value(comparable),
    greaterThanOrEqual: value(comparable),
    lessThan: value(comparable),
    lessThanOrEqual: value(comparable),
    between: value(fc.oneof(pairOf(comparable), pairOf(number), pairOf(isoText))),
    exists: nothing,
    notExists: nothing,
    within: span,
    olderThan: span
  }
}

const asked: ReadonlyArray<readonly [path: string, alike: fc.Arbitrary<Schema.Json>]> = [
  ["word", word],
  ["number", number],
  ["date", date],
  ["list", fc.oneof(element, list)],
  ["list.0", element],
  ["a", fc.oneof(inner, list)],
  ["a.b", fc.oneof(word, number, element, list)],
  ["a.0", word],
  ["a.0.b", fc.oneof(word, number)],
  ["a.-1", word],
  ["it's", word]
]

const historyValues: Values<"history"> = {
  triggered: fc.oneof(fc.constant({}), value(counts)),
  notTriggered: nothing,
  triggeredWithin: fc.oneof(span, counted),
  triggeredOlderThan: span,
  notTriggeredWithin: span
}

const membershipValues: Values<"membership"> = { memberOfSegment: nothing, notMemberOfSegment: nothing }

const filterOf = <K extends FilterFieldKind>(fields: fc.Arbitrary<string>, values: Values<K>): fc.Arbitrary<Filter> => {
  const operators = Record.keys(values)
  return fc
    .tuple(fields, fc.constantFrom(...operators))
    .chain(([field, operator]) => values[operator].map((rest): Filter => ({ field, operator, ...rest })))
}

const named = (prefix: string, names: fc.Arbitrary<string>) =>
  names.filter((name) => name !== "").map((name) => prefix + name)
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((steps) => steps.join("."))

const jsonFilter = (prefix: string): fc.Arbitrary<Filter> =>
  fc.oneof(
    ...asked.map(([path, alike]) => ({
      arbitrary: filterOf(fc.constant(prefix + path), jsonValues(fc.oneof({ arbitrary: alike, weight: 5 }, json))),
      weight: 1
    })),
    { arbitrary: filterOf(named(prefix, path), jsonValues(json)), weight: 2 }
  )

const history = fc.oneof(
  named("event.", fc.constantFrom(...events)),
  fc.constantFrom("purchase", "it's", "contact.subscribed", "email.opened", "email.clicked", "email.sent")
)

const where = fc.array(
  jsonFilter("").map(({ field, ...test }) => ({ path: field, ...test })),
  { minLength: 1, maxLength: 3 }
)

const historyFilter: fc.Arbitrary<Filter> = fc
  .tuple(filterOf(history, historyValues), fc.option(where, { nil: undefined }))
  .map(([filter, tests]) => ({ ...filter, ...(tests !== undefined && { where: tests }) }))

const audienceFilter = (segments: ReadonlyArray<string>) =>
  fc.oneof(
    { arbitrary: jsonFilter("data."), weight: 8 },
    { arbitrary: filterOf(fc.constantFrom("email", "contact.email"), textValues), weight: 2 },
    { arbitrary: filterOf(fc.constantFrom("subscribed"), flagValues), weight: 1 },
    { arbitrary: filterOf(fc.constantFrom("createdAt", "updatedAt"), timeValues), weight: 2 },
    { arbitrary: historyFilter, weight: 5 },
    { arbitrary: filterOf(fc.constantFrom("externalId", "contact.externalId"), idValues), weight: 1 },
    { arbitrary: filterOf(fc.constant("snoozedUntil"), momentValues), weight: 1 },
    { arbitrary: filterOf(fc.constant("subscription"), choiceValues(ContactSubscription.literals)), weight: 1 },
    { arbitrary: filterOf(fc.constant("origin.source"), choiceValues(ContactSource.literals)), weight: 1 },
    {
      arbitrary: filterOf(
        named("topic.", fc.constantFrom(...topicKeys)),
        choiceValues(["subscribed", "unsubscribed", "unset"])
      ),
      weight: 1
    },
    {
      arbitrary: filterOf(named("topic.", fc.constantFrom(...topicKeys.map((key) => `${key}.takes`))), flagValues),
      weight: 1
    },
    { arbitrary: filterOf(named("segment.", fc.constantFrom(...segments)), membershipValues), weight: 2 }
  )

const treeOf = (filter: fc.Arbitrary<Filter>): fc.Arbitrary<FilterTree> => {
  const { tree } = fc.letrec<{ readonly tree: FilterTree; readonly group: FilterGroup }>((tie) => ({
    tree: fc
      .tuple(
        fc.constantFrom({}, { logic: "AND" } as const, { logic: "OR" } as const),
        fc.array(tie("group"), { maxLength: 3 })
      )
      .map(([logic, groups]) => ({ ...logic, groups })),
    group: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.array(filter, { minLength: 1, maxLength: 2 }).map((filters) => ({ filters })),
      fc.record({ filters: fc.array(filter, { maxLength: 1 }), conditions: tie("tree") })
    )
  }))
  return fc.oneof(
    filter.map((each) => ({ groups: [{ filters: [each] }] })),
    tree
  )
}

export const audienceTree = (segments: ReadonlyArray<string>) =>
  treeOf(audienceFilter([...staticSegments, noSegment, ...segments]))

export const stepTree = (segments: ReadonlyArray<string>) =>
  treeOf(
    fc.oneof(audienceFilter([...staticSegments, noSegment, ...segments]), jsonFilter("event."), jsonFilter("workflow."))
  )
