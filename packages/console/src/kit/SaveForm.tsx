/** A form on a page: its fields, what was refused beside them, and the button that saves it. */
import type { ReactNode } from "react"
import { Form } from "react-aria-components/Form"
import type { Missing } from "../app/Roles.ts"
import { Button } from "./Button.tsx"
import type { FormFaults } from "./Faults.ts"
import styles from "./kit.module.css"
import { Problem, Row } from "./Layout.tsx"

interface SaveFormProps {
  readonly faults: FormFaults
  /** What the role lacks to save; null if it may. */
  readonly missing: Missing | null
  readonly onSave: () => void
  readonly isPending: boolean
  /** The word on the button. */
  readonly save: string
  /** Stands after the button: the code of the call. */
  readonly code?: ReactNode
  /** Whether a refused field keeps the browser from sending. False where another field can cure it. */
  readonly isBlocking?: boolean
  readonly children: ReactNode
}

export const SaveForm = ({
  faults,
  missing,
  onSave,
  isPending,
  save,
  code,
  isBlocking = true,
  children
}: SaveFormProps): ReactNode => (
  <Form
    className={styles.stack ?? ""}
    validationBehavior={isBlocking ? "native" : "aria"}
    validationErrors={faults.fields}
    onSubmit={(event) => {
      event.preventDefault()
      if (missing === null) onSave()
    }}
  >
    {children}
    {faults.rest !== null && <Problem error={faults.rest} />}
    <Row>
      <Button kind="primary" type="submit" missing={missing} isPending={isPending}>
        {save}
      </Button>
      {code}
    </Row>
  </Form>
)
