import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import { type StartId, starts } from "./starts.ts"
import { workflowWords } from "./words.ts"

type Start = "blank" | StartId

const choices = ["blank", "welcome", "trial", "winBack"] as const

export const NewWorkflow = ({
  start: first,
  onClose
}: {
  readonly start: Start
  readonly onClose: () => void
}): ReactNode => {
  const words = workflowWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const forget = useForget()
  const api = useApi()
  const [start, setStart] = useState<Start>(first)
  const [given, setName] = useState<string>()
  const name = given ?? (start === "blank" ? "" : words.starts[start])
  // The graph follows the workflow. If it fails, the workflow is there and can be drawn by hand.
  const draw = useWrite((_, id: string) => api.workflows.replaceGraph(id, starts[start as StartId]), {
    changes: ["workflows"]
  })
  // Its changes are a draft until they are published.
  const version = useWrite((_, id: string) => api.workflows.update(id, { versioning: "PUBLISHED" }), {
    changes: ["workflows"]
  })
  const create = useWrite((_, input: { readonly name: string }) => api.workflows.create(input), {
    onDone: async ({ id }) => {
      await version.mutateAsync(id).catch(() => undefined)
      if (start !== "blank") await draw.mutateAsync(id).catch(() => undefined)
      await forget("workflows")
      void navigate({ to: "/p/$projectId/workflows/$workflowId", params: { projectId, workflowId: id } })
    }
  })
  const faults = faultsOf(create.error, ["name"])
  return (
    <Dialog title={words.add} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faults}
        submit={words.create}
        isPending={create.isPending || draw.isPending}
        code={<ShowCode call={{ operation: "workflows.create", body: { name } }} />}
        onSubmit={() => create.mutate({ name })}
      >
        <TextField
          label={words.name}
          name="name"
          value={name}
          onChange={setName}
          isRequired
          maxLength={100}
          autoFocus
        />
        <RadioGroup
          label={words.startFrom}
          value={start}
          onChange={setStart}
          choices={choices.map((id) => ({ id, name: words.starts[id], help: words.startsAbout[id] }))}
        />
      </DialogForm>
    </Dialog>
  )
}
