/** The state of a warm-up, and how it goes from day to day. Pure. */
import type { WarmupLimits, WarmupRate, WarmupResult, WarmupStatus } from "@posthorn/contract/mail/domains/Warmup"
import { allowed, allowedFrom, type Day, type DayHours, daysAfter, localDayOf } from "./WarmupDay.ts"

/** What came back, and how many mails were taken, on one day. */
export interface DayFigures {
  readonly taken: number
  readonly bounced: number
  readonly complained: number
  readonly deferred: number
}

export interface PlanState extends DayFigures {
  readonly caps: ReadonlyArray<number>
  readonly timezone: string
  readonly hours: DayHours | null
  readonly holdAt: WarmupLimits
  readonly pauseAt: WarmupLimits
  readonly status: WarmupStatus
  /** From 1. */
  readonly step: number
  /** The current local day; before the plan begins, its first one. */
  readonly day: string
  /** Whether nothing more leaves today, because the plan is or was paused. */
  readonly closed: boolean
  /** How many places of the day single mails were put off to. */
  readonly slots: number
}

export interface ClosedDay extends DayFigures {
  readonly day: string
  readonly step: number
  readonly cap: number
  readonly result: WarmupResult
}

/** Mails of a day from which on it is judged. */
const judgedFrom = 50

const rates: ReadonlyArray<readonly [rate: WarmupRate, figure: "bounced" | "complained" | "deferred"]> = [
  ["bounceRate", "bounced"],
  ["complaintRate", "complained"],
  ["deferralRate", "deferred"]
]

/** Below these numbers, a rate is chance. */
const least = {
  hold: { bounceRate: 3, complaintRate: 2, deferralRate: 1 },
  pause: { bounceRate: 5, complaintRate: 3, deferralRate: 1 }
} as const

/** The rate that reaches its limit, if one does. */
export const reached = (figures: DayFigures, limits: WarmupLimits, kind: "hold" | "pause"): WarmupRate | undefined =>
  figures.taken < judgedFrom
    ? undefined
    : rates.find(
        ([rate, figure]) =>
          figures[figure] >= least[kind][rate] && (figures[figure] * 100) / figures.taken >= limits[rate]
      )?.[0]

export const capOf = ({ caps, step }: Pick<PlanState, "caps" | "step">): number => caps[step - 1] ?? 0

export const today = ({ day, hours, timezone }: Pick<PlanState, "day" | "hours" | "timezone">): Day =>
  localDayOf(day, timezone, hours)

const resultOf = (plan: PlanState): WarmupResult => {
  if (plan.closed) return "paused"
  if (reached(plan, plan.holdAt, "hold") !== undefined) return "held"
  return plan.taken * 2 >= capOf(plan) ? "clean" : "unused"
}

export interface Settled {
  readonly plan: PlanState
  /** The days that ended. */
  readonly days: ReadonlyArray<ClosedDay>
  /** The rate that paused the plan. */
  readonly pausedBy: WarmupRate | undefined
  readonly completed: boolean
}

const nothing = { taken: 0, bounced: 0, complained: 0, deferred: 0, slots: 0 }

/** The plan at this instant: paused if a rate asks for it, and with every day ended that is over. */
export const settledPlan = (before: PlanState, now: number): Settled => {
  const days: Array<ClosedDay> = []
  const pausedBy = before.status === "ACTIVE" ? reached(before, before.pauseAt, "pause") : undefined
  let plan: PlanState = pausedBy === undefined ? before : { ...before, status: "PAUSED", closed: true }
  let { ends } = today(plan)
  while (plan.status !== "COMPLETED" && now >= ends) {
    const result = resultOf(plan)
    const { bounced, complained, deferred, day, step, taken } = plan
    days.push({ day, step, cap: capOf(plan), taken, bounced, complained, deferred, result })
    const isLast = step >= plan.caps.length
    if (result === "clean" && isLast) {
      plan = { ...plan, status: "COMPLETED" }
      break
    }
    plan = {
      ...plan,
      ...nothing,
      step: result === "clean" ? step + 1 : step,
      day: daysAfter(day, 1),
      closed: plan.status === "PAUSED"
    }
    ends = today(plan).ends
  }
  return { plan, days, pausedBy, completed: plan.status === "COMPLETED" && before.status !== "COMPLETED" }
}

/** Mails that may leave at this instant. The plan is settled, and not completed. */
export const freeAt = (plan: PlanState, now: number): number =>
  plan.closed ? 0 : Math.max(0, allowed(capOf(plan), today(plan), now) - plan.taken)

/** The opening of the day after today. */
const opensNext = ({ day, hours, timezone }: PlanState): number => localDayOf(daysAfter(day, 1), timezone, hours).opens

/** When a mail may leave that is behind so many others of the day. */
const placeAt = (plan: PlanState, before: number): number =>
  plan.closed || before >= capOf(plan) ? opensNext(plan) : allowedFrom(capOf(plan), today(plan), before + 1)

/** When the next mail may leave. */
export const nextFree = (plan: PlanState): number => placeAt(plan, plan.taken)

/** The place of the next single mail that is put off: each one has a place of its own until the cap of the day. */
export const nextSlot = (plan: PlanState): { readonly at: number; readonly slots: number } => {
  const before = Math.max(plan.taken, plan.slots)
  return { at: placeAt(plan, before), slots: plan.closed || before >= capOf(plan) ? plan.slots : before + 1 }
}

/** The day of the last step if every day is clean. Null while the plan is paused. */
export const completesOn = ({ caps, closed, day, status, step }: PlanState): string | null => {
  if (status === "COMPLETED") return day
  // A day that is closed repeats its step.
  return status === "PAUSED" ? null : daysAfter(day, caps.length - step + Number(closed))
}
