/** The versions of a workflow, newest first. Each is compared with what is edited, and can come back. */
import type { WorkflowDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { useMissing } from "../../app/Permission.ts"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Empty, Problem, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { Differences } from "./Differences.tsx"
import { workflowWords } from "./words.ts"

interface VersionsProps {
  readonly workflow: WorkflowDetail
  readonly onRestored: (stored: WorkflowDetail) => void
}

export const Versions = ({ workflow, onRestored }: VersionsProps): ReactNode => {
  const words = workflowWords()
  const { versions: texts } = words
  const { id } = workflow
  const missing = useMissing("workflows.restore")
  const [compared, setCompared] = useState<number>()
  const [restored, setRestored] = useState<number>()
  const versions = useList(["workflows", id, "versions"], (api, position, options) =>
    api.workflows.versions(id, { pageSize: 50, ...position }, options)
  )
  const restore = useWrite((api, version: number) => api.workflows.restore(id, String(version)), {
    changes: ["workflows"],
    onDone: (stored, version) => {
      notify(texts.restored(version))
      onRestored(stored)
    }
  })
  if (versions.error !== null) return <Problem error={versions.error} onRetry={versions.retry} />
  if (versions.isLoading) return <TableSkeleton rows={3} />
  if (versions.rows.length === 0) return <Empty about={texts.empty} />
  return (
    <>
      {restore.error !== null && <Problem error={restore.error} />}
      <DataTable
        label={texts.title}
        rows={versions.rows.map((row) => ({ ...row, id: String(row.version) }))}
        total={versions.total}
        hasMore={versions.hasMore}
        isLoadingMore={versions.isLoadingMore}
        onMore={versions.more}
        rowName={({ version }) => texts.name(version)}
        columns={[
          { id: "version", name: texts.version, isFit: true, cell: ({ version }) => texts.name(version) },
          { id: "note", name: texts.note, cell: ({ note }) => <Foreign>{note}</Foreign> },
          { id: "at", name: texts.at, isFit: true, cell: ({ publishedAt }) => <Time at={publishedAt} /> },
          { id: "by", name: texts.by, isFit: true, cell: ({ publishedBy }) => texts.authors[publishedBy.kind] },
          { id: "live", name: words.live, isFit: true, cell: (row) => <Count value={row.liveExecutions} /> },
          {
            id: "restore",
            name: texts.restore,
            isNameHidden: true,
            isFit: true,
            cell: ({ version }) => (
              <Row>
                <Button onPress={() => setCompared(version)}>{texts.changes}</Button>
                <Button missing={missing} onPress={() => setRestored(version)}>
                  {texts.restore}
                </Button>
              </Row>
            )
          }
        ]}
      />
      {compared !== undefined && (
        <Differences workflow={workflow} version={compared} onClose={() => setCompared(undefined)} />
      )}
      <ConfirmDialog
        title={texts.restoreTitle(restored ?? 0)}
        action={texts.restore}
        isOpen={restored !== undefined}
        onOpenChange={(isOpen) => !isOpen && setRestored(undefined)}
        onConfirm={() => restored !== undefined && restore.mutate(restored)}
      >
        <p>{workflow.versioning === "PUBLISHED" ? texts.restoreDraft : texts.restoreLive}</p>
      </ConfirmDialog>
    </>
  )
}
