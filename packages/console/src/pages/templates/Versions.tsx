/** The versions of a template, newest first. An earlier one can be made live again. */
import type { Template } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { useMissingRole } from "../../app/Permission.ts"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import { templateWords } from "./words.ts"

interface VersionsProps {
  readonly template: Template
  readonly onRestored: () => Promise<void>
}

export const Versions = ({ template, onRestored }: VersionsProps): ReactNode => {
  const words = templateWords()
  const missing = useMissingRole("templates.restore")
  const versions = useList(["template", template.id, "versions"], (api, position, options) =>
    api.templates.versions(template.id, { pageSize: 50, ...position }, options)
  )
  const restore = useWrite(
    (api, version: number) =>
      api.templates.restore(template.id, String(version), { expectedVersion: template.version }),
    {
      onDone: async (_, version) => {
        notify(words.restored(version))
        await onRestored()
      }
    }
  )
  if (versions.error !== null) return <Problem error={versions.error} onRetry={versions.retry} />
  if (versions.isLoading) return <TableSkeleton rows={3} />
  return (
    <>
      {restore.error !== null && <Problem error={restore.error} />}
      <DataTable
        label={words.view.versions}
        rows={versions.rows.map((row) => ({ ...row, id: String(row.version) }))}
        total={versions.total}
        hasMore={versions.hasMore}
        isLoadingMore={versions.isLoadingMore}
        onMore={versions.more}
        rowName={({ version }) => words.versionName(version)}
        columns={[
          {
            id: "version",
            name: words.version,
            cell: ({ version, restoredFrom }) => (
              <span>
                {words.versionName(version)}
                {restoredFrom !== null && ` (${words.restoredFrom(restoredFrom)})`}
              </span>
            )
          },
          {
            id: "state",
            name: words.state,
            isFit: true,
            cell: ({ live }) => (
              <State shape={live ? "dot" : "bar"} tone={live ? "good" : "neutral"}>
                {live ? words.isLive : words.earlier}
              </State>
            )
          },
          { id: "author", name: words.author, isFit: true, cell: ({ actor }) => words.authors[actor.type] },
          { id: "at", name: words.changed, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            id: "restore",
            name: words.restore,
            isNameHidden: true,
            isFit: true,
            cell: ({ live, version }) =>
              live ? null : (
                <Button missing={missing} onPress={() => restore.mutate(version)}>
                  {words.restore}
                </Button>
              )
          }
        ]}
      />
    </>
  )
}
