/** A contact for people. */
import type { Contact } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

export const contactHead = ["email", "subscribed", "created", "id"]

export const contactRow = ({ email, subscribed, createdAt, id }: Contact): ReadonlyArray<Cell> => [
  email,
  subscribed,
  createdAt,
  id
]

export const contactBlocks = ({ id, email, subscribed, data, createdAt, updatedAt }: Contact): ReadonlyArray<Block> => [
  {
    rows: [
      ["email", email],
      ["subscribed", subscribed],
      ["created", createdAt],
      ["updated", updatedAt],
      ["id", id]
    ]
  },
  { head: ["field", "value"], rows: Object.entries(data).map(([key, value]) => [key, valueText(value)]) }
]
