import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { scenes } from "../chaos/Names.ts"
import type { Row as Scar } from "../chaos/Report.ts"
import { documents } from "./Documents.ts"
import { read } from "./Kept.ts"
import { inserted } from "./Tables.ts"

it.effect("README and RESULTS.md show the figures that were kept: run `npm run results` if not", () =>
  Effect.gen(function* () {
    for (const { is, should } of yield* documents) assert.strictEqual(is, should)
  })
)

it.effect("each scenario that was kept says what happens in it", () =>
  Effect.gen(function* () {
    for (const { scenario } of yield* read<Scar>("chaos")) assert.isNotEmpty(scenes[scenario] ?? "", scenario)
  })
)

it("a marked section is made anew, and what stands around it stays", () => {
  const machine = { cores: 2, processor: "Example", memoryGigabytes: 8, system: "Linux", node: "v24", loadAverage: [] }
  const origin = {
    at: "2026-01-02T03:04:05.000Z",
    commit: "abc",
    command: "npm run chaos",
    machine: { ...machine, postgres: undefined }
  }
  const found = {
    accepted: 2_000,
    delivered: 2_000,
    lost: 0,
    extra: 7,
    bound: 9,
    ambiguous: 9,
    resting: 0,
    violations: []
  }
  const chaos = [{ scenario: "api_kills" as const, faults: 20, ...found, origin }]
  const text = "before\n<!-- results: scars -->\nold\n<!-- /results -->\nafter"
  const made = inserted(text, { bench: [], chaos, fuzz: [], soak: [] })
  assert.match(made, /^before\n<!-- results: scars -->\n\n\| Scenario \| What happens/)
  assert.include(made, "| api_kills | `kill -9` of the API under load | 20 | 2,000 | 0 | 7 | 9 | as promised |")
  assert.include(made, "`npm run chaos`, 2026-01-02, commit abc")
  assert.notInclude(made, "old")
  assert.match(made, /<!-- \/results -->\nafter$/)
  assert.strictEqual(inserted(made, { bench: [], chaos, fuzz: [], soak: [] }), made)
})
