import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { domainLists } from "./DomainLists.ts"
import { editsBetween, suggestedDomain } from "./Typos.ts"

const lists = domainLists({ disposable: [], personal: [] })

describe("suggestedDomain", () => {
  it.each([
    ["gnail.com", "gmail.com"],
    ["gmial.com", "gmail.com"],
    ["gmailcom", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["hotnail.com", "hotmail.com"],
    ["hotmial.con", "hotmial.com"],
    ["outlok.com", "outlook.com"],
    ["outlokk.com", "outlook.com"],
    ["yahooo.co.uk", "yahoo.co.uk"],
    ["iclould.com", "icloud.com"],
    ["example.con", "example.com"],
    ["example.cmo", "example.com"],
    ["shop.example.ogr", "shop.example.org"],
    ["example.nte", "example.net"]
  ])("%s is corrected to %s", (given, meant) => assert.strictEqual(suggestedDomain(given), meant))

  it.each([
    "example.com",
    "posthorn.test",
    "company.co",
    // Two edits of a short name give another name, and so do two edits that include the first letter.
    "gmul.com",
    "botmayl.com",
    "aol.org"
  ])("%s is not a misspelling", (given) => assert.isUndefined(suggestedDomain(given)))

  it("never corrects a listed provider", () => {
    for (const domain of [
      "ymail.com",
      "email.com",
      "xmail.com",
      "hotmail.it",
      "yahoo.com.ar",
      "mail.com",
      "orange.es"
    ]) {
      assert.isDefined(suggestedDomain(domain), `${domain} is near a used name`)
      assert.isTrue(lists.isPersonal(domain), `${domain} is known`)
    }
  })
})

/** All texts that are one edit away. */
const oneEdit = (text: string, letters: string): ReadonlySet<string> => {
  const edited = new Set<string>()
  for (let n = 0; n <= text.length; n++) {
    const [before, after] = [text.slice(0, n), text.slice(n)]
    edited.add(before + after.slice(1))
    if (after.length > 1) edited.add(before + after[1] + after[0] + after.slice(2))
    for (const letter of letters) {
      edited.add(before + letter + after)
      if (after !== "") edited.add(before + letter + after.slice(1))
    }
  }
  return edited
}

describe("editsBetween", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 })

  it("is 0 for equal texts, 1 for exactly one edit, and symmetric", () =>
    fc.assert(
      fc.property(word, word, (one, other) => {
        const edits = editsBetween(one, other)
        assert.strictEqual(edits === 0, one === other)
        assert.strictEqual(edits === 1, one !== other && oneEdit(one, "abc").has(other))
        assert.strictEqual(editsBetween(other, one) <= 2, edits <= 2)
      })
    ))

  it("two edits give at most 2", () =>
    fc.assert(
      fc.property(word, fc.nat(), fc.nat(), (one, first, second) => {
        const pick = (from: ReadonlySet<string>, n: number) => [...from][n % from.size] ?? ""
        assert.isAtMost(editsBetween(one, pick(oneEdit(pick(oneEdit(one, "abc"), first), "abc"), second)), 3)
      })
    ))
})
