/** What a step shows of itself, in the list and in the graph. */
import type { StepExecution } from "@posthorn/client/session"
import {
  CalendarClock,
  Clock,
  Flag,
  Gauge,
  GitBranch,
  Hourglass,
  type LucideIcon,
  Mail,
  Split,
  UserPen,
  Webhook,
  Zap
} from "lucide-react"
import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import type { Drawing, DrawnStep, StepType } from "./Drawing.ts"
import { StepState } from "./ExecutionState.tsx"
import type { Faults } from "./faults.ts"
import type { Figures, StepFigures } from "./reads.ts"
import { stepText } from "./stepText.ts"
import { triggerText } from "./triggerText.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

const icons: { readonly [T in StepType]: LucideIcon } = {
  TRIGGER: Zap,
  SEND_EMAIL: Mail,
  DELAY: Clock,
  WAIT_FOR_EVENT: Hourglass,
  CONDITION: GitBranch,
  SPLIT: Split,
  TIME_WINDOW: CalendarClock,
  RATE_LIMIT: Gauge,
  WEBHOOK: Webhook,
  UPDATE_CONTACT: UserPen,
  EXIT: Flag
}

/** Percent of the mail of a step. */
const shareOf = (mail: NonNullable<StepFigures["mail"]>, figure: "humanClicked" | "humanOpened"): number =>
  mail.sent === 0 ? 0 : Math.round((mail[figure] / mail.sent) * 1_000) / 10

export interface StepView {
  readonly faults: Faults
  readonly figures: Figures
  readonly templates: ReadonlyMap<string, string>
  /** The newest run of each step of the execution that is shown. */
  readonly runs?: ReadonlyMap<string, StepExecution> | undefined
  /** The step that the execution started at. It has no run. */
  readonly entry?: string | undefined
}

interface StepCardProps {
  readonly step: DrawnStep
  readonly drawing: Drawing
  readonly view: StepView
  readonly number?: number | undefined
}

export const StepCard = ({ step, drawing, view, number }: StepCardProps): ReactNode => {
  const words = workflowWords()
  const Icon = icons[step.type]
  const faults = view.faults.bySteps.get(step.id)
  const figures = view.runs === undefined ? view.figures.steps.get(step.id) : undefined
  const run = view.runs?.get(step.id)
  const about =
    step.type === "TRIGGER"
      ? triggerText(drawing.triggerType, drawing.triggerConfig, words)
      : stepText(step, words, view.templates)
  return (
    <>
      <span className={styles.stepHead}>
        <Icon size={16} aria-hidden />
        <span className="visually-hidden">{words.types[step.type]}</span>
        <strong>
          {number !== undefined && `${number}. `}
          <Foreign>{step.name}</Foreign>
        </strong>
      </span>
      <span className={styles.stepAbout}>
        <Foreign>{about}</Foreign>
      </span>
      {run !== undefined && (
        <span className={styles.stepRun}>
          <StepState status={run.status} /> <Time at={run.completedAt ?? run.scheduledFor ?? run.startedAt} exact />
        </span>
      )}
      {figures !== undefined && figures.entered > 0 && (
        <span className={styles.stepAbout}>{words.visits(figures.entered, figures.waiting)}</span>
      )}
      {figures?.mail != null && (
        <span className={styles.stepAbout}>
          {words.results(
            figures.mail.sent,
            shareOf(figures.mail, "humanOpened"),
            shareOf(figures.mail, "humanClicked")
          )}
        </span>
      )}
      {view.runs === undefined && faults !== undefined && (
        <span>
          {faults.errors.length > 0 ? (
            <State shape="triangle" tone="bad" title={faults.errors.map(({ message }) => message).join(" ")}>
              {words.faults(faults.errors.length)}
            </State>
          ) : (
            <State shape="triangle" tone="warning" title={faults.warnings.map(({ message }) => message).join(" ")}>
              {words.warnings(faults.warnings.length)}
            </State>
          )}
        </span>
      )}
    </>
  )
}
