import { assert, describe, it } from "@effect/vitest"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { DateTime } from "effect"
import fc from "fast-check"
import { applied, branchesOf, type Graph, type GraphChange, type GraphStep } from "./Graph.ts"
import * as GraphEdits from "./GraphEdits.ts"
import { graphFaults } from "./GraphValidity.ts"

const now = DateTime.makeUnsafe(0)
let ids = 0
const nextId = () => `019c0000-0000-7000-8000-${String(++ids).padStart(12, "0")}`
const stamp = () => ({ id: TransitionId.make(nextId()), now })

const branches = ["a", "b", "c"].map((id) => ({ id, operator: "equals", value: id }))
const configs: { readonly [kind: string]: GraphStep["config"] } = {
  DELAY: { amount: 1, unit: "days" },
  WAIT_FOR_EVENT: { eventName: "paid", timeout: 60 },
  CONDITION: { field: "data.plan", operator: "exists" },
  MULTI: { mode: "multi", field: "data.plan", branches }
}

const stepOf = (kind: string, ordinal: number): GraphStep => ({
  id: StepId.make(nextId()),
  ordinal,
  type: kind === "MULTI" ? "CONDITION" : (StepType.literals.find((type) => type === kind) ?? "DELAY"),
  name: `${kind} ${ordinal}`,
  position: { x: 0, y: 0 },
  config: configs[kind] ?? {},
  templateId: null,
  createdAt: now,
  updatedAt: now
})

const fresh = (): Graph => ({ steps: [stepOf("TRIGGER", 0)], transitions: [] })

const kinds = ["SEND_EMAIL", "DELAY", "WAIT_FOR_EVENT", "CONDITION", "MULTI", "WEBHOOK", "UPDATE_CONTACT", "EXIT"]

const at = <A>(all: ReadonlyArray<A>, n: number): A | undefined => all[n % Math.max(all.length, 1)]

/** An edit of the service. Undefined if the service refuses it. */
type Edit = (graph: Graph) => GraphChange | undefined

const edit = fc.oneof(
  fc.tuple(fc.constantFrom(...kinds), fc.boolean()).map(
    ([kind, auto]): Edit =>
      (graph) =>
        GraphEdits.addStep(graph, stepOf(kind, graph.steps.length), auto, stamp())
  ),
  fc.tuple(fc.nat(20), fc.nat(20), fc.nat(5)).map(
    ([from, to, branch]): Edit =>
      (graph) => {
        const [a, b] = [at(graph.steps, from), at(graph.steps, to)]
        if (a === undefined || b === undefined) return undefined
        const edge = { fromStepId: a.id, toStepId: b.id, branch: at(branchesOf(a), branch) ?? null }
        const isTaken = graph.transitions.some(
          (each) => !each.auto && each.fromStepId === a.id && each.branch === edge.branch
        )
        if (GraphEdits.transitionFault(a, b, edge.branch) !== undefined || isTaken) return undefined
        return GraphEdits.connect(graph, edge, stamp()).change
      }
  ),
  fc.tuple(fc.nat(20), fc.boolean()).map(
    ([n, splice]): Edit =>
      (graph) => {
        const step = at(graph.steps.slice(1), n)
        if (step === undefined) return undefined
        return splice ? GraphEdits.spliceStep(graph, step, now) : GraphEdits.removeStep(graph, step)
      }
  ),
  fc.tuple(fc.nat(20), fc.constantFrom(...kinds.slice(0, -1))).map(
    ([n, kind]): Edit =>
      (graph) => {
        const into = at(graph.transitions, n)
        return into && GraphEdits.insertStep(stepOf(kind, graph.steps.length), into, stamp())
      }
  ),
  fc.nat(20).map(
    (n): Edit =>
      (graph) => {
        const transition = at(graph.transitions, n)
        return transition && { putSteps: [], dropSteps: [], putTransitions: [], dropTransitions: [transition.id] }
      }
  )
)

const requireInvariants = (graph: Graph) => {
  const steps = new Map<string, GraphStep>(graph.steps.map((step) => [step.id, step]))
  assert.strictEqual(graph.steps.filter(({ type }) => type === "TRIGGER").length, 1)
  const places = graph.transitions.map(({ fromStepId, branch }) => `${fromStepId} ${branch}`)
  assert.strictEqual(new Set(places).size, places.length, "one transition for each step and branch")
  for (const { fromStepId, toStepId, branch } of graph.transitions) {
    const [from, to] = [steps.get(fromStepId), steps.get(toStepId)]
    assert.isDefined(from)
    assert.isDefined(to)
    if (from && to) assert.isUndefined(GraphEdits.transitionFault(from, to, branch))
  }
}

describe("Edits of a graph", () => {
  it("in any order keep one TRIGGER, one transition for each step and branch, and no transition to a deleted step", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        let graph = fresh()
        for (const each of edits) {
          graph = applied(
            graph,
            each(graph) ?? { putSteps: [], dropSteps: [], putTransitions: [], dropTransitions: [] }
          )
          requireInvariants(graph)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("remove no transition that a caller posted, unless they delete it or one of its steps", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        let graph = fresh()
        for (const each of edits) {
          const change = each(graph)
          if (change === undefined) continue
          const byName = change.putTransitions.length === 0 && change.putSteps.length === 0
          const gone = graph.transitions.filter(({ id }) => change.dropTransitions.includes(id))
          if (!byName && change.dropSteps.length === 0) assert.isTrue(gone.every(({ auto }) => auto))
          graph = applied(graph, change)
        }
      }),
      { numRuns: 200 }
    )
  })

  /** Steps in any order of creation. Transitions lead only from earlier to later steps of `order`, which begins with the entry. */
  const drawing = fc.integer({ min: 2, max: 8 }).chain((size) =>
    fc.record({
      kinds: fc.array(fc.constantFrom("SEND_EMAIL", "DELAY", "WAIT_FOR_EVENT", "CONDITION", "MULTI"), {
        minLength: size,
        maxLength: size
      }),
      order: fc.shuffledSubarray(
        Array.from({ length: size }, (_, n) => n),
        { minLength: size, maxLength: size }
      ),
      choices: fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { minLength: 2 * size, maxLength: 2 * size }),
      seeds: fc.array(fc.nat(1000), { minLength: 3 * size, maxLength: 3 * size })
    })
  )

  it("that post all transitions result in the posted graph, and its entry is found", () => {
    fc.assert(
      fc.property(drawing, ({ kinds, order, choices, seeds }) => {
        let graph = fresh()
        const steps = kinds.map((kind) => {
          const step = stepOf(kind, graph.steps.length)
          graph = applied(graph, GraphEdits.addStep(graph, step, true, stamp()))
          return step
        })
        const inOrder = order.flatMap((n) => steps[n] ?? [])
        const edges: Array<{ fromStepId: string; toStepId: string; branch: string | null }> = []
        const add = (from: GraphStep | undefined, to: GraphStep | undefined, n: number) => {
          if (from === undefined || to === undefined) return false
          const free = branchesOf(from).filter(
            (branch) => !edges.some((edge) => edge.fromStepId === from.id && edge.branch === branch)
          )
          const branch = at(free, n)
          if (branch === undefined) return false
          edges.push({ fromStepId: from.id, toStepId: to.id, branch })
          return true
        }
        // Each step but the entry gets a transition from an earlier step with a free branch. Then more transitions are added.
        const areReached = inOrder.slice(1).every((to, n) => {
          const before = inOrder.slice(0, n + 1)
          const start = choices[n]?.[0] ?? 0
          return before.some((_, k) => add(at(before, start + k), to, choices[n]?.[1] ?? 0))
        })
        fc.pre(areReached)
        for (const [a, b] of choices.slice(inOrder.length)) {
          const from = a % inOrder.length
          add(inOrder[from], at(inOrder.slice(from + 1), b), a + b)
        }
        const posted = edges
          .map((edge, n) => ({ edge, seed: seeds[n] ?? 0 }))
          .sort((x, y) => x.seed - y.seed)
          .map(({ edge }) => edge)
        for (const edge of posted) graph = applied(graph, GraphEdits.connect(graph, edge, stamp()).change)
        graph = applied(graph, GraphEdits.inferEntry(graph, stamp()) ?? assert.fail("There is no one entry."))

        const line = (edge: (typeof edges)[number]) => `${edge.fromStepId} ${edge.branch} ${edge.toStepId}`
        const [trigger, entry] = [graph.steps[0]?.id ?? "", inOrder[0]?.id ?? ""]
        const wanted = [...edges, { fromStepId: trigger, toStepId: entry, branch: null }]
        assert.deepStrictEqual(graph.transitions.map(line).sort(), wanted.map(line).sort())
      }),
      { numRuns: 500 }
    )
  })
})

describe("A splice", () => {
  /** Steps are single letters, transitions are `ab` or `a-yes-b`. */
  const draw = (steps: { readonly [letter: string]: string }, edges: ReadonlyArray<string>) => {
    const letters = new Map(Object.entries(steps).map(([letter, kind], n) => [letter, stepOf(kind, n + 1)]))
    const idOf = (letter: string) => letters.get(letter)?.id ?? ""
    const transitions = edges.map((text) => {
      const [from = "", to = "", branch] = text.includes("-")
        ? [text.split("-")[0], text.split("-")[2], text.split("-")[1]]
        : text
      return {
        ...stamp(),
        fromStepId: idOf(from),
        toStepId: idOf(to),
        branch: branch ?? null,
        auto: false,
        createdAt: now,
        updatedAt: now
      }
    })
    const graph: Graph = { steps: [...fresh().steps, ...letters.values()], transitions }
    const shown = (change: GraphChange | undefined) => {
      if (change === undefined) return "refused"
      const nameOf = (id: string) => [...letters].find(([, step]) => step.id === id)?.[0] ?? "?"
      return applied(graph, change)
        .transitions.map(({ fromStepId, toStepId, branch }) =>
          branch === null
            ? nameOf(fromStepId) + nameOf(toStepId)
            : `${nameOf(fromStepId)}-${branch}-${nameOf(toStepId)}`
        )
        .sort()
        .join(" ")
    }
    const step = letters.get("s")
    if (step === undefined) throw new Error("s is the step that goes")
    return {
      spliced: shown(GraphEdits.spliceStep(graph, step, now)),
      removed: shown(GraphEdits.removeStep(graph, step))
    }
  }

  it.each([
    ["in a row", { a: "DELAY", s: "DELAY", b: "EXIT" }, ["as", "sb"], "ab"],
    [
      "keeps the branches of incoming transitions",
      { a: "CONDITION", s: "DELAY", b: "EXIT" },
      ["a-yes-s", "a-no-b", "sb"],
      "a-no-b a-yes-b"
    ],
    ["joins several", { a: "DELAY", c: "DELAY", s: "DELAY", b: "EXIT" }, ["as", "cs", "sb"], "ab cb"],
    [
      "at the end removes incoming transitions",
      { a: "CONDITION", s: "EXIT", b: "EXIT" },
      ["a-yes-s", "a-no-b"],
      "a-no-b"
    ],
    ["at the beginning keeps the next step", { s: "DELAY", b: "EXIT" }, ["sb"], ""],
    ["of branches with one target", { a: "DELAY", s: "CONDITION", b: "EXIT" }, ["as", "s-yes-b", "s-no-b"], "ab"],
    [
      "of branches with several targets",
      { a: "DELAY", s: "CONDITION", b: "EXIT", c: "EXIT" },
      ["as", "s-yes-b", "s-no-c"],
      "refused"
    ],
    ["of a wait with one transition", { a: "DELAY", s: "WAIT_FOR_EVENT", b: "EXIT" }, ["as", "sb"], "ab"],
    ["drops a transition that would lead to its own step", { a: "DELAY", s: "SEND_EMAIL" }, ["as", "sa"], ""],
    ["of a cycle of three", { a: "DELAY", s: "SEND_EMAIL", b: "DELAY" }, ["as", "sb", "ba"], "ab ba"]
  ] as const)("%s", (_name, steps, edges, expected) => {
    assert.strictEqual(draw(steps, edges).spliced, expected)
  })

  it("needs a request: a plain removal leaves a gap", () => {
    assert.strictEqual(draw({ a: "DELAY", s: "DELAY", b: "DELAY", c: "EXIT" }, ["as", "sb", "bc"]).removed, "bc")
  })
})

describe("A graph", () => {
  it("needs a step that takes time in every cycle, and reports each cycle once", () => {
    const faultsOf = (kinds: ReadonlyArray<string>) => {
      const graph = fresh()
      const steps = [...graph.steps, ...kinds.map((kind, n) => stepOf(kind, n + 1))]
      const ring = steps.slice(1)
      const transitions = [
        ...ring.map((from, n) => ({ from, to: ring[(n + 1) % ring.length] ?? from })),
        { from: steps[0] ?? assert.fail(), to: ring[0] ?? assert.fail() }
      ].map(({ from, to }) => ({
        ...stamp(),
        fromStepId: from.id,
        toStepId: to.id,
        branch: branchesOf(from)[0] ?? null,
        auto: false,
        createdAt: now,
        updatedAt: now
      }))
      return graphFaults({ steps, transitions }).map(({ message }) => message)
    }
    assert.deepStrictEqual(faultsOf(["SEND_EMAIL", "CONDITION", "WEBHOOK"]), [
      "A cycle needs a DELAY or a WAIT_FOR_EVENT that always takes time."
    ])
    assert.deepStrictEqual(faultsOf(["SEND_EMAIL", "DELAY", "WEBHOOK"]), [])
    assert.deepStrictEqual(faultsOf(["CONDITION", "WAIT_FOR_EVENT"]), [])
  })
})
