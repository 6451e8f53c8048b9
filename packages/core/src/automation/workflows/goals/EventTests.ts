/** Whether an event is one that a trigger, a wait, a goal or an exit rule names. Pure. */
import type { ValueTest } from "@posthorn/contract/audience/filters/Condition"
import { type EventMatch, testsOf } from "@posthorn/contract/automation/workflows/EventMatch"
import { Array, type DateTime, Predicate, type Schema } from "effect"
import { jsonHolds } from "../../../audience/filters/JsonHolds.ts"
import { valueAt } from "../../../audience/filters/JsonPaths.ts"

export interface NamedEvent {
  readonly name: string
  readonly data: Schema.Json
}

const isObject = (value: Schema.Json): value is Schema.JsonObject => Predicate.isObject(value) && !Array.isArray(value)

/** The data of an event as an object. */
export const dataOf = ({ data }: Pick<NamedEvent, "data">): Schema.JsonObject => (isObject(data) ? data : {})

/** The tests with the values of the variables. Undefined if no event can pass them. */
export const resolvedTests = (match: EventMatch, context: Schema.JsonObject): ReadonlyArray<ValueTest> | undefined =>
  testsOf(match, (path) => valueAt(path, context))

/** Whether the event has the name, and its data passes all tests. */
export const fits = (match: EventMatch, event: NamedEvent, context: Schema.JsonObject, now: DateTime.Utc): boolean =>
  event.name === match.eventName &&
  (resolvedTests(match, context)?.every((test) => jsonHolds(test, dataOf(event), now.epochMilliseconds)) ?? false)
