import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { workflowListWords } from "./listWords.ts"

export const WorkflowState = ({ enabled }: { readonly enabled: boolean }): ReactNode => {
  const words = workflowListWords()
  return enabled ? (
    <State shape="dot" tone="good" title={words.enabledAbout}>
      {words.states.active}
    </State>
  ) : (
    <State shape="bar" tone="neutral" title={words.disabledAbout}>
      {words.states.disabled}
    </State>
  )
}
