/** What a person writes about a segment, before it is saved. */
import type { FilterTree, Segment } from "@posthorn/client/session"
import { everyone } from "../../kit/conditions/everyone.ts"

export interface Draft {
  readonly name: string
  readonly description: string
  readonly type: Segment["type"]
  readonly condition: FilterTree
  readonly trackMembership: boolean
  readonly silentStart: boolean
}

export const emptyDraft: Draft = {
  name: "",
  description: "",
  type: "DYNAMIC",
  condition: everyone,
  trackMembership: false,
  silentStart: false
}

export const draftOf = ({ name, description, type, condition, trackMembership }: Segment): Draft => ({
  name,
  description: description ?? "",
  type,
  condition: condition ?? everyone,
  trackMembership,
  silentStart: false
})

export const bodyOf = ({ name, description, type, condition, trackMembership, silentStart }: Draft) => ({
  name: name.trim(),
  description: description.trim() || null,
  trackMembership,
  ...(type === "DYNAMIC" && { condition }),
  ...(trackMembership && silentStart && { silentStart })
})
