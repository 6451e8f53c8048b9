/** A segment for people. */
import type { Segment } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

/** One line of a list. */
export const segmentHead = ["slug", "type", "members", "tracked", "created", "name"]
export const segmentRow = ({
  slug,
  type,
  memberCount,
  trackMembership,
  createdAt,
  name
}: Segment): ReadonlyArray<Cell> => [slug, type, memberCount, trackMembership ? "yes" : "no", createdAt, name]

export const segmentBlocks = (segment: Segment): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", segment.id],
      ["name", segment.name],
      ["slug", segment.slug],
      ...(segment.description === null ? [] : [["description", segment.description]]),
      ["type", segment.type],
      ...(segment.condition === null ? [] : [["condition", JSON.stringify(segment.condition)]]),
      ["members", segment.memberCount],
      ["tracked", segment.trackMembership ? "yes" : "no"],
      ["created", segment.createdAt],
      ["updated", segment.updatedAt]
    ]
  }
]
