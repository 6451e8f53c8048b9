/** Why a change was refused: the steps with faults, or those that executions are at. */
import type { PosthornError, WorkflowDetail } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Problem } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { type Drawing, placeOf } from "./Drawing.ts"
import { workflowWords } from "./words.ts"

interface RefusedProps {
  readonly error: PosthornError
  /** As it is stored. */
  readonly base: WorkflowDetail
  readonly drawing: Drawing
}

export const Refused = ({ error, base, drawing }: RefusedProps): ReactNode => {
  const words = workflowWords()
  const nameOf = (field: string) => drawing.steps.find(({ id }) => id === placeOf(drawing, { field })[0])?.name
  const held = error.code === "RESOURCE_IN_USE" ? error.details["steps"] : undefined
  return (
    <Problem error={error} nameOf={nameOf}>
      {Array.isArray(held) && (
        <ul>
          {held.map(({ stepId, activeExecutions }) => (
            <li key={stepId}>
              <Foreign>
                {words.inUse(
                  base.steps.find((step) => step.id === stepId)?.name ?? words.removedStep,
                  activeExecutions
                )}
              </Foreign>
            </li>
          ))}
        </ul>
      )}
    </Problem>
  )
}
