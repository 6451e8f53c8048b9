/** What the page of a workflow reads beside the workflow itself. */
import type { WorkflowReport } from "@posthorn/client/session"
import { useEffect, useMemo, useState } from "react"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { daysBefore } from "../../app/Range.ts"
import { bodyOf } from "./Drawing.ts"
import { noFaults, placed } from "./faults.ts"
import type { Editing } from "./useDrawing.ts"

/** The faults of the drawing, half a second after its last change. */
export const useFaults = (id: string, { drawing, base }: Editing) => {
  const [asked, setAsked] = useState(drawing)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(drawing), 500)
    return () => clearTimeout(timer)
  }, [drawing])
  const body = useMemo(() => bodyOf(asked), [asked])
  const { data } = useRead(
    ["workflows", id, "validity", base.updatedAt, body],
    (api, options) => api.workflows.validateGraph(id, body, options),
    { keep: true }
  )
  const isChecked = data !== undefined && asked === drawing
  return useMemo(
    () => [data === undefined ? noFaults : placed(asked, data), isChecked] as const,
    [data, asked, isChecked]
  )
}

export type StepFigures = WorkflowReport["steps"][number]

/** The numbers of the workflow that its drawing shows. */
export interface Figures {
  readonly steps: ReadonlyMap<string, StepFigures>
  /** How often a branch was taken, by step and branch as in `placeOfBranch`. */
  readonly taken: ReadonlyMap<string, number>
}

export const noFigures: Figures = { steps: new Map(), taken: new Map() }

/** The place of a branch in `taken`. */
export const placeOfBranch = (step: string, branch: string | null): string => `${step} ${branch ?? ""}`

/** How many took a transition. One without a branch is for every branch that has none of its own. */
export const takenBy = (
  { steps, taken }: Figures,
  transitions: ReadonlyArray<{ readonly from: string; readonly branch: string | null }>,
  { from, branch }: { readonly from: string; readonly branch: string | null }
): number | undefined => {
  const step = steps.get(from)
  if (step === undefined) return undefined
  const of = (name: string | null) => taken.get(placeOfBranch(from, name)) ?? 0
  if (branch !== null) return of(branch)
  const others = transitions.filter((each) => each.from === from && each.branch !== null)
  return others.reduce((left, each) => left - of(each.branch), step.completed)
}

/** Whose figures are asked for. Undefined: those of all versions, and of all time. */
interface FiguresRange {
  readonly version: string | undefined
  readonly days: string | undefined
}

export const useFigures = (id: string, { version, days }: FiguresRange): Figures => {
  const { timezone } = useProject()
  const query = {
    ...(version !== undefined && /^[1-9]\d{0,8}$/.test(version) && { version: Number(version) }),
    ...(days !== undefined && { startDate: daysBefore(Number(days) - 1, timezone), endDate: daysBefore(0, timezone) })
  }
  const { data } = useRead(
    ["workflows", id, "report", query],
    (api, options) => api.workflows.report(id, query, options),
    { every: 10_000 }
  )
  return useMemo(
    () =>
      data === undefined
        ? noFigures
        : {
            steps: new Map(data.steps.map((step) => [step.stepId, step])),
            taken: new Map(data.branches.map(({ stepId, branch, taken }) => [placeOfBranch(stepId, branch), taken]))
          },
    [data]
  )
}
