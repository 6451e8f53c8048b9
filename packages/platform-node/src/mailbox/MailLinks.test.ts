import { assert, it } from "@effect/vitest"
import { isSafeLink, linksOf } from "./MailLinks.ts"

const inHtml = (html: string) => linksOf({ html, text: "https://example.com/text" })

it("reads the links of the HTML, each once, in any quoting", () => {
  assert.deepStrictEqual(
    inHtml(`<A class="x>y" HREF="https://a.test/?x=1&amp;y=2">1</A><a href='https://b.test/'>2</a>
      <a href=https://c.test/>3</a><a name="top">4</a><a href="https://b.test/">5</a><abbr href="https://no.test/">6</abbr>`),
    ["https://a.test/?x=1&y=2", "https://b.test/", "https://c.test/"]
  )
})

it("reads the text only when there is no HTML, without the punctuation around a link", () => {
  const text = "See https://example.com/a?b=1. Or (http://example.com/c), bye"
  assert.deepStrictEqual(linksOf({ html: null, text }), ["https://example.com/a?b=1", "http://example.com/c"])
  assert.deepStrictEqual(linksOf({ html: null, text: null }), [])
})

it("decodes character references, and keeps invalid ones", () => {
  assert.deepStrictEqual(inHtml(`<a href="&#106;avascript&#x3a;alert(1)">x</a><a href="/&#x110000;">y</a>`), [
    "javascript:alert(1)",
    "/&#x110000;"
  ])
})

it("reads megabytes of unclosed tags in linear time", () => {
  assert.deepStrictEqual(inHtml("<a ".repeat(1_000_000)), [])
  assert.deepStrictEqual(inHtml(`<a "'`.repeat(500_000)), [])
})

it("lists at most 200", () => {
  const many = Array.from({ length: 300 }, (_, n) => `<a href="https://a.test/${n}">x</a>`).join("")
  assert.strictEqual(inHtml(many).length, 200)
})

it.each([
  ["https://a.test/", true],
  ["HTTP://a.test/", true],
  ["mailto:anna@example.com", true],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
  ["/relative", false],
  [" https://a.test/", false]
])("%s may be a link: %s", (link, safe) => {
  assert.strictEqual(isSafeLink(link), safe)
})
