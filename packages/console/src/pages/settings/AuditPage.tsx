import type { PosthornError, ProjectAuditEntry } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { NeedsRole } from "../../app/NeedsRole.tsx"
import { Page } from "../../app/Page.tsx"
import { useMissingRole } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { TextField } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { saveFile } from "../../kit/SecretOnce.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { auditRoute } from "./routes.ts"
import { SettingsTabs } from "./SettingsTabs.tsx"
import { settingsWords } from "./words.ts"

const useWho = () => {
  const words = settingsWords()
  return ({ actor, user, apiKey }: ProjectAuditEntry): string =>
    user?.email ?? (apiKey === null ? words.actors[actor] : words.apiKey(apiKey.name))
}

const detailsText = (details: ProjectAuditEntry["details"]) =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")

export const AuditPage = (): ReactNode => {
  const words = settingsWords()
  const projectId = useProjectId()
  const api = useApi()
  const { action, from, to } = auditRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/settings/audit" })
  const missing = useMissingRole("projects.audit")
  const who = useWho()
  const query = { ...(action && { action }), ...(from && { startDate: from }), ...(to && { endDate: to }) }
  const list = useList(
    ["audit", query],
    (client, position, options) => client.projects.audit(projectId, { ...query, limit: 50, ...position }, options),
    { enabled: missing === null }
  )
  const run = useMutation<void, PosthornError>({
    mutationFn: async () => {
      const { auditCsv } = await import("./auditCsv.ts")
      const entries: Array<ProjectAuditEntry> = []
      for await (const entry of api.projects.audit(projectId, { ...query, limit: 100 })) entries.push(entry)
      saveFile("audit.csv", auditCsv(entries), "text/csv")
      notify(words.exported(entries.length))
    }
  })
  const change = (changed: { readonly action?: string; readonly from?: string; readonly to?: string }) =>
    void navigate({
      search: (last) => {
        const next = { ...last, ...changed }
        return { action: next.action || undefined, from: next.from || undefined, to: next.to || undefined }
      },
      replace: true
    })
  const clear = () => void navigate({ search: {}, replace: true })
  const error = list.error ?? run.error
  const isFiltered = action !== undefined || from !== undefined || to !== undefined
  return (
    <Page
      title={words.audit}
      views={<Views page="audit" />}
      actions={
        <>
          <Button missing={missing} isPending={run.isPending} onPress={() => run.mutate()}>
            {words.exportCsv}
          </Button>
          <ShowCode call={{ operation: "projects.audit", path: [projectId], query }} />
        </>
      }
    >
      <SettingsTabs current="audit" />
      {missing === null && (
        <>
          <Row>
            <SearchBox label={words.action} value={action ?? ""} onChange={(text) => change({ action: text })} />
            <TextField label={words.from} type="date" value={from ?? ""} onChange={(text) => change({ from: text })} />
            <TextField label={words.to} type="date" value={to ?? ""} onChange={(text) => change({ to: text })} />
          </Row>
          <p>{words.actionHelp}</p>
        </>
      )}
      {error !== null && <Problem error={error} onRetry={list.retry} />}
      {missing !== null ? (
        <NeedsRole role={missing} about={words.noAudit} />
      ) : list.isLoading ? (
        <TableSkeleton />
      ) : list.rows.length === 0 ? (
        error === null && (isFiltered ? <NothingFits onClear={clear} /> : <Empty about={words.noAudit} />)
      ) : (
        <DataTable
          label={words.audit}
          rows={list.rows}
          total={list.total}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
          rowName={({ action: each }) => each}
          columns={[
            { id: "what", name: words.what, isFit: true, cell: ({ action: each }) => <code>{each}</code> },
            { id: "who", name: words.who, cell: (entry) => <Foreign>{who(entry)}</Foreign> },
            { id: "when", name: words.when, isFit: true, cell: ({ at }) => <Time at={at} /> },
            { id: "details", name: words.details, cell: ({ details }) => <Foreign>{detailsText(details)}</Foreign> }
          ]}
        />
      )}
    </Page>
  )
}
