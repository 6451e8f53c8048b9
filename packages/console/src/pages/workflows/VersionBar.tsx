/** What is published of a workflow, and what its draft changes: publish it, look at it, or drop it. */
import type { WorkflowDetail } from "@posthorn/client/session"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Problem, Row } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import type { Editing } from "./useDrawing.ts"
import { workflowWords } from "./words.ts"

const Differences = lazy(async () => ({ default: (await import("./Differences.tsx")).Differences }))

interface PublishProps {
  readonly workflow: WorkflowDetail
  readonly onPublished: (stored: WorkflowDetail) => void
  readonly onClose: () => void
}

const Publish = ({ workflow, onPublished, onClose }: PublishProps) => {
  const words = workflowWords().versions
  const [note, setNote] = useState("")
  const { id, publishedVersion } = workflow
  const body = { ...(note.trim() !== "" && { note: note.trim() }), expectedVersion: publishedVersion ?? 0 }
  const publish = useWrite((api) => api.workflows.publish(id, body), {
    changes: ["workflows"],
    onDone: (stored) => {
      notify(words.published(stored.publishedVersion ?? 0))
      onPublished(stored)
      onClose()
    }
  })
  return (
    <Dialog title={words.publish} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(publish.error, ["note"])}
        submit={words.publish}
        isPending={publish.isPending}
        code={<ShowCode call={{ operation: "workflows.publish", path: [id], body }} />}
        onSubmit={() => publish.mutate()}
      >
        <p>{words.publishAbout}</p>
        <TextField label={words.note} name="note" value={note} onChange={setNote} maxLength={500} autoFocus />
      </DialogForm>
    </Dialog>
  )
}

interface VersionBarProps {
  readonly editing: Editing
  /** Saves the drawing. False if it was refused. */
  readonly save: () => Promise<boolean>
}

export const VersionBar = ({ editing, save }: VersionBarProps): ReactNode => {
  const words = workflowWords().versions
  const missing = useMissing("workflows.publish")
  const [opened, setOpened] = useState<"publish" | "changes">()
  const { base, isChanged } = editing
  const { id, name, publishedVersion, draft } = base
  const discard = useWrite((api) => api.workflows.removeDraft(id), { changes: ["workflows"] })
  const isDirty = isChanged || draft?.changed === true
  const publish = async () => {
    if (!isChanged || (await save())) setOpened("publish")
  }
  return (
    <Row>
      <State shape={publishedVersion === null ? "bar" : "dot"} tone={publishedVersion === null ? "neutral" : "good"}>
        {publishedVersion === null ? words.none : words.current(publishedVersion)}
      </State>
      {isDirty && (
        <State shape="square" tone="warning">
          {words.draft}
        </State>
      )}
      {isDirty && (
        <Button missing={missing} onPress={() => void publish()}>
          {words.publish}
        </Button>
      )}
      {draft?.changed === true && publishedVersion !== null && (
        <>
          <Button kind="quiet" onPress={() => setOpened("changes")}>
            {words.changes}
          </Button>
          <Button
            kind="quiet"
            missing={missing}
            onPress={() => holdBack(words.discarded(name), () => discard.mutate())}
          >
            {words.discard}
          </Button>
        </>
      )}
      {discard.error !== null && <Problem error={discard.error} />}
      {opened === "publish" && (
        <Publish workflow={base} onPublished={editing.stamp} onClose={() => setOpened(undefined)} />
      )}
      {opened === "changes" && publishedVersion !== null && (
        <Suspense>
          <Differences workflow={base} version={publishedVersion} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </Row>
  )
}
