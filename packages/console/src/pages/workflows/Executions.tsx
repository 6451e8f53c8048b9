import type { WorkflowDetail } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { ExecutionPath } from "./ExecutionPath.tsx"
import { ExecutionState } from "./ExecutionState.tsx"
import { workflowRoute } from "./routes.ts"
import { workflowWords } from "./words.ts"

const statuses = ["RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"] as const
type Status = (typeof statuses)[number]

const ExecutionList = ({ workflow }: { readonly workflow: WorkflowDetail }) => {
  const words = workflowWords()
  const projectId = useProjectId()
  const { id } = workflow
  const { state } = workflowRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/workflows/$workflowId" })
  const missing = useMissing("executions.cancelAll")
  const [isCancelling, setCancelling] = useState(false)
  const executions = useList(
    ["workflows", id, "executions", state],
    (api, position, options) =>
      api.executions.list(id, { ...(state !== undefined && { status: state }), pageSize: 50, ...position }, options),
    { every: 10_000 }
  )
  const cancelAll = useWrite((api) => api.executions.cancelAll(id), {
    changes: ["workflows"],
    onDone: ({ cancelled }) => notify(words.cancelledAll(cancelled))
  })
  const filter = (next: Status | undefined) =>
    void navigate({ search: (before) => ({ ...before, state: next }), replace: true })
  return (
    <>
      <Row>
        <Select<"" | Status>
          label={words.state}
          isLabelHidden
          value={state ?? ""}
          choices={[
            { id: "", name: words.allStates },
            ...statuses.map((each) => ({ id: each, name: words.executionStates[each] }))
          ]}
          onChange={(next) => filter(next || undefined)}
        />
        {workflow._count.activeExecutions > 0 && (
          <Button missing={missing} onPress={() => setCancelling(true)}>
            {words.cancelAll}
          </Button>
        )}
      </Row>
      {cancelAll.error !== null && <Problem error={cancelAll.error} />}
      {executions.error !== null ? (
        <Problem error={executions.error} onRetry={executions.retry} />
      ) : executions.isLoading ? (
        <TableSkeleton />
      ) : executions.rows.length === 0 ? (
        state === undefined ? (
          <Empty about={words.noExecutions} />
        ) : (
          <NothingFits onClear={() => filter(undefined)} />
        )
      ) : (
        <DataTable
          label={words.executions}
          rows={executions.rows}
          total={executions.total}
          hasMore={executions.hasMore}
          isLoadingMore={executions.isLoadingMore}
          onMore={executions.more}
          href={(row) => hrefOf(pathOf(projectId, "workflows", id), { tab: "executions", execution: row.id })}
          rowName={({ contact }) => contact.email}
          columns={[
            {
              id: "contact",
              name: words.contact,
              cell: (row) => (
                <Link
                  to="/p/$projectId/workflows/$workflowId"
                  params={{ projectId, workflowId: id }}
                  search={{ tab: "executions", execution: row.id }}
                >
                  <Foreign>{row.contact.email}</Foreign>
                </Link>
              )
            },
            { id: "state", name: words.state, isFit: true, cell: ({ status }) => <ExecutionState status={status} /> },
            { id: "step", name: words.step, cell: ({ currentStep }) => <Foreign>{currentStep?.name}</Foreign> },
            { id: "started", name: words.startedAt, isFit: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
            {
              id: "ended",
              name: words.endedAt,
              isFit: true,
              cell: ({ completedAt, resumeAt }) => <Time at={completedAt ?? resumeAt} />
            }
          ]}
        />
      )}
      <ConfirmDialog
        title={words.cancelAllTitle(workflow.name)}
        action={words.cancelAll}
        isDanger
        isOpen={isCancelling}
        onOpenChange={setCancelling}
        onConfirm={() => cancelAll.mutate()}
      >
        <p>{words.cancelAllAbout}</p>
      </ConfirmDialog>
    </>
  )
}

export const Executions = ({ workflow }: { readonly workflow: WorkflowDetail }): ReactNode => {
  const { execution } = workflowRoute.useSearch()
  return execution === undefined ? (
    <ExecutionList workflow={workflow} />
  ) : (
    <ExecutionPath key={execution} workflow={workflow} id={execution} />
  )
}
