import type { QueryContacts } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react"
import { ExportButton } from "../../app/ExportButton.tsx"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { Chips, SearchBox } from "../../kit/Navigation.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { ContactTabs } from "./ContactTabs.tsx"
import { conditionOf, selectionOf, selectOf } from "./filters.ts"
import { useHeld } from "./Held.ts"
import { contactsRoute } from "./routes.ts"
import { useColumns } from "./useColumns.tsx"
import { contactWords } from "./words.ts"

const AddContact = lazy(async () => ({ default: (await import("./AddContact.tsx")).AddContact }))
const ColumnChoice = lazy(async () => ({ default: (await import("./ColumnChoice.tsx")).ColumnChoice }))
const ConditionFilter = lazy(async () => ({ default: (await import("./ConditionFilter.tsx")).ConditionFilter }))
const ConditionSentence = lazy(async () => ({
  default: (await import("../../kit/conditions/ConditionBuilder.tsx")).ConditionSentence
}))
const Selected = lazy(async () => ({ default: (await import("./Selected.tsx")).Selected }))

export const ContactsPage = (): ReactNode => {
  const words = contactWords()
  const projectId = useProjectId()
  const search = contactsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/contacts" })
  const [open, setOpen] = useState<"add" | "columns" | "condition">()
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map())
  const { held } = useHeld()
  const missing = useMissing("contacts.upsert")
  const change = (changed: Partial<typeof search>) => {
    setSelected(new Map())
    void navigate({ search: (last) => ({ ...last, ...changed }), replace: true })
  }
  const clear = () => change({ q: undefined, state: undefined, segment: undefined, condition: undefined })
  const { sort = "createdAt", dir = "desc" } = search
  const chosen = useMemo(() => search.columns?.split(",").filter((key) => key !== "") ?? [], [search.columns])
  const condition = conditionOf(search.condition)
  const plain = {
    ...(search.q && { search: search.q }),
    ...(search.state && { subscribed: search.state === "subscribed" })
  }
  const filters = { ...plain, ...selectionOf(search.segment, condition) }
  const query: QueryContacts = { ...filters, sort, dir, limit: 100 }
  const list = useList(
    ["contacts", "query", query],
    (api, position, options) => api.contacts.query({ ...query, ...position }, options),
    { most: 20 }
  )
  const segments = useRead(["segments", "choices"], (api, options) => api.segments.list(options), {
    staleTime: 60_000
  })
  const columns = useColumns(chosen, sort)
  const rows = list.rows.filter(({ id }) => !held.includes(id))
  /** Rows that are selected may leave the memory. */
  const select = (ids: ReadonlySet<string>) => {
    const emails = new Map(rows.map(({ id, email }) => [id, email]))
    setSelected((before) => new Map([...ids].map((id) => [id, before.get(id) ?? emails.get(id) ?? ""])))
  }
  const { all: _, ...exported } = selectOf(filters)
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
          <ExportButton
            operation="contacts.exportSelected"
            file="contacts.csv"
            rows={(api) => api.contacts.exportSelected({ ...exported, format: "csv" })}
            words={words}
          />
          <ShowCode call={{ operation: "contacts.query", body: { ...filters, sort, dir } }} />
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
        <Button onPress={() => setOpen("condition")}>{words.condition}</Button>
        <Button onPress={() => setOpen("columns")}>{words.columns}</Button>
      </Row>
      <Chips
        onClear={clear}
        chips={[
          ...(search.segment === undefined
            ? []
            : [
                {
                  id: "segment",
                  name: words.segment,
                  text: <Foreign>{`${words.segment}: ${segmentName}`}</Foreign>,
                  onRemove: () => change({ segment: undefined })
                }
              ]),
          ...(condition === undefined
            ? []
            : [
                {
                  id: "condition",
                  name: words.condition,
                  text: (
                    <Suspense fallback={words.condition}>
                      <ConditionSentence tree={condition} />
                    </Suspense>
                  ),
                  onRemove: () => change({ condition: undefined })
                }
              ])
        ]}
      />
      <Suspense>
        {selected.size > 0 && (
          <Selected
            contacts={[...selected].map(([id, email]) => ({ id, email }))}
            query={query}
            total={list.total}
            onClear={() => setSelected(new Map())}
          />
        )}
        {open === "add" && <AddContact isOpen onOpenChange={() => setOpen(undefined)} />}
        {open === "condition" && (
          <ConditionFilter
            value={condition}
            onClose={() => setOpen(undefined)}
            onChange={(text) => change({ condition: text })}
          />
        )}
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
          selected={new Set(selected.keys())}
          onSelect={select}
          first={list.first}
          onBack={list.back}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
        />
      )}
    </Page>
  )
}
