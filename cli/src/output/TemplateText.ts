/** A template for people. */
import type { Template } from "@posthorn/client"
import { party } from "./EmailText.ts"
import type { Block, Cell } from "./Table.ts"

/** One line of a list. */
export const templateHead = ["updated", "type", "id", "name", "subject"]
export const templateRow = ({ updatedAt, type, id, name, subject }: Template): ReadonlyArray<Cell> => [
  updatedAt,
  type,
  id,
  name,
  subject
]

/** All fields except the HTML. */
export const templateBlocks = (template: Template): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", template.id],
      ["name", template.name],
      ...(template.description === null ? [] : [["description", template.description]]),
      ["subject", template.subject],
      ["from", party(template.from, template.fromName)],
      ...(template.replyTo === null ? [] : [["reply to", template.replyTo]]),
      ["type", template.type],
      ["created", template.createdAt],
      ["updated", template.updatedAt]
    ]
  }
]
