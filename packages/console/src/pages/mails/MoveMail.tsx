import type { EmailDetail } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { notify } from "../../kit/notices.ts"
import { mailWords } from "./words.ts"

/** A time as the field of a browser takes it, in the zone of the browser. */
export const localTime = (at: string): string => {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface MoveMailProps {
  readonly mail: Pick<EmailDetail, "id" | "scheduledFor">
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export const MoveMail = ({ mail, isOpen, onOpenChange }: MoveMailProps): ReactNode => {
  const words = mailWords()
  const [time, setTime] = useState(localTime(mail.scheduledFor ?? new Date().toISOString()))
  const move = useWrite((api, scheduledFor: string) => api.emails.update(mail.id, { scheduledFor }), {
    changes: ["emails"],
    onDone: () => {
      onOpenChange(false)
      notify(words.moved)
    }
  })
  const faults = faultsOf(move.error, ["scheduledFor"])
  return (
    <Dialog title={words.move} isOpen={isOpen} onOpenChange={onOpenChange}>
      <DialogForm
        faults={faults}
        submit={words.move}
        isPending={move.isPending}
        onSubmit={() => move.mutate(new Date(time).toISOString())}
      >
        <TextField
          label={words.moveTo}
          name="scheduledFor"
          type="datetime-local"
          value={time}
          onChange={setTime}
          isRequired
          autoFocus
        />
      </DialogForm>
    </Dialog>
  )
}
