import type { Contact, ContactsExportQuery, PosthornError, QueryContacts } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useRead } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { type Column, DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { download } from "../../kit/download.ts"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { Chips, SearchBox, TabLinks } from "../../kit/Navigation.tsx"
import { bytesText, Foreign, Time } from "../../kit/Text.tsx"
import { useHeld } from "./Held.ts"
import { contactsRoute } from "./routes.ts"
import { Subscription } from "./Subscription.tsx"
import { textOf } from "./Values.ts"
import { contactWords } from "./words.ts"

const AddContact = lazy(async () => ({ default: (await import("./AddContact.tsx")).AddContact }))
const ColumnChoice = lazy(async () => ({ default: (await import("./ColumnChoice.tsx")).ColumnChoice }))
const Selected = lazy(async () => ({ default: (await import("./Selected.tsx")).Selected }))

const Export = ({ query }: { readonly query: ContactsExportQuery }) => {
  const words = contactWords()
  const api = useApi()
  const missing = useMissing("contacts.export")
  const [bytes, setBytes] = useState(0)
  const run = useMutation<void, PosthornError>({
    mutationFn: () => download("contacts.csv", "text/csv", api.contacts.export({ ...query, format: "csv" }), setBytes)
  })
  return (
    <>
      <Button missing={missing} isPending={run.isPending} onPress={() => run.mutate()}>
        {run.isPending ? words.exporting(bytesText(bytes)) : words.export}
      </Button>
      {run.error !== null && <Problem error={run.error} />}
    </>
  )
}

/** The tabs of the pages about all contacts. */
export const ContactTabs = ({ current }: { readonly current: "list" | "fields" }): ReactNode => {
  const words = contactWords()
  const params = { projectId: useProjectId() }
  return (
    <TabLinks
      label={words.title}
      current={current}
      tabs={[
        { id: "list", name: words.title, link: { to: "/p/$projectId/contacts", params } },
        { id: "fields", name: words.fields, link: { to: "/p/$projectId/contacts/fields", params } }
      ]}
    />
  )
}

const useColumns = (keys: ReadonlyArray<string>, sort: "createdAt" | "updatedAt" | "email") => {
  const words = contactWords()
  const projectId = useProjectId()
  const columns: ReadonlyArray<Column<Contact>> = [
    {
      id: "email",
      name: words.address,
      isSortable: true,
      cell: ({ id, email }) => (
        <Link to="/p/$projectId/contacts/$contactId" params={{ projectId, contactId: id }}>
          <Foreign>{email}</Foreign>
        </Link>
      )
    },
    { id: "state", name: words.state, isFit: true, cell: ({ subscribed }) => <Subscription subscribed={subscribed} /> },
    ...keys.map((key) => ({
      id: `data.${key}`,
      name: key,
      cell: ({ data }: Contact) => <Foreign>{textOf(data[key])}</Foreign>
    })),
    ...(sort === "updatedAt"
      ? [
          {
            id: "updatedAt",
            name: words.updated,
            isFit: true,
            isSortable: true,
            cell: ({ updatedAt }: Contact) => <Time at={updatedAt} />
          }
        ]
      : []),
    {
      id: "createdAt",
      name: words.created,
      isFit: true,
      isSortable: true,
      cell: ({ createdAt }) => <Time at={createdAt} />
    }
  ]
  return columns
}

export const ContactsPage = (): ReactNode => {
  const words = contactWords()
  const projectId = useProjectId()
  const search = contactsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/contacts" })
  const [open, setOpen] = useState<"add" | "columns">()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { held } = useHeld()
  const missing = useMissing("contacts.upsert")
  const change = (changed: Partial<typeof search>) => {
    setSelected(new Set())
    void navigate({ search: (last) => ({ ...last, ...changed }), replace: true })
  }
  const clear = () => change({ q: undefined, state: undefined, segment: undefined })
  const { sort = "createdAt", dir = "desc" } = search
  const chosen = search.columns?.split(",").filter((key) => key !== "") ?? []
  const filters = {
    ...(search.q && { search: search.q }),
    ...(search.state && { subscribed: search.state === "subscribed" }),
    ...(search.segment && { segmentId: search.segment })
  }
  const query: QueryContacts = { ...filters, sort, dir, limit: 100 }
  const list = useList(["contacts", "query", query], (api, position, options) =>
    api.contacts.query({ ...query, ...position }, options)
  )
  const segments = useRead(["segments", "choices"], (api, options) => api.segments.list(options), {
    staleTime: 60_000
  })
  const columns = useColumns(chosen, sort)
  const rows = list.rows.filter(({ id }) => !held.includes(id))
  const isFiltered = Object.keys(filters).length > 0
  const isEmpty = !list.isLoading && !isFiltered && list.error === null && rows.length === 0
  const segmentName = segments.data?.find(({ id }) => id === search.segment)?.name ?? search.segment
  const add = (
    <Button missing={missing} kind="primary" onPress={() => setOpen("add")}>
      {words.add}
    </Button>
  )
  const importLink = (
    <Link to="/p/$projectId/contacts/import" params={{ projectId }} className={buttonClass("plain")}>
      {words.import}
    </Link>
  )
  return (
    <Page
      title={words.title}
      views={<Views page="contacts" />}
      actions={
        <>
          {!isEmpty && add}
          {!isEmpty && importLink}
          <Export query={filters} />
        </>
      }
    >
      <ContactTabs current="list" />
      <Row>
        <SearchBox label={words.search} value={search.q ?? ""} onChange={(q) => change({ q: q || undefined })} />
        <Select
          label={words.state}
          isLabelHidden
          value={search.state ?? ""}
          choices={[
            { id: "" as const, name: words.anyState },
            ...(["subscribed", "unsubscribed"] as const).map((id) => ({ id, name: words.states[id] }))
          ]}
          onChange={(id) => change({ state: id === "" ? undefined : id })}
        />
        {segments.data !== undefined && segments.data.length > 0 && (
          <Select
            label={words.segment}
            isLabelHidden
            value={search.segment ?? ""}
            choices={[{ id: "", name: words.anySegment }, ...segments.data.map(({ id, name }) => ({ id, name }))]}
            onChange={(id) => change({ segment: id || undefined })}
          />
        )}
        <Button onPress={() => setOpen("columns")}>{words.columns}</Button>
      </Row>
      <Chips
        onClear={clear}
        chips={
          search.segment === undefined
            ? []
            : [
                {
                  id: "segment",
                  name: words.segment,
                  text: <Foreign>{`${words.segment}: ${segmentName}`}</Foreign>,
                  onRemove: () => change({ segment: undefined })
                }
              ]
        }
      />
      <Suspense>
        {selected.size > 0 && (
          <Selected contacts={rows.filter(({ id }) => selected.has(id))} onClear={() => setSelected(new Set())} />
        )}
        {open === "add" && <AddContact isOpen onOpenChange={() => setOpen(undefined)} />}
        {open === "columns" && (
          <ColumnChoice
            isOpen
            onOpenChange={() => setOpen(undefined)}
            chosen={chosen}
            onChange={(keys) => change({ columns: keys.join(",") || undefined })}
          />
        )}
      </Suspense>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        list.error !== null ? null : isFiltered ? (
          <NothingFits onClear={clear} />
        ) : (
          <Empty
            about={words.empty}
            action={
              <Row>
                {add}
                {importLink}
              </Row>
            }
          />
        )
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={rows}
          total={list.total === null ? null : list.total - (list.rows.length - rows.length)}
          href={({ id }) => hrefOf(pathOf(projectId, "contacts", id))}
          rowName={({ email }) => email}
          sort={{ column: sort, direction: dir === "asc" ? "ascending" : "descending" }}
          onSort={({ column, direction }) =>
            change({
              sort: column === "createdAt" ? undefined : (column as "updatedAt" | "email"),
              dir: direction === "ascending" ? "asc" : undefined
            })
          }
          selected={selected}
          onSelect={setSelected}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
        />
      )}
    </Page>
  )
}
