/** What can be done with a campaign in its present state. */

import type { CampaignDetail } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Checkbox } from "../../kit/Field.tsx"
import { Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { notify } from "../../kit/notices.ts"
import { holdCampaign } from "./held.ts"
import { campaignWords } from "./words.ts"

const FollowUpDialog = lazy(async () => ({ default: (await import("./FollowUpDialog.tsx")).FollowUpDialog }))

const useActions = (campaign: CampaignDetail) => {
  const words = campaignWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const api = useApi()
  const forget = useForget()
  const { id, name } = campaign
  const changes = ["campaigns"]
  const edit = (campaignId: string) =>
    void navigate({ to: "/p/$projectId/campaigns/$campaignId/edit", params: { projectId, campaignId } })
  const pause = useWrite((client) => client.campaigns.pause(id), { changes, onDone: () => notify(words.paused) })
  const resume = useWrite((client) => client.campaigns.resume(id), { changes, onDone: () => notify(words.resumed) })
  const cancel = useWrite((client) => client.campaigns.cancel(id), {
    changes,
    onDone: () => notify(words.cancelled)
  })
  const duplicate = useWrite((client) => client.campaigns.duplicate(id), {
    changes,
    onDone: (copy) => edit(copy.id)
  })
  const retry = useWrite(
    (client, includeAmbiguous: boolean) => client.campaigns.retryFailed(id, { includeAmbiguous }),
    { changes, onDone: ({ retried }) => notify(words.retried(retried)) }
  )
  const remove = () => {
    holdCampaign(id, "delete", words.removed(name), async () => {
      const { error } = await api.campaigns.delete(id)
      if (error !== null) notify(error.message)
      await forget("campaigns")
    })
    void navigate({ to: "/p/$projectId/campaigns", params: { projectId } })
  }
  const error = pause.error ?? resume.error ?? cancel.error ?? duplicate.error ?? retry.error
  return { edit: () => edit(id), open: edit, pause, resume, cancel, duplicate, retry, remove, error }
}

interface ActionsProps {
  readonly campaign: CampaignDetail
  /** Its sending is held back at the moment. */
  readonly isHeld: boolean
}

export const Actions = ({ campaign, isHeld }: ActionsProps): ReactNode => {
  const words = campaignWords()
  const { edit, open, pause, resume, cancel, duplicate, retry, remove, error } = useActions(campaign)
  const [asked, setAsked] = useState<"cancel" | "retry" | "follow">()
  const [withAmbiguous, setWithAmbiguous] = useState(false)
  const mayNotDuplicate = useMissing("campaigns.duplicate")
  const { status, paused, failedCount, totalRecipients } = campaign
  const isOpen = status === "DRAFT" || status === "SCHEDULED"
  const isSending = status === "SENDING"
  const ambiguous = Math.max(
    0,
    totalRecipients - campaign.sentCount - failedCount - campaign.suppressedCount - campaign.cancelledCount
  )
  const canRetry = status === "SENT" && failedCount + ambiguous > 0
  return (
    <>
      {isOpen && !isHeld && (
        <Button kind="primary" onPress={edit}>
          {words.edit}
        </Button>
      )}
      {isSending && (
        <Button
          kind="primary"
          isPending={pause.isPending || resume.isPending}
          onPress={() => (paused ? resume : pause).mutate()}
        >
          {paused ? words.resume : words.pause}
        </Button>
      )}
      {canRetry && <Button onPress={() => setAsked("retry")}>{words.retryFailed}</Button>}
      {(isSending || status === "SCHEDULED") && <Button onPress={() => setAsked("cancel")}>{words.cancel}</Button>}
      <Button missing={mayNotDuplicate} isPending={duplicate.isPending} onPress={() => duplicate.mutate()}>
        {words.duplicate}
      </Button>
      {!isOpen && <Button onPress={() => setAsked("follow")}>{words.followUp}</Button>}
      {!isOpen && <Button onPress={() => print()}>{words.print}</Button>}
      {!isSending && !isHeld && (
        <Menu actions={[{ id: "delete", name: words.remove, isLast: true, onAction: remove }]} />
      )}
      <ShowCode call={{ operation: isOpen ? "campaigns.get" : "campaigns.stats", path: [campaign.id] }} />
      {error !== null && <Problem error={error} />}
      {asked === "follow" && (
        <Suspense>
          <FollowUpDialog campaign={campaign} onClose={() => setAsked(undefined)} onMade={open} />
        </Suspense>
      )}
      <ConfirmDialog
        title={words.cancel}
        action={words.cancel}
        isDanger
        isOpen={asked === "cancel"}
        onOpenChange={() => setAsked(undefined)}
        onConfirm={() => cancel.mutate()}
      >
        <p>{words.cancelAbout}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={words.retryFailed}
        action={words.retryFailed}
        isOpen={asked === "retry"}
        onOpenChange={() => setAsked(undefined)}
        onConfirm={() => retry.mutate(withAmbiguous)}
      >
        <p>{words.retryAbout(failedCount)}</p>
        {ambiguous > 0 && (
          <Checkbox isSelected={withAmbiguous} onChange={setWithAmbiguous}>
            {words.includeAmbiguous(ambiguous)}
          </Checkbox>
        )}
      </ConfirmDialog>
    </>
  )
}
