/** Which contacts the list shows, as the API takes it. */
import type { BulkSelect, FilterTree, QueryContacts } from "@posthorn/client/session"

/** The condition of a link; undefined if the text is none. The service checks what stands in it. */
export const conditionOf = (text: string | undefined): FilterTree | undefined => {
  if (text === undefined) return undefined
  try {
    const value: FilterTree | null = JSON.parse(text)
    return Array.isArray(value?.groups) && value.groups.length > 0 ? value : undefined
  } catch {
    return undefined
  }
}

/** A segment and a condition together are one condition. */
export const selectionOf = (
  segmentId: string | undefined,
  condition: FilterTree | undefined
): Pick<QueryContacts, "segmentId" | "condition"> => {
  if (condition === undefined) return segmentId === undefined ? {} : { segmentId }
  if (segmentId === undefined) return { condition }
  return {
    condition: {
      logic: "AND",
      groups: [{ filters: [{ field: `segment.${segmentId}`, operator: "memberOfSegment" }] }, { conditions: condition }]
    }
  }
}

/** All contacts that the list shows, as bulk changes and exports select them. */
export const selectOf = ({ search, subscribed, segmentId, condition }: QueryContacts): BulkSelect => {
  const filters: NonNullable<FilterTree["groups"][number]["filters"]> = [
    ...(search ? [{ field: "email", operator: "contains" as const, value: search }] : []),
    ...(typeof subscribed === "boolean"
      ? [{ field: "subscribed", operator: "equals" as const, value: subscribed }]
      : []),
    ...(segmentId ? [{ field: `segment.${segmentId}`, operator: "memberOfSegment" as const }] : [])
  ]
  if (filters.length === 0) return condition ? { condition } : { all: true }
  return { condition: { logic: "AND", groups: [{ filters }, ...(condition ? [{ conditions: condition }] : [])] } }
}
