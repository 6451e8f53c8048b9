/** Makes a template from one of the starts, and opens it. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useProject } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Pair, Problem } from "../../kit/Layout.tsx"
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
    <Form
      className={styles.stack ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
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
      {faults.rest !== null && <Problem error={faults.rest} />}
      <DialogButtons>
        <Button kind="primary" type="submit" isPending={create.isPending}>
          {words.createButton}
        </Button>
      </DialogButtons>
    </Form>
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
