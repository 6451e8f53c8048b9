import type { PrivacyRequest } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { ConfirmDialog, Dialog, Panel } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Answer, Facts, Problem, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { RequestState } from "./RequestState.tsx"
import { privacyWords } from "./words.ts"

const changes = ["privacyRequests", "contacts"] as const

const Refuse = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const words = privacyWords()
  const [note, setNote] = useState("")
  const refuse = useWrite((api) => api.privacyRequests.refuse(id, { note }), {
    changes,
    onDone: () => {
      notify(words.refusedNow)
      onClose()
    }
  })
  return (
    <Dialog title={words.refuse} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(refuse.error, ["note"])}
        submit={words.refuse}
        isPending={refuse.isPending}
        code={<ShowCode call={{ operation: "privacyRequests.refuse", path: [id], body: { note } }} />}
        onSubmit={() => refuse.mutate()}
      >
        <p>{words.refuseAbout}</p>
        <TextField
          label={words.reason}
          help={words.reasonHelp}
          name="note"
          rows={4}
          value={note}
          onChange={setNote}
          maxLength={500}
          isRequired
          autoFocus
        />
      </DialogForm>
    </Dialog>
  )
}

/** The buttons of a request that waits. */
const Answers = ({ id, email }: PrivacyRequest) => {
  const words = privacyWords()
  const [asks, setAsks] = useState<"erase" | "refuse">()
  const mayNotErase = useMissing("privacyRequests.complete")
  const mayNotRefuse = useMissing("privacyRequests.refuse")
  const erase = useWrite((api) => api.privacyRequests.complete(id), {
    changes,
    onDone: () => notify(words.erasedNow)
  })
  const close = () => setAsks(undefined)
  return (
    <>
      {erase.error !== null && <Problem error={erase.error} />}
      <Row>
        <Button kind="danger" missing={mayNotErase} isPending={erase.isPending} onPress={() => setAsks("erase")}>
          {words.erase}
        </Button>
        <Button missing={mayNotRefuse} onPress={() => setAsks("refuse")}>
          {words.refuse}
        </Button>
      </Row>
      {asks === "erase" && (
        <ConfirmDialog
          title={words.erase}
          action={words.erase}
          isDanger
          typed={email ?? undefined}
          isOpen
          onOpenChange={close}
          onConfirm={() => erase.mutate()}
        >
          <p>
            <Foreign>{words.eraseAbout(email ?? words.person)}</Foreign>
          </p>
        </ConfirmDialog>
      )}
      {asks === "refuse" && <Refuse id={id} onClose={close} />}
    </>
  )
}

const Shown = ({ request }: { readonly request: PrivacyRequest }) => {
  const words = privacyWords()
  const projectId = useProjectId()
  const { id, contactId, email, type, status, note } = request
  const time = (name: string, at: string | null) => at !== null && ([name, <Time key={name} at={at} />] as const)
  return (
    <>
      <Facts
        facts={[
          [words.person, <Foreign key="person">{email ?? words.erased}</Foreign>],
          contactId !== null && [
            words.contact,
            <Link key="contact" to="/p/$projectId/contacts/$contactId" params={{ projectId, contactId }}>
              {words.open(email ?? contactId)}
            </Link>
          ],
          [words.type, words.types[type]],
          [words.state, <RequestState key="state" status={status} />],
          time(words.requested, request.requestedAt),
          time(words.confirmed, request.confirmedAt),
          time(words.due, request.dueAt),
          time(words.ended, request.completedAt),
          note !== null && [words.note, <Foreign key="note">{note}</Foreign>],
          [words.id, id]
        ]}
      />
      <p>{words.meanings[status]}</p>
      {status === "OPEN" && <Answers {...request} />}
    </>
  )
}

export const RequestPanel = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode => {
  const words = privacyWords()
  const request = useRead(["privacyRequests", id], (api, options) => api.privacyRequests.get(id, options))
  return (
    <Panel title={words.title} onClose={onClose}>
      <Answer of={request} height={240}>
        {(found) => <Shown request={found} />}
      </Answer>
    </Panel>
  )
}
