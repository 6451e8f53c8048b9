import { createPrivateKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { relaxedBody, relaxedField, signatures } from "./Dkim.ts"
import type { Field } from "./HeaderField.ts"
import { publishKey, verifyDkim } from "./testing/index.ts"

const keys = [publishKey("example.com", "r", "rsa-sha256"), publishKey("example.com", "e", "ed25519-sha256")]
const signers = keys.map(({ key }) => ({ key, secret: createPrivateKey(Redacted.value(key.privateKey)) }))

const field = (name: string, value: string): Field => ({ name, wire: `${name}:${value}\r\n` })

const signed = (fields: ReadonlyArray<Field>, body: string) =>
  Effect.map(
    signatures(fields, body, signers, 1_795_168_800),
    (found) => `${found.join("")}${fields.map(({ wire }) => wire).join("")}\r\n${body}`
  )

const resultsOf = (message: string) =>
  Effect.map(
    Effect.promise(() => verifyDkim(Buffer.from(message), keys)),
    (verdicts) => verdicts.map(({ result }) => result)
  )

const basic = [field("From", " a@example.com"), field("To", " b@example.org"), field("Subject", " hello")]

describe("canonicalisation", () => {
  it("is as in the example of RFC 6376 section 3.4.5", () => {
    assert.strictEqual(relaxedField("A: X\r\n"), "a:X")
    assert.strictEqual(relaxedField("B : Y\t\r\n\tZ  \r\n"), "b:Y Z")
    assert.strictEqual(relaxedBody(" C \r\nD \t E\r\n\r\n\r\n"), " C\r\nD E\r\n")
  })

  it("of a body without content is empty", () => {
    for (const body of ["", "\r\n", "\r\n\r\n", " \r\n", "\t"]) assert.strictEqual(relaxedBody(body), "")
  })

  it("ends a body with one line break", () => {
    assert.strictEqual(relaxedBody("a"), "a\r\n")
    assert.strictEqual(relaxedBody("a \r\n \r\n"), "a\r\n")
  })
})

describe("a signature", () => {
  it.effect("of each algorithm passes a strict verifier, in the order of the keys", () =>
    Effect.gen(function* () {
      const verdicts = yield* Effect.flatMap(signed(basic, "body\r\n"), (message) =>
        Effect.promise(() => verifyDkim(Buffer.from(message), keys))
      )
      assert.deepStrictEqual(verdicts, [
        { domain: "example.com", selector: "r", algorithm: "rsa-sha256", result: "pass" },
        { domain: "example.com", selector: "e", algorithm: "ed25519-sha256", result: "pass" }
      ])
    })
  )

  it.effect("fails if a signed field changes, or if a second or a missing one is added", () =>
    Effect.gen(function* () {
      const message = yield* signed([...basic, field("List-Unsubscribe", " <https://example.com/u>")], "body\r\n")
      for (const changed of [
        message.replace("hello", "Hello"),
        `Subject: other\r\n${message}`,
        `From: other@example.net\r\n${message}`,
        `To: other@example.net\r\n${message}`,
        `Date: Fri, 20 Nov 2026 10:00:00 +0000\r\n${message}`,
        `Reply-To: other@example.net\r\n${message}`,
        `List-Unsubscribe: <https://example.net/u>\r\n${message}`,
        `List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${message}`,
        message.replace("\r\nbody", "\r\nBody")
      ]) {
        assert.deepStrictEqual(yield* resultsOf(changed), ["fail", "fail"])
      }
    })
  )

  it.effect("survives changes by relays: refolding, blanks at line ends, more empty lines", () =>
    Effect.gen(function* () {
      const message = yield* signed([...basic.slice(0, 2), field("Subject", " one two")], "body\r\nmore\r\n")
      for (const changed of [
        message.replace("one two", "one\r\n\ttwo"),
        message.replace("body\r\n", "body \t\r\n"),
        `${message}\r\n\r\n`,
        `Received: from relay.test\r\n${message}`
      ]) {
        assert.deepStrictEqual(yield* resultsOf(changed), ["pass", "pass"])
      }
    })
  )

  it.effect("signs every List- header and the feedback id", () =>
    Effect.gen(function* () {
      const fields = ["List-ID", "List-Help", "Feedback-ID", "X-Other"].map((name) => field(name, " x"))
      const [signature = ""] = yield* signatures([...basic, ...fields], "", signers, 0)
      const names = /h=([^;]*);/.exec(signature)?.[1]?.replace(/\s/g, "").split(":") ?? []
      const count = (name: string) => names.filter((candidate) => candidate === name).length
      assert.deepStrictEqual(["list-id", "list-help", "feedback-id", "x-other"].map(count), [2, 2, 1, 0])
    })
  )

  it("passes for any content of the fields and the body", async () => {
    const Value = fc.string({ unit: fc.constantFrom("a", "B", " ", "\t", "\r\n ", ":", ";", "=", "ü"), maxLength: 60 })
    const Body = fc.string({ unit: fc.constantFrom("a", " ", "\t", "\r\n", "."), maxLength: 60 })
    const Name = fc.constantFrom("To", "Subject", "X-Custom", "List-Help", "list-help", "Reply-To")
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(Name, Value), { maxLength: 6 }), Body, async (given, body) => {
        const fields = given.map(([name, value]) => field(name, ` x${value}x`))
        const message = await Effect.runPromise(signed([field("From", " a@example.com"), ...fields], body))
        assert.deepStrictEqual(await Effect.runPromise(resultsOf(message)), ["pass", "pass"])
      }),
      { numRuns: 200 }
    )
  })
})
