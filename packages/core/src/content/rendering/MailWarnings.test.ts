import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mailWarnings } from "./MailWarnings.ts"

const text = "Enough text to read beside images."

const codes = (html: string | null, subject = "Hello", plain = text) =>
  mailWarnings({ subject, html, text: plain }).map(({ code, count }) => (count === 1 ? code : `${code} ${count}`))

describe("warnings about a mail", () => {
  it.each([
    ['<p>Fine <a href="https://example.com">link</a><img src="https://example.com/a.png" alt=""></p>', []],
    ["<img src=https://example.com/a.png><IMG SRC='https://example.com/b.png'/>", ["missing_alt 2"]],
    ["<img alt src=https://example.com/a.png>", []],
    ['<img title="alt=x" src="https://example.com/a.png">', ["missing_alt"]],
    ["<a href='http://example.com'>x</a>", ["insecure_link"]],
    ["<img alt=x src=http://example.com/a.png>", ["insecure_image"]],
    ["<a href=''>x</a><a href='#'>y</a><a href=' '>z</a><a name=x>w</a><a href='#top'>v</a>", ["empty_link 3"]],
    [
      ["localhost", "127.0.0.1:3000", "10.1.2.3", "192.168.0.1", "172.20.1.1", "shop.test", "printer.local", "[::1]"]
        .map((host) => `<a href="http://${host}/x">x</a>`)
        .join(""),
      ["local_link 8"]
    ],
    ["<a href='https://user@127.0.0.1/'>x</a><img alt src='https://localhost'>", ["local_link 2"]],
    ["<a href='https://172.32.1.1'>x</a><a href='https://test.com'>x</a><a href='https://1.10.0.1'>x</a>", []],
    ["<a href='mailto:a@localhost'>x</a><a href='{{x}}'>y</a>", []],
    ["<script>x</script><FORM><iframe></iframe></FORM><video/>", ["unsupported_tag 4"]],
    ["<!-- <script> <img> --><p>x</p><formula>", []],
    ["<img alt=x ", []],
    ["<a href='http://example.com", []],
    [null, []]
  ])("of %s are %j", (html, expected) => {
    assert.deepStrictEqual(codes(html), expected)
  })

  it("distinguish an image without text from an image with text", () => {
    const html = "<img alt=x src=https://example.com/a.png>"
    assert.deepStrictEqual(codes(html, "Hi", "See\nhttps://example.com/a-long-address-is-no-text"), ["image_only"])
    assert.deepStrictEqual(codes(html, "Hi", "x".repeat(20)), [])
    assert.deepStrictEqual(codes("<p>x</p>", "Hi", "x"), [])
  })

  it.each([
    ["BUY NOW PLEASE", ["shouting_subject"]],
    ["Buy now!!", ["shouting_subject"]],
    ["Save $$ today", ["shouting_subject"]],
    ["NASA news!", []],
    ["GOOD NEWS for all of you", []],
    ["ÄÖÜ ÄÖÜ ÄÖÜ ÄÖ", ["shouting_subject"]],
    ["x".repeat(151), ["subject_long"]],
    ["😀".repeat(150), []]
  ])("of the subject %s are %j", (subject, expected) => {
    assert.deepStrictEqual(codes("<p>x</p>", subject), expected)
  })

  it("have a sentence, a count and the first place", () => {
    const [one] = mailWarnings({ subject: "s", html: `<p><img src="a"><img src="${"b".repeat(200)}">`, text })
    assert.deepStrictEqual(one, {
      code: "missing_alt",
      message: "2 images have no alt text.",
      count: 2,
      example: '<img src="a">'
    })
    const [long] = mailWarnings({ subject: "s", html: `<img src="${"b".repeat(200)}">`, text })
    assert.lengthOf(long?.example ?? "", 100)
  })

  it("are found in any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<", ">", "img", "a", " ", "href", "=", "'", '"', "/", "http://", "<!--", "-->", "#")),
        (pieces) => {
          for (const { count, message } of mailWarnings({
            subject: pieces.join(""),
            html: pieces.join(""),
            text: ""
          })) {
            assert.isAtLeast(count, 1)
            assert.notStrictEqual(message, "")
          }
        }
      )
    )
  })
})
