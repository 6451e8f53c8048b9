/** Any condition gives the same result in SQL and in memory for any contact. */
import { assert, layer } from "@effect/vitest"
import type { FilterPlace } from "@posthorn/contract/audience/filters/FilterFields"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { databases } from "../../testing/Databases.ts"
import type { SegmentDefinition } from "./SegmentDefinitions.ts"
import {
  audienceTree,
  contact,
  data,
  dynamicSegments,
  email,
  now,
  staticSegments,
  stepTree,
  topics
} from "./testing/Arbitraries.ts"
import { type LabScope, makeLab } from "./testing/FilterLab.ts"

/** Each run evaluates one random condition for this many random contacts. */
const contacts = 100
const runs = 250

/** Random values can make a filter invalid, such as one whose low end is above its high end. Those are skipped. */
const read = (tree: FilterTree, place: FilterPlace) => Result.getOrUndefined(parseTree(tree, place))

const readable = (tree: fc.Arbitrary<FilterTree>, place: FilterPlace) =>
  tree.map((each) => read(each, place)).filter((condition) => condition !== undefined)

const [first, second] = dynamicSegments
const scope: fc.Arbitrary<LabScope> = fc
  .record({
    now,
    few: fc.boolean(),
    context: data,
    first: readable(audienceTree([]), "audience"),
    second: readable(audienceTree([first]), "audience")
  })
  .map((drawn) => ({
    now: drawn.now,
    few: drawn.few,
    context: drawn.context,
    topics,
    segments: new Map<string, SegmentDefinition>([
      ...staticSegments.map((id) => [id, { type: "STATIC" }] as const),
      [first, { type: "DYNAMIC", condition: drawn.first }],
      [second, { type: "DYNAMIC", condition: drawn.second }]
    ])
  }))
const condition = fc.oneof(
  readable(audienceTree(dynamicSegments), "audience"),
  readable(stepTree(dynamicSegments), "step")
)

for (const [name, database] of databases()) {
  layer(database, { timeout: "120 seconds" })(`A condition on ${name}`, (it) => {
    it.effect(
      "selects the same contacts in SQL and in memory",
      () =>
        Effect.gen(function* () {
          const population = fc.sample(contact, contacts).map((each, n) => ({ ...each, email: email(n) }))
          const lab = yield* makeLab(population)
          const runPromise = Effect.runPromiseWith(yield* Effect.context())
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(condition, scope, async (condition, scope) => {
                const selected = await runPromise(lab.select(condition, scope))
                const evaluated = lab.evaluate(condition, scope)
                const differing = population.filter((_, n) => selected.includes(n) !== evaluated.includes(n))
                assert.deepStrictEqual(selected, evaluated, JSON.stringify(differing))
              }),
              { numRuns: runs }
            )
          )
        }),
      120_000
    )
  })
}
