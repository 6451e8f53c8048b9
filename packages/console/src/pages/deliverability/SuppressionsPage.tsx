import type { AddedSuppressions } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { ExportButton } from "../../app/ExportButton.tsx"
import { useList } from "../../app/Lists.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { ListField, linesOf } from "../../kit/ListField.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { suppressionsRoute } from "./routes.ts"
import { deliverabilityWords } from "./words.ts"

const AddAddresses = ({ onDone }: { readonly onDone: () => void }) => {
  const words = deliverabilityWords()
  const [emails, setEmails] = useState<ReadonlyArray<string>>([])
  const [note, setNote] = useState("")
  const body = { emails: linesOf(emails), ...(note !== "" && { note }) }
  const add = useWrite((api) => api.suppressions.add(body), {
    changes: ["suppressions"],
    onDone: (answer) => {
      notify(words.added((answer as AddedSuppressions).added))
      onDone()
    }
  })
  const faults = faultsOf(add.error, ["emails", "note"])
  return (
    <DialogForm
      faults={faults}
      submit={words.addAddresses}
      isPending={add.isPending}
      code={<ShowCode call={{ operation: "suppressions.add", body }} />}
      onSubmit={() => add.mutate()}
    >
      <ListField label={words.addresses} help={words.addressesHelp} name="emails" value={emails} onChange={setEmails} />
      <TextField label={words.note} name="note" value={note} onChange={setNote} />
    </DialogForm>
  )
}

export const SuppressionsPage = (): ReactNode => {
  const words = deliverabilityWords()
  const projectId = useProjectId()
  const { q, reason } = suppressionsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/suppressions" })
  const [isAdding, setAdding] = useState(false)
  const mayNotAdd = useMissing("suppressions.add")
  const [lifted, setLifted] = useState<string>()
  const missing = useMissing("suppressions.remove")
  const query = { ...(q && { search: q }), ...(reason && { reason }) }
  const list = useList(["suppressions", query], (api, position, options) =>
    api.suppressions.list({ ...query, limit: 50, ...position }, options)
  )
  const lift = useWrite((api, email: string) => api.suppressions.remove(email), {
    changes: ["suppressions"],
    onDone: (_, email) => notify(words.lifted(email))
  })
  const isFiltered = q !== undefined || reason !== undefined
  const add = (
    <Button missing={mayNotAdd} kind="primary" onPress={() => setAdding(true)}>
      {words.addAddresses}
    </Button>
  )
  const error = list.error ?? lift.error
  return (
    <Page
      title={words.suppressions}
      views={<Views page="suppressions" />}
      actions={
        <>
          {add}
          <ExportButton
            operation="suppressions.export"
            file="suppressions.csv"
            rows={(api) => api.suppressions.export({ ...query, format: "csv" })}
            words={words}
          />
          <ShowCode call={{ operation: "suppressions.list", query }} />
        </>
      }
    >
      <Row>
        <SearchBox
          label={words.search}
          value={q ?? ""}
          onChange={(text) => void navigate({ search: (last) => ({ ...last, q: text || undefined }), replace: true })}
        />
        <Select
          label={words.reason}
          isLabelHidden
          value={reason ?? ""}
          choices={[
            { id: "" as const, name: words.anyReason },
            ...(["HARD_BOUNCE", "COMPLAINT", "MANUAL"] as const).map((id) => ({ id, name: words.reasons[id] }))
          ]}
          onChange={(id) =>
            void navigate({ search: (last) => ({ ...last, reason: id === "" ? undefined : id }), replace: true })
          }
        />
      </Row>
      {error !== null && <Problem error={error} onRetry={list.retry} />}
      {list.isLoading ? (
        <TableSkeleton />
      ) : list.rows.length === 0 ? (
        isFiltered ? (
          <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
        ) : (
          <Empty about={words.noSuppressions} />
        )
      ) : (
        <DataTable
          label={words.suppressions}
          rows={list.rows}
          total={list.total}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
          rowName={({ email }) => email ?? words.erased}
          columns={[
            { id: "email", name: words.address, cell: ({ email }) => <Foreign>{email ?? words.erased}</Foreign> },
            { id: "reason", name: words.reason, isFit: true, cell: ({ reason: each }) => words.reasons[each] },
            { id: "since", name: words.since, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { id: "note", name: words.note, cell: ({ note }) => <Foreign>{note}</Foreign> },
            {
              id: "cause",
              name: words.cause,
              isFit: true,
              cell: ({ emailId }) =>
                emailId !== null && (
                  <Link to="/p/$projectId/mails/$mailId" params={{ projectId, mailId: emailId }}>
                    {words.openMail}
                  </Link>
                )
            },
            {
              id: "actions",
              name: words.lift,
              isNameHidden: true,
              isFit: true,
              cell: ({ email }) =>
                email !== null && (
                  <Button kind="quiet" missing={missing} onPress={() => setLifted(email)}>
                    {words.lift}
                  </Button>
                )
            }
          ]}
        />
      )}
      <Dialog title={words.addAddresses} isOpen={isAdding} onOpenChange={setAdding}>
        <AddAddresses onDone={() => setAdding(false)} />
      </Dialog>
      {lifted !== undefined && (
        <ConfirmDialog
          title={words.lift}
          action={words.lift}
          isOpen
          onOpenChange={() => setLifted(undefined)}
          onConfirm={() => lift.mutate(lifted)}
        >
          <p>
            <Foreign>{words.liftAbout(lifted)}</Foreign>
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
