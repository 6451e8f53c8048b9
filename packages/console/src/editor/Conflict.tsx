/** Somebody else changed the same text meanwhile: how both differ, and the choice between them. */
import type { ReactNode } from "react"
import { Button } from "../kit/Button.tsx"
import { Dialog, DialogButtons } from "../kit/Dialog.tsx"
import { Bar } from "../kit/Layout.tsx"
import { Compare } from "./Compare.tsx"

interface ConflictProps {
  readonly title: string
  readonly about: string
  readonly theirsName: string
  readonly mineName: string
  /** Undefined while it is read. */
  readonly theirs: string | undefined
  readonly mine: string
  readonly take: string
  readonly keep: string
  readonly problem?: ReactNode
  readonly children?: ReactNode
  readonly onTake: () => void
  readonly onKeep: () => void
  /** Without it the choice has to be made. */
  readonly onClose?: (() => void) | undefined
}

export const Conflict = (props: ConflictProps): ReactNode => {
  const { title, about, theirs, theirsName, mine, mineName, problem, children, onClose } = props
  return (
    <Dialog
      title={title}
      role={onClose === undefined ? "alertdialog" : "dialog"}
      isWide
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose?.()}
    >
      <p>{about}</p>
      {problem}
      {theirs === undefined ? (
        problem === undefined && <Bar height={240} />
      ) : (
        <Compare names={[theirsName, mineName]} before={theirs} after={mine} />
      )}
      {children}
      <DialogButtons>
        <Button onPress={props.onTake}>{props.take}</Button>
        <Button kind="primary" onPress={props.onKeep}>
          {props.keep}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
