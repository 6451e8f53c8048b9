import type { Contact } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { contactWords } from "./words.ts"

export const Subscription = ({ subscription }: Pick<Contact, "subscription">): ReactNode => {
  const { states } = contactWords()
  const shape = { subscribed: "dot", unsubscribed: "bar", pending: "square" } as const
  return (
    <State shape={shape[subscription]} tone={subscription === "subscribed" ? "good" : "neutral"}>
      {states[subscription]}
    </State>
  )
}
