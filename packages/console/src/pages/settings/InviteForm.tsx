import { type ReactNode, useState } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
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
    <DialogForm
      faults={faults}
      submit={words.sendInvitation}
      isPending={invite.isPending}
      code={<ShowCode call={{ operation: "members.invite", path: [projectId], body }} />}
      onSubmit={() => invite.mutate()}
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
    </DialogForm>
  )
}
