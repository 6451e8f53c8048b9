/** Sends one mail, by the endpoint that everybody uses. */
import { type ReactNode, useState } from "react"
import { useOpened } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { notify } from "../../kit/notices.ts"
import { mailWords } from "./words.ts"

interface SendTestProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** The address of the account by default. */
  readonly to?: string
}

const useSender = () => {
  const { project, user } = useOpened()
  const domains = useRead(["domains"], (api, options) => api.domains.list(project.id, options))
  const verified = domains.data?.find(({ verified }) => verified)?.domain
  return { from: verified === undefined ? "" : `hello@${verified}`, to: user.email, isKnown: !domains.isPending }
}

const TestForm = ({ from, to, close }: { readonly from: string; readonly to: string; readonly close: () => void }) => {
  const words = mailWords()
  const [fields, setFields] = useState({ to, from, subject: words.testSubject, text: words.testText })
  const send = useWrite((api, input: typeof fields) => api.emails.send(input), {
    changes: ["emails", "overview"],
    onDone: () => {
      close()
      notify(words.testSent)
    }
  })
  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    isRequired: true
  })
  const faults = faultsOf(send.error, Object.keys(fields))
  return (
    <DialogForm
      faults={faults}
      submit={words.send}
      isPending={send.isPending}
      code={<ShowCode call={{ operation: "send", body: fields }} />}
      onSubmit={() => send.mutate(fields)}
    >
      <TextField label={words.to} type="email" autoFocus {...field("to")} />
      <TextField label={words.from} type="email" {...field("from")} />
      <TextField label={words.subject} {...field("subject")} />
      <TextField label={words.text} rows={4} {...field("text")} />
    </DialogForm>
  )
}

export const SendTest = ({ isOpen, onOpenChange, to }: SendTestProps): ReactNode => {
  const { testTitle } = mailWords()
  const { isKnown, ...sender } = useSender()
  return (
    <Dialog title={testTitle} isOpen={isOpen && isKnown} onOpenChange={onOpenChange}>
      {(close) => <TestForm {...sender} to={to ?? sender.to} close={close} />}
    </Dialog>
  )
}
