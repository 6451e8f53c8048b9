import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { compile } from "./Template.ts"
import { TemplateInvalid } from "./TemplateFault.ts"

describe("compile", () => {
  it.effect("makes a template once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* compile("once {{a}}"), yield* compile("once {{a}}"))
    })
  )

  it.effect("keeps the 500 sources used last", () =>
    Effect.gen(function* () {
      const first = yield* compile("{{a}} first")
      const second = yield* compile("{{a}} second")
      for (let i = 0; i < 499; i++) {
        yield* compile(`{{a}} ${i}`)
        assert.strictEqual(yield* compile("{{a}} first"), first)
      }
      assert.notStrictEqual(yield* compile("{{a}} second"), second)
      assert.strictEqual(yield* compile("{{a}} first"), first)
    })
  )

  it.effect("lets one large source push out nothing", () =>
    Effect.gen(function* () {
      const small = yield* compile("{{a}} small")
      const large = "{{a}}".repeat(100_000)
      assert.notStrictEqual(yield* compile(large), yield* compile(large))
      assert.strictEqual(yield* compile("{{a}} small"), small)
    })
  )

  it.effect("fails with the fault of the source", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(compile("\n {{/if}}"))
      assert.instanceOf(error, TemplateInvalid)
      assert.deepStrictEqual(error.fault, { message: "{{/if}} closes no block.", line: 2, column: 2 })
      assert.strictEqual(error.message, error.fault.message)
    })
  )
})
