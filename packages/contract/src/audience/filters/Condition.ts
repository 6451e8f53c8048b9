/**
 * A filter tree after parsing: typed and without faults. The SQL compiler and the evaluator in memory take a condition,
 * never the tree.
 *
 * All instants are whole milliseconds since 1970 in UTC. All ranges exclude their end. Only spans depend on the current
 * time; they count back from it.
 */
import type { Schema } from "effect"
import type { Unit } from "./Operators.ts"

/** An empty `AllOf` holds for every contact. `AnyOf` is never empty. */
export type Condition =
  | { readonly _tag: "AllOf"; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: "AnyOf"; readonly conditions: ReadonlyArray<Condition> }
  | Test

export type Test =
  | EmailTest
  | ExternalIdTest
  | SubscribedTest
  | TakesTopicTest
  | TimeTest
  | SnoozedUntilTest
  | ChoiceTest
  | JsonTest
  | HistoryTest
  | MembershipTest

/** A negated test holds if the value is present and does not match. An address and a time are always present. */
interface Negatable {
  readonly negated: boolean
}

export interface EmailTest extends Negatable {
  readonly _tag: "Email"
  readonly match: EmailMatch
}

/** Whole addresses are in their stored form, parts of addresses in lower case. */
export type EmailMatch =
  | { readonly _tag: "OneOf"; readonly addresses: ReadonlyArray<string> }
  | { readonly _tag: "Contains" | "StartsWith" | "EndsWith"; readonly text: string }

/** Whether a value is there. It takes no negation. */
export type Presence = { readonly _tag: "Present" } | { readonly _tag: "Missing" }

/** The caller's own id, with case. */
export interface ExternalIdTest extends Negatable {
  readonly _tag: "ExternalId"
  readonly match: IdMatch
}

export type IdMatch =
  | Presence
  | { readonly _tag: "OneOf"; readonly ids: ReadonlyArray<string> }
  | { readonly _tag: "Contains" | "StartsWith" | "EndsWith"; readonly text: string }

export interface SubscribedTest {
  readonly _tag: "Subscribed"
  readonly is: boolean
}

/** Whether the contact takes mail of the topic with this key. */
export interface TakesTopicTest {
  readonly _tag: "TakesTopic"
  readonly topic: string
  readonly is: boolean
}

export interface TimeTest extends Negatable {
  readonly _tag: "Time"
  readonly field: "createdAt" | "updatedAt"
  readonly match: Period
}

/** `from <= x < to`. An absent end is open. */
export interface Instants {
  readonly _tag: "Instants"
  readonly from?: number
  readonly to?: number
}

/** A length of time before now. Months are calendar months in UTC. */
export interface Span {
  readonly amount: number
  readonly unit: Unit
}

/** `Within`: `now - span <= x <= now`. `OlderThan`: `x < now - span`. */
export type Period = Instants | { readonly _tag: "Within" | "OlderThan"; readonly span: Span }

/** The end of a snooze. It is missing when the contact has none, and when it has passed. */
export interface SnoozedUntilTest extends Negatable {
  readonly _tag: "SnoozedUntil"
  readonly match: Period | Presence
}

/** A value of a closed list. */
export interface ChoiceTest extends Negatable {
  readonly _tag: "Choice"
  readonly of: Choice
  readonly oneOf: ReadonlyArray<string>
}

/** `origin.source` is missing for contacts of earlier releases. `topic` is the state of the contact for one topic. */
export type Choice =
  | { readonly name: "subscription" | "origin.source" }
  | { readonly name: "topic"; readonly topic: string }

/** Custom data of the contact, or the variables of a workflow execution. */
export interface JsonTest extends ValueTest {
  readonly _tag: "Json"
  readonly of: "data" | "context"
}

/** A top-level key equal to `key` wins. Otherwise `steps` go down through objects and array positions. */
export interface JsonPath {
  readonly key: string
  readonly steps: ReadonlyArray<string>
}

export type JsonMatch =
  /** The key exists and is not null. `Missing` is the opposite. */
  | Presence
  /** Equal JSON of the same type as one of the values, or ISO date text within one of the periods. */
  | { readonly _tag: "OneOf"; readonly values: ReadonlyArray<Schema.Json>; readonly periods: ReadonlyArray<Instants> }
  /** Stored text contains `text`, or a stored array has an element equal to `element`. */
  | { readonly _tag: "Contains"; readonly text: string; readonly element: string | number | boolean }
  | { readonly _tag: "StartsWith" | "EndsWith"; readonly text: string }
  | { readonly _tag: "Numbers"; readonly bounds: ReadonlyArray<Bound<number>> }
  /** Compares texts by code point. */
  | { readonly _tag: "Texts"; readonly bounds: ReadonlyArray<Bound<string>> }
  /** Compares stored ISO date text only. */
  | { readonly _tag: "Dates"; readonly period: Period }

export interface Bound<Value> {
  readonly is: Comparison
  readonly value: Value
}

export type Comparison = ">" | ">=" | "<" | "<="

/** A test of a JSON value at a path. */
export interface ValueTest extends Negatable {
  readonly path: JsonPath
  readonly match: JsonMatch
}

/**
 * Events with one name of one contact, tracked by callers or emitted by the service. With `where`, only those whose data
 * pass all of its tests.
 */
export interface HistoryTest {
  readonly _tag: "History"
  readonly event: string
  readonly where: ReadonlyArray<ValueTest>
  readonly match: HistoryMatch
}

/**
 * Without a span, events at any time; with one, those that happened at or after `now - span`. `AtLeast`: also at most
 * `atMost` of them, if it is given. `Lapsed`: at least one event ever, and none within the span.
 */
export type HistoryMatch =
  | { readonly _tag: "AtLeast"; readonly count: number; readonly atMost?: number; readonly span?: Span }
  | { readonly _tag: "Never"; readonly span?: Span }
  | { readonly _tag: "Lapsed"; readonly span: Span }

export interface MembershipTest {
  readonly _tag: "Membership"
  /** Id of the segment, in lower case. */
  readonly segment: string
  readonly member: boolean
}
