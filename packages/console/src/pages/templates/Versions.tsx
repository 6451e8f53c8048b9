/** The versions of a template or a piece, newest first. Each is compared with the live one, and can be live again. */
import type { Partial as Piece, PosthornError, Template } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Bar, Problem, Row } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import { pieceText, templateText } from "./comparable.ts"
import { templateWords } from "./words.ts"

const Compare = lazy(async () => ({ default: (await import("../../editor/Compare.tsx")).Compare }))

type Kind = "templates" | "partials"

const nouns = { templates: "template", partials: "partials" } as const

const textOf = (record: Template | Piece) => ("subject" in record ? templateText(record) : pieceText(record))

const useVersion = (kind: Kind, id: string, version: number) =>
  useRead<Template | Piece>([nouns[kind], id, "version", version], (api, options) =>
    kind === "templates"
      ? api.templates.version(id, String(version), options)
      : api.partials.version(id, String(version), options)
  )

interface ComparedProps {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly live: number
  readonly onRestore: () => void
  readonly onClose: () => void
}

const Compared = ({ kind, id, version, live, onRestore, onClose }: ComparedProps) => {
  const words = templateWords()
  const [then, now] = [useVersion(kind, id, version), useVersion(kind, id, live)]
  const error = then.error ?? now.error
  return (
    <Dialog title={words.compare} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {error !== null ? (
        <Problem error={error} />
      ) : then.data === undefined || now.data === undefined ? (
        <Bar height={240} />
      ) : (
        <Suspense fallback={<Bar height={240} />}>
          <Compare
            names={[words.versionName(version), words.live(live)]}
            before={textOf(then.data)}
            after={textOf(now.data)}
          />
        </Suspense>
      )}
      <DialogButtons>
        <Button onPress={onRestore}>{words.restore}</Button>
      </DialogButtons>
    </Dialog>
  )
}

const hasMoved = (error: PosthornError | null) => error?.details?.["reason"] === "version_changed"

interface VersionsProps {
  readonly kind: Kind
  readonly record: Template | Piece
  readonly onRestored: () => Promise<void>
}

export const Versions = ({ kind, record, onRestored }: VersionsProps): ReactNode => {
  const words = templateWords()
  const { id } = record
  const missing = useMissing(`${kind}.restore`)
  const [compared, setCompared] = useState<number | null>(null)
  const versions = useList([nouns[kind], id, "versions"], (api, position, options) =>
    kind === "templates"
      ? api.templates.versions(id, { pageSize: 50, ...position }, options)
      : api.partials.versions(id, { pageSize: 50, ...position }, options)
  )
  const restore = useWrite<Template | Piece, { readonly version: number; readonly isForced: boolean }>(
    (api, { version, isForced }) => {
      const body = isForced ? {} : { expectedVersion: record.version }
      return kind === "templates"
        ? api.templates.restore(id, String(version), body)
        : api.partials.restore(id, String(version), body)
    },
    {
      onDone: async (_, { version }) => {
        notify(words.restored(version))
        await onRestored()
      }
    }
  )
  if (versions.error !== null) return <Problem error={versions.error} onRetry={versions.retry} />
  if (versions.isLoading) return <TableSkeleton rows={3} />
  return (
    <>
      {restore.error !== null && !hasMoved(restore.error) && <Problem error={restore.error} />}
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
                <Row>
                  <Button onPress={() => setCompared(version)}>{words.compareLive}</Button>
                  <Button missing={missing} onPress={() => restore.mutate({ version, isForced: false })}>
                    {words.restore}
                  </Button>
                </Row>
              )
          }
        ]}
      />
      {compared !== null && (
        <Compared
          kind={kind}
          id={id}
          version={compared}
          live={record.version}
          onRestore={() => {
            setCompared(null)
            restore.mutate({ version: compared, isForced: false })
          }}
          onClose={() => setCompared(null)}
        />
      )}
      <ConfirmDialog
        title={words.movedMeanwhile}
        action={words.restore}
        isOpen={hasMoved(restore.error)}
        onOpenChange={(isOpen) => !isOpen && restore.reset()}
        onConfirm={() => restore.variables && restore.mutate({ ...restore.variables, isForced: true })}
      >
        <p>{words.movedText}</p>
      </ConfirmDialog>
    </>
  )
}
