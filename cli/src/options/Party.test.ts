import { assert, it } from "@effect/vitest"
import { partyOf } from "./Party.ts"

it.each([
  ["ada@example.com", "ada@example.com"],
  [" ada@example.com ", "ada@example.com"],
  ["<ada@example.com>", "ada@example.com"],
  ["not an address", "not an address"]
])("%s is an address alone", (text, email) => {
  assert.strictEqual(partyOf(text), email)
})

it.each([
  ["Ada Lovelace <ada@example.com>", "Ada Lovelace"],
  ['"Lovelace, Ada" <ada@example.com>', "Lovelace, Ada"],
  ["Ada<ada@example.com>", "Ada"]
])("%s has a name", (text, name) => {
  assert.deepStrictEqual(partyOf(text), { email: "ada@example.com", name })
})
