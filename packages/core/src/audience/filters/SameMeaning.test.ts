/** Any condition gives the same result in SQL and in memory for any contact. */
import { assert, layer } from "@effect/vitest"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { FilterPlace } from "@posthorn/contract/audience/filters/FilterFields"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { databases } from "../../testing/Databases.ts"
import { testsOf } from "./Dependencies.ts"
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

const isSubscribed = (is: boolean): Condition => ({ _tag: "Subscribed", is })

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

    it.effect(
      "and each of its tests alone is counted as often as it holds",
      () =>
        Effect.gen(function* () {
          const population = fc.sample(contact, contacts).map((each, n) => ({ ...each, email: email(n) }))
          const lab = yield* makeLab(population)
          const runPromise = Effect.runPromiseWith(yield* Effect.context())
          const tests: ReadonlyArray<Condition> = fc.sample(condition, 4 * runs).flatMap(testsOf)
          const histories = tests.filter(({ _tag }) => _tag === "History").slice(0, runs)
          const everybody: Condition = { _tag: "AllOf", conditions: [] }
          const [drawn] = fc.sample(scope, 1)
          assert.isDefined(drawn)
          assert.isAbove(histories.length, 20)
          for (const each of [everybody, isSubscribed(true), isSubscribed(false), ...histories]) {
            for (const wrapped of [each, { _tag: "AllOf", conditions: [each] } satisfies Condition]) {
              const count = yield* Effect.promise(() => runPromise(lab.count(wrapped, drawn)))
              assert.strictEqual(count, lab.evaluate(wrapped, drawn).length, JSON.stringify(wrapped))
            }
          }
        }),
      60_000
    )
  })
}
