import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Schema } from "effect"
import * as fc from "fast-check"
import { plainText, plainTextOf } from "./PlainText.ts"
import { renderAt } from "./Render.ts"
import { Skeleton } from "./Skeleton.ts"
import { compile } from "./Template.ts"

/** The rendered HTML of a template with its skeleton. */
const rendered = (source: string, variables: Schema.JsonObject) => {
  const skeleton = new Skeleton()
  const html = renderAt(Effect.runSync(compile(source)), variables, "html", () => 0, { skeleton })
  return { html: Result.getOrThrow(html), skeleton }
}

describe("the skeleton of a rendered text", () => {
  it("is the same for all values that are words, and different for other values", () => {
    const of = (name: string) => rendered("<p>Hello {{name}}, {{name}}</p>", { name }).skeleton.text
    assert.strictEqual(of("Anna"), of("Jean-Luc O'Brien & Söhne"))
    for (const other of ["", " ", "a  b", "a\nb", " a", "\u00a0", "\u200b", "a".repeat(2_000)]) {
      assert.notStrictEqual(of(other), of("Anna"), JSON.stringify(other))
    }
  })

  it("has equal marks for equal values, and different marks for different values", () => {
    const of = (a: string, b: string) => rendered("{{a}} {{b}}", { a, b }).skeleton.text
    assert.strictEqual(of("x", "x"), of("y", "y"))
    assert.notStrictEqual(of("x", "x"), of("x", "y"))
  })

  it("inserts the values into a text derived from it", () => {
    const { skeleton } = rendered("{{a}}-{{b}}-{{a}}", { a: "$& <1>", b: "2" })
    assert.strictEqual(skeleton.fill(skeleton.text.toUpperCase()), "$& <1>-2-$& <1>")
  })

  it("detects that the text itself contains characters that look like marks", () => {
    assert.isTrue(rendered("{{a}}", { a: "x" }).skeleton.isUnambiguous)
    assert.isFalse(rendered("{{a}} \ue001", { a: "x" }).skeleton.isUnambiguous)
    assert.isFalse(rendered("{{{a}}}", { a: "\ue000" }).skeleton.isUnambiguous)
  })

  it("uses no more marks than there are characters for them", () => {
    const list = Array.from({ length: 8_000 }, (_, n) => `v${n}`)
    const { html, skeleton } = rendered("{{#each list}}<p>{{this}}</p>{{/each}}", { list })
    assert.isTrue(skeleton.isUnambiguous)
    assert.strictEqual(plainTextOf(html, skeleton), plainText(html))
  })
})

describe("the plain text of a skeleton, with its values,", () => {
  const pieces = [
    "<p>",
    "</p>",
    "<ul><li>",
    "</li></ul>",
    '<ol start="{{a}}"><li>',
    "<ol start={{a}}><li>x</ol>",
    "<table><tr><td>",
    "</td><td>",
    "</table>",
    "<pre>",
    "</pre>",
    '<a href="{{a}}">',
    "<a href='x{{b}}'>",
    "<a href={{b}}>",
    '<a href="https://example.com">',
    '<a href="mail{{a}}">',
    '<a title=">" href={{a}}>',
    '<ol title=">" start="{{b}}"><li>',
    "</a>",
    '<img alt="{{a}}">',
    "<img alt={{b}} src=x>",
    "<hr>",
    "<br>",
    "<{{a}}>",
    "</{{b}}>",
    "<",
    ">",
    "&",
    "&am",
    "&amp",
    "&#6",
    "&lt;",
    '"',
    "'",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<svg>",
    "</svg>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<xmp>",
    "<iframe>",
    "<noscript>",
    "<plaintext>",
    "<body>",
    "</body>",
    "\ue000",
    " ",
    "\n",
    "x",
    "https://example.com",
    "{{a}}",
    "{{b}}",
    " {{a}} ",
    "{{{b}}}",
    "{{upper a}}",
    "{{c ?? d}}",
    "{{#if c}}{{c}}{{/if}}"
  ]
  const anySource = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""))
  const anyValue = fc.oneof(
    fc.constantFrom(
      "Anna",
      "Anna Bo",
      "https://example.com",
      "to:x@example.com",
      "mailto:x@example.com",
      "#top",
      "5",
      "p",
      "p;",
      "5;",
      "a=b",
      "O'Brien & <b>",
      '"',
      "--> x",
      "/td",
      "",
      " ",
      "two  blanks",
      "a\nb",
      "\u00a0",
      "\ue001",
      "example.com",
      "x"
    ),
    fc.string({ unit: "grapheme", maxLength: 6 })
  )
  const anyVariables = fc.record({ a: anyValue, b: anyValue, c: anyValue })

  it("equals that of the HTML, for any text around the values and after any earlier text", () => {
    fc.assert(
      fc.property(anySource, fc.array(anyVariables, { minLength: 1, maxLength: 4 }), (source, recipients) => {
        for (const variables of recipients) {
          const { html, skeleton } = rendered(source, variables)
          assert.strictEqual(plainTextOf(html, skeleton), plainText(html), JSON.stringify({ source, variables }))
        }
      }),
      { numRuns: 2_000 }
    )
  })

  it.each(["<", "type=", "=", " href='", ' href="', "&", "start= ", "\ue000", "<a "])(
    "handles many repetitions of %s in linear time",
    (piece) => {
      const { html, skeleton } = rendered(`{{a}}${piece.repeat(200_000 / piece.length)}`, { a: "x" })
      assert.strictEqual(plainTextOf(html, skeleton), plainText(html))
    }
  )
})
