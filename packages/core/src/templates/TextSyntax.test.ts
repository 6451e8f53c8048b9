import { assert, describe, it } from "@effect/vitest"
import { ValidationError } from "@posthorn/contract/Errors"
import { Effect } from "effect"
import { requireSyntax } from "./TextSyntax.ts"

describe("requireSyntax", () => {
  it.effect("passes texts that parse, and texts that are not there", () =>
    Effect.gen(function* () {
      yield* requireSyntax({ subject: "Hello {{name ?? there}}", body: "{{#if a}}b{{/if}}" })
      yield* requireSyntax({ subject: null })
      yield* requireSyntax({})
    })
  )

  it.effect("says where a text does not parse, one entry for each field", () =>
    Effect.gen(function* () {
      const body = `${"<p>\n".repeat(13)}  {{#if vip}}`
      const { errors } = yield* Effect.flip(requireSyntax({ subject: "{{#each a}}", body }))
      assert.deepStrictEqual(errors, [
        { field: "subject", code: "template_syntax", message: "Block 'each' is not closed.", line: 1, column: 1 },
        { field: "body", code: "template_syntax", message: "Block 'if' is not closed.", line: 14, column: 3 }
      ])
    })
  )

  it.effect("refuses a source above 5 MB as too big, at no place", () =>
    Effect.gen(function* () {
      const body = `{{name}}${"x".repeat(5 * 1024 * 1024)}`
      const refused = yield* Effect.flip(requireSyntax({ body }))
      assert.deepStrictEqual(
        refused,
        ValidationError.one("body", "too_big", "A text with placeholders is at most 5 MB.")
      )
    })
  )
})
