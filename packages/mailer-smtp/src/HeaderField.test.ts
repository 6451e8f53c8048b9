import { assert, describe, it } from "@effect/vitest"
import { custom, field, mailbox, text } from "./HeaderField.ts"

describe("a display name", () => {
  const wire = (name: string) => mailbox("To", { address: "x@y.test", name }).wire

  it("is bare, quoted or encoded, as necessary", () => {
    assert.strictEqual(wire("Anna Lee"), "To: Anna Lee <x@y.test>\r\n")
    assert.strictEqual(wire("Lee, Anna"), 'To: "Lee, Anna" <x@y.test>\r\n')
    assert.strictEqual(wire("Änna"), "To: =?UTF-8?Q?=C3=84nna?= <x@y.test>\r\n")
    assert.strictEqual(mailbox("To", { address: "x@y.test" }).wire, "To: x@y.test\r\n")
  })

  it("never becomes an address", () => {
    assert.strictEqual(wire('"a" <b@c.test>, d'), 'To: "\\"a\\" <b@c.test>, d" <x@y.test>\r\n')
    assert.strictEqual(wire("\\"), 'To: "\\\\" <x@y.test>\r\n')
    assert.strictEqual(wire("a\r\nBcc: b@c.test"), "To: =?UTF-8?Q?a=0D=0ABcc=3A_b=40c=2Etest?= <x@y.test>\r\n")
  })

  it("that looks encoded is encoded again, so that it decodes to the same text", () => {
    assert.strictEqual(wire("=?utf-8?q?x?="), "To: =?UTF-8?Q?=3D=3Futf-8=3Fq=3Fx=3F=3D?= <x@y.test>\r\n")
  })
})

describe("free text", () => {
  it("is folded before a word that would exceed column 78", () => {
    assert.strictEqual(
      text("Subject", "word ".repeat(20).trim()).wire,
      `Subject:${" word".repeat(14)}\r\n${" word".repeat(6)}\r\n`
    )
  })

  it("of 998 characters without a blank fits its lines", () => {
    const { wire } = text("Subject", "x".repeat(998))
    assert.match(wire, /^(Subject:| )( =\?UTF-8\?Q\?[^?]+\?=)\r\n/)
    assert.isTrue(wire.split("\r\n").every((line) => line.length <= 78))
  })

  it("keeps blanks that folding would remove", () => {
    assert.strictEqual(text("Subject", " a").wire, "Subject: =?UTF-8?Q?_a?=\r\n")
    assert.strictEqual(text("Subject", "a  b ").wire, "Subject: =?UTF-8?Q?a__b=20?=\r\n")
  })
})

describe("a custom header", () => {
  it("is unchanged if it is ASCII", () => {
    assert.strictEqual(custom("X-Json", ' {"a":  "=?x?="} ').wire, 'X-Json: {"a":  "=?x?="}\r\n')
  })

  it("is encoded if it is not ASCII or has a word that is too long for a line", () => {
    assert.strictEqual(custom("X-Name", "ü").wire, "X-Name: =?UTF-8?B?w7w=?=\r\n")
    assert.include(custom("X-Name", "x".repeat(998)).wire, "=?UTF-8?Q?xxx")
  })

  it("that allows no encoded words keeps its long word on the first line", () => {
    const url = `<https://example.com/${"x".repeat(900)}>`
    assert.strictEqual(custom("List-Unsubscribe", url).wire, `List-Unsubscribe: ${url}\r\n`)
  })

  it("List-ID has an encoded phrase and an unchanged id", () => {
    assert.strictEqual(custom("List-ID", "Grüße <a.b.test>").wire, "List-ID: =?UTF-8?B?R3LDvMOfZQ==?= <a.b.test>\r\n")
    for (const name of ["News, daily", '"News, daily"']) {
      assert.strictEqual(custom("List-ID", `${name} <a.b.test>`).wire, 'List-ID: "News, daily" <a.b.test>\r\n')
    }
  })
})

describe("a folded field", () => {
  it("has no line that consists of blanks", () => {
    const { wire } = field("X", `${"a".repeat(70)}${" ".repeat(30)}${"b".repeat(70)}`)
    assert.isTrue(
      wire
        .split("\r\n")
        .slice(0, -1)
        .every((line) => line.trim() !== "")
    )
    assert.strictEqual(wire.replace("\r\n ", " ").trimEnd(), `X: ${"a".repeat(70)}${" ".repeat(30)}${"b".repeat(70)}`)
  })
})
