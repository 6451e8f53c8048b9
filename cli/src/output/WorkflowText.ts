/** A workflow for people. */
import type { ListedWorkflow, WorkflowDetail } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

const triggerOf = ({ triggerType, triggerConfig }: Pick<ListedWorkflow, "triggerConfig" | "triggerType">): string =>
  [triggerType, triggerConfig["eventName"] ?? triggerConfig["schedule"] ?? ""].join(" ").trim()

/** One line of a list. */
export const workflowHead = ["status", "trigger", "steps", "active", "executions", "id", "name"]
export const workflowRow = (workflow: ListedWorkflow): ReadonlyArray<Cell> => [
  workflow.enabled ? "enabled" : "disabled",
  triggerOf(workflow),
  workflow._count.steps,
  workflow._count.activeExecutions,
  workflow._count.executions,
  workflow.id,
  workflow.name
]

export const workflowBlocks = (workflow: WorkflowDetail): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", workflow.id],
      ["name", workflow.name],
      ["status", workflow.enabled ? "enabled" : "disabled"],
      ["trigger", triggerOf(workflow)],
      ...(workflow.nextRunAt === null ? [] : [["next run", workflow.nextRunAt]]),
      ["steps", workflow._count.steps],
      ["active executions", workflow._count.activeExecutions]
    ]
  }
]
