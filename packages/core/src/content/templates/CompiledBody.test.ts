import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Overloaded } from "../../platform/http/Overloaded.ts"
import {
  type CompiledBody,
  compiledBody,
  compilingOnce,
  requireBodies,
  type WrittenBodies,
  type WrittenBody
} from "./CompiledBody.ts"
import { type Compiler, MjmlBusy, MjmlCompiler, MjmlRefused } from "./MjmlCompiler.ts"

const compiler: Compiler = {
  compile: (source) =>
    source.includes("bad")
      ? Effect.fail(new MjmlRefused({ fault: { message: "Not closed.", line: 3, column: 7 } }))
      : Effect.succeed(`<compiled>${source}`)
}

const html: CompiledBody = { format: "HTML", source: null, body: "<p>old</p>" }
const mjml: CompiledBody = { format: "MJML", source: "old", body: "<compiled>old" }

const outcome = (given: WrittenBody, stored?: CompiledBody, path?: string) =>
  Effect.map(Effect.result(compiledBody(compiler, given, stored, path)), (result) =>
    result._tag === "Success"
      ? `${result.success.format} ${result.success.source} ${result.success.body}`
      : result.failure.errors.map(({ field, code, line = "", column = "" }) => `${field} ${code} ${line}:${column}`)[0]
  )

describe("the body of a template", () => {
  it.effect("depends on the given and stored format, source and body", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Effect.Effect<string | undefined>, expected: string]> = [
        [outcome({ body: "<p>a</p>" }), "HTML null <p>a</p>"],
        [outcome({}), "body required :"],
        [outcome({ body: "<p>a</p>", source: "a" }), "source custom :"],
        [outcome({ body: "<p>a</p>", source: null }), "HTML null <p>a</p>"],
        [outcome({ format: "MJML", source: "a" }), "MJML a <compiled>a"],
        [outcome({ format: "MJML" }), "source required :"],
        [outcome({ format: "MJML", body: "<p>a</p>" }), "body custom :"],
        [outcome({ format: "MJML", source: "a", body: "<p>a</p>" }), "body custom :"],
        [outcome({ format: "MJML", source: "bad" }), "source template_syntax 3:7"],
        [
          outcome({ format: "MJML", source: "bad" }, undefined, "translations.de."),
          "translations.de.source template_syntax 3:7"
        ],
        [outcome({}, html), "HTML null <p>old</p>"],
        [outcome({ body: "<p>a</p>" }, html), "HTML null <p>a</p>"],
        [outcome({ source: "a" }, html), "source custom :"],
        [outcome({ format: "MJML" }, html), "source required :"],
        [outcome({ format: "MJML", source: "a" }, html), "MJML a <compiled>a"],
        [outcome({}, mjml), "MJML old <compiled>old"],
        [outcome({ format: "MJML" }, mjml), "MJML old <compiled>old"],
        [outcome({ source: "a" }, mjml), "MJML a <compiled>a"],
        [outcome({ source: null }, mjml), "source required :"],
        [outcome({ body: "<p>a</p>" }, mjml), "body custom :"],
        [outcome({ format: "HTML" }, mjml), "HTML null <compiled>old"],
        [outcome({ format: "HTML", body: "<p>a</p>" }, mjml), "HTML null <p>a</p>"],
        [outcome({ format: "HTML", source: "a" }, mjml), "source custom :"]
      ]
      assert.deepStrictEqual(
        yield* Effect.forEach(cases, ([actual]) => actual),
        cases.map(([, expected]) => expected)
      )
    })
  )

  it.effect("is refused on a host without a compiler, and answered with 503 while too many wait", () =>
    Effect.gen(function* () {
      const none = yield* Effect.flip(compiledBody(yield* MjmlCompiler, { format: "MJML", source: "a" }))
      assert.deepStrictEqual(none.errors, [
        { field: "format", code: "custom", message: "This host cannot compile MJML." }
      ])
      const busy = { compile: () => Effect.fail(new MjmlBusy()) }
      const exit = yield* Effect.exit(compiledBody(busy, { format: "MJML", source: "a" }))
      assert.isTrue(
        Exit.isFailure(exit) &&
          exit.cause.reasons.some((reason) => "defect" in reason && reason.defect instanceof Overloaded)
      )
    })
  )

  it.effect("is compiled once for a request", () =>
    Effect.gen(function* () {
      let compilations = 0
      const once = compilingOnce({
        compile: (source) => {
          compilations++
          return compiler.compile(source)
        }
      })
      for (let n = 0; n < 3; n++) yield* compiledBody(once, { format: "MJML", source: "a" })
      assert.strictEqual(compilations, 1)
    })
  )

  it.effect("translations merge by tag, in any case", () =>
    Effect.gen(function* () {
      const texts = (name: string) => ({ subject: name, body: `<p>${name}</p>`, text: null })
      const stored = { ...html, translations: { de: texts("de"), "pt-BR": texts("pt-BR") } }
      const changed = (translations: WrittenBodies["translations"]) =>
        Effect.map(requireBodies(compiler, { translations }, stored), (bodies) => bodies.translations)
      const given = { subject: "neu", body: "<p>neu</p>" }
      assert.deepStrictEqual(yield* changed({ DE: given, it: { ...texts("it"), text: "plain" } }), {
        "pt-BR": stored.translations["pt-BR"],
        de: { ...given, text: null },
        it: { ...texts("it"), text: "plain" }
      })
      assert.deepStrictEqual(yield* changed({ "pt-br": null, fr: null }), { de: stored.translations.de })
    })
  )
})
