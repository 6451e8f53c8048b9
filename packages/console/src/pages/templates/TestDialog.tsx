/** Sends the draft of a template, or its live version without one, to one address. */
import type { Template } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useOpened } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import type { Draft } from "./useDraft.ts"
import { templateWords } from "./words.ts"

interface TestProps {
  readonly template: Template
  readonly draft: Draft
  readonly onClose: () => void
}

/** The choice that leaves the language to the contact and the project. */
const own = "own"

export const TestDialog = ({ template, draft, onClose }: TestProps): ReactNode => {
  const words = templateWords()
  const { user } = useOpened()
  const [email, setEmail] = useState(user.email)
  const [locale, setLocale] = useState<string>(own)
  const languages = Object.keys(template.translations)
  const body = {
    email,
    ...(draft.state !== "none" && { version: "draft" as const }),
    ...(locale !== own && { locale })
  }
  const test = useWrite((api) => api.templates.test(template.id, body), {
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
        isPending={test.isPending}
        code={<ShowCode call={{ operation: "templates.test", path: [template.id], body }} />}
        onSubmit={async () => {
          if (await draft.flush()) test.mutate()
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
        {languages.length > 0 && (
          <Select
            label={words.language}
            choices={[{ id: own, name: words.ownLanguage }, ...languages.map((tag) => ({ id: tag, name: tag }))]}
            value={locale}
            onChange={setLocale}
          />
        )}
        <p>{draft.state === "none" ? words.testsLive(template.version) : words.testsDraft}</p>
        {draft.error !== null && <Problem error={draft.error} />}
      </DialogForm>
    </Dialog>
  )
}
