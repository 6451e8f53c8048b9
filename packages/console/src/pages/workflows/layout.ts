/** Positions for all steps, from top to bottom in the direction of the flow. */
import dagre from "@dagrejs/dagre"
import type { Drawing } from "./Drawing.ts"

export const stepSize = { width: 240, height: 96 }

export const tidied = (drawing: Drawing): Drawing => {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 56 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of drawing.steps) graph.setNode(id, { ...stepSize })
  for (const { from, to, branch } of drawing.transitions) graph.setEdge(from, to, {}, branch ?? "")
  dagre.layout(graph)
  return {
    ...drawing,
    steps: drawing.steps.map((step) => {
      const { x, y } = graph.node(step.id) as { readonly x: number; readonly y: number }
      return {
        ...step,
        position: { x: Math.round(x - stepSize.width / 2), y: Math.round(y - stepSize.height / 2) }
      }
    })
  }
}
