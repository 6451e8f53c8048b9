/** Asks before changes are lost. Within the page of the workflow they stay. */
import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { workflowWords } from "./words.ts"

export const LeaveGuard = ({ isChanged }: { readonly isChanged: boolean }): ReactNode => {
  const words = workflowWords()
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true
  })
  return (
    <ConfirmDialog
      title={words.leaveTitle}
      action={words.leave}
      isDanger
      isOpen={leaving.status === "blocked"}
      // The dialog closes before it confirms.
      onOpenChange={(isOpen) => !isOpen && queueMicrotask(() => leaving.reset?.())}
      onConfirm={() => leaving.proceed?.()}
    >
      <p>{words.leaveAbout}</p>
    </ConfirmDialog>
  )
}
