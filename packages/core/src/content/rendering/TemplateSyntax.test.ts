import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { anyPieces } from "./TemplateArbitraries.ts"
import { checkTemplate } from "./TemplateSyntax.ts"

const faultOf = (source: string) => checkTemplate(source)[0]

describe("the syntax of a template", () => {
  it.each([
    "no placeholder at all { } }}",
    "{{name}}{{ name }}{{address.zip}}{{data.name}}",
    "{{{name}}}{{&name}}",
    "{{name ?? friend}}{{name??friend}}{{name ?? \"dear friend\"}}{{name ?? 'dear friend'}}{{{name ?? <b>you</b>}}}",
    '{{name ?? "a }} b"}}{{upper name ?? YOU}}{{[first name] ?? you}}{{name ??}}',
    "{{[first name]}}{{address.[zip code]}}{{data.[a.b]}}",
    "{{#if x}}a{{else}}b{{/if}}{{#if n includeZero=true}}a{{/if}}",
    "{{#if x}}a{{else if y}}b{{else unless z}}c{{else}}d{{/if}}",
    "{{#unless x}}a{{/unless}}{{#with x}}{{../y}}{{/with}}",
    "{{#each x}}{{this}}{{.}}{{this.a}}{{./a}}{{@index}}{{@key}}{{@first}}{{@last}}{{@../index}}{{else}}none{{/each}}",
    "{{../x}}{{@root.x}}{{@root.[a b].c}}",
    '{{default x "text"}}{{upper x}}{{lower x}}{{urlencode x}}',
    '{{date x}}{{date x "YYYY-MM-DD" tz="Europe/Berlin" locale="de"}}{{date x format tz=zone}}',
    '{{number x}}{{number x decimals=2 currency="EUR" locale="de"}}',
    "{{!-- a note with }} in it --}}{{! short }}{{!----}}{{~!-- --~}}",
    "\\{{literal}} \\\\{{x}} \\{{#if}}",
    "{{~x~}}{{~{x}~}}{{~#if x~}}a{{~else~}}b{{~/if~}}{{#if x}}a{{^}}b{{/if}}",
    "{{upper}}{{date}}{{number}}{{each}}{{log}}: names of helpers alone are variables",
    "{{ä}}{{größe.höhe}}{{名前}}",
    '{{[a}}b]}}{{default x "}}"}}',
    "{{> footer}}{{>footer}}{{~> footer ~}}{{> 2-columns }}{{> content}}",
    '{{> row title=item.name n=1 text="a }} b" yes=true no=null up=../x root=@root.y i=@index}}',
    `{{> a ${Array.from({ length: 20 }, (_, i) => `k${i}=x`).join(" ")}}}`
  ])("accepts %s", (source) => {
    assert.deepStrictEqual(checkTemplate(source), [])
  })

  it.each([
    ["{{#> layout}}{{/layout}}", "Partials with a block"],
    ["{{>}}", "named"],
    ["{{> Footer}}", "'Footer' is no name of a partial"],
    ["{{> a.b}}", "no name of a partial"],
    ["{{> -a}}", "no name of a partial"],
    [`{{> ${"a".repeat(65)}}}`, "no name of a partial"],
    ["{{> 'a'}}", "no name of a partial"],
    ["{{> [a]}}", "no name of a partial"],
    ["{{> (lookup . 'a')}}", "round brackets"],
    ["{{> a b}}", "key=value"],
    ["{{> a b c=d}}", "key=value"],
    ["{{> a =b}}", "cannot be read"],
    ["{{> a b=(upper c)}}", "round brackets"],
    ["{{> a b=@data}}", "no '@data'"],
    ["{{> a email=b}}", "'email' is reserved"],
    ["{{> a unsubscribeUrl='x'}}", "'unsubscribeUrl' is reserved"],
    ["{{> a ?? b}}", "fallback"],
    ["{{{> a}}}", "cannot be read"],
    [`{{> a ${Array.from({ length: 21 }, (_, i) => `k${i}=x`).join(" ")}}}`, "at most 20 parameters"],
    ["{{* decorate}}", "Decorators"],
    ["{{#* inline}}{{/inline}}", "Decorators"],
    ["{{{{raw}}}}{{{{/raw}}}}", "Raw blocks"],
    ["{{lookup x y}}", "'lookup' is not a helper"],
    ['{{log "x"}}', "'log' is not a helper"],
    ["{{#log}}{{/log}}", "no block 'log'"],
    ["{{shout x}}", "'shout' is not a helper"],
    ["{{#list}}{{/list}}", "no block 'list'"],
    ["{{#this.if x}}{{/this.if}}", "no block 'this.if'"],
    ["{{^x}}{{/x}}", "Inverted blocks"],
    ["{{1 + 2}}", "cannot be read"],
    ["{{list.0}}", "list.[0]"],
    ["{{x.y()}}", "round brackets"],
    ["{{upper (lower x)}}", "round brackets"],
    ["{{= x}}", "cannot be read"],
    ["{{x=1}}", "cannot be read"],
    ["{{x.#y}}", "cannot be read"],
    ["{{#else x}}{{/else}}", "cannot be read"],
    ["{{#each x as |y|}}{{/each}}", "Block parameters"],
    ["{{}}", "empty"],
    ["{{'x'}}", "{{[x]}}"],
    ["{{12}}", "{{[12]}}"],
    ["{{true}}", "{{[true]}}"],
    ["{{@data}}", "no '@data'"],
    ["{{upper}}{{upper x y}}", "'upper' takes 1 value."],
    ["{{default x}}", "'default' takes 2 values."],
    ["{{date x y z}}", "'date' takes 1 or 2 values."],
    ["{{#if}}{{/if}}", "'if' takes 1 value."],
    ["{{date x zone='UTC'}}", "'date' has no option 'zone'; it has tz, locale."],
    ["{{upper x a=1}}", "'upper' has no option 'a'; it has none."],
    ["{{x a=1}}", "'x' is not a helper"],
    ["{{#if x ?? y}}{{/if}}", "fallback"],
    ["{{", "not closed"],
    ["{{name", "not closed"],
    ["{{name {{other}}", "not closed"],
    ["{{name ?? friend {{other}}", "not closed"],
    ["{{name ?? friend", "not closed"],
    ["{{'name}}", "quotes is not closed"],
    ["{{[name}}", "[ ] is not closed"],
    ["{{!-- note }}", "comment is not closed"],
    ["{{! note", "comment is not closed"],
    ["{{{name}}", "ends with }}}"],
    ["{{name}}}", "leave a blank"],
    ["{{#if x}}", "Block 'if' is not closed."],
    ["{{/if}}", "{{/if}} closes no block."],
    ["{{#if x}}{{/each}}", "Block 'if' is closed by 'each'."],
    ["{{else}}", "{{else}} stands outside of a block."],
    ["{{else if x}}", "{{else if x}} stands outside of a block."],
    ["{{#if x}}{{else}}{{else}}{{/if}}", "Block 'if' has a second {{else}}."],
    ["{{#if x}}{{else}}{{else if y}}{{/if}}", "Block 'if' has a second {{else}}."]
  ])("refuses %s", (source, sentence) => {
    assert.include(faultOf(source)?.message, sentence)
  })

  it("suggests brackets for a variable with a blank in its name", () => {
    assert.include(faultOf("{{first name}}")?.message, "{{[first name]}}")
    assert.include(faultOf("{{my first name}}")?.message, "{{[my first name]}}")
    assert.include(faultOf("{{first name ?? friend}}")?.message, "{{[first name]}}")
    assert.notInclude(faultOf('{{shout "x"}}')?.message, "{{[")
  })
})

describe("the position of a fault", () => {
  it("is the place of the tag, counted from 1 in characters", () => {
    const source = `${"\n".repeat(13)}  {{#if x}} never closed`
    assert.deepStrictEqual(checkTemplate(source), [{ message: "Block 'if' is not closed.", line: 14, column: 3 }])
    assert.deepInclude(faultOf("😀😀{{* x}}"), { line: 1, column: 3 })
    assert.deepInclude(faultOf("a\r\nb\rc {{* x}}"), { line: 3, column: 3 })
    assert.deepInclude(faultOf('{{a ?? "\n\n"}} {{* x}}'), { line: 3, column: 5 })
  })

  it("is the first one", () => {
    assert.deepInclude(faultOf("{{ok}}{{a b}}{{c d}}{{#if"), { line: 1, column: 7 })
    assert.lengthOf(checkTemplate("{{a b}}{{c d}}"), 1)
  })

  it("is the outermost open block, not an {{else if}} of it", () => {
    assert.deepInclude(faultOf("{{#if a}}{{else if b}}"), { column: 1 })
    assert.deepInclude(faultOf("{{#if a}}{{#each b}}{{else if c}}"), { column: 10 })
  })
})

describe("limits", () => {
  it("accepts 20 nested blocks", () => {
    const nested = (depth: number) => "{{#if x}}".repeat(depth) + "{{/if}}".repeat(depth)
    assert.deepStrictEqual(checkTemplate(nested(20)), [])
    assert.include(faultOf(nested(21))?.message, "more than 20")
    assert.deepStrictEqual(checkTemplate(`{{#if x}}${"{{else if y}}".repeat(150)}{{/if}}`), [])
    assert.include(faultOf(`{{#if x}}${"{{else if y}}".repeat(200)}{{/if}}`)?.message, "More than 200")
  })

  it("refuses more than 5 MB with placeholders, but not without", () => {
    const megabytes5 = "x".repeat(5 * 1024 * 1024 - 5)
    assert.deepStrictEqual(checkTemplate(`${megabytes5}{{a}}`), [])
    assert.deepInclude(faultOf(`${megabytes5}{{aa}}`), { code: "too_big" })
    assert.deepInclude(faultOf(`{{a}}${"€".repeat(1_747_626)}`), { code: "too_big" })
    assert.deepStrictEqual(checkTemplate(`${megabytes5}xxxxxxxxxx`), [])
  })

  it("refuses too many different helper calls", () => {
    const calls = Array.from({ length: 5_001 }, (_, i) => `{{upper a${i}}}`)
    assert.include(faultOf(calls.join(""))?.message, "more than 5000 different")
    assert.deepStrictEqual(checkTemplate(calls.slice(1).join("")), [])
    assert.deepStrictEqual(checkTemplate("{{upper a}}".repeat(20_000)), [])
  })

  it("refuses paths and placeholders with too many parts", () => {
    const path = (segments: number) => Array.from({ length: segments }, () => "a").join(".")
    assert.deepStrictEqual(
      checkTemplate(`{{${path(32)}}}{{upper ${path(32)}}}{{${path(32).replaceAll(".", "/")}}}`),
      []
    )
    for (const inner of [path(33), `upper ${path(33)}`, `#if ${path(33)}`, path(33).replaceAll(".", "/")]) {
      assert.include(faultOf(`{{${inner}}}${inner[0] === "#" ? "{{/if}}" : ""}`)?.message, "more than 32 segments")
    }
    assert.deepStrictEqual(checkTemplate(`{{${"../".repeat(16)}a}}{{[a.b${".c".repeat(40)}]}}`), [])
    assert.include(faultOf(`{{${"../".repeat(17)}a}}`)?.message, "more than 16 steps")
    assert.include(faultOf(`{{upper ${"../".repeat(3_200)}a}}`)?.message, "more than 16 steps")
    assert.include(faultOf(`{{date a ${"tz=b ".repeat(65)}}}`)?.message, "more than 64 options")
    assert.include(faultOf(`{{upper ${"a ".repeat(200)}}}`)?.message, "more than 128 values")
  })

  it("refuses more than 256 kB of placeholders, and counts neither comments nor fallbacks", () => {
    const tag = `{{upper "${"x".repeat(9_800)}"}}`
    assert.include(faultOf(tag.repeat(200))?.message, "at most 256 kB")
    assert.deepInclude(faultOf(tag.repeat(540)), { code: "too_big" })
    assert.include(faultOf("{{a}}".repeat(60_000))?.message, "at most 256 kB")
    assert.deepStrictEqual(checkTemplate("{{! a longer note }}".repeat(20_000)), [])
    assert.deepStrictEqual(checkTemplate(`{{a ?? "${"x".repeat(300_000)}"}}`), [])
  })

  it("refuses a placeholder that is longer than 10,000 characters", () => {
    assert.include(faultOf(`{{upper '${"x".repeat(10_001)}'}}`)?.message, "longer than 10000")
  })

  it.each([
    ["braces", "{{"],
    ["tags", "{{a}}"],
    ["open blocks", "{{#if a}}"],
    ["closed blocks", "{{/if}}"],
    ["chains", "{{else if a}}"],
    ["comments", "{{!-- --}}"],
    ["unclosed comments", "{{!-- }} "],
    ["open fallbacks", '{{a ?? "x}}'],
    ["quotes", "{{a '"],
    ["escapes", "\\{{"],
    ["backslashes", "\\\\{{a}}"],
    ["blank lines", "{{!}}\n \n"],
    ["brackets", "{{[a"],
    ["round brackets", "{{(("]
  ])("handles a megabyte of %s in linear time", (_, piece) => {
    const source = piece.repeat(1_000_000 / piece.length)
    assert.isAtMost(checkTemplate(source).length, 1)
    assert.isAtMost(checkTemplate(`{{#if x}}${source}{{/if}}`).length, 1)
  })
})

it("finds no fault, or a fault with a message and a position, in any text", () => {
  fc.assert(
    fc.property(anyPieces, (source) => {
      for (const fault of checkTemplate(source)) {
        assert.notStrictEqual(fault.message, "")
        assert.isTrue("line" in fault && fault.line >= 1 && fault.column >= 1)
      }
    })
  )
})
