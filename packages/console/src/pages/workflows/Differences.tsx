/** What changes from a version of a workflow to what is edited, in lists. */
import type { WorkflowDetail, WorkflowDiff } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { Bar, Problem } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

const shown = (value: unknown): string =>
  value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value)

interface PartProps {
  readonly title: string
  readonly lines: ReadonlyArray<string>
}

const Part = ({ title, lines }: PartProps) =>
  lines.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul className={styles.differences}>
        {lines.map((line, n) => (
          <li key={`${n} ${line}`}>
            <Foreign>{line}</Foreign>
          </li>
        ))}
      </ul>
    </section>
  )

interface DifferencesProps {
  readonly workflow: WorkflowDetail
  readonly version: number
  readonly onClose: () => void
}

export const Differences = ({ workflow, version, onClose }: DifferencesProps): ReactNode => {
  const words = workflowWords()
  const { versions, types } = words
  const { id } = workflow
  const diff = useRead<WorkflowDiff>(["workflows", id, "diff", version, workflow.updatedAt], (api, options) =>
    api.workflows.diff(id, String(version), {}, options)
  )
  const then = useRead(["workflows", id, "version", version], (api, options) =>
    api.workflows.version(id, String(version), options)
  )
  const error = diff.error ?? then.error
  const names = new Map([...(then.data?.steps ?? []), ...workflow.steps].map((step) => [step.id as string, step.name]))
  const nameOf = (step: string) => names.get(step) ?? words.removedStep
  const change = ({ path, from, to }: WorkflowDiff["settings"][number]) => `${path}: ${shown(from)} → ${shown(to)}`
  const edge = ({ fromStepId, toStepId, branch }: WorkflowDiff["transitions"]["added"][number]) =>
    `${nameOf(fromStepId)} → ${branch === null ? "" : `${words.branches[branch] ?? branch}: `}${nameOf(toStepId)}`
  const step = ({ name, type }: WorkflowDiff["steps"]["added"][number]) => `${name} (${types[type]})`
  const found = diff.data
  const parts: ReadonlyArray<PartProps> =
    found === undefined
      ? []
      : [
          { title: versions.settings, lines: found.settings.map(change) },
          { title: versions.added, lines: found.steps.added.map(step) },
          { title: versions.removed, lines: found.steps.removed.map(step) },
          {
            title: versions.changed,
            lines: found.steps.changed.flatMap(({ name, fields }) => fields.map((field) => `${name}, ${change(field)}`))
          },
          { title: versions.moved, lines: found.steps.moved.map(nameOf) },
          { title: versions.connected, lines: found.transitions.added.map(edge) },
          { title: versions.disconnected, lines: found.transitions.removed.map(edge) }
        ]
  return (
    <Dialog title={versions.differences(version)} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {error !== null ? (
        <Problem error={error} />
      ) : found === undefined || then.data === undefined ? (
        <Bar height={240} />
      ) : parts.every(({ lines }) => lines.length === 0) ? (
        <p>{versions.same}</p>
      ) : (
        parts.map((part) => <Part key={part.title} {...part} />)
      )}
    </Dialog>
  )
}
