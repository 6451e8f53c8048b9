import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { contactWords } from "./words.ts"

const AddForm = ({ onDone }: { readonly onDone: () => void }) => {
  const words = contactWords()
  const [email, setEmail] = useState("")
  const [subscribed, setSubscribed] = useState(true)
  const body = { email, subscribed }
  const add = useWrite((api) => api.contacts.upsert(body), {
    changes: ["contacts"],
    onDone: () => {
      notify(words.added(email))
      onDone()
    }
  })
  const faults = faultsOf(add.error, ["email", "subscribed"])
  return (
    <Form
      className={styles.stack ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <TextField
        label={words.address}
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus
      />
      <Checkbox isSelected={subscribed} onChange={setSubscribed}>
        {words.subscribedNow}
      </Checkbox>
      {faults.rest !== null && <Problem error={faults.rest} />}
      <DialogButtons>
        <ShowCode call={{ operation: "contacts.upsert", body }} />
        <Button kind="primary" type="submit" isPending={add.isPending}>
          {words.add}
        </Button>
      </DialogButtons>
    </Form>
  )
}

export const AddContact = (props: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}): ReactNode => (
  <Dialog title={contactWords().add} {...props}>
    <AddForm onDone={() => props.onOpenChange(false)} />
  </Dialog>
)
