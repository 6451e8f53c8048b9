/** What an event means for an execution: it reaches the goal, it ends the execution, both or neither. Pure. */

import { jsonPath } from "@posthorn/contract/audience/filters/FilterFields"
import type { ExitRule, Revenue, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { defaultWindowHours } from "@posthorn/contract/automation/workflows/Journey"
import { DateTime, type Schema } from "effect"
import { valueAt } from "../../../audience/filters/JsonPaths.ts"
import { dataOf, fits, type NamedEvent } from "./EventTests.ts"

/** The goal and the exit rules of a workflow. */
export interface Journey {
  readonly goal: WorkflowGoal | null
  readonly exitRules: ReadonlyArray<ExitRule>
}

export interface HappenedEvent extends NamedEvent {
  readonly id: string
  readonly occurredAt: DateTime.Utc
}

/** What matters of an execution. */
export interface Traveller {
  readonly context: Schema.JsonObject
  readonly converted: boolean
  readonly isLive: boolean
  readonly triggerEventId: string | null
  /** When the event happened that started it, or else when it started. */
  readonly enteredAt: DateTime.Utc
}

export type ExitReason = "goal" | "exit_event" | "left_segment" | "unsubscribed" | "topic_off"

export interface Exit {
  readonly reason: ExitReason
  readonly ruleId: string | null
}

export interface Consequence {
  readonly converts: boolean
  readonly exit: Exit | undefined
}

export const windowHours = ({ windowHours }: WorkflowGoal): number => windowHours ?? defaultWindowHours

const reaches = (goal: WorkflowGoal, event: HappenedEvent, traveller: Traveller, now: DateTime.Utc): boolean => {
  const until = DateTime.add(traveller.enteredAt, { hours: windowHours(goal) })
  return (
    !traveller.converted &&
    DateTime.isLessThanOrEqualTo(event.occurredAt, until) &&
    fits(goal, event, traveller.context, now)
  )
}

const reasons = {
  EVENT: "exit_event",
  LEFT_SEGMENT: "left_segment",
  UNSUBSCRIBED: "unsubscribed",
  TOPIC_OFF: "topic_off"
} as const satisfies { readonly [Type in ExitRule["type"]]: ExitReason }

const topicLeft = /^topic\.(.+)\.unsubscribed$/

const breaks = (rule: ExitRule, event: NamedEvent, context: Schema.JsonObject, now: DateTime.Utc): boolean => {
  const { eventName, segmentId, topicId } = rule
  const data = dataOf(event)
  switch (rule.type) {
    case "EVENT":
      return eventName != null && fits({ ...rule, eventName }, event, context, now)
    case "LEFT_SEGMENT":
      return event.name.startsWith("segment.") && event.name.endsWith(".exit") && data["segmentId"] === segmentId
    case "UNSUBSCRIBED":
      return event.name === "contact.unsubscribed"
    case "TOPIC_OFF": {
      const key = topicLeft.exec(event.name)?.[1]
      return key !== undefined && (topicId === key || topicId?.toLowerCase() === data["topicId"])
    }
  }
}

/**
 * The goal comes before the exit rules, and these in their order. The event that started an execution and events from
 * before it mean nothing for it.
 */
export const consequenceOf = (
  { goal, exitRules }: Journey,
  event: HappenedEvent,
  traveller: Traveller,
  now: DateTime.Utc
): Consequence => {
  if (event.id === traveller.triggerEventId || DateTime.isLessThan(event.occurredAt, traveller.enteredAt)) {
    return { converts: false, exit: undefined }
  }
  const converts = goal !== null && reaches(goal, event, traveller, now)
  if (!traveller.isLive) return { converts, exit: undefined }
  if (converts && goal.exit !== false) return { converts, exit: { reason: "goal", ruleId: null } }
  const rule = exitRules.find((each) => breaks(each, event, traveller.context, now))
  return { converts, exit: rule && { reason: reasons[rule.type], ruleId: rule.id } }
}

export interface RevenueAmount {
  readonly amount: number
  readonly currency: string
}

const numeral = /^\d{1,15}(?:\.\d{1,20})?$/
/** Larger amounts lose their fraction in a number. */
const maxAmount = 1e11

const amountOf = (value: Schema.Json | undefined): number | undefined => {
  const amount = typeof value === "string" && numeral.test(value) ? Number(value) : value
  return typeof amount === "number" && amount >= 0 && amount <= maxAmount
    ? Math.round(amount * 10_000) / 10_000
    : undefined
}

/** The revenue in the data of an event. Undefined if there is none. */
export const revenueOf = ({ path, currency, currencyPath }: Revenue, event: NamedEvent): RevenueAmount | undefined => {
  const data = dataOf(event)
  const amount = amountOf(valueAt(jsonPath(path), data))
  const named = currency ?? (currencyPath == null ? undefined : valueAt(jsonPath(currencyPath), data))
  return amount !== undefined && typeof named === "string" && /^[A-Za-z]{3}$/.test(named)
    ? { amount, currency: named.toUpperCase() }
    : undefined
}
