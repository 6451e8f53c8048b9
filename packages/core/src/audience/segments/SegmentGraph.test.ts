import { assert, it } from "@effect/vitest"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { dependents, referenceFaults, type SegmentGraph } from "./SegmentGraph.ts"

const id = (n: number) => SegmentId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)

const graphOf = (edges: Readonly<Record<number, ReadonlyArray<number>>>): SegmentGraph =>
  new Map(Object.entries(edges).map(([from, to]) => [id(Number(from)), to.map(id)]))

/** Segment 1 names 2, 2 names 3, and so on. */
const chain = (length: number): SegmentGraph =>
  new Map(Array.from({ length }, (_, n) => [id(n + 1), n + 1 < length ? [id(n + 2)] : []]))

const faults = (graph: SegmentGraph, own: number | undefined, ...named: ReadonlyArray<number>) =>
  referenceFaults(
    graph,
    own === undefined ? undefined : id(own),
    named.map((n) => ({ field: `condition.groups.0.filters.${n}.field`, segment: id(n) }))
  )

const messages = (...args: Parameters<typeof faults>) =>
  faults(...args).map(({ field, message }) => `${field.split(".")[4]}: ${message}`)

const toItself = "The segment would refer to itself, directly or through others."
const tooLong = "More than 5 segments would refer to each other in a chain."

it("a reference must name an existing segment", () => {
  const graph = graphOf({ 1: [], 2: [] })
  assert.deepStrictEqual(messages(graph, 1, 2), [])
  assert.deepStrictEqual(messages(graph, 1, 2, 3), ["3: No such segment in this project."])
})

it("a fault has its field and the named segment", () => {
  assert.deepStrictEqual(faults(graphOf({}), 1, 2), [
    {
      field: "condition.groups.0.filters.2.field",
      code: "custom",
      message: "No such segment in this project.",
      received: `segment.${id(2)}`
    }
  ])
})

it("no segment may name itself, directly or through others", () => {
  assert.deepStrictEqual(messages(graphOf({ 1: [] }), 1, 1), [`1: ${toItself}`])
  assert.deepStrictEqual(messages(chain(4), 4, 1), [`1: ${toItself}`])
  assert.deepStrictEqual(messages(chain(4), 2, 1), [`1: ${toItself}`])
})

it("a chain has at most five segments, wherever one is added", () => {
  assert.deepStrictEqual(messages(chain(4), 9, 1), [])
  assert.deepStrictEqual(messages(chain(5), 9, 1), [`1: ${tooLong}`])
  assert.deepStrictEqual(messages(chain(5), 9, 2), [])
  const two = graphOf({ 1: [2], 2: [3], 3: [], 4: [5], 5: [] })
  assert.deepStrictEqual(messages(two, 3, 4), [])
  const three = graphOf({ 1: [2], 2: [3], 3: [], 4: [5], 5: [6], 6: [] })
  assert.deepStrictEqual(messages(three, 3, 4), [`4: ${tooLong}`])
})

it("a condition outside of segments may name a chain of five", () => {
  assert.deepStrictEqual(messages(chain(5), undefined, 1), [])
})

/** `layers` layers of 60 segments. Each segment names all segments of the next layer. */
const woven = (layers: number): SegmentGraph => {
  const row = (layer: number) => Array.from({ length: layer < layers ? 60 : 0 }, (_, n) => id(layer * 60 + n))
  const rows = Array.from({ length: layers }, (_, layer) => row(layer).map((each) => [each, row(layer + 1)] as const))
  return new Map(rows.flat())
}

it("many paths to the same segments are computed once", () => {
  assert.deepStrictEqual(messages(woven(5), 9999, 60), [])
  assert.deepStrictEqual(messages(woven(5), 9999, 0), [`0: ${tooLong}`])
})

it("segments that name a segment directly or indirectly depend on it", () => {
  const graph = graphOf({ 1: [2], 2: [3], 3: [], 4: [3], 5: [] })
  assert.deepStrictEqual([...dependents(graph, id(3))].sort(), [1, 2, 3, 4].map(id))
})
