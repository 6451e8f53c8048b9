import { assert, describe, it } from "@effect/vitest"
import { isAboutProvider, signalOf, withoutAddresses } from "./ShapingSignal.ts"

const reply = (code: number, enhancedCode: string, text: string) => ({
  code,
  enhancedCode,
  reply: `${code} ${enhancedCode} ${text}`
})

const limited = reply(421, "4.7.28", "Our system has detected an unusual rate of mail")
const generic = reply(421, "4.3.2", "Too busy")

describe("a reply that asks for less mail", () => {
  it("counts from a mail exchange, whatever its text", () => {
    for (const each of [limited, generic, reply(451, "4.7.1", "Slow down"), reply(450, "4.2.0", "Throttled")]) {
      assert.deepStrictEqual(signalOf("OTHER", each, true), { kind: "slow" })
      assert.isTrue(isAboutProvider("OTHER", each, true))
    }
    assert.isUndefined(signalOf("OTHER", reply(451, "4.3.0", "Try later"), true))
    assert.isUndefined(signalOf("OTHER", reply(550, "5.1.1", "No such user"), true))
  })

  it("counts from a relay if the provider is known to use the text", () => {
    assert.deepStrictEqual(signalOf("GMAIL", limited, false), { kind: "slow" })
    assert.isUndefined(signalOf("GMAIL", generic, false))
    assert.isUndefined(signalOf("OTHER", limited, false))
    assert.isFalse(isAboutProvider("GMAIL", generic, false))
    const deferred = reply(421, "4.7.0", "[TSS04] Messages from 192.0.2.1 temporarily deferred")
    assert.deepStrictEqual(signalOf("YAHOO", deferred, false), { kind: "suspend", minutes: 120 })
  })

  it("is none if it is about one recipient, or about the sender domain", () => {
    for (const each of [
      reply(450, "4.2.1", "The user receives too much mail"),
      reply(421, "4.7.26", "Unauthenticated")
    ]) {
      assert.isUndefined(signalOf("GMAIL", each, true))
      assert.isTrue(isAboutProvider("GMAIL", each, false))
    }
  })

  it("is kept without addresses", () => {
    const text =
      "421-4.7.28 [192.0.2.17 15] rate of mail from 2001:db8::7 to <ada@gmail.com>\r\n421 4.7.28 see https://support.google.com/mail"
    assert.strictEqual(
      withoutAddresses(text),
      "421-4.7.28 ... 15] rate of mail from ... to ... 421 4.7.28 see https://support.google.com/mail"
    )
    assert.isAtMost(withoutAddresses("a@b ".repeat(100_000)).length, 1_000)
  })
})
