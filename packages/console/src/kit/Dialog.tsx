/** Dialogs for decisions, and panels beside a page. Forms of several fields are pages or panels. */
import { X } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Dialog as AriaDialog, DialogTrigger } from "react-aria-components/Dialog"
import { Heading } from "react-aria-components/Heading"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import { Button } from "./Button.tsx"
import { classes } from "./classes.ts"
import { TextField } from "./Field.tsx"
import styles from "./kit.module.css"
import { words } from "./words.ts"

export { DialogTrigger }

interface DialogProps {
  readonly title: string
  readonly children: ReactNode | ((close: () => void) => ReactNode)
  readonly isOpen?: boolean | undefined
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined
  readonly isWide?: boolean
  /** `alertdialog`: a confirmation that a click beside it does not close. */
  readonly role?: "dialog" | "alertdialog"
}

const openProps = ({ isOpen, onOpenChange }: Pick<DialogProps, "isOpen" | "onOpenChange">) => ({
  ...(isOpen !== undefined && { isOpen }),
  ...(onOpenChange !== undefined && { onOpenChange })
})

export const Dialog = ({ title, children, isWide = false, role = "dialog", ...open }: DialogProps): ReactNode => (
  <ModalOverlay className={styles.overlay ?? ""} isDismissable={role === "dialog"} {...openProps(open)}>
    <Modal className={classes(styles.modal, isWide && styles.wide)}>
      <AriaDialog role={role} className={styles.dialog ?? ""}>
        {({ close }) => (
          <>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {typeof children === "function" ? children(close) : children}
          </>
        )}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)

/** The buttons of a dialog, at its end. */
export const DialogButtons = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.dialogButtons}>{children}</div>
)

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The word on the button that acts. */
  readonly action: string
  readonly onConfirm: () => void
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Red, for what cannot be undone. */
  readonly isDanger?: boolean
  /** A text that has to be typed first. */
  readonly typed?: string | undefined
}

export const ConfirmDialog = (props: ConfirmProps): ReactNode => {
  const { title, children, action, onConfirm, isOpen, onOpenChange, isDanger = false, typed } = props
  const { cancel, typeToConfirm, notTheName } = words()
  const [given, setGiven] = useState("")
  const [isWrong, setWrong] = useState(false)
  const confirm = (close: () => void) => {
    if (typed !== undefined && given.trim() !== typed) return setWrong(true)
    close()
    onConfirm()
  }
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onOpenChange={onOpenChange}>
      {(close) => (
        <>
          <div className={styles.stack}>{children}</div>
          {typed !== undefined && (
            <TextField
              label={typeToConfirm(typed)}
              value={given}
              onChange={(text) => {
                setGiven(text)
                setWrong(false)
              }}
              isInvalid={isWrong}
              help={isWrong ? notTheName(typed) : undefined}
              autoFocus
            />
          )}
          <DialogButtons>
            <Button onPress={close}>{cancel}</Button>
            <Button kind={isDanger ? "danger" : "primary"} onPress={() => confirm(close)}>
              {action}
            </Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  )
}

interface PanelProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A panel at the side of the page, open while it is rendered. */
export const Panel = ({ title, children, onClose }: PanelProps): ReactNode => {
  const { close: closeWord } = words()
  return (
    <ModalOverlay className={styles.overlay ?? ""} isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className={styles.panel ?? ""}>
        <AriaDialog className={styles.dialog ?? ""}>
          <div className={styles.cardHead}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button kind="quiet" isIcon aria-label={closeWord} onPress={onClose}>
              <X size={16} aria-hidden />
            </Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
