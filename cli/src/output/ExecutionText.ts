/** Executions for people. */
import type { Execution } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

/** One line of a list. */
export const executionHead = ["status", "contact", "at", "resumes", "reason", "started", "id"]
export const executionRow = (execution: Execution): ReadonlyArray<Cell> => [
  execution.status,
  execution.contact.email,
  execution.currentStep?.name ?? "",
  execution.resumeAt ?? "",
  execution.exitReason ?? "",
  execution.startedAt,
  execution.id
]

export const executionBlocks = (execution: Execution): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", execution.id],
      ["status", execution.status],
      ["contact", execution.contact.email],
      ["at", execution.currentStep?.name ?? ""],
      ["started", execution.startedAt]
    ]
  }
]
