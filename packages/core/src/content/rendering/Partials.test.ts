import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import * as fc from "fast-check"
import { type MessageSource, messageText } from "./MessageText.ts"
import { link, maxDepth, type PartialSource, type PartialSources, partialFault, partialNames } from "./Partials.ts"
import { renderAt } from "./Render.ts"
import { compiled } from "./Template.ts"
import { anyName, anyPieces, anyTemplate, anyVariables } from "./TemplateArbitraries.ts"

const frozen = () => 0
const template = (source: string) => Result.getOrThrow(compiled(source))

const sources = (partials: Record<string, string | PartialSource>): PartialSources =>
  new Map(
    Object.entries(partials).map(([name, given]) => [
      name,
      typeof given === "string" ? { body: given, text: given } : given
    ])
  )

const made = (source: Partial<MessageSource>) =>
  messageText({ subject: "s", body: null, values: {}, nameMissing: false, ...source }, frozen)

const html = (
  body: string,
  partials: Record<string, string | PartialSource> = {},
  values: Schema.JsonObject = {},
  layout: string | null = null
) =>
  Result.match(made({ body, partials: sources(partials), values, layout }), {
    onSuccess: ({ html }) => html,
    onFailure: ({ field, message }) => `${field}: ${message}`
  })

const faultOf = (body: string, partials: Record<string, string | PartialSource>, layout: string | null = null) =>
  Result.match(link(template(body), { part: "body", partials: sources(partials), layout }), {
    onSuccess: () => undefined,
    onFailure: ({ at, fault }) => ({ at, ...fault })
  })

describe("a partial", () => {
  it.each([
    ["<p>{{> a}}</p>", { a: "{{name}}!" }, "<p>Ada &amp; Bob!</p>"],
    ["{{> a}}\n{{> a}}\n", { a: "x" }, "x\nx\n"],
    [" {{~> a~}} ", { a: " x " }, " x "],
    ["{{> a}}", { a: "{{> b}}{{> b}}", b: "{{> c}}", c: "c" }, "cc"],
    ["{{> a}}", { a: "no placeholder" }, "no placeholder"],
    ["{{#each rows}}{{> row}};{{/each}}", { row: "{{@index}}{{k}}{{../name}}" }, "0xAda &amp; Bob;1yAda &amp; Bob;"],
    ["{{#with rows.[0]}}{{> a}}{{/with}}", { a: "{{k}}{{@root.rows.length}}" }, "x2"],
    ["{{> a k='p' n=7 yes=true}}", { a: "{{k}}{{n}}{{#if yes}}!{{/if}}" }, "p7!"],
    ["{{> a name='p'}}{{name}}", { a: "{{name}}{{this.name}}{{@root.name}}" }, "ppAda &amp; BobAda &amp; Bob"],
    ["{{> a name=missing}}", { a: "{{name ?? none}}" }, "none"],
    ["{{> a of=rows.[1]}}", { a: "{{of.k}}{{of.none}}{{#with of}}{{k}}{{../of.k}}{{/with}}" }, "yyy"],
    ["{{> a k='p'}}", { a: "{{> b}}{{> b k='q'}}{{k}}", b: "{{k}}" }, "pqp"],
    ["{{> a k='p'}}", { a: "{{#each rows}}{{k}}{{../k}} {{/each}}" }, "xp yp "],
    ["{{> a k='<b>'}}", { a: "{{k}}{{{k}}}" }, "&lt;b&gt;<b>"],
    ["{{> a __proto__='p' constructor=name}}{{constructor}}", { a: "{{__proto__}}{{toString}}" }, "p"],
    ["{{#if no}}{{> a}}{{else}}{{> b}}{{/if}}", { a: "a", b: "b" }, "b"]
  ])("prints %s", (body, partials, expected) => {
    const values = { name: "Ada & Bob", rows: [{ k: "x" }, { k: "y" }] }
    assert.strictEqual(html(body, partials as Record<string, string>, values), expected)
  })

  it("gives its text in a text part, and is refused there if it has none", () => {
    const partials = sources({ a: { body: "<b>{{x}}</b>", text: "*{{x}}*" }, b: { body: "b", text: null } })
    const values = { x: "1 < 2" }
    const both = Result.getOrThrow(made({ body: "{{> a}}{{> b}}", text: "{{> a}}", partials, values }))
    assert.deepInclude(both, { html: "<b>1 &lt; 2</b>b", text: "*1 < 2*" })
    const refused = Result.match(made({ text: "{{> b}}", partials, values }), {
      onSuccess: () => null,
      onFailure: (fault) => fault
    })
    assert.include(refused, { field: "text", isSyntax: true })
    assert.include(refused?.message, "has no text")
  })

  it("is refused in a subject", () => {
    const refused = Result.isFailure(made({ subject: "{{> a}}", body: "x", partials: sources({ a: "a" }) }))
    assert.isTrue(refused)
  })

  it("is refused with its position if it does not exist, includes itself or is nested too deep", () => {
    assert.deepInclude(faultOf("\n  {{> x}}", {}), {
      at: "text",
      message: "There is no partial 'x'.",
      line: 2,
      column: 3
    })
    assert.deepInclude(faultOf("{{> constructor}}", {}), { message: "There is no partial 'constructor'." })
    assert.deepInclude(faultOf("{{> a}}", { a: "{{> x}}" }), { message: "There is no partial 'x', which 'a' names." })
    assert.include(faultOf("{{> a}}", { a: "{{> b}}", b: "{{> a}}" })?.message, "a > b > a")
    assert.include(faultOf("{{> a}}", { a: "{{> a}}" })?.message, "a > a")
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, i) => [`p${i}`, i === length - 1 ? "end" : `{{> p${i + 1}}}`] as const)
      )
    assert.strictEqual(html("{{> p0}}", chain(maxDepth)), "end")
    assert.include(faultOf("{{> p0}}", chain(maxDepth + 1))?.message, "at most 5 deep")
    assert.include(faultOf("{{> p0}}", chain(200))?.message, "at most 5 deep")
    const own = (body: string, partials: Record<string, string>) =>
      partialFault("a", template(body), "body", sources({ ...partials, a: body }))?.message
    assert.include(own("{{> b}}", { b: "{{> a}}" }), "a > b > a")
    assert.isUndefined(own("{{> p0}}", chain(maxDepth - 1)))
    assert.include(own("{{> p0}}", chain(maxDepth)), "at most 5 deep")
    assert.isUndefined(own("{{> content}}{{> content}}", {}))
  })

  it("is inserted at most 1,000 times, and into at most 5 MB", () => {
    const rows = Array.from({ length: 1_000 }, () => 1)
    const each = "{{#each rows}}{{> a}}{{/each}}"
    assert.strictEqual(html(each, { a: "x" }, { rows }), "x".repeat(1_000))
    assert.include(html(each, { a: "x" }, { rows: [...rows, 1] }), "more than 1,000 partials")
    const fan = "{{> b}}".repeat(100)
    assert.include(html("{{> a}}", { a: fan, b: "{{> c}}".repeat(100), c: "x" }), "more than 1,000 partials")
    const large = "x".repeat(256 * 1024)
    assert.isUndefined(faultOf("{{> a}}".repeat(19), { a: large }))
    assert.include(faultOf("{{> a}}".repeat(20), { a: large })?.message, "larger than 5 MB")
    assert.include(
      faultOf("{{> a}}", { a: "{{> b}}".repeat(30_000), b: "{{> c}}".repeat(30_000), c: large })?.message,
      "5 MB"
    )
  })
})

describe("a layout", () => {
  it("surrounds the body, which keeps the variables of the mail", () => {
    const layouts = { main: "<h1>{{name}}</h1>{{#with at}}{{> content}}{{/with}}{{> end}}", end: "." }
    assert.strictEqual(html("{{name}}{{> end}}", layouts, { name: "A", at: { name: "B" } }, "main"), "<h1>A</h1>A..")
    assert.strictEqual(html("no placeholder", layouts, { name: "A", at: 1 }, "main"), "<h1>A</h1>no placeholder.")
    assert.strictEqual(html("x", { main: "{{#if no}}{{> content}}{{/if}}y" }, {}, "main"), "y")
  })

  it("surrounds the text part too, if it has a text", () => {
    const partials = sources({
      one: { body: "<{{> content}}>", text: null },
      two: { body: "{{> content}}", text: "({{> content}})" }
    })
    const texts = (layout: string) => Result.getOrThrow(made({ body: "b", text: "t", partials, layout }))
    assert.deepInclude(texts("one"), { html: "<b>", text: "t" })
    assert.deepInclude(texts("two"), { html: "b", text: "(t)" })
  })

  it.each([
    ["no content", "exactly once"],
    ["{{> content}}{{> content}}", "exactly once"],
    ["{{#each x}}{{> content}}{{/each}}", "{{#each}}"],
    ["{{#each x}}{{#if y}}{{> content}}{{/if}}{{/each}}", "{{#each}}"],
    ["{{> content a=1}}", "no parameters"],
    ["{{> content}}{{> x}}", "There is no partial 'x'."],
    ["{{> content}}{{> main}}", "main > main"],
    ["{{> inner}}", "exactly once"],
    ["{{> content}}{{> inner}}", "named as a layout"]
  ])("is not %s", (main, message) => {
    const fault = faultOf("b", { main, inner: "{{> content}}" }, "main")
    assert.strictEqual(fault?.at, "layout")
    assert.include(fault?.message, message)
  })

  it("is not a partial that does not exist, and is not inserted", () => {
    assert.include(faultOf("b", {}, "main")?.message, "no such partial")
    assert.include(faultOf("{{> main}}", { main: "{{> content}}" })?.message, "named as a layout")
    assert.include(faultOf("{{> content}}", { content: "x" })?.message, "only in a layout")
  })
})

describe("missing variables", () => {
  const missing = (body: string, partials: Record<string, string> = {}, values: Schema.JsonObject = {}) =>
    Result.getOrThrow(made({ body, partials: sources(partials), values, listMissing: true })).missing.map(
      ({ path }) => path
    )

  it.each([
    ["{{a}}{{b.c}}{{{d}}}{{[e f]}}", ["a", "b.c", "d", "e f"]],
    ["{{a}}{{a}}{{data.a}}{{@root.a}}{{this.a}}", ["a"]],
    ['{{a ?? b}}{{a ??}}{{default a "b"}}', []],
    ["{{default a b}}{{default x a}}{{default a x}}", ["a"]],
    ["{{upper a}}{{date b c}}{{number d currency=e}}", ["a", "b", "d"]],
    ["{{#if a}}{{b}}{{/if}}{{#unless a}}{{c}}{{/unless}}", ["c"]],
    ["{{#each a}}{{b}}{{/each}}{{#with c}}{{d}}{{/with}}", ["a", "c"]],
    ["{{#each a}}{{else}}{{/each}}{{#with c}}{{else}}{{d}}{{/with}}", ["d"]],
    ["{{#each rows}}{{k}}{{none}}{{../a}}{{@index}}{{this}}{{/each}}", ["rows[].none", "a"]],
    ["{{#with x}}{{y}}{{#each z}}{{n}}{{/each}}{{/with}}", ["x.y"]],
    ["{{empty}}{{zero}}{{no}}{{list}}", []],
    ["{{../a}}{{@index}}", []],
    ["{{> p}}{{> p v=a}}{{> p v=x}}{{> p v='y'}}{{> p v=null}}", ["v", "a"]],
    ["{{#each rows}}{{> p v=none}}{{> p v=k}}{{/each}}", ["rows[].none"]]
  ])("of %s are %j", (body, expected) => {
    const values = { x: { z: [] }, rows: [{ k: 1 }], empty: "", zero: 0, no: false, list: [] }
    assert.deepStrictEqual(missing(body, { p: "{{v}}{{v ?? ok}}{{#if v.w}}{{v}}{{/if}}" }, values), expected)
  })

  it("name the text that contains them first", () => {
    const { missing } = Result.getOrThrow(
      made({ subject: "{{a}}", body: "{{a}}{{b}}", text: "{{c}}", listMissing: true })
    )
    assert.deepStrictEqual(missing, [
      { field: "subject", path: "a" },
      { field: "body", path: "b" },
      { field: "text", path: "c" }
    ])
  })

  it("are listed only on request", () => {
    assert.deepStrictEqual(Result.getOrThrow(made({ body: "{{a}}" })).missing, [])
  })
})

describe("any partials", () => {
  const anySources = fc.dictionary(anyName, fc.oneof(anyPieces, anyTemplate), { maxKeys: 3 })

  it("give the same result as their source in their place", () => {
    fc.assert(
      fc.property(anyTemplate, anyTemplate, anyTemplate, anyVariables, (before, partial, after, values) => {
        // A comment keeps the texts apart: the lines of a block depend on the text next to it.
        const apart = `x${before}x`
        const end = `x${after}x`
        const inner = `x${partial}x`
        assert.strictEqual(
          html(`${apart}{{> a}}${end}`, { a: inner }, values),
          html(`${apart}${inner}${end}`, {}, values)
        )
      })
    )
  })

  it("are rendered or refused, and never throw", () => {
    fc.assert(
      fc.property(anyPieces, anySources, anyVariables, fc.option(anyName), (body, partials, values, layout) => {
        const result = made({ body, text: body, partials: sources(partials), values, layout, listMissing: true })
        if (Result.isFailure(result)) assert.notStrictEqual(result.failure.message, "")
      })
    )
  })

  it("that can be linked are rendered without further faults", () => {
    fc.assert(
      fc.property(anyTemplate, anySources, anyVariables, (body, partials, values) => {
        const source = compiled(`${body}{{> a}}{{> b k=a}}`)
        if (Result.isFailure(source)) return
        const linked = link(source.success, { part: "body", partials: sources(partials), layout: null })
        if (Result.isFailure(linked)) return
        const printed = renderAt(linked.success.root, values, "html", frozen, { linked: linked.success })
        assert.isTrue(Result.isSuccess(printed))
      })
    )
  })

  it("are all among the names found in the sources", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyPieces, fc.constantFrom("{{> a-1 }}", "{{~>b2~}}", "{{>\n\tc x=y}}"))),
        (pieces) => {
          const source = pieces.join("")
          const parsed = compiled(source)
          if (Result.isFailure(parsed)) return
          const names = partialNames(source)
          for (const { name } of parsed.success.partials) assert.isTrue(name === "content" || names.includes(name))
        }
      )
    )
  })
})
