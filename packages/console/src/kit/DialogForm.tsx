/** A form in a dialog: its fields, what was refused beside them, and the button that sends it. */
import type { ReactNode } from "react"
import { Form } from "react-aria-components/Form"
import { Button } from "./Button.tsx"
import { DialogButtons } from "./Dialog.tsx"
import type { FormFaults } from "./Faults.ts"
import styles from "./kit.module.css"
import { Problem } from "./Layout.tsx"

interface DialogFormProps {
  readonly faults: FormFaults
  readonly onSubmit: (form: HTMLFormElement) => void
  /** The word on the button. */
  readonly submit: string
  readonly isPending: boolean
  /** Stands before the button: the code of the call. */
  readonly code?: ReactNode
  readonly children: ReactNode
}

export const DialogForm = ({ faults, onSubmit, submit, isPending, code, children }: DialogFormProps): ReactNode => (
  <Form
    className={styles.stack ?? ""}
    validationErrors={faults.fields}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit(event.currentTarget)
    }}
  >
    {children}
    {faults.rest !== null && <Problem error={faults.rest} />}
    <DialogButtons>
      {code}
      <Button kind="primary" type="submit" isPending={isPending}>
        {submit}
      </Button>
    </DialogButtons>
  </Form>
)
