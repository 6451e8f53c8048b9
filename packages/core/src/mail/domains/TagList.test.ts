import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { growing } from "../../testing/Growth.ts"
import { parseTagList } from "./TagList.ts"

const Blanks = Schema.Array(Schema.Literals([" ", "\t", "\r\n "])).check(Schema.isMaxLength(3))
const Value = Schema.String.check(Schema.isPattern(/^[!-:<-~]{0,12}$/))
const Tag = Schema.Struct({ value: Value, blanks: Schema.Tuple([Blanks, Blanks, Blanks, Blanks]) })

it.prop("tags are read with any spacing", [Schema.Array(Tag), Schema.Boolean], ([tags, finalSemicolon]) => {
  const written = tags.map(({ value, blanks: [a, b, c, d] }, i) =>
    [...a, `t${i}`, ...b, "=", ...c, value, ...d].join("")
  )
  const parsed = parseTagList(written.join(";") + (finalSemicolon ? ";" : ""))
  assert.isTrue(parsed.wellFormed)
  assert.deepStrictEqual(
    [...parsed.tags],
    tags.map(({ value }, i) => [`t${i}`, value])
  )
})

it.prop("any text can be read", [Schema.String], ([text]) => {
  const { tags } = parseTagList(text)
  for (const name of tags.keys()) assert.match(name, /^[A-Za-z][A-Za-z0-9_]*$/)
})

it("an invalid or repeated tag is reported", () => {
  for (const text of ["v=DKIM1; junk", "=x", "1a=x", "a b=c", "p=a; p=b", "ä=x"]) {
    assert.isFalse(parseTagList(text).wellFormed, text)
  }
  assert.deepStrictEqual(parseTagList("p=a; junk; p=b; x=1"), {
    tags: new Map([
      ["p", "a"],
      ["x", "1"]
    ]),
    wellFormed: false
  })
})

it("names keep their case, values their inner blanks and equals signs", () => {
  assert.deepStrictEqual(
    [...parseTagList("V=1; v= a =b c== ;;").tags],
    [
      ["V", "1"],
      ["v", "a =b c=="]
    ]
  )
})

it("a record takes linear time, and a record that is longer than any key is ignored", async () => {
  const run = (text: string) => parseTagList(text)
  assert.deepStrictEqual(await growing({ name: "tag list", run, limit: 64_000, longest: 100 }), [])
  assert.isTrue(parseTagList(`p=${"a".repeat(8_190)}`).wellFormed)
  assert.isFalse(parseTagList(`p=${"a".repeat(8_191)}`).wellFormed)
})
