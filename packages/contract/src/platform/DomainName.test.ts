import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaIssue } from "effect"
import * as fc from "fast-check"
import { asciiDomain, canonicalDomain, DomainName } from "./DomainName.ts"

const decode = Schema.decodeUnknownResult(DomainName, { errors: "all" })
const messages = SchemaIssue.makeFormatterStandardSchemaV1()
const refusalsOf = (given: unknown) => {
  const result = decode(given)
  return Result.isFailure(result) ? messages(result.failure.issue).issues.map(({ message }) => message) : []
}

const missing = "A domain is required."
const malformed = "Not a valid domain name, such as mail.example.com."
const notIdna = "Not a valid internationalised domain name."
const address = "An IP address is not a domain."
const long = "A domain has at most 253 characters."

const label63 = "a".repeat(63)

describe("DomainName", () => {
  it("has one form for every spelling", () => {
    const spellings = [
      ["mail.acme.com", "mail.acme.com"],
      ["  Mail.ACME.com.\n", "mail.acme.com"],
      ["a.b", "a.b"],
      ["1und1.de", "1und1.de"],
      ["123.example", "123.example"],
      ["bücher.example", "xn--bcher-kva.example"],
      ["BU\u0308CHER.example", "xn--bcher-kva.example"],
      ["xn--bcher-kva.example", "xn--bcher-kva.example"],
      ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
      ["faß.example", "xn--fa-hia.example"],
      ["example.ΒΌΛΟΣ", "example.xn--nxasmq6b"],
      ["ａｃｍｅ.example", "acme.example"],
      ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
      [`${label63}.${label63}.${label63}.${"a".repeat(61)}`, `${label63}.${label63}.${label63}.${"a".repeat(61)}`]
    ] as const
    for (const [given, canonical] of spellings) {
      assert.deepStrictEqual(decode(given), Result.succeed(canonical))
      assert.strictEqual(canonicalDomain(given), canonical)
    }
  })

  it("has one error for any other text", () => {
    const refused = [
      ["", missing],
      ["  ", missing],
      [".", missing],
      ["localhost", malformed],
      ["a..b", malformed],
      ["acme.com..", malformed],
      [".acme.com", malformed],
      ["-acme.com", malformed],
      ["acme-.com", malformed],
      ["acme.-com", malformed],
      ["mail_1.acme.com", malformed],
      ["*.acme.test", malformed],
      ["acme.com/path", malformed],
      ["http://acme.com", malformed],
      ["me@acme.com", malformed],
      ["acme.com:25", malformed],
      ["acme.com?x", malformed],
      ["acme%2ecom", malformed],
      ["acme\\.com", malformed],
      ["acme .com", malformed],
      ["acme.com\u0000", malformed],
      ["acme\u200b.com", malformed],
      ["acme\u00ad.com", malformed],
      ["acme\ufe0f.com", malformed],
      ["\u3164.com", malformed],
      ["acme。com", malformed],
      ["acme．com", malformed],
      ["①②⑦.⓪.⓪.①", malformed],
      ["\u202emoc.emca", malformed],
      ["\ud800.com", malformed],
      [`${label63}a.com`, malformed],
      [`${"ä".repeat(63)}.com`, malformed],
      ["[::1]", malformed],
      ["2001:db8::1", malformed],
      ["xn--a.com", notIdna],
      ["xn--zzzz-junk.com", notIdna],
      ["xn--.com", malformed],
      ["127.0.0.1", address],
      ["127.1", address],
      ["2130706433", address],
      ["0x7f.1", address],
      ["127.0.0.1.", address],
      ["acme.0x1f", address],
      ["acme.123", address],
      [`${label63}.${label63}.${label63}.${"a".repeat(62)}`, long],
      ["a.".repeat(500_000), long]
    ] as const
    for (const [given, message] of refused) assert.deepStrictEqual([given, ...refusalsOf(given)], [given, message])
    for (const given of [7, null, ["acme.com"]]) assert.lengthOf(refusalsOf(given), 1)
  })

  it.prop("a decoded name decodes to itself and has the stored form", [Schema.String], ([given]) => {
    for (const name of [given, `${given}.com`, `${given}.example.com`]) {
      const decoded = decode(name)
      if (Result.isFailure(decoded)) continue
      assert.match(decoded.success, /^[a-z0-9.-]{3,253}$/)
      assert.deepStrictEqual(decode(decoded.success), decoded)
    }
  })
})

describe("asciiDomain", () => {
  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/)
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."))

  it("gives the same ASCII form as URLs", () => {
    fc.assert(
      fc.property(name, (given) => {
        const parsed = URL.parse(`http://é.${given}`)?.hostname.slice("xn--9ca.".length)
        assert.strictEqual(asciiDomain(given), parsed ?? given)
      })
    )
  })
})
