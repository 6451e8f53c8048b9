/** The approval of a draft: what was asked and decided, and what comes next. */
import type { CampaignDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Card, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { campaignWords } from "./words.ts"

const changes = ["campaigns"]

const RejectDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const words = campaignWords()
  const [note, setNote] = useState("")
  const reject = useWrite((api) => api.campaigns.reject(id, { note }), {
    changes,
    onDone: () => {
      onClose()
      notify(words.rejected)
    }
  })
  return (
    <Dialog title={words.rejectTitle} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(reject.error, ["note"])}
        submit={words.reject}
        isPending={reject.isPending}
        code={<ShowCode call={{ operation: "campaigns.reject", path: [id], body: { note } }} />}
        onSubmit={() => reject.mutate()}
      >
        <TextField
          label={words.note}
          help={words.noteHelp}
          name="note"
          value={note}
          onChange={setNote}
          isRequired
          autoFocus
        />
      </DialogForm>
    </Dialog>
  )
}

export const Approval = ({ campaign }: { readonly campaign: CampaignDetail }): ReactNode => {
  const words = campaignWords()
  const { id, approval } = campaign
  const [isRejecting, setRejecting] = useState(false)
  const missing = useMissing("campaigns.approve")
  const settings = useRead(["sending"], (api, options) => api.settings.sending(options))
  const request = useWrite((api) => api.campaigns.requestApproval(id, {}), {
    changes,
    onDone: () => notify(words.approvalRequested)
  })
  const approve = useWrite((api) => api.campaigns.approve(id, {}), { changes, onDone: () => notify(words.approved) })
  const { state, note, at } = approval
  const isOff = settings.data === undefined || settings.data.campaignApproval === "OFF"
  if (state === "NONE" && isOff) return null
  const error = request.error ?? approve.error
  return (
    <Card title={words.approval}>
      <Stack>
        <Facts
          facts={[
            [words.state, words.approvals[state]],
            at !== null && [words.changed, <Time key="at" at={at} exact />],
            note !== null && [words.note, <Foreign key="note">{note}</Foreign>]
          ]}
        />
        {error !== null && <Problem error={error} />}
        <Row>
          {(state === "NONE" || state === "REJECTED") && (
            <Button isPending={request.isPending} onPress={() => request.mutate()}>
              {words.requestApproval}
            </Button>
          )}
          {state === "REQUESTED" && (
            <>
              <Button kind="primary" missing={missing} isPending={approve.isPending} onPress={() => approve.mutate()}>
                {words.approve}
              </Button>
              <Button missing={missing} onPress={() => setRejecting(true)}>
                {words.reject}
              </Button>
            </>
          )}
          <ShowCode call={{ operation: "campaigns.requestApproval", path: [id], body: {} }} />
        </Row>
      </Stack>
      {isRejecting && <RejectDialog id={id} onClose={() => setRejecting(false)} />}
    </Card>
  )
}
