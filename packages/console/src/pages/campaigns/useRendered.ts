/** What the service remarks about the unsaved text, and how many contacts it would reach. */
import { useEffect, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { fieldsOf, writtenOf } from "../../editor/texts.ts"
import type { Draft } from "./draft.ts"

/** The value as it was when it last stood still for so long. */
const useSettled = <A>(value: A, wait: number): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}

export const useRendered = (draft: Draft, layout: string | null) => {
  const { subject, type } = draft
  const given = useSettled(
    JSON.stringify({
      ...fieldsOf(draft),
      type,
      ...(subject.trim() !== "" && { subject }),
      ...(layout !== null && { layout })
    }),
    1_000
  )
  return useRead(["rendered", given], (api, options) => api.templates.renderTexts(JSON.parse(given), options), {
    enabled: writtenOf(draft).trim() !== "",
    keep: true,
    staleTime: 60_000
  })
}

/** How many contacts would get the mail, and why others would not. */
export const useReach = ({ audienceType, segmentId, condition, type, topicId }: Draft, isComplete: boolean) => {
  const audience = audienceType === "SEGMENT" ? { segmentId } : audienceType === "FILTERED" ? { condition } : {}
  const given = useSettled(
    JSON.stringify({
      ...audience,
      for: { type, ...(type !== "TRANSACTIONAL" && topicId !== null && { topic: topicId }) }
    }),
    400
  )
  return useRead(["contacts", "reach", given], (api, options) => api.contacts.count(JSON.parse(given), options), {
    enabled: isComplete,
    keep: true,
    staleTime: 30_000
  })
}

export type Rendered = ReturnType<typeof useRendered>
export type Reach = ReturnType<typeof useReach>
