import { assert, describe, it } from "@effect/vitest"
import { longestInLine, TextTooSlow, TextWork, type TextWorker } from "@posthorn/core/content/text/TextWork"
import { Duration, Effect, Fiber } from "effect"
import * as TextThreads from "./TextThreads.ts"

const using = <A, E>(options: TextThreads.Options, use: (work: TextWorker) => Effect.Effect<A, E>) =>
  Effect.flatMap(TextWork, use).pipe(Effect.provide(TextThreads.layerWith(options)))

/** Templates that loop for longer than the second that rendering may take. */
const slow = {
  subject: "",
  body: `{{#each a}}${"{{#if b}}{{/if}}".repeat(4_000)}{{/each}}`,
  values: { a: Array.from({ length: 10_000 }, (_, n) => n) },
  nameMissing: false
}

/** Counts the turns of the event loop, ten milliseconds apart, until their number is read. */
const countTurns = Effect.gen(function* () {
  let turns = 0
  const turn = Effect.delay(
    Effect.sync(() => turns++),
    "10 millis"
  )
  const counting = yield* Effect.forkChild(Effect.forever(turn))
  return Effect.map(Fiber.interrupt(counting), () => turns)
})

describe("threads for texts", () => {
  it.live("give the same result as in the event loop", () =>
    using({ threads: 1 }, (work) =>
      Effect.gen(function* () {
        const html = `<a href="https://example.com/?a=1&amp;b=2">x</a>${"x".repeat(longestInLine)}</body>`
        const inLine = TextWork.defaultValue()
        assert.deepStrictEqual(yield* work.run("links", html), yield* inLine.run("links", html))
        assert.deepStrictEqual(
          yield* work.run("syntax", { source: "{{#if", joined: null }),
          yield* inLine.run("syntax", { source: "{{#if", joined: null })
        )
        const letter = { subject: "Hi {{name}}", body: "<p>{{name}}</p>", values: { name: "Ada" }, nameMissing: false }
        const made = yield* work.run("message", letter)
        assert.deepStrictEqual(made, yield* inLine.run("message", letter))
        assert.deepNestedInclude(made, { ok: true, "value.subject": "Hi Ada", "value.html": "<p>Ada</p>" })
        const mail = new TextEncoder().encode("From: a@example.com\r\nSubject: Hi\r\n\r\nHello\r\n")
        assert.deepStrictEqual(yield* work.run("incoming", mail), yield* inLine.run("incoming", mail))
        assert.deepStrictEqual(yield* work.run("variables", "{{a.b}}{{c}}"), new Set(["a", "c"]))
      })
    )
  )

  it.live("end tasks that take too long without blocking the event loop, and continue", () =>
    using({ threads: 1, timeLimit: Duration.millis(200) }, (work) =>
      Effect.gen(function* () {
        yield* work.run("syntax", { source: "{{a}}", joined: null })
        const turns = yield* countTurns
        const refused = yield* Effect.flip(work.run("message", slow))
        assert.instanceOf(refused, TextTooSlow)
        assert.include(refused.message, "200ms")
        assert.isAbove(yield* turns, 3)
        assert.deepStrictEqual(yield* work.run("syntax", { source: "{{a}}", joined: null }), [])
      })
    )
  )

  it.live("make the OpenAPI document without blocking the event loop", () =>
    using({ threads: 1 }, (work) =>
      Effect.gen(function* () {
        yield* work.run("syntax", { source: "{{a}}", joined: null })
        const turns = yield* countTurns
        const { openapi } = JSON.parse(yield* work.run("apiDocument", undefined))
        assert.strictEqual(openapi, "3.1.0")
        assert.isAbove(yield* turns, 3)
      })
    )
  )

  it.live("end tasks that need too much memory", () =>
    using({ threads: 1, resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 2 } }, (work) =>
      Effect.gen(function* () {
        const values = { a: Array.from({ length: 5_000 }, (_, n) => ({ n: `${n}`.repeat(2_000) })) }
        const body = "{{a}}".repeat(100)
        const refused = yield* Effect.flip(work.run("message", { subject: "", body, values, nameMissing: false }))
        assert.include(refused.message, "memory")
        assert.deepStrictEqual(yield* work.run("syntax", { source: "{{a}}", joined: null }), [])
      })
    )
  )

  it.live("queue tasks while all are busy", () =>
    using({ threads: 1 }, (work) =>
      Effect.gen(function* () {
        const all = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => n),
          (n) => work.run("text", { source: "{{n}}", values: { n }, mode: "plain" }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          all,
          Array.from({ length: 20 }, (_, n) => ({ ok: true, value: String(n) }))
        )
      })
    )
  )

  it.live("end with the scope, even during a task", () =>
    Effect.gen(function* () {
      const begun = yield* Effect.forkChild(using({ threads: 1 }, (work) => work.run("message", slow)))
      yield* Effect.sleep("300 millis")
      yield* Fiber.interrupt(begun)
    })
  )
})
