/** A new campaign has a name, a sender and a start: a plain letter or a copy of a template. */

import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useProject } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { campaignWords } from "./words.ts"

const names = ["name", "from", "templateId"]

const NewForm = ({ sender, close }: { readonly sender: string; readonly close: () => void }) => {
  const words = campaignWords()
  const { id: projectId } = useProject()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [from, setFrom] = useState(sender)
  const [templateId, setTemplate] = useState("")
  const templates = useRead(["templates", "names"], (api, options) =>
    api.templates.list({ pageSize: 100, sort: "name", dir: "asc" }, options).page()
  )
  const body = {
    name,
    from,
    audienceType: "ALL" as const,
    ...(templateId === "" ? { subject: name, body: words.letter } : { templateId })
  }
  const create = useWrite((api) => api.campaigns.create(body), {
    changes: ["campaigns"],
    onDone: ({ id }) => {
      close()
      void navigate({ to: "/p/$projectId/campaigns/$campaignId/edit", params: { projectId, campaignId: id } })
    }
  })
  const faults = faultsOf(create.error, names)
  return (
    <DialogForm
      faults={faults}
      submit={words.create}
      isPending={create.isPending}
      code={<ShowCode call={{ operation: "campaigns.create", body }} />}
      onSubmit={() => create.mutate()}
    >
      <TextField label={words.name} name="name" value={name} onChange={setName} isRequired autoFocus />
      <TextField
        label={words.from}
        help={words.fromHelp}
        name="from"
        type="email"
        value={from}
        onChange={setFrom}
        isRequired
      />
      <Select
        label={words.start}
        value={templateId}
        choices={[
          { id: "", name: words.blank },
          ...(templates.data?.data ?? []).map((template) => ({ id: template.id, name: template.name }))
        ]}
        onChange={setTemplate}
      />
    </DialogForm>
  )
}

export const NewCampaign = ({
  isOpen,
  onOpenChange
}: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}): ReactNode => {
  const { newCampaign } = campaignWords()
  const { id } = useProject()
  const domains = useRead(["domains"], (api, options) => api.domains.list(id, options))
  const verified = domains.data?.find((domain) => domain.verified)?.domain
  return (
    <Dialog title={newCampaign} isOpen={isOpen && !domains.isPending} onOpenChange={onOpenChange}>
      {(close) => <NewForm sender={verified === undefined ? "" : `hello@${verified}`} close={close} />}
    </Dialog>
  )
}
