import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { contactWords } from "./words.ts"

export const Subscription = ({ subscribed }: { readonly subscribed: boolean }): ReactNode => {
  const { states } = contactWords()
  return subscribed ? (
    <State shape="dot" tone="good">
      {states.subscribed}
    </State>
  ) : (
    <State shape="bar" tone="neutral">
      {states.unsubscribed}
    </State>
  )
}
