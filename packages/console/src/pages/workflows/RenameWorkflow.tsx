import type { WorkflowDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import { notify } from "../../kit/notices.ts"
import { fieldText, numberOf } from "./StepFields.tsx"
import type { Editing } from "./useDrawing.ts"
import { workflowWords } from "./words.ts"

interface RenameProps {
  readonly workflow: WorkflowDetail
  readonly editing: Editing
  readonly onClose: () => void
}

export const RenameWorkflow = ({ workflow, editing, onClose }: RenameProps): ReactNode => {
  const words = workflowWords()
  const [fields, setFields] = useState({
    name: workflow.name,
    description: workflow.description ?? "",
    allowReentry: workflow.allowReentry,
    reentryAfterHours: workflow.reentryAfterHours as unknown
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const save = useWrite(
    (api) =>
      api.workflows.update(workflow.id, {
        ...fields,
        reentryAfterHours: (fields.allowReentry ? (fields.reentryAfterHours ?? null) : null) as number | null,
        description: fields.description || null,
        ifUpdatedAt: editing.base.updatedAt
      }),
    {
      changes: ["workflows"],
      onDone: (stored) => {
        editing.stamp(stored)
        onClose()
        notify(words.saved)
      }
    }
  )
  const faults = faultsOf(save.error, ["name", "description", "reentryAfterHours"])
  return (
    <Dialog title={words.details} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm faults={faults} submit={words.save} isPending={save.isPending} onSubmit={() => save.mutate()}>
        <TextField
          label={words.name}
          name="name"
          value={fields.name}
          onChange={(name) => set({ name })}
          maxLength={100}
          isRequired
          autoFocus
        />
        <TextField
          label={words.description}
          name="description"
          rows={3}
          value={fields.description}
          onChange={(description) => set({ description })}
          maxLength={500}
        />
        <Checkbox isSelected={fields.allowReentry} onChange={(allowReentry) => set({ allowReentry })}>
          {words.reentry}
        </Checkbox>
        {fields.allowReentry && (
          <TextField
            label={words.reentryHours}
            name="reentryAfterHours"
            inputMode="numeric"
            help={words.reentryHoursHelp}
            value={fieldText(fields.reentryAfterHours)}
            onChange={(hours) => set({ reentryAfterHours: numberOf(hours) })}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}
