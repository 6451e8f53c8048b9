/** Sends the stored draft to one address. */

import { type ReactNode, useState } from "react"
import { useOpened } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Notice } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import type { DraftState } from "./useDraft.ts"
import { campaignWords } from "./words.ts"

interface TestProps {
  readonly id: string
  readonly state: DraftState
  readonly onClose: () => void
}

export const TestDialog = ({ id, state, onClose }: TestProps): ReactNode => {
  const words = campaignWords()
  const { user } = useOpened()
  const [email, setEmail] = useState(user.email)
  const [isUnsaved, setUnsaved] = useState(false)
  const test = useWrite((api) => api.campaigns.test(id, { email }), {
    changes: ["emails"],
    onDone: () => {
      onClose()
      notify(words.testSent(email))
    }
  })
  const faults = faultsOf(test.error, ["email"])
  return (
    <Dialog title={words.testTitle} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faults}
        submit={words.send}
        isPending={test.isPending || state.isSaving}
        code={<ShowCode call={{ operation: "campaigns.test", path: [id], body: { email } }} />}
        onSubmit={async () => {
          const isSaved = await state.save()
          setUnsaved(!isSaved)
          if (isSaved) test.mutate()
        }}
      >
        <TextField
          label={words.to}
          help={words.testHelp}
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        {isUnsaved && (
          <Notice tone="warning">
            {state.missing.length > 0
              ? words.kept(state.missing.map((name) => words[name]).join(", "))
              : (state.error?.message ?? words.notSaved)}
          </Notice>
        )}
      </DialogForm>
    </Dialog>
  )
}
