import { assert, describe, it } from "@effect/vitest"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import { TextWork } from "../text/TextWork.ts"
import { requireSyntax, type Texts } from "./TextSyntax.ts"

const requireSyntaxInLine = (texts: Texts) => Effect.flatMap(TextWork, (work) => requireSyntax(work, texts))

describe("requireSyntax", () => {
  it.effect("accepts valid and absent texts", () =>
    Effect.gen(function* () {
      yield* requireSyntaxInLine({ subject: "Hello {{name ?? there}}", body: "{{#if a}}b{{/if}}" })
      yield* requireSyntaxInLine({ subject: null })
      yield* requireSyntaxInLine({})
    })
  )

  it.effect("reports the position of the fault, one for each field", () =>
    Effect.gen(function* () {
      const body = `${"<p>\n".repeat(13)}  {{#if vip}}`
      const { errors } = yield* Effect.flip(requireSyntaxInLine({ subject: "{{#each a}}", body }))
      assert.deepStrictEqual(errors, [
        { field: "subject", code: "template_syntax", message: "Block 'each' is not closed.", line: 1, column: 1 },
        { field: "body", code: "template_syntax", message: "Block 'if' is not closed.", line: 14, column: 3 }
      ])
    })
  )

  it.effect("refuses a source above 5 MB as too big, without a position", () =>
    Effect.gen(function* () {
      const body = `{{name}}${"x".repeat(5 * 1024 * 1024)}`
      const refused = yield* Effect.flip(requireSyntaxInLine({ body }))
      assert.deepStrictEqual(
        refused,
        ValidationError.one("body", "too_big", "A text with placeholders is at most 5 MB.")
      )
    })
  )
})
