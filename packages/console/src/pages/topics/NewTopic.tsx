import type { Topic } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import { bodyOf, emptyTopic, topicNames } from "./fields.ts"
import { TopicTexts } from "./TopicTexts.tsx"
import { topicWords } from "./words.ts"

export const NewTopic = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const words = topicWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const [fields, setFields] = useState(emptyTopic)
  const [key, setKey] = useState("")
  const [defaultSubscription, setDefault] = useState<Topic["defaultSubscription"]>("unsubscribed")
  const body = { ...bodyOf(fields), defaultSubscription, ...(key !== "" && { key }) }
  const create = useWrite((api) => api.topics.create(body), {
    changes: ["topics"],
    onDone: ({ id }) => void navigate({ to: "/p/$projectId/topics/$topicId", params: { projectId, topicId: id } })
  })
  return (
    <Dialog title={words.create} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(create.error, topicNames)}
        submit={words.createButton}
        isPending={create.isPending}
        code={<ShowCode call={{ operation: "topics.create", body }} />}
        onSubmit={() => create.mutate()}
      >
        <TopicTexts fields={fields} onChange={setFields} />
        <RadioGroup<Topic["defaultSubscription"]>
          label={words.default}
          help={words.defaultHelp}
          value={defaultSubscription}
          choices={(["unsubscribed", "subscribed"] as const).map((id) => ({ id, name: words.defaults[id] }))}
          onChange={setDefault}
        />
        <TextField label={words.key} help={words.keyHelp} name="key" value={key} onChange={setKey} maxLength={64} />
      </DialogForm>
    </Dialog>
  )
}
