/** Makes a draft to recipients of a campaign, by what they did with its mail. */
import type { CampaignDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { campaignWords } from "./words.ts"

const choices = ["NOT_OPENED", "NOT_CLICKED", "OPENED", "CLICKED", "NOT_CONVERTED", "ALL"] as const

interface FollowUpProps {
  readonly campaign: CampaignDetail
  readonly onClose: () => void
  /** Opens the new draft. */
  readonly onMade: (id: string) => void
}

export const FollowUpDialog = ({ campaign: { id, subject, goal }, onClose, onMade }: FollowUpProps): ReactNode => {
  const words = campaignWords()
  const [who, setWho] = useState<(typeof choices)[number]>("NOT_OPENED")
  const [line, setLine] = useState(subject)
  const body = { who, subject: line.trim() === "" ? null : line }
  const make = useWrite((api) => api.campaigns.followUp(id, body), {
    changes: ["campaigns"],
    onDone: (made) => onMade(made.id)
  })
  return (
    <Dialog title={words.followUpTitle} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(make.error, ["who", "subject"])}
        submit={words.create}
        isPending={make.isPending}
        code={<ShowCode call={{ operation: "campaigns.followUp", path: [id], body }} />}
        onSubmit={() => make.mutate()}
      >
        <Select
          label={words.who}
          value={who}
          choices={choices
            .filter((each) => each !== "NOT_CONVERTED" || goal !== null)
            .map((each) => ({ id: each, name: words.whoReacted[each] }))}
          onChange={setWho}
        />
        <TextField label={words.subject} name="subject" value={line} onChange={setLine} />
      </DialogForm>
    </Dialog>
  )
}
