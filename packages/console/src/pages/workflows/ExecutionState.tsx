import type { Execution, StepExecution } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { workflowWords } from "./words.ts"

const looks: { readonly [S in Execution["status"]]: readonly [Shape, Tone] } = {
  RUNNING: ["ring", "neutral"],
  WAITING: ["square", "neutral"],
  COMPLETED: ["dot", "good"],
  EXITED: ["dot", "neutral"],
  FAILED: ["triangle", "bad"],
  CANCELLED: ["bar", "neutral"]
}

export const ExecutionState = ({ status }: { readonly status: Execution["status"] }): ReactNode => {
  const [shape, tone] = looks[status]
  return (
    <State shape={shape} tone={tone}>
      {workflowWords().executionStates[status]}
    </State>
  )
}

const stepLooks: { readonly [S in StepExecution["status"]]: readonly [Shape, Tone] } = {
  PENDING: ["square", "neutral"],
  RUNNING: ["ring", "neutral"],
  SCHEDULED: ["square", "neutral"],
  WAITING: ["square", "neutral"],
  COMPLETED: ["dot", "good"],
  SKIPPED: ["bar", "warning"],
  FAILED: ["triangle", "bad"]
}

export const StepState = ({ status }: { readonly status: StepExecution["status"] }): ReactNode => {
  const [shape, tone] = stepLooks[status]
  return (
    <State shape={shape} tone={tone}>
      {workflowWords().stepStates[status]}
    </State>
  )
}
