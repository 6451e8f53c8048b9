/** The states of a mail: the word of the API in sentence case, with its meaning on hover. */
import type { Email } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { now } from "../app/Clock.ts"
import { emailStateWords } from "./emailStateWords.ts"
import { type Shape, State, type Tone } from "./Marks.tsx"

export type EmailStatus = Email["status"]

const looks: { readonly [S in EmailStatus]: readonly [Shape, Tone] } = {
  SCHEDULED: ["square", "neutral"],
  PENDING: ["square", "neutral"],
  SENDING: ["ring", "neutral"],
  SENT: ["ring", "good"],
  DELIVERED: ["dot", "good"],
  OPENED: ["dot", "good"],
  CLICKED: ["dot", "good"],
  BOUNCED: ["triangle", "bad"],
  COMPLAINED: ["triangle", "bad"],
  FAILED: ["triangle", "bad"],
  AMBIGUOUS: ["triangle", "warning"],
  SUPPRESSED: ["bar", "warning"],
  CANCELLED: ["bar", "neutral"]
}

/** Minutes after which a mail that was sent is most likely to stay as it is. */
const settling = 5

/**
 * Whether the state of the mail changes soon. The feed of activity, from which changes are known, has neither the steps of
 * the sending nor mail in test mode.
 */
export const isOnItsWay = ({ status, createdAt }: Pick<Email, "createdAt" | "status">): boolean =>
  status === "PENDING" ||
  status === "SENDING" ||
  (status === "SENT" && now() - Date.parse(createdAt) < settling * 60_000)

export const emailStatuses = Object.keys(looks) as ReadonlyArray<EmailStatus>

export const EmailState = ({ status }: { readonly status: EmailStatus }): ReactNode => {
  const { names, meanings } = emailStateWords()
  const [shape, tone] = looks[status]
  return (
    <State shape={shape} tone={tone} title={meanings[status]}>
      {names[status]}
    </State>
  )
}
