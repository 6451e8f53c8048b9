/** The recurrence of a draft: its schedule, the next firing, and the campaigns that it made. */
import type { CampaignDetail } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useProject, useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import { Card, Facts, Pair, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, numberText, Time } from "../../kit/Text.tsx"
import { localTime } from "../mails/MoveMail.tsx"
import { deliveryWords } from "./deliveryWords.ts"

const changes = ["campaigns"]

const names = ["schedule", "timezone", "endsAt", "maxRuns", "enabled"]

interface DialogProps {
  readonly campaign: CampaignDetail
  readonly onClose: () => void
}

const RecurrenceDialog = ({ campaign: { id, recurrence }, onClose }: DialogProps) => {
  const words = deliveryWords()
  const project = useProject()
  const [schedule, setSchedule] = useState(recurrence?.schedule ?? "0 9 * * MON")
  const [timezone, setTimezone] = useState(recurrence?.timezone ?? project.timezone)
  const [endsAt, setEndsAt] = useState(recurrence?.endsAt == null ? "" : localTime(recurrence.endsAt))
  const [maxRuns, setMaxRuns] = useState(String(recurrence?.maxRuns ?? ""))
  const [enabled, setEnabled] = useState(recurrence?.enabled ?? true)
  const body = {
    schedule,
    timezone,
    endsAt: endsAt === "" ? null : new Date(endsAt).toISOString(),
    maxRuns: maxRuns === "" ? null : Number(maxRuns),
    enabled
  }
  const set = useWrite((api) => api.campaigns.setRecurrence(id, body), {
    changes,
    onDone: () => {
      onClose()
      notify(words.recurrenceSet)
    }
  })
  return (
    <Dialog title={words.recurrenceTitle} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(set.error, names)}
        submit={words.save}
        isPending={set.isPending}
        code={<ShowCode call={{ operation: "campaigns.setRecurrence", path: [id], body }} />}
        onSubmit={() => set.mutate()}
      >
        <p>{words.recurrenceAbout}</p>
        <TextField
          label={words.recurs}
          help={words.cronHelp}
          name="schedule"
          value={schedule}
          onChange={setSchedule}
          isRequired
          autoFocus
        />
        <TextField label={words.timezone} name="timezone" value={timezone} onChange={setTimezone} isRequired />
        <Pair>
          <TextField
            label={words.ends}
            help={words.never}
            name="endsAt"
            type="datetime-local"
            value={endsAt}
            onChange={setEndsAt}
          />
          <TextField
            label={words.most}
            name="maxRuns"
            type="number"
            min={1}
            max={1000}
            value={maxRuns}
            onChange={setMaxRuns}
          />
        </Pair>
        <Checkbox isSelected={enabled} onChange={setEnabled}>
          {words.enabled}
        </Checkbox>
      </DialogForm>
    </Dialog>
  )
}

const Made = ({ id }: { readonly id: string }) => {
  const words = deliveryWords()
  const projectId = useProjectId()
  const made = useRead(["campaigns", "list", "made", id], (api, options) =>
    api.campaigns.list({ parentId: id, pageSize: 10 }, options).page()
  )
  if (made.data === undefined || made.data.data.length === 0) return null
  return (
    <>
      <p>{words.made}</p>
      <ul>
        {made.data.data.map((campaign) => (
          <li key={campaign.id}>
            <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: campaign.id }}>
              <Foreign>{campaign.name}</Foreign>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

export const Recurrence = ({ campaign }: { readonly campaign: CampaignDetail }): ReactNode => {
  const words = deliveryWords()
  const { id, recurrence } = campaign
  const [asked, setAsked] = useState<"set" | "end">()
  const missing = useMissing("campaigns.setRecurrence")
  const close = () => setAsked(undefined)
  const end = useWrite((api) => api.campaigns.removeRecurrence(id), {
    changes,
    onDone: () => notify(words.recurrenceEnded)
  })
  return (
    <Card title={words.recurrence}>
      <Stack>
        {recurrence !== null && (
          <Facts
            facts={[
              [words.recurs, <code key="schedule">{recurrence.schedule}</code>],
              [words.timezone, recurrence.timezone],
              [
                words.next,
                recurrence.nextAt === null ? words.noNext : <Time key="next" at={recurrence.nextAt} exact />
              ],
              [words.runs, numberText(recurrence.runs)],
              recurrence.maxRuns !== null && [words.most, numberText(recurrence.maxRuns)],
              recurrence.endsAt !== null && [words.ends, <Time key="ends" at={recurrence.endsAt} exact />]
            ]}
          />
        )}
        {recurrence !== null && recurrence.runs > 0 && <Made id={id} />}
        {end.error !== null && <Problem error={end.error} />}
        <Row>
          <Button missing={missing} onPress={() => setAsked("set")}>
            {recurrence === null ? words.setRecurrence : words.changeRecurrence}
          </Button>
          {recurrence !== null && (
            <Button missing={missing} isPending={end.isPending} onPress={() => setAsked("end")}>
              {words.endRecurrence}
            </Button>
          )}
        </Row>
      </Stack>
      {asked === "set" && <RecurrenceDialog campaign={campaign} onClose={close} />}
      <ConfirmDialog
        title={words.endRecurrence}
        action={words.endRecurrence}
        isDanger
        isOpen={asked === "end"}
        onOpenChange={close}
        onConfirm={() => end.mutate()}
      >
        <p>{words.endAbout}</p>
      </ConfirmDialog>
    </Card>
  )
}
