import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Schema } from "effect"
import fc from "fast-check"
import { renderAt } from "./Render.ts"
import { compile } from "./Template.ts"
import { anyTemplate, anyVariables } from "./TemplateArbitraries.ts"
import { variables } from "./Variables.ts"
import { variablesUsed } from "./VariablesUsed.ts"

const names = (source: string) => {
  const used = variablesUsed(Effect.runSync(compile(source)))
  return used && [...used].sort()
}

/** Renders the source for a contact with this data. */
const printed = (source: string, data: Schema.JsonObject) => {
  const values = variables({
    contact: { id: "1", email: "a@example.com", subscribed: true, data },
    urls: { unsubscribeUrl: "u", subscribeUrl: "s", manageUrl: "m" },
    project: { name: "P", language: "en" }
  })
  return Result.getOrThrow(renderAt(Effect.runSync(compile(source)), values, "html", () => 0))
}

describe("The fields that a text uses", () => {
  it("are the fields it names, at any depth", () => {
    assert.deepStrictEqual(names("Hello"), [])
    assert.deepStrictEqual(names("{{a}} {{b.c}} {{[first name]}} {{d ?? x}}"), ["a", "b", "d", "first name"])
    assert.deepStrictEqual(names("{{#if a}}{{date b c tz=d}}{{else}}{{e}}{{/if}}"), ["a", "b", "c", "d", "e"])
    assert.deepStrictEqual(names("{{#each list}}{{name}} {{../other}} {{@root.deep.x}}{{@index}}{{/each}}"), [
      "deep",
      "list",
      "name",
      "other"
    ])
    assert.deepStrictEqual(names("{{#each list}}{{this}} {{#with a}}{{this}} {{..}}{{/with}}{{/each}}"), ["a", "list"])
    assert.deepStrictEqual(names("{{data.a}} {{@root.data.b}}"), ["a", "b", "data"])
    assert.deepStrictEqual(names("{{#if n includeZero=zero}}{{/if}}"), ["n", "zero"])
  })

  it("may be all of them", () => {
    for (const source of [
      "{{this}}",
      "{{data}}",
      "{{@root}}",
      "{{#with data}}{{a}}{{/with}}",
      "{{#each this}}{{/each}}",
      "{{#each list}}{{else}}{{this}}{{/each}}",
      "{{#if list}}{{this}}{{/if}}",
      "{{#each list}}{{..}}{{/each}}"
    ]) {
      assert.isUndefined(names(source), source)
    }
  })

  it("are enough to render the same text again", () => {
    fc.assert(
      fc.property(anyTemplate, anyVariables, (source, data) => {
        const used = variablesUsed(Effect.runSync(compile(source)))
        const kept = Object.entries(data).filter(([name]) => name === "locale" || used === undefined || used.has(name))
        assert.strictEqual(printed(source, Object.fromEntries(kept)), printed(source, data))
      }),
      { numRuns: 1000 }
    )
  })
})
