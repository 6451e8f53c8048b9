/** A trial of a workflow: the course of one contact, which can be walked step by step. Nothing is stored or sent. */
import type { TestRun, WorkflowDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Panel } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Facts, Row } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { ExecutionState, StepState } from "./ExecutionState.tsx"
import { JsonField } from "./JsonField.tsx"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

type Visit = TestRun["visits"][number]

const VisitFacts = ({ visit }: { readonly visit: Visit }) => {
  const words = workflowWords()
  const { trial } = words
  return (
    <>
      <Facts
        facts={[
          visit.until !== null && [words.until, <Time key="until" at={visit.until} exact />],
          visit.branch !== null && [words.took, <Foreign key="branch">{visit.branch}</Foreign>],
          visit.mail !== null && [trial.to, <Foreign key="to">{visit.mail.to}</Foreign>],
          visit.mail !== null && [trial.subject, <Foreign key="subject">{visit.mail.subject}</Foreign>]
        ]}
      />
      {visit.error !== null && (
        <p className={styles.bad}>
          <code>{visit.error.code}</code> <Foreign>{visit.error.message}</Foreign>
        </p>
      )}
      {visit.mail !== null && (
        <pre className={styles.json} tabIndex={0}>
          <Foreign>{visit.mail.text}</Foreign>
        </pre>
      )}
    </>
  )
}

/** The visits one after the other. The current one is shown with what it did. */
const Course = ({ run }: { readonly run: TestRun }) => {
  const words = workflowWords()
  const { trial } = words
  const [at, setAt] = useState(0)
  const { outcome, visits, warnings } = run
  const last = visits.length - 1
  return (
    <section aria-label={trial.course}>
      <Row>
        <ExecutionState status={outcome.status} />
        {outcome.exitReason !== null && <Foreign>{outcome.exitReason}</Foreign>}
        {outcome.converted && <span>{words.converted}</span>}
        <Time at={outcome.at} exact />
      </Row>
      {warnings.length > 0 && (
        <ul className={styles.remarks}>
          {warnings.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Foreign>{message}</Foreign>
            </li>
          ))}
        </ul>
      )}
      {visits.length > 0 && (
        <Row>
          <Button onPress={() => setAt(Math.max(0, at - 1))}>{trial.back}</Button>
          <Button onPress={() => setAt(Math.min(last, at + 1))}>{trial.next}</Button>
          <span className={styles.quiet} role="status">
            {trial.place(at + 1, visits.length)}
          </span>
        </Row>
      )}
      <ol className={styles.steps}>
        {visits.map((visit, n) => (
          <li
            // A step may be visited several times.
            key={n}
            className={styles.run}
            aria-current={n === at ? "step" : undefined}
          >
            <Row>
              <StepState status={visit.status} />
              <strong>
                <Foreign>{visit.name}</Foreign>
              </strong>
              <span className={styles.quiet}>
                <Time at={visit.at} exact />
              </span>
            </Row>
            {n === at && <VisitFacts visit={visit} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface TestPlayerProps {
  readonly workflow: WorkflowDetail
  readonly onClose: () => void
}

export const TestPlayer = ({ workflow, onClose }: TestPlayerProps): ReactNode => {
  const words = workflowWords()
  const { trial } = words
  const { id, triggerType, triggerConfig } = workflow
  const event = triggerType === "EVENT" ? String(triggerConfig["eventName"] ?? "") : ""
  const [email, setEmail] = useState("")
  const [data, setData] = useState<object>()
  const [eventData, setEventData] = useState<object>()
  const body = {
    contact: { email: email.trim(), ...(data !== undefined && { data }) },
    ...(event !== "" && { event: { name: event, ...(eventData !== undefined && { data: eventData }) } })
  }
  const run = useWrite((api) => api.workflows.testRun(id, body as Parameters<typeof api.workflows.testRun>[1]))
  return (
    <Panel title={trial.title} onClose={onClose}>
      <p>{trial.about}</p>
      <DialogForm
        faults={faultsOf(run.error, ["contact.email"])}
        submit={trial.run}
        isPending={run.isPending}
        code={<ShowCode call={{ operation: "workflows.testRun", path: [id], body }} />}
        onSubmit={() => run.mutate()}
      >
        <TextField
          label={trial.email}
          name="contact.email"
          type="email"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <JsonField
          label={trial.data}
          name="contact.data"
          value={data}
          onChange={(value) => setData(value as object | undefined)}
          isObject
        />
        {event !== "" && (
          <JsonField
            label={trial.eventData(event)}
            name="event.data"
            value={eventData}
            onChange={(value) => setEventData(value as object | undefined)}
            isObject
          />
        )}
      </DialogForm>
      {run.data !== undefined && <Course key={run.submittedAt} run={run.data} />}
    </Panel>
  )
}
