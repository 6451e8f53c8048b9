import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
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
import { State } from "../../kit/Marks.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Areas } from "./Areas.tsx"
import { templatesRoute } from "./routes.ts"
import { templateWords } from "./words.ts"

const CreateTemplate = lazy(async () => ({ default: (await import("./CreateTemplate.tsx")).CreateTemplate }))

type TypeFilter = "" | "TRANSACTIONAL" | "MARKETING" | "HEADLESS"

export const TemplatesPage = (): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const search = templatesRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/templates" })
  const missing = useMissing("templates.create")
  const [isCreating, setCreating] = useState(false)
  const { q, type } = search
  const query = {
    ...(q !== undefined && { search: q }),
    ...(type !== undefined && { type }),
    sort: "updatedAt" as const
  }
  const templates = useList(["templates", "list", search], (api, position, options) =>
    api.templates.list({ ...query, pageSize: 50, ...position }, options)
  )
  const filter = (change: { readonly q?: string | undefined; readonly type?: Exclude<TypeFilter, ""> | undefined }) =>
    void navigate({ search: { ...search, ...change }, replace: true })
  const isFiltered = q !== undefined || type !== undefined
  const isEmpty = templates.rows.length === 0
  const create = (
    <Button kind="primary" missing={missing} onPress={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <Page
      title={words.templates}
      views={<Views page="templates" />}
      actions={
        <>
          {(templates.isLoading || !isEmpty || isFiltered) && create}
          <ShowCode call={{ operation: "templates.list", query }} />
        </>
      }
    >
      <Areas current="templates" />
      {(!isEmpty || isFiltered) && (
        <Row>
          <SearchBox label={words.search} value={q ?? ""} onChange={(text) => filter({ q: text || undefined })} />
          <Select
            label={words.type}
            isLabelHidden
            choices={[
              { id: "" as TypeFilter, name: words.allTypes },
              ...(["TRANSACTIONAL", "MARKETING", "HEADLESS"] as const).map((id) => ({ id, name: words.types[id] }))
            ]}
            value={type ?? ""}
            onChange={(chosen) => filter({ type: chosen === "" ? undefined : chosen })}
          />
        </Row>
      )}
      {templates.error !== null ? (
        <Problem error={templates.error} onRetry={templates.retry} />
      ) : templates.isLoading ? (
        <TableSkeleton />
      ) : isEmpty ? (
        isFiltered ? (
          <NothingFits onClear={() => filter({ q: undefined, type: undefined })} />
        ) : (
          <Empty about={words.about} action={create} />
        )
      ) : (
        <DataTable
          label={words.templates}
          rows={templates.rows}
          total={templates.total}
          href={({ id }) => hrefOf(pathOf(projectId, "templates", id))}
          rowName={({ name }) => name}
          hasMore={templates.hasMore}
          isLoadingMore={templates.isLoadingMore}
          onMore={templates.more}
          columns={[
            {
              id: "name",
              name: words.name,
              cell: ({ id, name }) => (
                <Link to="/p/$projectId/templates/$templateId" params={{ projectId, templateId: id }}>
                  <Foreign>{name}</Foreign>
                </Link>
              )
            },
            { id: "subject", name: words.subject, cell: ({ subject }) => <Foreign>{subject}</Foreign> },
            { id: "type", name: words.type, isFit: true, cell: ({ type }) => words.types[type] },
            { id: "version", name: words.version, isNumber: true, isFit: true, cell: ({ version }) => version },
            {
              id: "state",
              name: words.state,
              isFit: true,
              cell: ({ draft }) =>
                draft === null ? (
                  <State shape="dot" tone="good">
                    {words.isLive}
                  </State>
                ) : (
                  <State shape="ring" tone="warning">
                    {words.draft}
                  </State>
                )
            },
            { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
          ]}
        />
      )}
      {isCreating && (
        <Suspense>
          <CreateTemplate onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  )
}
