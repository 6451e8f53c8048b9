/** Somebody saved the workflow meanwhile: how both versions differ, and which of them to keep. */
import type { WorkflowDetail } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense } from "react"
import { type Drawing, flowOrder } from "./Drawing.ts"
import { stepText } from "./stepText.ts"
import { drawingOf } from "./stored.ts"
import { triggerText } from "./triggerText.ts"
import { workflowWords } from "./words.ts"

const Conflict = lazy(async () => ({ default: (await import("../../editor/Conflict.tsx")).Conflict }))

interface MeanwhileProps {
  readonly mine: Drawing
  readonly theirs: WorkflowDetail
  readonly templates: ReadonlyMap<string, string>
  readonly onKeep: () => void
  readonly onTake: () => void
  readonly onClose: () => void
}

export const Meanwhile = ({ mine, theirs, templates, ...choices }: MeanwhileProps): ReactNode => {
  const words = workflowWords()
  /** The steps in the order of the flow, one a line, with what leads on from them. */
  const textOf = (drawing: Drawing): string => {
    const names = new Map(drawing.steps.map(({ id, name }) => [id, name]))
    return flowOrder(drawing)
      .map((step) => {
        const about =
          step.type === "TRIGGER"
            ? triggerText(drawing.triggerType, drawing.triggerConfig, words)
            : stepText(step, words, templates)
        const next = drawing.transitions
          .filter(({ from }) => from === step.id)
          .map(({ to, branch }) => `  → ${branch === null ? "" : `${branch}: `}${names.get(to) ?? ""}\n`)
        return `${step.name}: ${about}\n${next.join("")}`
      })
      .join("")
  }
  return (
    <Suspense>
      <Conflict
        title={words.meanwhile}
        about={words.meanwhileAbout}
        theirsName={words.theirs}
        mineName={words.yours}
        theirs={textOf(drawingOf(theirs))}
        mine={textOf(mine)}
        take={words.takeTheirs}
        keep={words.keepMine}
        {...choices}
      />
    </Suspense>
  )
}
