import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DialogButtons } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { settingsWords } from "./words.ts"

export const InviteForm = ({ onDone }: { readonly onDone: () => void }): ReactNode => {
  const words = settingsWords()
  const projectId = useProjectId()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<"ADMIN" | "MEMBER">("MEMBER")
  const body = { email, role }
  const invite = useWrite((api) => api.members.invite(projectId, body), {
    changes: ["members"],
    onDone: () => {
      notify(words.invited(email))
      onDone()
    }
  })
  const faults = faultsOf(invite.error, ["email", "role"])
  return (
    <Form
      className={styles.stack ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <TextField
        label={words.email}
        help={words.inviteAbout}
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus
      />
      <RadioGroup
        label={words.role}
        value={role}
        choices={(["MEMBER", "ADMIN"] as const).map((id) => ({
          id,
          name: words.roles[id],
          help: words.rolesMay[id]
        }))}
        onChange={setRole}
      />
      {faults.rest !== null && <Problem error={faults.rest} />}
      <DialogButtons>
        <ShowCode call={{ operation: "members.invite", path: [projectId], body }} />
        <Button kind="primary" type="submit" isPending={invite.isPending}>
          {words.sendInvitation}
        </Button>
      </DialogButtons>
    </Form>
  )
}
