/** The steps as a list, in the order in which a contact meets them. */
import { Plus, Spline } from "lucide-react"
import type { KeyboardEvent, ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { allBranchesOf, type Drawing, flowOrder, nextOf, stepOf } from "./Drawing.ts"
import { StepCard, type StepView } from "./StepCard.tsx"
import { branchText } from "./stepText.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

export interface StepActions {
  readonly open: (id: string) => void
  readonly insert: (id: string) => void
  readonly connect: (id: string) => void
  readonly remove: (id: string) => void
}

/** The keys of a step that has the focus. */
export const stepKey = (event: KeyboardEvent, id: string, actions: StepActions): boolean => {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const keys: { readonly [key: string]: ((id: string) => void) | undefined } = {
    Enter: actions.open,
    i: actions.insert,
    c: actions.connect,
    Delete: actions.remove,
    Backspace: actions.remove
  }
  const action = keys[event.key]
  if (action === undefined) return false
  event.preventDefault()
  action(id)
  return true
}

interface StepListProps {
  readonly drawing: Drawing
  readonly view: StepView
  readonly actions: StepActions
}

export const StepList = ({ drawing, view, actions }: StepListProps): ReactNode => {
  const words = workflowWords()
  const steps = flowOrder(drawing)
  const numbers = new Map(steps.map(({ id }, index) => [id, index + 1]))
  const led = new Set(drawing.transitions.map(({ to }) => to))
  return (
    <ol className={styles.steps} aria-label={words.stepList}>
      {steps.map((step) => (
        <li key={step.id}>
          <div className={styles.stepLine}>
            <button
              type="button"
              className={styles.step}
              data-step={step.id}
              onClick={() => actions.open(step.id)}
              onKeyDown={(event) => stepKey(event, step.id, actions)}
            >
              <StepCard step={step} drawing={drawing} view={view} number={numbers.get(step.id)} />
            </button>
            {step.type !== "EXIT" && (
              <span className={styles.stepActions}>
                <Button
                  kind="quiet"
                  isIcon
                  excludeFromTabOrder
                  aria-label={words.insertAfter(step.name)}
                  onPress={() => actions.insert(step.id)}
                >
                  <Plus size={16} aria-hidden />
                </Button>
                <Button
                  kind="quiet"
                  isIcon
                  excludeFromTabOrder
                  aria-label={words.connectFrom(step.name)}
                  onPress={() => actions.connect(step.id)}
                >
                  <Spline size={16} aria-hidden />
                </Button>
              </span>
            )}
          </div>
          <ul className={styles.ways}>
            {step.type !== "TRIGGER" && !led.has(step.id) && <li>{words.unreached}</li>}
            {allBranchesOf(drawing, step).map((branch) => {
              const to = nextOf(drawing, step.id, branch)
              return (
                <li key={branch ?? ""}>
                  <Foreign>{branchText(branch, step.config, words)}</Foreign>
                  {" → "}
                  {to === undefined ? (
                    words.end
                  ) : (
                    <Foreign>{`${numbers.get(to)}. ${stepOf(drawing, to)?.name}`}</Foreign>
                  )}
                </li>
              )
            })}
          </ul>
        </li>
      ))}
    </ol>
  )
}
