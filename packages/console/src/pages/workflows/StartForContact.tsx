import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useApi, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { workflowWords } from "./words.ts"

export const StartForContact = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode => {
  const words = workflowWords()
  const api = useApi()
  const [given, setGiven] = useState("")
  const [isUnknown, setUnknown] = useState(false)
  const start = useWrite((_, contactId: string) => api.executions.start(id, { contactId }), {
    changes: ["workflows"],
    onDone: () => {
      onClose()
      notify(words.startDone)
    }
  })
  const submit = async () => {
    const text = given.trim()
    if (!text.includes("@")) return start.mutate(text)
    const found = await api.contacts.list({ search: text, limit: 10 }).page()
    const contact = found.data?.data.find(({ email }) => email.toLowerCase() === text.toLowerCase())
    if (contact === undefined) setUnknown(true)
    else start.mutate(contact.id)
  }
  return (
    <Dialog title={words.start} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        className={styles.stack ?? ""}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={words.startId}
          value={given}
          onChange={(text) => {
            setGiven(text)
            setUnknown(false)
          }}
          help={isUnknown ? words.noContact : undefined}
          isRequired
          autoFocus
        />
        {start.error !== null && <Problem error={start.error} />}
        <DialogButtons>
          <Button kind="primary" type="submit" isPending={start.isPending}>
            {words.start}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
