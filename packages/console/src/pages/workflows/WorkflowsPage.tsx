import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { workflowListWords } from "./listWords.ts"
import { workflowsRoute } from "./routes.ts"
import { triggerText } from "./triggerText.ts"
import { WorkflowState } from "./WorkflowState.tsx"

const NewWorkflow = lazy(async () => ({ default: (await import("./NewWorkflow.tsx")).NewWorkflow }))

export const WorkflowsPage = (): ReactNode => {
  const words = workflowListWords()
  const projectId = useProjectId()
  const search = workflowsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/workflows" })
  const missing = useMissing("workflows.create")
  const { q, state, trigger } = search
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const query = {
    ...(q !== undefined && { search: q }),
    ...(state !== undefined && { status: state }),
    ...(trigger !== undefined && { triggerType: trigger })
  }
  const workflows = useList(["workflows", "list", query], (api, position, options) =>
    api.workflows.list({ ...query, pageSize: 100, ...position }, options)
  )
  const isFiltered = q !== undefined || state !== undefined || trigger !== undefined
  const isEmpty = !workflows.isLoading && workflows.error === null && workflows.rows.length === 0
  const add = (
    <Button kind="primary" missing={missing} onPress={() => set({ new: "welcome" })}>
      {words.add}
    </Button>
  )
  return (
    <Page
      title={words.title}
      views={<Views page="workflows" />}
      actions={
        <>
          {!(isEmpty && !isFiltered) && add}
          <ShowCode call={{ operation: "workflows.list", query }} />
        </>
      }
    >
      {(!isEmpty || isFiltered) && (
        <Row>
          <SearchBox label={words.search} value={q ?? ""} onChange={(text) => set({ q: text || undefined })} />
          <Select<"" | "active" | "disabled">
            label={words.state}
            isLabelHidden
            value={state ?? ""}
            choices={[
              { id: "", name: words.anyState },
              { id: "active", name: words.states.active },
              { id: "disabled", name: words.states.disabled }
            ]}
            onChange={(id) => set({ state: id || undefined })}
          />
          <Select<"" | "EVENT" | "MANUAL" | "SCHEDULE">
            label={words.trigger}
            isLabelHidden
            value={trigger ?? ""}
            choices={[
              { id: "", name: words.anyTrigger },
              ...(["EVENT", "MANUAL", "SCHEDULE"] as const).map((id) => ({ id, name: words.triggers[id] }))
            ]}
            onChange={(id) => set({ trigger: id || undefined })}
          />
        </Row>
      )}
      {workflows.error !== null ? (
        <Problem error={workflows.error} onRetry={workflows.retry} />
      ) : workflows.isLoading ? (
        <TableSkeleton />
      ) : isEmpty ? (
        isFiltered ? (
          <NothingFits onClear={() => set({ q: undefined, state: undefined, trigger: undefined })} />
        ) : (
          <Empty about={words.about} action={add} />
        )
      ) : (
        <DataTable
          label={words.title}
          rows={workflows.rows}
          total={workflows.total}
          hasMore={workflows.hasMore}
          isLoadingMore={workflows.isLoadingMore}
          onMore={workflows.more}
          href={({ id }) => hrefOf(pathOf(projectId, "workflows", id))}
          rowName={({ name }) => name}
          columns={[
            {
              id: "name",
              name: words.name,
              cell: ({ id, name }) => (
                <Link to="/p/$projectId/workflows/$workflowId" params={{ projectId, workflowId: id }}>
                  <Foreign>{name}</Foreign>
                </Link>
              )
            },
            { id: "state", name: words.state, isFit: true, cell: ({ enabled }) => <WorkflowState enabled={enabled} /> },
            {
              id: "trigger",
              name: words.trigger,
              cell: ({ triggerType, triggerConfig }) => (
                <Foreign>{triggerText(triggerType, triggerConfig, words)}</Foreign>
              )
            },
            {
              id: "live",
              name: words.live,
              isNumber: true,
              cell: ({ _count }) => <Count value={_count.activeExecutions} />
            },
            {
              id: "started",
              name: words.started,
              isNumber: true,
              cell: ({ _count }) => <Count value={_count.executions} />
            },
            { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
          ]}
        />
      )}
      <Suspense>
        {search.new !== undefined && <NewWorkflow start={search.new} onClose={() => set({ new: undefined })} />}
      </Suspense>
    </Page>
  )
}
