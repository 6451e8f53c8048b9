import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Panel } from "../../kit/Dialog.tsx"
import { Bar, Facts, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Count, Foreign } from "../../kit/Text.tsx"
import { ContactTabs } from "./ContactTabs.tsx"
import { fieldWords } from "./fieldWords.ts"
import { fieldsRoute } from "./routes.ts"
import { contactWords } from "./words.ts"

const names = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name).join(", ")

const FieldPanel = ({ field, onClose }: { readonly field: string; readonly onClose: () => void }) => {
  const words = contactWords()
  const own = fieldWords()
  const missing = useMissing("contacts.deleteField")
  const [isDeleting, setDeleting] = useState(false)
  const usage = useRead(["contacts", "usage", field], (api, options) => api.contacts.fieldUsage(field, options))
  const values = useRead(["contacts", "values", field], (api, options) =>
    api.contacts.fieldValues(field, { limit: 50 }, options)
  )
  const remove = useWrite((api) => api.contacts.deleteField(field), {
    changes: ["contacts"],
    onDone: ({ deletedFrom }) => {
      notify(own.fieldDeleted(deletedFrom))
      onClose()
    }
  })
  const error = usage.error ?? values.error ?? remove.error
  const { usedInSegments = [], usedInCampaigns = [], usedInWorkflows = [], contactCount = 0 } = usage.data ?? {}
  const isUsed = usedInSegments.length + usedInCampaigns.length + usedInWorkflows.length > 0
  const ask = () => {
    if (!field.startsWith("data.")) notify(own.standard)
    else if (usage.data?.canDelete === false) notify(own.inUse)
    else setDeleting(true)
  }
  return (
    <Panel title={field} onClose={onClose}>
      <Stack>
        {error !== null && <Problem error={error} />}
        <h3>{own.usage}</h3>
        {usage.data === undefined ? (
          <Bar height={40} />
        ) : (
          <Facts
            facts={[
              [words.title, <Count key="count" value={contactCount} />],
              [own.usedBy.segments, <Foreign key="segments">{names(usedInSegments)}</Foreign>],
              [own.usedBy.campaigns, <Foreign key="campaigns">{names(usedInCampaigns)}</Foreign>],
              [own.usedBy.workflows, <Foreign key="workflows">{names(usedInWorkflows)}</Foreign>]
            ]}
          />
        )}
        {usage.data !== undefined && !isUsed && <p>{own.unused}</p>}
        <h3>{own.values}</h3>
        {values.data === undefined ? (
          <Bar height={80} />
        ) : values.data.values.length === 0 ? (
          <p>{own.noValues}</p>
        ) : (
          <ul>
            {values.data.values.map((value) => (
              <li key={`${typeof value} ${value}`}>
                <Foreign>{String(value)}</Foreign>
              </li>
            ))}
          </ul>
        )}
        <Button missing={missing} isPending={remove.isPending} onPress={ask}>
          {own.deleteField}
        </Button>
      </Stack>
      <ConfirmDialog
        title={own.deleteField}
        action={own.deleteField}
        typed={field}
        isDanger
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <Foreign>{own.deleteFieldAbout(field, contactCount)}</Foreign>
        </p>
      </ConfirmDialog>
    </Panel>
  )
}

export const FieldsPage = (): ReactNode => {
  const words = contactWords()
  const own = fieldWords()
  const projectId = useProjectId()
  const { field } = fieldsRoute.useSearch()
  const navigate = useNavigate()
  const { data, error, refetch } = useRead(["contacts", "fields"], (api, options) => api.contacts.fields(options))
  const open = (name?: string) =>
    void navigate({
      to: "/p/$projectId/contacts/fields",
      params: { projectId },
      search: name === undefined ? {} : { field: name },
      replace: true
    })
  return (
    <Page title={words.fields}>
      <ContactTabs current="fields" />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <TableSkeleton />
      ) : (
        <DataTable
          label={words.fields}
          rows={data.fields.map((each) => ({ ...each, id: each.field }))}
          total={data.count}
          rowName={({ id }) => id}
          columns={[
            {
              id: "field",
              name: words.fieldName,
              cell: ({ id }) => (
                <Button kind="quiet" onPress={() => open(id)}>
                  <Foreign>{id}</Foreign>
                </Button>
              )
            },
            { id: "type", name: words.type, isFit: true, cell: ({ type }) => words.typeNames[type] },
            { id: "coverage", name: own.coverage, isNumber: true, cell: ({ coverage }) => `${coverage}%` }
          ]}
        />
      )}
      {field !== undefined && <FieldPanel key={field} field={field} onClose={() => open()} />}
    </Page>
  )
}
