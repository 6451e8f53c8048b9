import type { WorkflowDetail } from "@posthorn/client/session"
import { assert, it } from "vitest"
import { drawingOf } from "./stored.ts"

const step = (id: string, type: string, y: number, x = 0) => ({
  id,
  type,
  name: id,
  position: { x, y },
  config: {},
  templateId: null
})

const way = (fromStepId: string, toStepId: string, branch: string | null = null) => ({ fromStepId, toStepId, branch })

const placesOf = (steps: ReadonlyArray<object>, transitions: ReadonlyArray<object>) => {
  const workflow = { steps, transitions, triggerType: "EVENT", triggerConfig: {} }
  const { steps: drawn } = drawingOf(workflow as unknown as WorkflowDetail)
  return Object.fromEntries(drawn.map(({ id, position }) => [id, [position.x, position.y]]))
}

const branches = [way("start", "ask"), way("ask", "yes", "yes"), way("ask", "no", "no"), way("no", "last")]

it("gives branches columns of their own in a graph that was made without positions", () => {
  const ids = [
    ["start", "TRIGGER"],
    ["ask", "CONDITION"],
    ["yes", "EXIT"],
    ["no", "DELAY"],
    ["last", "EXIT"]
  ] as const
  const places = placesOf(
    ids.map(([id, type], index) => step(id, type, index * 120)),
    branches
  )
  assert.deepStrictEqual(places, { start: [0, 0], ask: [0, 140], yes: [0, 280], no: [280, 280], last: [280, 420] })
})

it("keeps positions that somebody gave, and a column without branches", () => {
  const given = [step("start", "TRIGGER", 0), step("ask", "CONDITION", 120), step("yes", "EXIT", 240, -50)]
  assert.deepStrictEqual(placesOf(given, [way("start", "ask"), way("ask", "yes", "yes")]), {
    start: [0, 0],
    ask: [0, 120],
    yes: [-50, 240]
  })
  const column = [step("start", "TRIGGER", 0), step("wait", "DELAY", 500)]
  assert.deepStrictEqual(placesOf(column, [way("start", "wait")]), { start: [0, 0], wait: [0, 500] })
})
