/** Merges another contact into this one, after a look at what would move. */
import type { Contact } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ContactField } from "../../editor/ContactField.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Answer, Facts, Notice, Pair, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import { mergeWords } from "./mergeWords.ts"

type By = "email" | "externalId"

/** What the merge changes besides the two contacts. */
const changes = ["contacts", "events", "executions", "segments", "emails", "consents", "optIns", "topics"]

interface MergeProps {
  /** The contact that stays. */
  readonly contact: Contact
  readonly onClose: () => void
}

interface FoundProps extends MergeProps {
  /** The contact that goes. */
  readonly other: Contact
}

/** What would move, and the button that moves it. */
const Found = ({ contact, other, onClose }: FoundProps) => {
  const words = mergeWords()
  const { id } = contact
  const body = { contactId: other.id }
  const [typed, setTyped] = useState("")
  const [isWrong, setWrong] = useState(false)
  const counted = useRead(
    ["contacts", id, "merge", other.id],
    (api, options) => api.contacts.merge(id, { ...body, dryRun: true }, options),
    { staleTime: 0 }
  )
  const merge = useWrite((api) => api.contacts.merge(id, body), {
    changes,
    onDone: () => {
      notify(words.merged(other.email))
      onClose()
    }
  })
  const confirm = () => {
    if (typed.trim().toLowerCase() !== other.email.toLowerCase()) return setWrong(true)
    merge.mutate()
  }
  return (
    <Form
      className={kit.stack ?? ""}
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
      }}
    >
      <Answer of={counted} height={120}>
        {({ merged: { events, emails, executions, memberships } }) => (
          <>
            <Facts
              facts={[
                [words.goes, <Foreign key="goes">{other.email}</Foreign>],
                [words.stays, <Foreign key="stays">{contact.email}</Foreign>],
                [
                  words.moves,
                  <span key="moves" role="status">
                    {[
                      words.events(events),
                      words.emails(emails),
                      words.executions(executions),
                      words.memberships(memberships)
                    ].join(", ")}
                  </span>
                ]
              ]}
            />
            <p>{words.rules}</p>
            {contact.subscribed && !other.subscribed && <Notice tone="warning">{words.becomesUnsubscribed}</Notice>}
            <TextField
              label={words.type(other.email)}
              value={typed}
              isInvalid={isWrong}
              help={isWrong ? words.wrong(other.email) : undefined}
              autoComplete="off"
              autoFocus
              onChange={(text) => {
                setTyped(text)
                setWrong(false)
              }}
            />
          </>
        )}
      </Answer>
      {merge.error !== null && <Problem error={merge.error} />}
      <DialogButtons>
        <ShowCode call={{ operation: "contacts.merge", path: [id], body }} />
        <Button onPress={onClose}>{words.cancel}</Button>
        {counted.data !== undefined && (
          <Button kind="danger" type="submit" isPending={merge.isPending}>
            {words.merge}
          </Button>
        )}
      </DialogButtons>
    </Form>
  )
}

export const MergeDialog = ({ contact, onClose }: MergeProps): ReactNode => {
  const words = mergeWords()
  const [by, setBy] = useState<By>("email")
  const [name, setName] = useState("")
  const [asked, setAsked] = useState<{ readonly [B in By]?: string }>()
  const other = useRead(
    ["contacts", "merge", asked],
    (api, options) => api.contacts.list({ ...asked, limit: 1 }, options).page(),
    { enabled: asked !== undefined, staleTime: 0 }
  )
  const write = (text: string) => {
    setName(text)
    setAsked(undefined)
  }
  return (
    <Dialog title={words.title} role="alertdialog" isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Stack>
        <p>
          <Foreign>{words.about(contact.email)}</Foreign>
        </p>
        <Form
          className={kit.stack ?? ""}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== "") setAsked({ [by]: name.trim() })
          }}
        >
          <Pair>
            <Select<By>
              label={words.by}
              value={by}
              choices={(["email", "externalId"] as const).map((id) => ({ id, name: words.bys[id] }))}
              onChange={(id) => {
                setBy(id)
                write("")
              }}
            />
            {by === "email" ? (
              <ContactField label={words.email} value={name} onChange={write} isRequired autoFocus />
            ) : (
              <TextField label={words.externalId} value={name} onChange={write} maxLength={200} isRequired autoFocus />
            )}
          </Pair>
          {asked === undefined && (
            <DialogButtons>
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button kind="primary" type="submit">
                {words.find}
              </Button>
            </DialogButtons>
          )}
        </Form>
        {asked !== undefined && (
          <Answer of={other} height={160}>
            {({ data: [found] }) =>
              found === undefined || found.id === contact.id ? (
                <>
                  <Notice tone="warning">{found === undefined ? words.nobody : words.itself}</Notice>
                  <DialogButtons>
                    <Button onPress={onClose}>{words.cancel}</Button>
                  </DialogButtons>
                </>
              ) : (
                <Found key={found.id} contact={contact} other={found} onClose={onClose} />
              )
            }
          </Answer>
        )}
      </Stack>
    </Dialog>
  )
}
