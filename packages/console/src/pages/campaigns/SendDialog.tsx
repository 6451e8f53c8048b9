/** The last look before sending: who gets what and when. The sending itself can be undone for eight seconds. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useProject, useProjectId } from "../../app/Project.tsx"
import { useApi, useForget } from "../../app/Queries.ts"
import { browserZone } from "../../app/Zone.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { TextField } from "../../kit/Field.tsx"
import { Facts, Notice } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, timeText } from "../../kit/Text.tsx"
import { words as kitWords } from "../../kit/words.ts"
import { ReachText } from "./Audience.tsx"
import { CheckList, type useChecks } from "./Checks.tsx"
import { deliveryWords } from "./deliveryWords.ts"
import { holdCampaign } from "./held.ts"
import type { DraftState } from "./useDraft.ts"
import type { Reach } from "./useRendered.ts"
import { campaignWords } from "./words.ts"

/** Above this number of recipients the number has to be typed. */
const most = 1_000

interface SendProps {
  readonly id: string
  readonly state: DraftState
  readonly checks: ReturnType<typeof useChecks>
  readonly reach: Reach
  readonly at: string | null
  readonly onClose: () => void
}

const useSend = (id: string) => {
  const words = campaignWords()
  const projectId = useProjectId()
  const api = useApi()
  const forget = useForget()
  const navigate = useNavigate()
  const params = { projectId, campaignId: id }
  return (scheduledFor: string | null, count: number | null) => {
    holdCampaign(
      id,
      "send",
      scheduledFor === null ? words.sends(count) : words.schedules,
      async () => {
        const { error } = await api.campaigns.send(id, { scheduledFor })
        if (error !== null) notify(words.refused(error.message))
        await forget("campaigns")
      },
      () => {
        notify(words.undone)
        void navigate({ to: "/p/$projectId/campaigns/$campaignId/edit", params })
      }
    )
    void navigate({ to: "/p/$projectId/campaigns/$campaignId", params })
  }
}

export const SendDialog = ({ id, state, checks, reach, at, onClose }: SendProps): ReactNode => {
  const words = campaignWords()
  const { localLeave, localNeedsTime } = deliveryWords()
  const { timezone } = useProject()
  const { cancel, typeToConfirm, notTheName } = kitWords()
  const [typed, setTyped] = useState("")
  const [refusal, setRefusal] = useState<string>()
  const send = useSend(id)
  const { draft } = state
  const faults = checks.filter(({ level }) => level === "fault")
  const count = reach.data?.eligible ?? null
  const asked = count !== null && count > most ? String(count) : undefined
  const time = at === null || at === "" ? null : new Date(at).toISOString()
  const isLocal = draft.pace === "SEND_NOW" || draft.pace === "NEXT_DAY"
  const leave = () => {
    if (time === null) return isLocal ? localNeedsTime : words.sendLeave
    return isLocal ? localLeave(timeText(time, timezone)) : words.scheduleLeave(timeText(time, browserZone))
  }
  const confirm = async () => {
    if (isLocal && time === null) return setRefusal(localNeedsTime)
    if (asked !== undefined && typed.replace(/[\s.,]/g, "") !== asked) return setRefusal(notTheName(asked))
    if (at === "") return setRefusal(words.missing(words.time))
    if (!(await state.save())) return setRefusal(state.error?.message ?? words.notSaved)
    onClose()
    send(time, count)
  }
  return (
    <Dialog title={words.sendTitle} role="alertdialog" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Facts
        facts={[
          [words.name, <Foreign key="name">{draft.name}</Foreign>],
          [words.from, <Foreign key="from">{draft.from}</Foreign>],
          [words.subject, <Foreign key="subject">{draft.subject}</Foreign>],
          [words.recipients, <ReachText key="reach" reach={reach} />]
        ]}
      />
      <CheckList checks={checks.filter(({ level }) => level !== "ok")} />
      <p>{leave()}</p>
      {asked !== undefined && faults.length === 0 && (
        <TextField
          label={typeToConfirm(asked)}
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setRefusal(undefined)
          }}
          autoFocus
        />
      )}
      {refusal !== undefined && (
        <Notice tone="warning">
          <span role="alert">{refusal}</span>
        </Notice>
      )}
      <DialogButtons>
        <Button onPress={onClose}>{cancel}</Button>
        <Button
          kind="primary"
          isPending={state.isSaving}
          onPress={() => (faults.length > 0 ? setRefusal(faults.map(({ text }) => text).join(" ")) : void confirm())}
        >
          {words.send}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
