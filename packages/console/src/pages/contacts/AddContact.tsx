import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, TextField } from "../../kit/Field.tsx"
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
    <DialogForm
      faults={faults}
      submit={words.add}
      isPending={add.isPending}
      code={<ShowCode call={{ operation: "contacts.upsert", body }} />}
      onSubmit={() => add.mutate()}
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
    </DialogForm>
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
