import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaIssue } from "effect"
import { EmailAddress, Search } from "./Primitives.ts"

const decode = Schema.decodeUnknownResult(EmailAddress, { errors: "all" })
const messages = SchemaIssue.makeFormatterStandardSchemaV1()
const refusalsOf = (given: unknown) => {
  const result = decode(given)
  return Result.isFailure(result) ? messages(result.failure.issue).issues.map(({ message }) => message) : []
}
const malformed = ["Not a valid email address."]

const [local64, label63] = ["a".repeat(64), "b".repeat(63)]

describe("Email", () => {
  it("has one form for every spelling", () => {
    const spellings = [
      ["anna@example.com", "anna@example.com"],
      ["\n Anna@EXAMPLE.com\t", "anna@example.com"],
      ["a+b@b.co", "a+b@b.co"],
      ["a.b.c@b.co", "a.b.c@b.co"],
      ["!#$%&'*+/=?^_`{|}~-@b.co", "!#$%&'*+/=?^_`{|}~-@b.co"],
      ["anna@bücher.example", "anna@xn--bcher-kva.example"],
      ["ANNA@BU\u0308CHER.EXAMPLE", "anna@xn--bcher-kva.example"],
      ["anna@XN--BCHER-KVA.example", "anna@xn--bcher-kva.example"],
      ["anna@faß.example", "anna@xn--fa-hia.example"],
      ["anna@ｅｘａｍｐｌｅ.com", "anna@example.com"],
      ["anna@\u212Ailo.example", "anna@kilo.example"],
      ["anna@127.0.0.1a", "anna@127.0.0.1a"],
      [`${local64}@b.co`, `${local64}@b.co`],
      [`a@${label63}.co`, `a@${label63}.co`],
      [`${local64}@${label63}.${label63}.${"b".repeat(61)}`, `${local64}@${label63}.${label63}.${"b".repeat(61)}`]
    ] as const
    for (const [given, stored] of spellings) assert.deepStrictEqual(decode(given), Result.succeed(stored))
  })

  it("is exactly one address", () => {
    for (const given of [
      "a@b.co,c@d.co",
      "a@b.co c@d.co",
      "a@b.co;c@d.co",
      '"x@evil.test y"@b.co',
      '"x"@b.co',
      "<a@b.co>",
      "Anna <a@b.co>",
      "Grp: a@b.co;",
      "Grp:;",
      "a@b.co (comment)",
      "(comment)a@b.co",
      "a (x)@b.co",
      "@relay.test:a@b.co",
      "a%b@evil.test@b.co",
      "a@b@c.co",
      "mailto:a@b.co",
      "a@b.co\r\nBcc: e@e.test",
      "a\r\nBcc: e@e.test",
      "a\u0000@b.co",
      "a@b.co\u0000",
      "a@b.co>",
      "a@b.co?x=y",
      "a@b.co/path",
      "a@b.co:25",
      "a@[127.0.0.1]",
      "a@[IPv6:::1]",
      "a@127.0.0.1",
      "a@2130706433",
      ":".repeat(5_000),
      `${"a".repeat(50_000)}!`,
      `a@${"b.".repeat(50_000)}`
    ]) {
      assert.deepStrictEqual([given, ...refusalsOf(given)], [given, ...malformed])
    }
  })

  it("refuses invisible, lookalike and non-ASCII characters in the local part", () => {
    for (const given of [
      "a\u200b@b.co",
      "a\u00ad@b.co",
      "a\ufeff@b.co",
      "\u202eanna@b.co",
      "\u2066anna@b.co",
      "аnna@b.co",
      "ａnna@b.co",
      "änna@b.co",
      "İ@b.co",
      "ı@b.co",
      "\u212A@b.co",
      "\u017F@b.co",
      "💌@b.co",
      "\ud800@b.co",
      "a\u3164@b.co"
    ]) {
      assert.deepStrictEqual([given, ...refusalsOf(given)], [given, ...malformed])
    }
  })

  it("has a well-formed, visible domain of two labels or more", () => {
    for (const given of [
      "a@b",
      "a@",
      "a",
      "@b.co",
      "a@b.co.",
      "a@.b.co",
      "a@ b.co",
      "a@b..co",
      "a@-b.co",
      "a@b-.co",
      "a@b_c.co",
      "a@b.123",
      "a@b\u200b.co",
      "a@b\u00ad.co",
      "a@b。co",
      "a@\u202eoc.b",
      `a@${label63}b.co`,
      `a@${"ä".repeat(63)}.co`
    ]) {
      assert.deepStrictEqual([given, ...refusalsOf(given)], [given, ...malformed])
    }
  })

  it("checks the limits of the local part", () => {
    for (const given of [".a@b.co", "a.@b.co", "a..b@b.co", `a${local64}@b.co`, "a b@b.co", "a,b@b.co", "a\\@b.co"]) {
      assert.deepStrictEqual([given, ...refusalsOf(given)], [given, ...malformed])
    }
    const tooLong = `${local64}@${label63}.${label63}.${"b".repeat(62)}`
    assert.deepStrictEqual(refusalsOf(tooLong), malformed)
  })

  it("is required, as text", () => {
    for (const given of ["", "  ", "\n"]) assert.deepStrictEqual(refusalsOf(given), ["An address is required."])
    for (const given of [7, null, ["a@b.co"], {}]) assert.lengthOf(refusalsOf(given), 1)
  })

  it.prop(
    "a decoded address decodes to itself and has the stored form",
    [Schema.String, Schema.String],
    ([local, domain]) => {
      for (const given of [
        `${local}@${domain}`,
        `${local}@${domain}.com`,
        `a@${domain}.example.com`,
        `${local}@b.co`
      ]) {
        const decoded = decode(given)
        if (Result.isFailure(decoded)) continue
        assert.match(decoded.success, /^[\x21-\x3f\x5b-\x7e]{1,64}@[a-z0-9.-]{3,252}$/)
        assert.deepStrictEqual(decode(decoded.success), decoded)
        assert.deepStrictEqual(decode(` ${decoded.success.toUpperCase()} `), decoded)
      }
    }
  )
})

describe("Search", () => {
  const search = Schema.decodeUnknownResult(Search)

  it("is trimmed, and has at most 200 characters of any kind", () => {
    assert.deepStrictEqual(search("  anna "), Result.succeed("anna"))
    assert.isTrue(Result.isSuccess(search("😀".repeat(200))))
    for (const long of ["x".repeat(201), "😀".repeat(201)]) assert.isTrue(Result.isFailure(search(long)))
  })
})
