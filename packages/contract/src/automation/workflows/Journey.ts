/** What a workflow aims at, and what ends its executions early. */
import { Schema, SchemaIssue, SchemaTransformation } from "effect"
import { SegmentId } from "../../audience/segments/Segment.ts"
import { TopicReference } from "../../audience/topics/TopicReference.ts"
import { EventName } from "../../events/EventName.ts"
import {
  described,
  IntBetween,
  isLength,
  isOneLine,
  isWithin,
  listOf,
  optional,
  required
} from "../../platform/Primitives.ts"
import { type EventMatch, executionFields, verdictFaults } from "./EventMatch.ts"

const fault = (path: ReadonlyArray<string | number>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const Path = Schema.String.check(isLength(1, 1_000), isOneLine)

const notACurrency = "Three letters, such as EUR."

/** The amount of money in the data of an event. */
export const Revenue = Schema.Struct({
  path: required(Path).pipe(
    described("Into the data of the event: a number from 0, or text of one. Other values count as no revenue.")
  ),
  currency: optional(
    Schema.String.check(isWithin(3, notACurrency), Schema.isPattern(/^[A-Za-z]{3}$/, { message: notACurrency })).pipe(
      Schema.decodeTo(Schema.String, SchemaTransformation.toUpperCase())
    )
  ).pipe(described(notACurrency)),
  currencyPath: optional(Path).pipe(described("Into the data of the event, in place of `currency`."))
})
  .annotate({ identifier: "GoalRevenue", description: "The revenue of a goal." })
  .check(
    Schema.makeFilter(({ currency, currencyPath }) => {
      if (currency == null && currencyPath == null) {
        return [fault(["currency"], "required", "`currency` or `currencyPath` is needed.")]
      }
      return currency != null && currencyPath != null
        ? [fault(["currencyPath"], "custom", "Either `currency` or `currencyPath`, not both.")]
        : []
    })
  )
export type Revenue = typeof Revenue.Type

export const defaultWindowHours = 720

export const WorkflowGoal = Schema.Struct({
  eventName: required(EventName),
  ...executionFields,
  windowHours: optional(IntBetween(1, 2_160)).pipe(
    described(
      "An event counts if it happened at most so many hours after the execution started.",
      String(defaultWindowHours)
    )
  ),
  exit: optional(Schema.Boolean).pipe(described("Whether the event ends the execution; default true.")),
  revenue: optional(Revenue)
})
  .annotate({
    identifier: "WorkflowGoal",
    description: "The first event that fits counts the execution as converted, whether it is live or has ended."
  })
  .check(Schema.makeFilter((goal) => [...verdictFaults(goal)]))
export type WorkflowGoal = typeof WorkflowGoal.Type

const RuleId = Schema.String.check(
  isWithin(50, "1 to 50 letters, digits, _ or -."),
  Schema.isPattern(/^[A-Za-z0-9_-]+$/, { message: "1 to 50 letters, digits, _ or -." })
)

export const ExitRuleType = Schema.Literals(["EVENT", "LEFT_SEGMENT", "UNSUBSCRIBED", "TOPIC_OFF"])
export type ExitRuleType = typeof ExitRuleType.Type

const ownFields: { readonly [Type in ExitRuleType]: ReadonlyArray<string> } = {
  EVENT: ["eventName", "where", "verdict"],
  LEFT_SEGMENT: ["segmentId"],
  UNSUBSCRIBED: [],
  TOPIC_OFF: ["topicId"]
}
const requiredField: { readonly [Type in ExitRuleType]?: string } = {
  EVENT: "eventName",
  LEFT_SEGMENT: "segmentId",
  TOPIC_OFF: "topicId"
}

type Rule = EventMatch | { readonly [field: string]: unknown }

function* ruleFaults(type: ExitRuleType, rule: Rule): Generator<Schema.FilterIssue> {
  for (const [field, value] of Object.entries(rule)) {
    if (value == null || field === "id" || field === "type" || ownFields[type].includes(field)) continue
    yield fault([field], "custom", `The type ${type} has no such field.`)
  }
  const needed = requiredField[type]
  if (needed !== undefined && (rule as { readonly [field: string]: unknown })[needed] == null) {
    yield fault([needed], "required", "Required.")
  }
}

export const ExitRule = Schema.Struct({
  id: required(RuleId).pipe(
    described("1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them.")
  ),
  type: required(ExitRuleType).pipe(
    described(
      "`EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic."
    )
  ),
  eventName: optional(EventName).pipe(described("Of `EVENT`.")),
  ...executionFields,
  segmentId: optional(SegmentId).annotateKey({ description: "Of `LEFT_SEGMENT`." }),
  topicId: optional(TopicReference).pipe(described("Of `TOPIC_OFF`: the id or the key of a topic."))
})
  .annotate({ identifier: "WorkflowExitRule", description: "What ends a live execution before its last step." })
  .check(
    Schema.makeFilter((rule) => [...ruleFaults(rule.type, rule), ...(rule.type === "EVENT" ? verdictFaults(rule) : [])])
  )
export type ExitRule = typeof ExitRule.Type

export const maxExitRules = 10

export const ExitRules = listOf(
  ExitRule,
  Schema.isMaxLength(maxExitRules, { code: "too_big", message: `At most ${maxExitRules} rules.` })
).check(
  Schema.makeFilter((rules: ReadonlyArray<ExitRule>) =>
    rules.flatMap(({ id }, n) =>
      rules.findIndex((other) => other.id === id) < n ? [fault([n, "id"], "custom", "Another rule has this id.")] : []
    )
  )
)
