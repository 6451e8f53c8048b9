/** The drawing of a workflow as it is stored. */
import type { WorkflowDetail } from "@posthorn/client/session"
import { branchesOf, type Config, columnWidth, type Drawing, flowOrder, rowHeight, stepOf } from "./Drawing.ts"

/** A graph whose steps were added without positions is one column. Its branches get columns beside it. */
const placed = (drawing: Drawing): Drawing => {
  const isColumn = drawing.steps.every(({ position }) => position.x === drawing.steps[0]?.position.x)
  const from = new Set(drawing.transitions.map((each) => each.from))
  if (!isColumn || from.size === drawing.transitions.length) return drawing
  const cells = new Map<string, { readonly row: number; readonly column: number }>()
  const taken = new Set<string>()
  for (const step of flowOrder(drawing)) {
    const before = drawing.transitions.flatMap((way) => {
      const cell = way.to === step.id ? cells.get(way.from) : undefined
      const origin = stepOf(drawing, way.from)
      return cell === undefined || origin === undefined
        ? []
        : [{ row: cell.row + 1, column: cell.column + Math.max(0, branchesOf(origin).indexOf(way.branch)) }]
    })
    const row = Math.max(0, ...before.map((cell) => cell.row))
    let column = before[0]?.column ?? 0
    while (taken.has(`${row} ${column}`)) column += 1
    taken.add(`${row} ${column}`)
    cells.set(step.id, { row, column })
  }
  return {
    ...drawing,
    steps: drawing.steps.map((step) => {
      const { row, column } = cells.get(step.id) ?? { row: 0, column: 0 }
      return { ...step, position: { x: column * columnWidth, y: row * rowHeight } }
    })
  }
}

const storedDrawing = (workflow: WorkflowDetail): Drawing => ({
  steps: workflow.steps.map(({ id, type, name, position, config, templateId }) => ({
    id,
    isNew: false,
    type,
    name,
    position,
    config: config as Config,
    templateId
  })),
  transitions: workflow.transitions.map(({ fromStepId, toStepId, branch }) => ({
    from: fromStepId,
    to: toStepId,
    branch
  })),
  triggerType: workflow.triggerType,
  triggerConfig: workflow.triggerConfig
})

export const drawingOf = (workflow: WorkflowDetail): Drawing => placed(storedDrawing(workflow))
