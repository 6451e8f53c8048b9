/** Suppressed addresses for people. */
import type { Suppression } from "@posthorn/client"
import type { Block } from "./Table.ts"

export const suppressionHead = ["address", "reason", "since", "note"]

/** Of an erased address only its entry in the list remains. */
const address = ({ email }: Suppression): string => email ?? "(erased)"

export const suppressionRow = (suppression: Suppression) => [
  address(suppression),
  suppression.reason,
  suppression.createdAt,
  suppression.note
]

export const suppressionBlock = (suppression: Suppression): Block => ({
  rows: [
    ["address", address(suppression)],
    ["reason", suppression.reason],
    ["since", suppression.createdAt],
    ["mail", suppression.emailId],
    ["note", suppression.note]
  ]
})
