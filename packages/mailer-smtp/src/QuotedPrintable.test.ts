import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { encode, isLongerThanBase64 } from "./QuotedPrintable.ts"

const decode = (text: string) =>
  Buffer.from(
    text.replaceAll("=\r\n", "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  ).toString()

const Text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 1 }),
    fc.constantFrom(" ", "\t", "\r", "\n", "=", ".", "F", "\0")
  ),
  maxLength: 400
})

describe("QuotedPrintable", () => {
  it("keeps printable characters, and encodes all others", () => {
    assert.strictEqual(encode("Grüße = 1"), "Gr=C3=BC=C3=9Fe =3D 1")
  })

  it("encodes a blank only at the end of a line", () => {
    assert.strictEqual(encode("a b \nc\t"), "a b=20\r\nc=09")
  })

  it("encodes a dot or an F at the start of a line", () => {
    assert.strictEqual(encode(".\n..\nFrom x"), "=2E\r\n=2E.\r\n=46rom x")
  })

  it("treats CRLF, CR and LF as one line break each", () => {
    assert.strictEqual(encode("a\r\nb\rc\nd\n\r"), "a\r\nb\r\nc\r\nd\r\n\r\n")
  })

  it("breaks a long line within 76 columns, never inside an escape", () => {
    assert.strictEqual(encode("x".repeat(80)), `${"x".repeat(75)}=\r\n${"x".repeat(5)}`)
    assert.strictEqual(encode(`${"x".repeat(73)}ü`), `${"x".repeat(73)}=\r\n=C3=BC`)
  })

  it("any text decodes to itself, on lines that relays do not change", () => {
    fc.assert(
      fc.property(Text, (text) => {
        const wire = encode(text)
        assert.strictEqual(decode(wire), text.replace(/\r\n|\r|\n/g, "\r\n"))
        for (const line of wire.split("\r\n")) assert.match(line, /^(?![.F])[\t -~]{0,76}$(?<![\t ])/)
      })
    )
  })

  it("is compared with base64: the shorter one is known before either is made", () => {
    const long = Text.filter((text) => text.length > 0).map((text) => text.repeat(Math.ceil(2_000 / text.length)))
    const lengths = (text: string) => {
      const base64 = Buffer.from(text.replace(/\r\n|\r|\n/g, "\r\n")).toString("base64").length
      return { base64: base64 + 2 * Math.floor(base64 / 76), quoted: encode(text).length }
    }
    fc.assert(
      fc.property(long, (text) => {
        const { base64, quoted } = lengths(text)
        // Soft line breaks, line breaks and blanks at line ends are not counted, so nearly equal lengths do not matter.
        if (isLongerThanBase64(text)) assert.isAbove(quoted * 1.1, base64)
      })
    )
    assert.isTrue(isLongerThanBase64("="))
    assert.isTrue(isLongerThanBase64("Привет, мир"))
    assert.isFalse(isLongerThanBase64("Grüße aus Köln am Rhein, wo die <b>Summe = 1</b> ist"))
  })
})
