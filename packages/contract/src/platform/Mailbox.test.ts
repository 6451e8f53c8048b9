import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { Mailbox, mailboxOf, mailboxText } from "./Mailbox.ts"

const decode = Schema.decodeUnknownResult(Mailbox)
const isRefused = (text: unknown) => Result.isFailure(decode(text))
const parsed = (text: string) => mailboxOf(Result.getOrThrow(decode(text)))

const ada = "ada@example.com"

describe("Mailbox", () => {
  it.each([
    ["ada@example.com", { email: ada }],
    ["  Ada@Example.COM ", { email: ada }],
    ["<ada@example.com>", { email: ada }],
    ["Ada <ada@example.com>", { email: ada, name: "Ada" }],
    ["Ada   Lovelace\t< ADA@example.com >", { email: ada, name: "Ada Lovelace" }],
    ["Ada Lovelace<ada@example.com>", { email: ada, name: "Ada Lovelace" }],
    ["A. Lovelace <ada@example.com>", { email: ada, name: "A. Lovelace" }],
    ['"Lovelace, Ada" <ada@example.com>', { email: ada, name: "Lovelace, Ada" }],
    ['"Ada \\"The \\\\ First\\"" <ada@example.com>', { email: ada, name: 'Ada "The \\ First"' }],
    ['"Ada" von Lovelace <ada@example.com>', { email: ada, name: "Ada von Lovelace" }],
    ['"ada@example.org" <ada@example.com>', { email: ada, name: "ada@example.org" }],
    ['"" <ada@example.com>', { email: ada }],
    ["Ädä Løvelace 愛達 <ada@bücher.example>", { email: "ada@xn--bcher-kva.example", name: "Ädä Løvelace 愛達" }]
  ])("reads %s", (text, parts) => {
    assert.deepStrictEqual(parsed(text), parts)
  })

  it.each([
    "",
    "<>",
    "Ada",
    "Ada <>",
    "Ada <ada>",
    "Ada <ada@example.com",
    "Ada ada@example.com>",
    "Ada <ada@example.com> Lovelace",
    "Ada <<ada@example.com>>",
    "Ada <ada@example.com><eve@example.com>",
    "eve@example.com, Ada <ada@example.com>",
    "eve@example.com <ada@example.com>",
    "Ada, Eve <ada@example.com>",
    '"Ada <ada@example.com>',
    '"Ada\\" <ada@example.com>',
    "Ada (the first) <ada@example.com>",
    "Friends: Ada <ada@example.com>;",
    '"Ada\r\nBcc: eve@example.com" <ada@example.com>',
    "Ada\r\nBcc: eve@example.com <ada@example.com>",
    "Ada\u0000 <ada@example.com>",
    "Ada <ada@example.com\r\nBcc: eve@example.com>",
    `${"a".repeat(201)} <ada@example.com>`,
    7,
    null
  ])("refuses %j", (text) => {
    assert.isTrue(isRefused(text))
  })

  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .map((text) => text.trim())
    .filter((text) => text !== "" && !/\p{Cc}/u.test(text) && text.isWellFormed() && [...text].length <= 200)
  const label = fc.stringMatching(/^[a-z0-9]{1,20}$/)
  const email = fc.tuple(label, label).map(([local, domain]) => `${local}@${domain}.example`)

  it("parses its own output", () => {
    fc.assert(
      fc.property(email, name, (email, name) => {
        const text = mailboxText({ email, name })
        assert.deepStrictEqual(parsed(text), { email, name })
        assert.strictEqual(Result.getOrThrow(decode(text)), text)
      }),
      { numRuns: 500 }
    )
  })

  it("has one canonical text for any input", () => {
    const piece = fc.constantFrom('"', "\\", "<", ">", "@", ",", ";", ":", "(", ")", " ", "\t", "a", "é", ".", ada)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const text of [pieces.join(""), `${pieces.join("")} <${ada}>`]) {
          const first = decode(text)
          if (Result.isFailure(first)) continue
          assert.deepStrictEqual(decode(first.success), first)
          assert.match(mailboxOf(first.success).email, /^[^\s<>",;:()]+@[a-z0-9.-]+$/)
        }
      }),
      { numRuns: 2_000 }
    )
  })

  it.each(['"', '\\"', "<", ">", " ", "a ", '""', "\\", "(", '" "', "@"])(
    "takes linear time for repeated %j",
    (piece) => {
      const fastest = (text: string) => {
        let best = Number.POSITIVE_INFINITY
        for (let run = 0; run < 5; run++) {
          const from = performance.now()
          decode(text)
          mailboxOf(text)
          best = Math.min(best, performance.now() - from)
        }
        return best
      }
      const hostile = (times: number) => `${piece.repeat(times)} <${ada}>`
      const once = fastest(hostile(200_000))
      assert.isBelow(fastest(hostile(400_000)), 3.5 * once + 5)
    }
  )
})
