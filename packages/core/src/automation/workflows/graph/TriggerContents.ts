/** Reads triggers from a caller, checks stored ones, and computes when a schedule fires. */

import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { EventTrigger, ScheduleTrigger, type TriggerType } from "@posthorn/contract/automation/workflows/Trigger"
import type { UpdateWorkflow } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { type DateTime, Effect, Result, Schema } from "effect"
import { Projects } from "../../../accounts/projects/Projects.ts"
import * as Audiences from "../../../audience/segments/Audiences.ts"
import { Segments } from "../../../audience/segments/Segments.ts"
import { faultsOf } from "../../../platform/http/Faults.ts"
import { nextAfter, parse } from "../Schedules.ts"
import type { GraphStep } from "./Graph.ts"

export interface TriggerContent {
  readonly triggerType: TriggerType
  readonly triggerConfig: Schema.JsonObject
}

const options = { errors: "all", reportInput: true } as const
const decodeEvent = Schema.decodeUnknownEffect(Schema.Struct({ triggerConfig: EventTrigger }), options)
const decodeSchedule = Schema.decodeUnknownEffect(Schema.Struct({ triggerConfig: ScheduleTrigger }), options)

const orRefuse = Effect.mapError(({ issue }: Schema.SchemaError) => new ValidationError({ errors: faultsOf(issue) }))

/** The trigger of an event that is given in either field. Two different values are refused. */
const eventTrigger = Effect.fnUntraced(function* (
  short: string | null | undefined,
  given: { readonly [field: string]: unknown }
) {
  const named = given["eventName"] == null && short != null ? { ...given, eventName: short } : given
  const { triggerConfig } = yield* orRefuse(decodeEvent({ triggerConfig: named }))
  if (short != null && triggerConfig.eventName !== short) {
    const message = "`eventName` and `triggerConfig.eventName` differ."
    return yield* ValidationError.one("triggerConfig.eventName", "custom", message)
  }
  return withoutNulls(triggerConfig)
})

/** `null` in an optional field counts as absent. */
const withoutNulls = (config: object): Schema.JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))

const scheduleOf = ({ schedule, cron }: ScheduleTrigger): string => schedule ?? cron ?? ""

export const segmentOf = ({ triggerType, triggerConfig }: TriggerContent): SegmentId | null =>
  triggerType === "SCHEDULE" ? ((triggerConfig as ScheduleTrigger).segmentId ?? null) : null

export const eventOf = ({ triggerType, triggerConfig }: TriggerContent): string | null =>
  triggerType === "EVENT" ? ((triggerConfig as EventTrigger).eventName ?? null) : null

/** Limit of the names of workflows and steps, in code points. */
export const maxName = 100

/** The TRIGGER has the name of its event. */
export const nameOfTrigger = (trigger: TriggerContent): string => {
  const event = eventOf(trigger)
  return event === null ? "Trigger" : [...`Trigger: ${event}`].slice(0, maxName).join("")
}

const triggerKey = ({ triggerType, triggerConfig }: TriggerContent): string =>
  JSON.stringify([triggerType, Object.entries(triggerConfig).sort(([a], [b]) => (a < b ? -1 : 1))])

export const isSameTrigger = (one: TriggerContent, other: TriggerContent): boolean =>
  triggerKey(one) === triggerKey(other)

/** The TRIGGER step after a change of the trigger. A name that a caller has set stays. */
export const withTrigger = (
  step: GraphStep,
  before: TriggerContent,
  after: TriggerContent,
  now: DateTime.Utc
): GraphStep => {
  if (before === after) return step
  const name = step.name === nameOfTrigger(before) ? nameOfTrigger(after) : step.name
  return { ...step, name, config: after.triggerConfig, updatedAt: now }
}

export const makeTriggerContents = Effect.gen(function* () {
  const audiences = yield* Audiences.make
  const projects = yield* Projects
  const segments = yield* Segments

  const parsed = Effect.fnUntraced(function* (project: ProjectId, config: ScheduleTrigger) {
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    return parse(scheduleOf(config), config.timezone ?? timezone)
  })

  const scheduleFaults = Effect.fnUntraced(function* (project: ProjectId, config: ScheduleTrigger) {
    const faults: Array<Fault> = []
    const schedule = yield* parsed(project, config)
    if (Result.isFailure(schedule)) {
      const field = config.schedule == null ? "cron" : "schedule"
      faults.push({ field: `triggerConfig.${field}`, code: "custom", message: schedule.failure })
    }
    if (config.segmentId != null && !(yield* Effect.isSuccess(segments.get(project, config.segmentId)))) {
      const message = "The project has no such segment."
      faults.push({ field: "triggerConfig.segmentId", code: "custom", message })
    }
    return faults
  })

  const schedule = Effect.fnUntraced(function* (project: ProjectId, given: Schema.JsonObject) {
    const { triggerConfig: config } = yield* orRefuse(decodeSchedule({ triggerConfig: given }))
    yield* audiences.hold(project)
    const errors = yield* scheduleFaults(project, config)
    if (errors.length > 0) return yield* new ValidationError({ errors })
    const { timezone, segmentId } = config
    return {
      schedule: scheduleOf(config),
      ...(timezone != null && { timezone }),
      ...(segmentId == null ? { audienceType: "ALL" } : { segmentId })
    }
  })

  /** Segments and topics of the condition that do not exist. */
  const conditionFaults = (project: ProjectId, { condition }: EventTrigger): Effect.Effect<ReadonlyArray<Fault>> =>
    condition == null
      ? Effect.succeed([])
      : audiences.requireSound(project, condition, "triggerConfig.condition").pipe(
          Effect.as([]),
          Effect.catch(({ errors }) => Effect.succeed(errors))
        )

  /**
   * The trigger with the changes of the input. A schedule must be complete. An event may be missing while the workflow
   * is disabled. Joins the caller's transaction.
   */
  const read = Effect.fn("TriggerContents.read")(function* (
    project: ProjectId,
    input: Pick<UpdateWorkflow, "triggerType" | "triggerConfig" | "eventName">,
    current: TriggerContent
  ) {
    const triggerType = input.triggerType ?? current.triggerType
    const isKept = triggerType === current.triggerType && input.triggerConfig === undefined
    const given = input.triggerConfig ?? (isKept ? current.triggerConfig : {})
    if (triggerType !== "EVENT" && input.eventName !== undefined) {
      return yield* ValidationError.one("eventName", "custom", "Only an EVENT trigger has an event.")
    }
    switch (triggerType) {
      case "MANUAL":
        return { triggerType, triggerConfig: {} }
      case "SCHEDULE":
        return isKept ? current : { triggerType, triggerConfig: yield* schedule(project, given) }
      case "EVENT": {
        const { eventName: _, ...rest } = given
        const isShort = isKept && input.eventName !== undefined
        return { triggerType, triggerConfig: yield* eventTrigger(input.eventName, isShort ? rest : given) }
      }
    }
  })

  /** The faults that prevent enabling. */
  const faults = Effect.fn("TriggerContents.faults")(function* (project: ProjectId, trigger: TriggerContent) {
    if (trigger.triggerType === "EVENT" && eventOf(trigger) === null) {
      const message = "An event name is needed."
      return [{ field: "triggerConfig.eventName", code: "required" as const, message }]
    }
    if (trigger.triggerType === "EVENT") return yield* conditionFaults(project, trigger.triggerConfig as EventTrigger)
    if (trigger.triggerType !== "SCHEDULE") return []
    return yield* scheduleFaults(project, trigger.triggerConfig as ScheduleTrigger)
  })

  /** The next firing of a schedule. Null for other triggers. */
  const nextRun = Effect.fn("TriggerContents.nextRun")(function* (
    project: ProjectId,
    trigger: TriggerContent,
    now: DateTime.Utc
  ) {
    if (trigger.triggerType !== "SCHEDULE") return null
    const schedule = yield* parsed(project, trigger.triggerConfig as ScheduleTrigger)
    return Result.isSuccess(schedule) ? nextAfter(schedule.success, now) : null
  })

  return { event: eventTrigger, read, faults, nextRun }
})
