/** HTML of a text block as a document and back: the same text, links and attributes, or code. */
import { Schema } from "@tiptap/pm/model"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cleanHtml, docOf, htmlOf, type RichNode } from "./richText.ts"

const same = (html: string) => assert.strictEqual(htmlOf(docOf(html) ?? { type: "doc" }), html)

const word = fc.constantFrom(
  "Hello",
  "a &amp; b",
  "1 &lt; 2",
  "&nbsp;",
  " and ",
  "\n  ",
  "{{firstName ?? you}}",
  "{{{raw}}}",
  '{{a "<b>"}}'
)
const attributes = fc.constantFrom("", ' style="color: #f00"', ' class="{{kind}}"', ' data-a="1" b')
const inline: fc.Arbitrary<string> = fc.letrec((tie) => ({
  inline: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        word,
        fc.constantFrom("<br>", "<br />"),
        fc
          .tuple(fc.constantFrom("b", "strong", "i", "em", "u", "span"), attributes, tie("inline"))
          .map(([tag, text, content]) => `<${tag}${text}>${content}</${tag}>`),
        tie("inline").map((content) => `<a href="https://example.com/?a=1&amp;b={{id}}" target="_blank">${content}</a>`)
      ),
      { maxLength: 4 }
    )
    .map((parts) => parts.join(""))
})).inline as fc.Arbitrary<string>
const line = fc
  .tuple(fc.constantFrom("p", "h1", "h3"), attributes, inline)
  .map(([tag, text, content]) => `<${tag}${text}>${content}</${tag}>`)
const list: fc.Arbitrary<string> = fc.letrec((tie) => ({
  list: fc
    .tuple(
      fc.constantFrom("ul", "ol"),
      attributes,
      fc.array(
        fc.oneof(
          { maxDepth: 2 },
          inline,
          line,
          fc.tuple(inline, tie("list")).map(([a, b]) => `${a}${b}`)
        ),
        {
          minLength: 1,
          maxLength: 3
        }
      )
    )
    .map(([tag, text, items]) => `<${tag}${text}>\n${items.map((item) => `<li>${item}</li>`).join("\n")}</${tag}>`)
})).list as fc.Arbitrary<string>
const text = fc.array(fc.oneof(inline, line, list), { maxLength: 3 }).map((parts) => parts.join("\n"))

/** What a reader sees: the letters, with one space where there is white space. */
const seen = (html: string) =>
  html
    .replace(/\{\{\{?[^}]*\}\}\}?/g, (found) => found.replaceAll("<", "(").replaceAll(">", ")"))
    .replace(/<[^>]*>/g, "")
    .replace(/[ \n]/g, "")

describe("rich text of a block", () => {
  it("keeps what it shows to the letter", () => {
    for (const html of [
      "",
      "Write here.",
      "Hello {{firstName ?? there}},",
      "Kind regards<br />Example",
      "<h1>Welcome, {{firstName ?? friend}}</h1>",
      "<b>Total {{order.total ?? 10.00}}</b>",
      '<p style="margin: 0">a <a href="{{url}}" style="color: {{colour}}">b</a></p><p>c</p>',
      '<strong>a <em>b</em></strong> <u>c</u> <span style="color: #f00">d</span>',
      'a<ul><li>b</li><li>c<ol start="3"><li>d</li></ol></li></ul>e',
      "1 &lt; 2 &amp; 3&nbsp;kg",
      "{{#if plan}}a{{else}}b{{/if}} {{> footer}}"
    ]) {
      same(html)
    }
  })

  it("leaves to the code what it cannot show", () => {
    for (const html of [
      "<table><tr><td>a</td></tr></table>",
      "<div>a</div>",
      '<img src="a.png">',
      "a<!-- note -->",
      "<b><b>a</b></b>",
      "<b><p>a</p></b>",
      "<ul>{{#each items}}<li>a</li>{{/each}}</ul>",
      "<ul></ul>",
      "<li>a</li>",
      "<style>p { color: red }</style>",
      '<br class="a">',
      "</p>",
      "<b>a",
      "a \uFFFC b"
    ]) {
      const doc = docOf(html)
      assert.isTrue(doc === null || html === "<b>a", html)
    }
  })

  it("loses no letter, no link and no placeholder of any HTML that it shows, and reads its own HTML to the letter", () => {
    let shown = 0
    fc.assert(
      fc.property(text, (html) => {
        const doc = docOf(html)
        if (doc === null) return
        shown++
        const printed = htmlOf(doc)
        assert.strictEqual(seen(printed), seen(html))
        // Two links beside each other with the same address are one.
        const placeholders = (all: string) => [...new Set(all.match(/\{\{[^}]*\}\}/g))].sort()
        assert.deepStrictEqual(placeholders(printed), placeholders(html))
        assert.deepStrictEqual(htmlOf(docOf(printed) ?? { type: "doc" }), printed)
      }),
      { numRuns: 1_000 }
    )
    assert.isAbove(shown, 300)
  })

  it("takes of pasted HTML the text and its marks, and nothing that acts", () => {
    assert.strictEqual(
      cleanHtml(
        '<style>p {}</style><p style="color: red" onclick="a()">a <strong x>b</strong> <img src=x onerror="a()">&lt;i&gt;' +
          '<a href="javascript:a()">c</a><a href="https://example.com/?a=1&amp;b=2" title="t">d</a></p><script>e()</script>'
      ),
      '<p>a <strong>b</strong> &lt;i&gt;<a>c</a><a data-link="https://example.com/?a=1&amp;b=2">d</a></p>'
    )
    fc.assert(
      fc.property(fc.string(), (html) => {
        for (const tag of cleanHtml(html).match(/<[^>]*>/g) ?? [])
          assert.match(tag, /^<\/?[a-z1-6]+(?: data-link="[^"]*")?>$/)
      })
    )
    assert.isBelow(cleanHtml("<b>".repeat(100_000)).length, 10_000)
  })

  it("takes time that grows with the text only", () => {
    const took = (html: string) => {
      const times = [0, 1, 2, 3, 4].map(() => {
        const start = performance.now()
        docOf(html)
        return performance.now() - start
      })
      return Math.min(...times)
    }
    for (const part of [
      "a",
      " ",
      "&amp;",
      "{{a}}",
      "{{",
      "<b>a</b>",
      "<b>",
      "<p>",
      "<ul><li>",
      '<a href="',
      "<a b ",
      "<br>"
    ]) {
      took(part.repeat(10_000))
      // Eight times the letters take eight times as long; if time grew with the square, they would take 64 times.
      assert.isBelow(took(part.repeat(80_000)), 32 * took(part.repeat(10_000)) + 100, part)
    }
  })

  it("gives documents that the schema of an editor takes", () => {
    const attrs = { attrs: { default: "" }, tag: { default: null }, href: { default: null } }
    const schema = new Schema({
      nodes: {
        doc: { content: "block+" },
        text: { group: "inline" },
        paragraph: { group: "block", content: "inline*", attrs: { ...attrs, bare: { default: true } } },
        heading: { group: "block", content: "inline*", attrs: { ...attrs, level: { default: 2 } } },
        bulletList: { group: "block", content: "listItem+", attrs },
        orderedList: { group: "block", content: "listItem+", attrs },
        listItem: { content: "paragraph block*", attrs },
        hardBreak: { group: "inline", inline: true },
        token: { group: "inline", inline: true, attrs: { text: {} } }
      },
      marks: { link: { attrs }, span: { attrs }, bold: { attrs }, italic: { attrs }, underline: { attrs } }
    })
    fc.assert(
      fc.property(text, (html) => {
        const doc = docOf(html)
        if (doc === null) return
        const node = schema.nodeFromJSON(doc)
        node.check()
        assert.strictEqual(htmlOf(node.toJSON() as RichNode), htmlOf(doc))
      }),
      { numRuns: 300 }
    )
  })
})
