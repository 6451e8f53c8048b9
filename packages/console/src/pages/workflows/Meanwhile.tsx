/** Somebody saved the workflow meanwhile: both versions, and which of them to keep. */
import type { WorkflowDetail } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Pair } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { type Drawing, drawingOf, flowOrder } from "./Drawing.ts"
import { stepText, triggerText } from "./stepText.ts"
import { workflowWords } from "./words.ts"

const Steps = ({
  title,
  drawing,
  templates
}: {
  readonly title: string
  readonly drawing: Drawing
  readonly templates: ReadonlyMap<string, string>
}) => {
  const words = workflowWords()
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {flowOrder(drawing).map((step) => {
          const about =
            step.type === "TRIGGER"
              ? triggerText(drawing.triggerType, drawing.triggerConfig, words)
              : stepText(step, words, templates)
          return (
            <li key={step.id}>
              <Foreign>{`${step.name}: ${about}`}</Foreign>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

interface MeanwhileProps {
  readonly mine: Drawing
  readonly theirs: WorkflowDetail
  readonly templates: ReadonlyMap<string, string>
  readonly onKeep: () => void
  readonly onTake: () => void
  readonly onClose: () => void
}

export const Meanwhile = ({ mine, theirs, templates, onKeep, onTake, onClose }: MeanwhileProps): ReactNode => {
  const words = workflowWords()
  return (
    <Dialog title={words.meanwhile} role="alertdialog" isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p>{words.meanwhileAbout}</p>
      <Pair>
        <Steps title={words.yours} drawing={mine} templates={templates} />
        <Steps title={words.theirs} drawing={drawingOf(theirs)} templates={templates} />
      </Pair>
      <DialogButtons>
        <Button onPress={onTake}>{words.takeTheirs}</Button>
        <Button kind="primary" onPress={onKeep}>
          {words.keepMine}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
