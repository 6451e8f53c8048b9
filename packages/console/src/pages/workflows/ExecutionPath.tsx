/** One execution: its way through the graph, with the times and outputs of its steps. */
import type { ExecutionDetail, StepExecution, WorkflowDetail } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Bar, Card, Facts, Problem, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { useView, ViewSwitch } from "./Editor.tsx"
import { ExecutionState, StepState } from "./ExecutionState.tsx"
import { noFaults } from "./faults.ts"
import { noFigures } from "./reads.ts"
import type { StepView } from "./StepCard.tsx"
import { drawingOf } from "./stored.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

const Graph = lazy(() => import("./Graph.tsx"))

const isEmpty = (value: object | null) => value === null || Object.keys(value).length === 0

const Run = ({ run }: { readonly run: StepExecution }) => {
  const words = workflowWords()
  return (
    <li id={`run-${run.stepId}`} className={styles.run}>
      <Row>
        <StepState status={run.status} />
        <strong>
          <Foreign>{run.step.name}</Foreign>
        </strong>
        <span className={styles.quiet}>
          <Time at={run.startedAt ?? run.createdAt} exact />
          {run.completedAt !== null && (
            <>
              {" – "}
              <Time at={run.completedAt} exact />
            </>
          )}
        </span>
        {run.attempts > 1 && <span className={styles.quiet}>{words.attempts(run.attempts)}</span>}
      </Row>
      <Facts
        facts={[
          run.completedAt === null &&
            run.scheduledFor !== null && [words.until, <Time key="until" at={run.scheduledFor} exact />],
          run.branch !== null && [words.took, <Foreign key="branch">{run.branch}</Foreign>]
        ]}
      />
      {run.error !== null && (
        <p className={styles.bad}>
          <code>{run.error.code}</code> <Foreign>{run.error.message}</Foreign>
        </p>
      )}
      {!isEmpty(run.output) && (
        <details>
          <summary>{words.output}</summary>
          <pre className={styles.json} tabIndex={0}>
            <Foreign>{JSON.stringify(run.output, null, 2)}</Foreign>
          </pre>
        </details>
      )}
    </li>
  )
}

const Loaded = ({
  workflow,
  execution
}: {
  readonly workflow: WorkflowDetail
  readonly execution: ExecutionDetail
}) => {
  const words = workflowWords()
  const view = useView()
  const missing = useMissing("executions.cancel")
  const [isCancelling, setCancelling] = useState(false)
  const { id, status, stepExecutions } = execution
  const changes = ["workflows"]
  const retry = useWrite((api) => api.executions.retry(workflow.id, id), {
    changes,
    onDone: () => notify(words.retried)
  })
  const cancel = useWrite((api) => api.executions.cancel(workflow.id, id), {
    changes,
    onDone: () => notify(words.cancelled)
  })
  const drawing = useMemo(() => drawingOf(workflow), [workflow])
  const shown = useMemo((): StepView => {
    const runs = new Map<string, StepExecution>()
    for (const run of stepExecutions) if (run.stepId !== null) runs.set(run.stepId, run)
    const templates = new Map(
      workflow.steps.flatMap(({ template }) => (template ? [[template.id, template.name]] : []))
    )
    const entry = workflow.steps.find(({ type }) => type === "TRIGGER")?.id
    return { faults: noFaults, figures: noFigures, templates, runs, entry }
  }, [stepExecutions, workflow])
  const toRun = (step: string) => document.getElementById(`run-${step}`)?.scrollIntoView({ block: "center" })
  const isLive = status === "RUNNING" || status === "WAITING"
  const error = retry.error ?? cancel.error
  return (
    <>
      {error !== null && <Problem error={error} />}
      <Card
        title={execution.contact.email}
        actions={
          <>
            <ExecutionState status={status} />
            {status === "FAILED" && (
              <Button missing={missing} isPending={retry.isPending} onPress={() => retry.mutate()}>
                {words.retry}
              </Button>
            )}
            {isLive && (
              <Button missing={missing} isPending={cancel.isPending} onPress={() => setCancelling(true)}>
                {words.cancel}
              </Button>
            )}
          </>
        }
      >
        <Facts
          facts={[
            [words.startedAt, <Time key="started" at={execution.startedAt} exact />],
            execution.completedAt !== null && [words.endedAt, <Time key="ended" at={execution.completedAt} exact />],
            isLive &&
              execution.resumeAt !== null && [words.goesOn, <Time key="resume" at={execution.resumeAt} exact />],
            [words.source, words.triggers[execution.source]],
            [words.exitReason, execution.exitReason && <Foreign key="reason">{execution.exitReason}</Foreign>],
            execution.converted && [words.converted, words.yes],
            execution.entryKey !== "" && [words.entryKey, <Foreign key="key">{execution.entryKey}</Foreign>],
            [words.execution, <CopyText key="id" text={id} name={words.execution} />]
          ]}
        />
        {execution.error !== null && (
          <p className={styles.bad}>
            <code>{execution.error.code}</code> <Foreign>{execution.error.message}</Foreign>
          </p>
        )}
        {!isEmpty(execution.context) && (
          <details>
            <summary>{words.context}</summary>
            <pre className={styles.json} tabIndex={0}>
              <Foreign>{JSON.stringify(execution.context, null, 2)}</Foreign>
            </pre>
          </details>
        )}
      </Card>
      <Row>
        <ViewSwitch />
      </Row>
      {view === "graph" && (
        <Suspense fallback={<Bar height={560} />}>
          <Graph
            drawing={drawing}
            view={shown}
            actions={{ open: toRun, insert: toRun, connect: toRun, remove: toRun }}
          />
        </Suspense>
      )}
      <h2>{words.path}</h2>
      <ol className={styles.runs}>
        {stepExecutions.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ol>
      <ConfirmDialog
        title={words.cancel}
        action={words.cancel}
        isDanger
        isOpen={isCancelling}
        onOpenChange={setCancelling}
        onConfirm={() => cancel.mutate()}
      >
        <p>{words.cancelAbout}</p>
      </ConfirmDialog>
    </>
  )
}

export const ExecutionPath = ({
  workflow,
  id
}: {
  readonly workflow: WorkflowDetail
  readonly id: string
}): ReactNode => {
  const words = workflowWords()
  const navigate = useNavigate({ from: "/p/$projectId/workflows/$workflowId" })
  const execution = useRead(
    ["workflows", workflow.id, "execution", id],
    (api, options) => api.executions.get(workflow.id, id, options),
    { every: 10_000 }
  )
  /** It is shown in the graph that it follows, which a draft is not. */
  const version = execution.data?.version ?? null
  const isOther = workflow.versioning === "PUBLISHED" && version !== null
  const then = useRead(
    ["workflows", workflow.id, "version", version],
    (api, options) => api.workflows.version(workflow.id, String(version), options),
    { enabled: isOther }
  )
  return (
    <>
      <Row>
        <Button
          kind="quiet"
          onPress={() => void navigate({ search: (before) => ({ ...before, execution: undefined }), replace: true })}
        >
          {words.allExecutions}
        </Button>
      </Row>
      {execution.data !== undefined && !isOther ? (
        <Loaded workflow={workflow} execution={execution.data} />
      ) : execution.data !== undefined && then.data !== undefined ? (
        <Loaded workflow={{ ...workflow, ...then.data }} execution={execution.data} />
      ) : execution.data !== undefined && then.error !== null ? (
        // The version is not kept any more.
        <Loaded workflow={workflow} execution={execution.data} />
      ) : execution.error === null ? (
        <Bar height={240} />
      ) : (
        <Problem error={execution.error} onRetry={() => void execution.refetch()} />
      )}
    </>
  )
}
