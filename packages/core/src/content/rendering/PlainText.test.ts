import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { flatHtml } from "./FlatHtml.ts"
import { plainText } from "./PlainText.ts"

describe("the plain text part", () => {
  it.each([
    ["paragraphs and line breaks", "<p>a<br>b</p><p>c</p>", "a\nb\n\nc"],
    [
      "links as text followed by the address",
      '<a href="https://example.com/?a=1&amp;b=2">Shop</a>.',
      "Shop <https://example.com/?a=1&b=2>."
    ],
    [
      "a link once when its text is the address",
      '<a href="https://example.com">https://example.com</a>',
      "https://example.com"
    ],
    ["no address for anchors", '<a href="#top">top</a>', "top"],
    ["lists", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", " * a\n * b\n   * c".trim()],
    ["numbered lists", "<ol><li>a</li><li>b</li></ol>", "1. a\n 2. b"],
    ["headings as they are", "<h1>Hello you</h1><h2>Again</h2>", "Hello you\n\nAgain"],
    ["a line for each row of a table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
    ["entities decoded", "&lt;b&gt; &euro; &amp;amp; &#228;", "<b> € &amp; ä"],
    ["no control characters", "a&#7;b&#x1b;c&#127;d<pre>e\tf\r\ng</pre>", "abcd\n\ne f\ng"],
    [
      "pictures by their description",
      '<img src="x.png" alt="Logo"> <a href="https://example.com"><img alt="Go"></a><img>',
      "Logo Go <https://example.com>"
    ],
    [
      "no styles, scripts and titles",
      "<html><head><title>t</title><style>s</style></head><body>b<script>x</script></body></html>",
      "b"
    ],
    ["no comments", "a<!-- b -->c<!--[if mso]>d<![endif]-->", "ac"],
    ["blank lines between sections", "<section>a</section><section>b</section>", "a\nb"],
    ["elements with names of JavaScript", "a<constructor>b</constructor><p>c</p>", "ab\n\nc"],
    ["text without any HTML", "a < b & c", "a < b & c"],
    ["nothing", "", ""]
  ])("has %s", (_, html, expected) => {
    assert.strictEqual(plainText(html), expected)
  })

  it("does not wrap lines", () => {
    const line = "word ".repeat(500).trim()
    assert.strictEqual(plainText(`<p>${line}</p>`), line)
  })

  it("keeps text of a large document with very many tags", () => {
    const row = (i: number) => `<tr><td class="x">Row ${i}</td><td><a href='https://example.com/${i}'>see</a>`
    const rows = Array.from({ length: 5000 }, (_, i) => row(i))
    const lines = plainText(`<body><table>${rows.join("")}</table>`)
      .split("\n")
      .filter((line) => line !== "")
    assert.strictEqual(lines[4321], "Row 4321 see <https://example.com/4321>")
    assert.lengthOf(lines, 5000)
  })

  it.each([
    ["deep elements", "<div>"],
    ["deep lists", "<ol><li>a"],
    ["ends without a start", "<b></i>"],
    ["implied ends", "<li><li></li><b></li>"],
    ["angle brackets", "<"],
    ["open comments", "<!--"],
    ["open attributes", "<a b='"],
    ["open scripts", "<script>"],
    ["ampersands", "&"],
    ["quotes", "<blockquote>a<br>"],
    ["names of prototypes", "<constructor><__proto__>"],
    ["end tags", "</"],
    ["carriage returns", "\r"]
  ])("handles megabytes of %s in linear time", (_, piece) => {
    const html = piece.repeat(2_000_000 / piece.length)
    assert.isAtMost(plainText(html).length, 5_000_000)
  })

  it("limits the indentation of nested lists", () => {
    const html = `${"<ul>".repeat(190)}<pre>${"\n".repeat(2_000_000)}</pre>`
    assert.isAtMost(plainText(html).length, 5_000_000)
  })

  it("is free of control characters and outer blanks, for any input", () => {
    const pieces = fc.constantFrom(
      "<p>",
      "</p>",
      "<ul>",
      "<li>",
      "<",
      ">",
      "&#0;",
      "&#x9;",
      "\t",
      "\u0007",
      "a",
      '"',
      "<!--",
      "<a href="
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
        const text = plainText(parts.join(""))
        assert.notMatch(text, /[\p{Cc}--\n]/v)
        assert.strictEqual(text, text.trim())
      })
    )
  })
})

describe("a simplified document", () => {
  const limits = { maxDepth: 200, maxLength: 1_000_000 }

  const element = (name: string, content: string) => `<${name} class="x>y" style='a:"b"'>${content}</${name}>`
  const inline = fc
    .array(
      fc.constantFrom(
        "a",
        " b ",
        "\n",
        "&amp;",
        "<br>",
        "<hr/>",
        "<img alt='x' src=y>",
        "<IMG ALT=z>",
        "<b>c</b>",
        "<SPAN> d</SPAN>",
        `<a href="https://example.com/?a&amp;b">e</a>`,
        "<A HREF = 'https://example.com/\"'>f</A>"
      ),
      { maxLength: 5 }
    )
    .map((parts) => parts.join(""))
  const anyHtml: fc.Arbitrary<string> = fc.letrec<{ blocks: string; block: string }>((tie) => ({
    blocks: fc
      .array(fc.oneof({ depthSize: "small" }, inline, fc.constant("<style>x</style><!-- y -->"), tie("block")), {
        maxLength: 4
      })
      .map((parts) => parts.join("")),
    block: fc.oneof(
      fc.tuple(fc.constantFrom("p", "h2", "pre"), inline).map(([name, content]) => element(name, content)),
      fc
        .tuple(fc.constantFrom("div", "section", "center"), tie("blocks"))
        .map(([name, content]) => element(name, content)),
      fc
        .tuple(fc.constantFrom("ul", "ol"), fc.array(tie("blocks"), { maxLength: 3 }))
        .map(([name, items]) => element(name, items.map((item) => element("li", item)).join(""))),
      fc
        .array(fc.array(tie("blocks"), { maxLength: 2 }), { maxLength: 3 })
        .map((rows) =>
          element("table", rows.map((row) => element("tr", row.map((cell) => element("td", cell)).join(""))).join(""))
        )
    )
  })).blocks

  it("has the same text", () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        assert.strictEqual(plainText(flatHtml(html, limits)), plainText(html))
      }),
      { numRuns: 500 }
    )
  })

  it("is closed, flat and short", () => {
    assert.strictEqual(flatHtml("<div><p>a<p>b<b>c</div>d</p>", limits), "<div><p>a</p><p>bc</p></div>d")
    assert.strictEqual(flatHtml("<div><p><a>b</a></p></div>", { ...limits, maxDepth: 2 }), "<div><p>b</p></div>")
    assert.isAtMost(flatHtml("<p>text</p>".repeat(1000), { ...limits, maxLength: 100 }).length, 120)
    for (const tag of ["<br>", "<a href=x>", "<tr><td>"]) {
      assert.isAtMost(flatHtml(tag.repeat(100_000), { ...limits, maxLength: 100_000 }).split("<").length, 5_000)
    }
    assert.strictEqual(flatHtml("1 < 2 <o:p>x</o:p><!DOCTYPE html><?xml?>", limits), "1 &lt; 2 x")
  })
})
