/** Makes a template from one of the starts, and opens it. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useProject } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import { Bar, Pair } from "../../kit/Layout.tsx"
import { type StartId, sourceOfStart, startIds, typeOfStart } from "./starts.ts"
import { templateWords } from "./words.ts"

type Start = StartId | "html"

const CreateForm = ({ sender }: { readonly sender: string }) => {
  const words = templateWords()
  const { id: projectId } = useProject()
  const navigate = useNavigate()
  const [start, setStart] = useState<Start>("blank")
  const [fields, setFields] = useState({ name: "", subject: "", from: sender })
  const create = useWrite(
    (api, source: string) =>
      api.templates.create({
        ...fields,
        type: start === "html" ? "TRANSACTIONAL" : typeOfStart[start],
        ...(start === "html" ? { body: source } : { format: "MJML", source })
      }),
    {
      changes: ["templates"],
      onDone: ({ id }) =>
        void navigate({ to: "/p/$projectId/templates/$templateId", params: { projectId, templateId: id } })
    }
  )
  const choose = (next: Start) => {
    const isUntouched = fields.subject === words.startSubjects[start]
    setStart(next)
    if (isUntouched) setFields({ ...fields, subject: words.startSubjects[next] })
  }
  const faults = faultsOf(create.error, Object.keys(fields))
  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    isRequired: true
  })
  return (
    <DialogForm
      faults={faults}
      submit={words.createButton}
      isPending={create.isPending}
      onSubmit={() => {
        const source = start === "html" ? Promise.resolve(words.startHtml) : sourceOfStart(start)
        void source.then((text) => create.mutate(text))
      }}
    >
      <TextField label={words.name} autoFocus {...field("name")} />
      <Pair>
        <TextField label={words.subject} {...field("subject")} />
        <TextField label={words.from} {...field("from")} />
      </Pair>
      <RadioGroup
        label={words.start}
        choices={[...startIds, "html" as const].map((id) => ({ id, name: words.starts[id] }))}
        value={start}
        onChange={choose}
      />
    </DialogForm>
  )
}

export const CreateTemplate = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const words = templateWords()
  const project = useProject()
  const domains = useRead(["domains"], (api, options) => api.domains.list(project.id, options))
  const verified = domains.data?.find(({ verified }) => verified)?.domain
  return (
    <Dialog title={words.create} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {domains.isPending ? (
        <Bar height={320} />
      ) : (
        <CreateForm sender={verified === undefined ? "" : `hello@${verified}`} />
      )}
    </Dialog>
  )
}
