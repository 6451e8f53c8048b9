import type { Contact, Segment } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { type Column, DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { Empty, NothingFits, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { segmentRoute } from "./routes.ts"
import { segmentWords } from "./words.ts"

const MembersForm = lazy(() => import("./MembersForm.tsx").then((module) => ({ default: module.MembersForm })))

/** Removal of one member, held back for eight seconds. */
const useRemoval = (segment: Segment) => {
  const words = segmentWords()
  const api = useApi()
  const forget = useForget()
  const [held, setHeld] = useState<ReadonlyArray<string>>([])
  const release = (email: string) => setHeld((last) => last.filter((each) => each !== email))
  const remove = (email: string) => {
    const run = async () => {
      await api.segments
        .removeMembers(segment.id, { emails: [email] })
        .orThrow()
        .catch(({ message }: Error) => notify(message))
      await forget("segments", "contacts")
      release(email)
    }
    setHeld((last) => [...last, email])
    holdBack(
      words.removing(email),
      () => void run(),
      () => release(email)
    )
  }
  return { held, remove }
}

export const Members = ({ segment }: { readonly segment: Segment }): ReactNode => {
  const words = segmentWords()
  const projectId = useProjectId()
  const { q } = segmentRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/segments/$segmentId" })
  const [mode, setMode] = useState<"add" | "remove">()
  const { held, remove } = useRemoval(segment)
  const isStatic = segment.type === "STATIC"
  const query = { segmentId: segment.id, ...(q !== undefined && { search: q }), limit: 50 }
  const list = useList(["contacts", "members", query], (api, position, options) =>
    api.contacts.query({ ...query, ...position }, options)
  )
  const rows = list.rows.filter(({ email }) => !held.includes(email))
  const search = (text: string | undefined) =>
    void navigate({ search: (last) => ({ ...last, q: text || undefined }), replace: true })
  const remover: Column<Contact> = {
    id: "actions",
    name: words.removeMember,
    isNameHidden: true,
    isFit: true,
    cell: ({ email }) => (
      <Button kind="quiet" onPress={() => remove(email)}>
        {words.removeMember}
      </Button>
    )
  }
  return (
    <Stack>
      <Row>
        <SearchBox label={words.searchMembers} value={q ?? ""} onChange={search} />
        {isStatic && (
          <>
            <Button kind="primary" onPress={() => setMode("add")}>
              {words.addMembers}
            </Button>
            <Button onPress={() => setMode("remove")}>{words.removeMembers}</Button>
          </>
        )}
      </Row>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        q === undefined ? (
          list.error === null && <Empty about={words.noMembers[segment.type]} />
        ) : (
          <NothingFits onClear={() => search(undefined)} />
        )
      ) : (
        <DataTable
          label={words.members}
          rows={rows}
          total={list.total}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
          href={({ id }) => hrefOf(pathOf(projectId, "contacts", id))}
          rowName={({ email }) => email}
          columns={[
            { id: "email", name: words.address, cell: ({ email }) => <Foreign>{email}</Foreign> },
            {
              id: "subscribed",
              name: words.subscribed,
              isFit: true,
              cell: ({ subscribed }) => (subscribed ? words.yes : words.no)
            },
            { id: "since", name: words.since, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ...(isStatic ? [remover] : [])
          ]}
        />
      )}
      <Dialog
        title={mode === "remove" ? words.removeMembers : words.addMembers}
        isOpen={mode !== undefined}
        onOpenChange={() => setMode(undefined)}
      >
        <Suspense>{mode !== undefined && <MembersForm segment={segment} mode={mode} />}</Suspense>
      </Dialog>
    </Stack>
  )
}
