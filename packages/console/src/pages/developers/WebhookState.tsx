import type { Webhook } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { developerWords } from "./words.ts"

export const WebhookState = ({ webhook }: { readonly webhook: Webhook }): ReactNode => {
  const { states, reasons } = developerWords()
  const { enabled, disabledReason, failingSince } = webhook
  if (!enabled) {
    return (
      <State shape="bar" tone="neutral" title={disabledReason === null ? undefined : reasons[disabledReason]}>
        {states.off}
      </State>
    )
  }
  return failingSince === null ? (
    <State shape="dot" tone="good">
      {states.working}
    </State>
  ) : (
    <State shape="triangle" tone="bad">
      {states.failing}
    </State>
  )
}
