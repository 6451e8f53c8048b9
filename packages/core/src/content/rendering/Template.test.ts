import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { compile } from "./Template.ts"
import { TemplateInvalid } from "./TemplateFault.ts"

describe("compile", () => {
  it.effect("compiles a template once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* compile("once {{a}}"), yield* compile("once {{a}}"))
    })
  )

  it.effect("keeps the 500 most recently used sources", () =>
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

  it.effect("compiles the largest source once, and large sources do not displace small ones", () =>
    Effect.gen(function* () {
      const small = yield* compile("{{a}} small")
      const largest = `${"{{a}} ".repeat(52_000)}${"x".repeat(1_780_000)}`
      assert.strictEqual(yield* compile(largest), yield* compile(largest))
      const first = yield* compile(largest)
      for (let i = 0; i < 5; i++) yield* compile(largest.replace("x", String(i)))
      assert.notStrictEqual(yield* compile(largest), first)
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
