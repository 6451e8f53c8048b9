import type { PrivacyRequest } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { privacyWords } from "./words.ts"

const looks: { readonly [S in PrivacyRequest["status"]]: readonly [Shape, Tone] } = {
  UNCONFIRMED: ["ring", "neutral"],
  OPEN: ["square", "warning"],
  DONE: ["dot", "good"],
  REFUSED: ["bar", "neutral"],
  EXPIRED: ["bar", "neutral"]
}

export const RequestState = ({ status }: Pick<PrivacyRequest, "status">): ReactNode => {
  const words = privacyWords()
  const [shape, tone] = looks[status]
  return (
    <State shape={shape} tone={tone} title={words.meanings[status]}>
      {words.states[status]}
    </State>
  )
}
