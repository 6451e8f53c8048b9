import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { freeSlug, slugOf } from "./Slug.ts"

it.each([
  ["Pro users!", "pro-users"],
  ["Café  –  DE", "cafe-de"],
  ["Клиенты", "клиенты"],
  ["!!!", "segment"],
  ["  - a - ", "a"],
  ["İstanbul", "istanbul"],
  ["snake_case", "snake_case"],
  ["ﬁne x²", "fine-x2"],
  ["東京 2", "東京-2"],
  ["<script>alert(1)</script>", "scriptalert1script"],
  ["'; drop table segments; --", "drop-table-segments"],
  ["a.entry", "aentry"],
  ["🦊", "segment"]
])("%s gives %s", (name, slug) => {
  assert.strictEqual(slugOf(name), slug)
})

it("is cut to 80 characters", () => {
  assert.strictEqual(slugOf("a".repeat(100)), "a".repeat(80))
  assert.strictEqual([...slugOf("𝔸".repeat(81))].length, 80)
  assert.strictEqual([...slugOf("𐐀".repeat(81))].length, 80)
})

it.prop("contains only letters, digits, underscores and single hyphens, for any name", [Schema.String], ([name]) => {
  const slug = slugOf(name)
  assert.match(slug, /^[\p{L}\p{Nd}_]+(-[\p{L}\p{Nd}_]+)*-?$/u)
  assert.strictEqual(slug.toLowerCase(), slug)
  assert.isAtMost([...slug].length, 80)
})

it("a taken slug gets the first free number from 2", () => {
  assert.strictEqual(freeSlug("a", new Set()), "a")
  assert.strictEqual(freeSlug("a", new Set(["a"])), "a-2")
  assert.strictEqual(freeSlug("a", new Set(["a", "a-2", "a-4"])), "a-3")
  assert.strictEqual(freeSlug("a", new Set(["a-2"])), "a")
})
