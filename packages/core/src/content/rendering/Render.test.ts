import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, type Schema } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import Handlebars from "handlebars"
import { plainTextFaults } from "./MailSyntax.ts"
import { type Mode, RenderBudget, type RenderOptions, render, renderAt, soleValue } from "./Render.ts"
import { compile } from "./Template.ts"
import { anyJson, anyPieces, anyTemplate, anyVariables } from "./TemplateArbitraries.ts"
import { checkTemplate } from "./TemplateSyntax.ts"

const frozen = () => 0

const rendered = (source: string, variables: Schema.JsonObject = {}, mode: Mode = "html", options?: RenderOptions) =>
  renderAt(Effect.runSync(compile(source)), variables, mode, frozen, options)

const text = (...args: Parameters<typeof rendered>): string => Result.getOrThrow(rendered(...args))

const overrun = (...args: Parameters<typeof rendered>): string =>
  Result.match(rendered(...args), { onFailure: (error) => error.message, onSuccess: () => "" })

const people: Schema.JsonObject = {
  name: "Anna <b>",
  "first name": "Anna",
  address: { zip: "04109", "street name": "Am Markt" },
  data: { name: "inner" },
  n: 0,
  no: false,
  yes: true,
  nothing: null,
  empty: "",
  none: [],
  list: ["a", "b", "c"],
  rows: [
    { k: "x", cells: [1, 2] },
    { k: "y", cells: [3] }
  ],
  pair: { one: 1, two: 2 },
  at: "2026-11-20T15:04:05.123Z",
  price: 1234.5,
  url: "a b&c=ä/?",
  deep: { deeper: { deepest: "!" } }
}

describe("syntax", () => {
  it.each([
    ["Hi {{name}}, {{ name }}", "Hi Anna &lt;b&gt;, Anna &lt;b&gt;"],
    ["{{address.zip}} {{data.name}} {{deep.deeper.deepest}}", "04109 inner !"],
    ["{{{name}}} {{&name}}", "Anna <b> Anna <b>"],
    ["{{name ?? friend}} {{missing ?? friend}}", "Anna &lt;b&gt; friend"],
    ["{{missing ?? \"dear friend\"}} {{missing ?? 'dear friend'}}", "dear friend dear friend"],
    ["{{missing ?? dear friend}}|{{missing ??}}|{{missing??x}}", "dear friend||x"],
    ['{{missing ?? Tom & "Jerry"}} {{{missing ?? <b>you</b>}}}', 'Tom & "Jerry" <b>you</b>'],
    ['{{missing ?? "}} {{x}}"}} {{missing ?? "a \\"b\\""}}', '}} {{x}} a "b"'],
    ["{{nothing ?? x}} {{empty ?? x}} {{none ?? x}} {{n ?? x}} {{no ?? x}}", "x x x 0 false"],
    ["{{upper missing ?? you}} {{address.town ?? here}}", "you here"],
    ["{{[first name]}} {{[first name] ?? x}} {{address.[street name]}}", "Anna Anna Am Markt"],
    ["{{#if name}}yes{{else}}no{{/if}} {{#if missing}}yes{{else}}no{{/if}}", "yes no"],
    ["{{#if n}}1{{else if no}}2{{else if yes}}3{{else}}4{{/if}}", "3"],
    ["{{#if n includeZero=true}}zero{{/if}}{{#if n includeZero=no}}zero{{/if}}", "zero"],
    ["{{#unless none}}none{{/unless}}{{#unless name}}x{{else}}name{{/unless}}", "nonename"],
    ["{{#each list}}{{@index}}{{@key}}{{this}}{{#if @first}}<{{/if}}{{#if @last}}>{{/if}} {{/each}}", "00a< 11b 22c> "],
    ["{{#each pair}}{{@key}}={{.}};{{/each}}", "one=1;two=2;"],
    [
      "{{#each rows}}{{k}}{{#each cells}}{{../k}}{{@../index}}{{@index}}{{this}} {{/each}}{{/each}}",
      "xx001 x012 yy103 "
    ],
    ["{{#each rows}}{{#if @last}}{{../n}}{{@root.yes}}{{/if}}{{/each}}", "0true"],
    ["{{#each missing}}x{{else}}none{{/each}}{{#each name}}x{{else}}none{{/each}}", "nonenone"],
    ["{{#with address}}{{zip}} {{../n}} {{this.zip}}{{else}}x{{/with}}", "04109 0 04109"],
    ["{{#with missing}}x{{else}}none{{/with}}{{#with n}}x{{else}}zero{{/with}}", "nonezero"],
    ["{{#each list}}{{#with @root.address}}{{@index}}{{zip}}{{/with}}{{/each}}", "004109104109204109"],
    ["{{../name}}{{#with address}}{{../../name}}{{/with}}{{@index}}", ""],
    ["{{list.[1]}} {{list.length}} {{rows.0.cells.[1]}}", "b 3 2"],
    ['{{default missing "text"}} {{default name "text"}} {{default empty price}}', "text Anna &lt;b&gt; 1234.5"],
    ["{{upper name}} {{lower name}} {{upper price}}", "ANNA &lt;B&gt; anna &lt;b&gt; 1234.5"],
    ["{{urlencode url}}", "a%20b%26c%3D%C3%A4%2F%3F"],
    ['{{date at "YYYY-MM-DD" tz="Europe/Berlin" locale="de"}}', "2026-11-20"],
    ["{{date at}} {{date name}}.", "Nov 20, 2026 ."],
    ['{{number price decimals=2 currency="EUR" locale="de"}} {{number name}}', "1.234,50\u00a0€ Anna &lt;b&gt;"],
    ["a{{!-- {{name}} --}}b{{! x }}c", "abc"],
    ["\\{{name}} \\\\{{n}} \\{{#if x}} {{n}}", "{{name}} \\0 {{#if x}} 0"],
    ["a  {{~n~}}  b {{~#if yes~}} c {{~/if~}} d", "a0bcd"],
    ["{{upper}}{{date}}{{if}}", ""]
  ])("%s", (source, expected) => {
    assert.strictEqual(text(source, people), expected)
  })

  it("uses the locale of the recipient, unless the text names one", () => {
    const source = "{{number price}} {{date at}} {{number price locale='en'}}"
    assert.strictEqual(text(source, { ...people, locale: "de-DE" }), "1.234,5 20.11.2026 1,234.5")
    assert.strictEqual(text(source, { ...people, locale: { no: "locale" } }), "1,234.5 Nov 20, 2026 1,234.5")
  })

  it("removes the lines of tags that print nothing", () => {
    const source = "<ul>\n  {{#each list}}\n  <li>{{this}}</li>\n  {{else}}\n  none\n  {{/each}}\n  {{! end }}\n</ul>\n"
    assert.strictEqual(text(source, people), "<ul>\n  <li>a</li>\n  <li>b</li>\n  <li>c</li>\n</ul>\n")
    assert.strictEqual(text(source), "<ul>\n  none\n</ul>\n")
  })
})

describe("values", () => {
  it.each([
    ["missing", undefined, ""],
    ["null", null, ""],
    ["0", 0, "0"],
    ["false", false, "false"],
    ["true", true, "true"],
    ["a number", -1.5, "-1.5"],
    ["an array", ["a", 1, null, false, ["b", "c"]], "a, 1, , false, b, c"],
    ["an object", { a: [1], b: null }, '{"a":[1],"b":null}'],
    ["an array of objects", [{ a: 1 }, { a: 2 }], '{"a":1}, {"a":2}']
  ])("%s", (_, value, expected) => {
    assert.strictEqual(text("{{{x}}}", value === undefined ? {} : { x: value }), expected)
  })

  it("are escaped in a body, and raw in three braces", () => {
    const x = `& < > " ' \` =`
    assert.strictEqual(text("{{x}}", { x }), "&amp; &lt; &gt; &quot; &#39; ` =")
    assert.strictEqual(text("{{upper x}}{{default y x}}", { x: "<" }), "&lt;&lt;")
    assert.strictEqual(text("{{{x}}}", { x }), x)
  })

  it("are raw in a subject, which is one trimmed line of at most 998 characters", () => {
    assert.strictEqual(text(" {{x}} & co ", { x: "<b> \"'" }, "subject"), "<b> \"' & co")
    assert.strictEqual(text("a{{x}}b", { x: "\r\n\t\u0000" }, "subject"), "a b")
    assert.strictEqual(text("a\r\nb", {}, "subject"), "a b")
    assert.strictEqual(text("{{x}}", { x: "\n \u0085" }, "subject"), "")
    assert.strictEqual([...text("{{x}}", { x: "😀".repeat(1000) }, "subject")].length, 998)
  })

  it("are percent-encoded in a url, once", () => {
    const variables = { x: "a/b?c", y: "\ud800" }
    assert.strictEqual(
      text("https://example.com/{{x}}?q={{{x}}}", variables, "url"),
      "https://example.com/a%2Fb%3Fc?q=a%2Fb%3Fc"
    )
    assert.strictEqual(text("{{urlencode x}} {{y}}", variables, "url"), "a%2Fb%3Fc %EF%BF%BD")
  })

  it("are unchanged in plain text", () => {
    assert.strictEqual(text("{{x}}\n", { x: "<a>\n" }, "plain"), "<a>\n\n")
  })

  it("appear as their name if they are missing from a test mail", () => {
    const options = { nameMissing: true }
    const source = "{{name}} {{{a.b}}} {{[<first name>]}} {{x ?? you}} {{#if x}}1{{else}}2{{/if}} {{upper x}}{{empty}}"
    assert.strictEqual(text(source, { empty: "" }, "html", options), "[name] [a.b] [[&lt;first name&gt;]] you 2 ")
  })
})

describe("one placeholder alone", () => {
  const sole = (source: string) => soleValue(Effect.runSync(compile(source)), people)

  it("keeps the type of its value", () => {
    assert.deepStrictEqual(
      sole("{{rows}}"),
      Option.some([
        { k: "x", cells: [1, 2] },
        { k: "y", cells: [3] }
      ])
    )
    assert.deepStrictEqual(sole("{{{n}}}"), Option.some(0))
    assert.deepStrictEqual(sole("{{missing}}"), Option.some(null))
    assert.deepStrictEqual(sole("{{missing ?? 1}}"), Option.some("1"))
  })

  it("applies to no other text", () => {
    for (const source of ["n", "{{n}} ", "{{n}}{{n}}", "{{#if n}}{{/if}}", ""])
      assert.isTrue(Option.isNone(sole(source)))
  })
})

describe("rules", () => {
  it("a text without placeholders is used as is", () => {
    assert.strictEqual(text("} { \\{ }}"), "} { \\{ }}")
  })

  it("braces in values are plain text", () => {
    const x = "{{name}} {{#if x}} {{{y}}} \\{{z}}"
    assert.strictEqual(text("{{{x}}}{{x}}", { x, name: "no" }), x + x)
  })

  it.each([
    "{{constructor}}",
    "{{constructor.constructor}}",
    "{{constructor.name}}",
    "{{__proto__}}",
    "{{__proto__.polluted}}",
    "{{prototype}}",
    "{{toString}}",
    "{{hasOwnProperty}}",
    "{{__lookupGetter__}}",
    "{{__defineGetter__}}",
    "{{helperMissing}}",
    "{{blockHelperMissing}}",
    "{{this.constructor}}",
    "{{@root.constructor.constructor}}",
    "{{name.constructor}}",
    "{{name.__proto__}}",
    "{{list.constructor}}",
    "{{list.map}}",
    "{{list.__proto__.map}}",
    "{{n.toFixed}}",
    "{{yes.valueOf}}",
    "{{pair.constructor.prototype}}",
    "{{pair.[__proto__]}}",
    "{{#with constructor}}x{{/with}}",
    "{{#each __proto__}}x{{/each}}",
    "{{#with name}}{{constructor}}{{/with}}",
    "{{#each list}}{{this.constructor}}{{@key.constructor}}{{@first.constructor}}{{/each}}"
  ])("only own properties can be read: %s", (source) => {
    assert.strictEqual(text(source, people), "")
  })

  it.each([
    "{{constructor x}}",
    "{{helperMissing x}}",
    "{{blockHelperMissing x}}",
    "{{__lookupGetter__ 'x'}}",
    "{{#constructor x}}{{/constructor}}",
    "{{#helperMissing}}{{/helperMissing}}",
    "{{#blockHelperMissing x}}{{/blockHelperMissing}}",
    "{{#with (lookup this 'constructor')}}{{/with}}",
    "{{#each this as |constructor|}}{{/each}}",
    "{{> (lookup this 'x')}}",
    "{{@partial-block}}",
    "{{@constructor}}",
    "{{@__proto__}}",
    "{{date x constructor=1}}",
    "{{date x __proto__=1}}"
  ])("only our helpers can be called: %s", (source) => {
    assert.lengthOf(checkTemplate(source), 1)
  })

  it("keys of data with such names are plain data", () => {
    const variables = JSON.parse('{"__proto__": "p", "constructor": {"name": "c"}, "toString": 1}')
    assert.strictEqual(text("{{__proto__}} {{constructor.name}} {{toString}}", variables), "p c 1")
    assert.strictEqual(
      text("{{[]}} {{[].[#a]}} {{if.else}}", { "": { "#a": 1 }, if: { else: 2 } }),
      "{&quot;#a&quot;:1} 1 2"
    )
  })

  it("data that looks like a syntax tree is data (GHSA-8r5x-fm3f-whwj, GHSA-p8wg-vrv2-v86f)", () => {
    const literal = { type: "NumberLiteral", value: "process.exit(1)", original: 1 }
    const program = { type: "Program", body: [{ type: "MustacheStatement", path: literal, params: [literal] }] }
    const variables = { x: program, toHTML: "x", helpers: { upper: "x" }, partials: { x: program }, depths: [program] }
    assert.strictEqual(text("{{{x}}}", variables), JSON.stringify(program))
    assert.strictEqual(
      text("{{#with x}}{{type}}{{#each body}}{{type}}{{/each}}{{/with}}", variables),
      "ProgramMustacheStatement"
    )
    assert.strictEqual(text("{{{upper x}}}", variables), JSON.stringify(program).toUpperCase())
    const markup = { toHTML: "<b>", string: "<i>", toString: "<u>" }
    assert.notInclude(text("{{x}}", { x: markup }), "<")
  })

  it("the prototype of objects is not changed", () => {
    text("{{#each x}}{{@key}}{{/each}}{{__proto__.polluted}}", JSON.parse('{"x": {"__proto__": {"polluted": 1}}}'))
    assert.notProperty({}, "polluted")
  })
})

describe("budget", () => {
  const many = Array.from({ length: 101 }, (_, i) => i)

  it("ends loops after 10,000 iterations in total", () => {
    const rows = (count: number) => ({ rows: many.slice(0, count), cells: many.slice(0, 99) })
    const nested = "{{#each rows}}{{#each @root.cells}}{{/each}}{{/each}}"
    assert.strictEqual(text(nested, rows(100)), "")
    assert.include(overrun(nested, rows(101)), "10,000 rounds")
    const twice = "{{#each x}}{{/each}}"
    const x = Array.from({ length: 5000 }, () => 0)
    assert.strictEqual(text(twice + twice, { x }), "")
    assert.include(overrun(`${twice + twice}{{#each n}}{{/each}}`, { x, n: [1] }), "10,000 rounds")
  })

  it("ends at 5 MB of output, counted in bytes", () => {
    const x = "x".repeat(256 * 1024)
    assert.lengthOf(text("{{x}}".repeat(20), { x }), 5 * 1024 * 1024)
    assert.include(overrun(`${"{{x}}".repeat(20)}.`, { x }), "5 MB")
    assert.include(overrun("{{x}}".repeat(20_000), { x: "y".repeat(10_240) }), "5 MB")
    assert.include(overrun("{{x}}".repeat(20), { x: "€".repeat(100_000) }), "5 MB")
    assert.include(overrun("x".repeat(5 * 1024 * 1024 + 1), {}), "5 MB")
    assert.include(
      overrun("{{#each a}}{{#each @root.a}}{{@root.x}}{{/each}}{{/each}}", { x, a: many.slice(0, 99) }),
      "5 MB"
    )
  })

  it("ends after a second", () => {
    let now = 0
    const template = Effect.runSync(compile("{{#each x}}{{#if y}}{{/if}}{{/each}}"))
    const run = (rounds: number) =>
      renderAt(template, { x: Array.from({ length: rounds }, () => 0) }, "html", () => (now += 100))
    assert.isTrue(Result.isSuccess(run(1000)))
    assert.include(Result.match(run(4000), { onFailure: String, onSuccess: String }), "1 second")
  })

  it.effect("is measured on the clock of the Effect", () =>
    Effect.gen(function* () {
      const template = yield* compile("{{#each x}}{{this}}{{/each}}")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* render(template, { x: [1, 2] }, "html"), "12")
      const error = yield* Effect.flip(render(template, { x: Array.from({ length: 10_001 }, () => 1) }, "html"))
      assert.instanceOf(error, RenderBudget)
      assert.include(error.message, "10,000 rounds")
    })
  )
})

describe("properties", () => {
  it("every accepted text can be rendered with any variables", () => {
    fc.assert(
      fc.property(fc.oneof(anyPieces, anyTemplate), anyVariables, (source, variables) => {
        if (plainTextFaults(source).length > 0) return
        for (const mode of ["html", "subject", "plain", "url"] as const) {
          assert.isTrue(Result.isSuccess(rendered(source, variables, mode)))
        }
      }),
      { numRuns: 1000 }
    )
  })

  it("no value puts markup into a body or a line break into a subject", () => {
    fc.assert(
      fc.property(anyTemplate, anyVariables, (source, variables) => {
        const escaped = source.replace(/\{\{(~?)[{&]/g, "{{$1").replace(/\}(~?\}\})/g, "$1")
        assert.notMatch(text(escaped, variables), /[<>"']/)
        assert.notMatch(text(escaped, variables, "subject"), /\p{Cc}/u)
      })
    )
  })

  it("a value is never read as a template", () => {
    fc.assert(
      fc.property(anyTemplate, anyPieces, (source, x) => {
        assert.strictEqual(text("{{{x}}}", { x }), x)
        assert.strictEqual(text("{{#each x}}{{{.}}}{{/each}}", { x: [x, x] }), x + x)
        assert.isTrue(Result.isSuccess(rendered(source, { a: x, b: [x], c: { d: x } })))
      })
    )
  })

  it("any JSON value can be printed, directly and through every helper", () => {
    const source =
      "{{x}}{{{x}}}{{upper x}}{{lower x}}{{urlencode x}}{{default x x}}{{date x x tz=x locale=x}}" +
      "{{number x decimals=x currency=x locale=x}}{{date '2026-11-20' x tz=x locale=x}}{{number 5 decimals=x currency=x}}"
    fc.assert(
      fc.property(fc.oneof(anyJson, fc.string({ unit: "binary" })), (x) => {
        assert.isTrue(Result.isSuccess(rendered(source, { x, locale: x })))
      })
    )
  })

  it("a text renders to the same as in Handlebars", () => {
    const reference = Handlebars.create()
    // Handlebars adds up numbers and booleans in three braces, so these values appear only in blocks.
    const words = fc.constantFrom("", "x", "wörter", null)
    const plain = { noNullPrototype: true }
    const variables = fc.record(
      {
        a: words,
        b: fc.oneof(words, fc.array(fc.record({ a: words }, plain), { maxLength: 3 })),
        c: fc.oneof(fc.constant(null), fc.record({ d: words }, plain)),
        d: words,
        e: fc.constantFrom(0, 7, true, false)
      },
      plain
    )
    fc.assert(
      fc.property(anyTemplate, variables, (source, values) => {
        assert.strictEqual(text(source, values), reference.compile(source)(values))
      }),
      { numRuns: 2000 }
    )
  })
})
