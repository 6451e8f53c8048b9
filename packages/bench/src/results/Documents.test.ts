import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { scenes } from "../chaos/Names.ts"
import type { Row as FaultRow } from "../chaos/Report.ts"
import { documents } from "./Documents.ts"
import { read } from "./Kept.ts"
import { inserted, results } from "./Tables.ts"

it.effect("README and RESULTS.md show the stored figures: run `npm run results` if not", () =>
  Effect.gen(function* () {
    for (const { is, should } of yield* documents) assert.strictEqual(is, should)
  })
)

it.effect("each stored scenario has a description", () =>
  Effect.gen(function* () {
    for (const { scenario } of yield* read<FaultRow>("chaos")) assert.isNotEmpty(scenes[scenario] ?? "", scenario)
  })
)

it("a marked section is generated again, and the text around it does not change", () => {
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
  const figures = { bench: [], chaos, fuzz: [], month: [], soak: [] }
  const text = "before\n<!-- results: summary -->\nold\n<!-- /results -->\nafter"
  const made = inserted(text, figures)
  assert.match(
    made,
    /^before\n<!-- results: summary -->\n\n- Fault scenarios: 1, caused 20 times: 2,000 mails accepted/
  )
  assert.include(made, "**0 lost**, 7 copies, of at most 9 promised, promises broken in 0 of them.")
  assert.notInclude(made, "old")
  assert.match(made, /<!-- \/results -->\nafter$/)
  assert.strictEqual(inserted(made, figures), made)

  const report = results(figures)
  assert.include(report, "| api_kills | `kill -9` of the API under load | 20 | 2,000 | 0 | 7 | 9 | as promised |")
  assert.include(report, "`npm run chaos`, 2026-01-02, commit abc")
})

it.effect("the README has five lines of figures, and no table of them", () =>
  Effect.gen(function* () {
    const [readme] = yield* documents
    const [, marked = ""] = /<!-- results: summary -->([\s\S]*?)<!-- \/results -->/.exec(readme?.should ?? "") ?? []
    assert.lengthOf(marked.trim().split("\n"), 5)
    assert.notInclude(marked, "|")
  })
)
