import { assert, describe, it } from "@effect/vitest"
import { compileMjml, type MjmlFault } from "@posthorn/core/content/rendering/Mjml"
import { type Compiler, MjmlBusy, MjmlCompiler, MjmlRefused } from "@posthorn/core/content/templates/MjmlCompiler"
import { Duration, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import * as MjmlThreads from "./MjmlThreads.ts"
import * as Mrml from "./Mrml.ts"

const using = <A, E>(use: (compiler: Compiler) => Effect.Effect<A, E>, options: MjmlThreads.Options = {}) =>
  Effect.flatMap(MjmlCompiler, use).pipe(Effect.provide(MjmlThreads.layerWith(options)))

const column = (inner: string, head = "") =>
  `<mjml>${head}<mj-body><mj-section><mj-column>${inner}</mj-column></mj-section></mj-body></mjml>`

const small = column("<mj-text>Hi {{name}}</mj-text>")

/** The compiler panics at a condition that is not closed. */
const panics = column("<mj-raw><!--[if mso]x</mj-raw>")

/** Takes the compiler seconds. */
const slow = `<mjml><mj-head><mj-attributes>${'<mj-class name="a" color="red" />'.repeat(10)}</mj-attributes></mj-head><mj-body>${`<mj-section>${"<mj-column />".repeat(4_000)}</mj-section>`.repeat(18)}</mj-body></mjml>`

const faultOf = (compiler: Compiler, source: string) =>
  Effect.map(Effect.flip(compiler.compile(source)), (refused): MjmlFault => {
    assert.instanceOf(refused, MjmlRefused)
    return refused.fault
  })

describe("the thread of the MJML compiler", () => {
  it.live("compiles, and keeps placeholders", () =>
    using((compiler) =>
      Effect.gen(function* () {
        const html = yield* compiler.compile(column(`<mj-text>Hi {{default name "<you>"}}</mj-text>`))
        assert.include(html, `Hi {{default name "<you>"}}</div>`)
        assert.match(html, /^<!doctype html>/)
      })
    )
  )

  it.live("a source that breaks the compiler is refused, and the next one is compiled", () =>
    using((compiler) =>
      Effect.gen(function* () {
        const fault = yield* faultOf(compiler, panics)
        assert.deepStrictEqual(fault, { code: "custom", message: "The compiler cannot process this source." })
        assert.include(yield* compiler.compile(small), "{{name}}")
        const deep = yield* faultOf(compiler, column(`${"<mj-section>".repeat(2_000)}${"</mj-section>".repeat(2_000)}`))
        assert.include(deep.message, "50 deep")
        assert.include(yield* compiler.compile(small), "{{name}}")
      })
    )
  )

  it.live("a source that takes too long is refused without blocking the event loop, and the next one is compiled", () =>
    using(
      (compiler) =>
        Effect.gen(function* () {
          let turns = 0
          const counting = yield* Effect.forkChild(
            Effect.forever(
              Effect.delay(
                Effect.sync(() => turns++),
                "10 millis"
              )
            )
          )
          const fault = yield* faultOf(compiler, slow)
          yield* Fiber.interrupt(counting)
          assert.deepStrictEqual(fault, { code: "custom", message: "The source takes longer than 100ms to compile." })
          assert.isAbove(turns, 3)
          assert.include(yield* compiler.compile(small), "{{name}}")
        }),
      { timeLimit: Duration.millis(100) }
    )
  )

  it.live("at most ten sources wait for their turn", () =>
    using((compiler) =>
      Effect.gen(function* () {
        const all = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => n),
          (n) => Effect.result(compiler.compile(column(`<mj-text>{{a${n}}}</mj-text>`))),
          { concurrency: "unbounded" }
        )
        const busy = all.filter((each) => each._tag === "Failure")
        assert.lengthOf(busy, 1)
        assert.instanceOf(busy[0]?.failure, MjmlBusy)
        assert.include(yield* compiler.compile(small), "{{name}}")
      })
    )
  )
})

/** What stands at each fault, as `line:column message`. */
const refusal = (source: string): string => {
  const result = compileMjml(source, Mrml.make())
  if (result.ok) return "compiled"
  const { fault } = result
  return "line" in fault ? `${fault.line}:${fault.column} ${fault.message}` : `${fault.code} ${fault.message}`
}

describe("faults of MJML", () => {
  it("are named at their line and column", () => {
    const cases: ReadonlyArray<readonly [source: string, expected: string]> = [
      [
        column("\n<mj-include path='/etc/passwd' />"),
        "2:1 <mj-include> is not supported; a text that several templates share is a partial."
      ],
      [column("\n  <div>x</div>"), "2:3 <div> is not an element of MJML. HTML belongs in <mj-text> or <mj-raw>."],
      [column("<mj-foo />"), "1:39 <mj-foo> is not an element of MJML. HTML belongs in <mj-text> or <mj-raw>."],
      [column("<mj-text><mj-foo /></mj-text>"), "1:48 <mj-foo> is not an element of MJML."],
      [column("<mj-text><mj-button /></mj-text>"), "1:48 <mj-button> is not allowed in <mj-text>."],
      [
        column("<MJ-TEXT>x</MJ-TEXT>"),
        "1:39 <MJ-TEXT> is not an element of MJML. HTML belongs in <mj-text> or <mj-raw>."
      ],
      [column("<mj-text><b>x</i></mj-text>"), "1:52 <b> is closed by </i>."],
      [column("<mj-text>{{a ?? ä😀}}<b>x</mj-text>"), "1:63 <b> is closed by </mj-text>."],
      ["<mjml>\n<mj-body>", "2:1 <mj-body> is not closed."],
      ["<mjml></mjml></mj-body>", "1:14 </mj-body> closes no element."],
      ["<div></div>", "1:1 The first element is <mjml>, not <div>."],
      ["", "1:1 The source has no <mjml> element."],
      ["hello", "1:1 Unknown token."],
      [column("<mj-text>a < b</mj-text>"), "1:50 A < that begins no element is written &lt;."],
      [column("<mj-text color='red></mj-text>"), "1:54 A value in quotes is not closed."],
      [column("{{a ?? ä😀}}<mj-text color=red>x</mj-text>"), "1:65 Invalid attribute: expected quote mark not 'r'."],
      ["<mjml>{{a}}<mj-body></mj-body></mjml>", "1:7 This is not allowed here."],
      [column("<mj-text>{{#if a}}x</mj-text>"), "1:48 Block 'if' is not closed."],
      [column("<mj-text>\n<!-- x</mj-text>"), "2:1 The comment is not closed."],
      [
        column("<mj-text {{a}}>x</mj-text>"),
        "1:48 This placeholder is missing from the compiled HTML. Use placeholders in texts, in <mj-raw>, or in values that are part of the HTML."
      ],
      [
        column("<mj-text>x</mj-text>", "<mj-head>\n<!-- {{a}} --></mj-head>"),
        "2:6 This placeholder is missing from the compiled HTML. Use placeholders in texts, in <mj-raw>, or in values that are part of the HTML."
      ],
      [`<mjml>${" ".repeat(1024 * 1024)}</mjml>`, "too_big At most 1 MB of MJML."]
    ]
    assert.deepStrictEqual(
      cases.map(([source]) => refusal(source)),
      cases.map(([, expected]) => expected)
    )
  })

  it("in blocks that the compiler repeats are named at their placeholder", () => {
    const source = column("<mj-text>x</mj-text>{{/if}}", "<mj-head><mj-title>{{#if a}}</mj-title></mj-head>")
    assert.match(refusal(source), /^1:26 In the compiled HTML: Block 'if' is not closed/)
  })

  it("elements may be nested 50 deep", () => {
    const nested = (levels: number) => column(`<mj-text>${"<b>".repeat(levels)}x${"</b>".repeat(levels)}</mj-text>`)
    assert.strictEqual(refusal(nested(45)), "compiled")
    assert.match(refusal(nested(46)), /nested more than 50 deep/)
    assert.strictEqual(refusal(column(`<mj-text>${"<br>".repeat(100)}</mj-text>`)), "compiled")
  })

  it("HTML over 5 MB after compiling is refused", () => {
    const many = `<mjml><mj-body>${"<mj-section><mj-column /></mj-section>".repeat(10_000)}</mj-body></mjml>`
    assert.strictEqual(refusal(many), "too_big At most 5 MB of HTML after compiling.")
    const long = `<mjml><mj-head><mj-attributes><mj-text css-class="{{a ?? ${"x".repeat(90_000)}}}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column>${"<mj-text>x</mj-text>".repeat(100)}</mj-column></mj-section></mj-body></mjml>`
    assert.strictEqual(refusal(long), "too_big At most 5 MB of HTML after compiling.")
  })
})

/** Words that must survive, with everything that could confuse a parser of XML. */
const placeholder = fc
  .tuple(
    fc.constantFrom("{{", "{{{", "{{~"),
    fc.constantFrom("name", "a.b", "[odd name]", '[<b "]', "upper name", `default name "<i>'"`, "date at 'dd < MM'"),
    fc.constantFrom("", " ?? dear customer", ' ?? "</mj-text>"', " ?? '<!-- '", " ?? qz0x0y")
  )
  .map(([open, inner, fallback]) => `${open}${inner}${fallback}${{ "{{": "}}", "{{{": "}}}", "{{~": "~}}" }[open]}`)

const anyText = fc.array(
  fc.oneof(
    placeholder,
    fc.constantFrom("\\{{not}}", "\\\\", " &amp; ", "<br>", "<b>x</b>", "qz0x", "qz0x1y", "ä😀", "\n")
  ),
  { maxLength: 6 }
)

/** A part of a source, and the texts that its HTML contains. */
const anyPart = fc.oneof(
  anyText.map((texts) => ({ source: `<mj-text>${texts.join("|")}</mj-text>`, texts })),
  anyText.map((texts) => ({ source: `<mj-raw>${texts.join("|")}</mj-raw>`, texts })),
  placeholder.map((text) => ({ source: `<mj-button href="${text}">x</mj-button>`, texts: [text] })),
  placeholder.map((text) => ({ source: `<mj-image src='https://x.example/${text}' alt="${text}" />`, texts: [text] })),
  placeholder.map((text) => ({ source: text, texts: [text] }))
)

describe("placeholders of MJML", () => {
  it("are unchanged, for any content", () => {
    const engine = Mrml.make()
    const parts = fc.array(anyPart, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(parts, (all) => {
        const source = column(all.map((part) => part.source).join("\n"))
        const result = compileMjml(source, engine)
        if (!result.ok) assert.fail(`${JSON.stringify(result.fault)} in ${source}`)
        let at = 0
        for (const text of all.flatMap(({ texts }) => texts.filter((each) => each.includes("{{")))) {
          const found = result.html.indexOf(text, at)
          assert.isAtLeast(found, at, `${text} in ${source}`)
          at = found + text.length
        }
      }),
      { numRuns: 300 }
    )
  })
})

const pieces = fc.constantFrom(
  ..."<mjml> </mjml> <mj-body> </mj-body> <mj-section> </mj-section> <mj-column> </mj-column> <mj-text> </mj-text> <mj-raw> </mj-raw> <mj-button </mj-button> /> < > </ <!-- --> <!--[if <![endif]--> ]> <![CDATA[ ]]> <?xml ?> <!DOCTYPE \" ' = width= padding= 1e999px -5% href= {{a}} {{ }} \\ &lt; & \0 \ufffe \ud800 ä <mj-head> <mj-style> <mj-attributes> <mj-carousel> <mj-carousel-image <mj-social-element name= <mj-navbar> <mj-table>".split(
    " "
  )
)

describe("hostile sources", () => {
  it.live("end within the time limit, with HTML or with a fault", () =>
    using((compiler) =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 40 }),
            fc.boolean(),
            fc.integer({ min: 1, max: 300 }),
            async (chosen, isInside, times) => {
              const text = chosen.join("").repeat(times)
              const result = await Effect.runPromise(Effect.result(compiler.compile(isInside ? column(text) : text)))
              if (result._tag === "Success") assert.isString(result.success)
              else {
                assert.instanceOf(result.failure, MjmlRefused)
                assert.isAbove(result.failure.fault.message.length, 5)
              }
            }
          ),
          { numRuns: 200 }
        )
      )
    )
  )
})
