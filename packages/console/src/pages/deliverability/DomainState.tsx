import type { Domain, DomainRecord } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { State } from "../../kit/Marks.tsx"
import { deliverabilityWords } from "./words.ts"

export const DomainState = ({ status }: Pick<Domain, "status">): ReactNode => {
  const { states } = deliverabilityWords()
  return (
    <State shape={status === "VERIFIED" ? "dot" : "ring"} tone={status === "VERIFIED" ? "good" : "warning"}>
      {states[status]}
    </State>
  )
}

const looks = { VERIFIED: ["dot", "good"], PENDING: ["square", "neutral"], MISMATCH: ["triangle", "bad"] } as const

export const RecordState = ({ status }: Pick<DomainRecord, "status">): ReactNode => {
  const { recordStates } = deliverabilityWords()
  const [shape, tone] = looks[status]
  return (
    <State shape={shape} tone={tone}>
      {recordStates[status]}
    </State>
  )
}
