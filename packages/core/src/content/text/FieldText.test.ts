import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { cut, maxField, party, unbracketed, withoutComments } from "./FieldText.ts"

const elapsed = (work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3; n++) {
    const begin = performance.now()
    work()
    least = Math.min(least, performance.now() - begin)
  }
  return least
}

it("removes comments, nested ones and quoted parentheses in them", () => {
  assert.strictEqual(withoutComments("Mon, 2 Mar 2026 (a (b) c) 10:00"), "Mon, 2 Mar 2026  10:00")
  assert.strictEqual(withoutComments(String.raw`ada@example.com (a \) b)`), "ada@example.com ")
  assert.strictEqual(withoutComments("a) b"), "a) b")
  assert.strictEqual(withoutComments("a (never ends"), "a ")
})

it("a text without parentheses is unchanged, for any content", () =>
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bare = text.replaceAll("(", "")
      assert.strictEqual(withoutComments(bare), bare)
    })
  ))

it("splits a mailbox into its name and its address", () => {
  assert.deepStrictEqual(party("Ada <ada@example.com>"), { name: "Ada", address: "ada@example.com" })
  assert.deepStrictEqual(party('"Lovelace, Ada" < ada@example.com > '), {
    name: "Lovelace, Ada",
    address: "ada@example.com"
  })
  assert.deepStrictEqual(party("ada@example.com"), { name: null, address: "ada@example.com" })
  assert.deepStrictEqual(party("<ada@example.com>"), { name: null, address: "ada@example.com" })
  assert.strictEqual(party(`${"a".repeat(3_000)} <ada@example.com>`).address.length, maxField)
  assert.strictEqual(unbracketed(" <a@b.co> "), "a@b.co")
})

it("cuts between characters, with the same result as for the whole text", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, length) => {
      assert.strictEqual(cut(text, length), [...text].slice(0, length).join(""))
    })
  ))

it.each(["(", ")", "()", "<", '"', " ", "\\", "a <"])("takes time linear in the length of %j repeated", (shape) => {
  const work = (length: number) => () => {
    const text = shape.repeat(length)
    return [withoutComments(text), party(text), unbracketed(text), cut(text, 100)]
  }
  const once = elapsed(work(200_000))
  assert.isBelow(elapsed(work(400_000)), Math.max(100, 4 * once))
})
