import type { Form } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { type Column, DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { FormState } from "./FormState.tsx"
import { formWords } from "./words.ts"

const useColumns = (): ReadonlyArray<Column<Form>> => {
  const words = formWords()
  const projectId = useProjectId()
  const numbers = [
    ["submissionCount", words.submissions],
    ["confirmedCount", words.confirmed],
    ["spamCount", words.spam]
  ] as const
  return [
    {
      id: "name",
      name: words.name,
      cell: ({ id, name }) => (
        <Link to="/p/$projectId/forms/$formId" params={{ projectId, formId: id }}>
          <Foreign>{name}</Foreign>
        </Link>
      )
    },
    { id: "state", name: words.state, isFit: true, cell: ({ enabled }) => <FormState enabled={enabled} /> },
    ...numbers.map(([id, name]) => ({
      id,
      name,
      isNumber: true,
      isFit: true,
      cell: (form: Form) => <Count value={form[id]} />
    })),
    { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
  ]
}

const NewForm = ({ onClose }: { readonly onClose: () => void }) => {
  const words = formWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [key, setKey] = useState("")
  const body = { name: name.trim(), ...(key !== "" && { key }) }
  const create = useWrite((api) => api.forms.create(body), {
    changes: ["forms"],
    onDone: ({ id }) => void navigate({ to: "/p/$projectId/forms/$formId", params: { projectId, formId: id } })
  })
  return (
    <Dialog title={words.create} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(create.error, ["name", "key"])}
        submit={words.createButton}
        isPending={create.isPending}
        code={<ShowCode call={{ operation: "forms.create", body }} />}
        onSubmit={() => create.mutate()}
      >
        <TextField
          label={words.name}
          help={words.nameHelp}
          name="name"
          value={name}
          onChange={setName}
          maxLength={100}
          isRequired
          autoFocus
        />
        <TextField label={words.key} help={words.keyHelp} name="key" value={key} onChange={setKey} maxLength={64} />
      </DialogForm>
    </Dialog>
  )
}

export const FormsPage = (): ReactNode => {
  const words = formWords()
  const projectId = useProjectId()
  const missing = useMissing("forms.create")
  const [isMaking, setMaking] = useState(false)
  const columns = useColumns()
  const forms = useRead(["forms", "list"], (api, options) => api.forms.list(options), { every: 15_000 })
  const isEmpty = forms.data?.length === 0
  const create = (
    <Button kind="primary" missing={missing} onPress={() => setMaking(true)}>
      {words.create}
    </Button>
  )
  return (
    <Page
      title={words.title}
      actions={
        <>
          {!isEmpty && create}
          <ShowCode call={{ operation: "forms.list" }} />
        </>
      }
    >
      {forms.error !== null && <Problem error={forms.error} onRetry={() => void forms.refetch()} />}
      {forms.data === undefined ? (
        forms.error === null && <TableSkeleton />
      ) : isEmpty ? (
        <Empty about={words.about} action={create} />
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={forms.data}
          href={({ id }) => hrefOf(pathOf(projectId, "forms", id))}
          rowName={({ name }) => name}
        />
      )}
      {isMaking && <NewForm onClose={() => setMaking(false)} />}
    </Page>
  )
}
