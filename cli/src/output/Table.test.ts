import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { CliOutput } from "effect/cli"
import { alignedLines, plainLine, plainLines } from "./Table.ts"

const plain = { emphasis: (text: string) => `*${text}*` }

it("on a terminal, columns begin below their heads", () => {
  const rows = [
    ["a@example.com", 3],
    ["ada.lovelace@example.com", null]
  ]
  assert.deepStrictEqual(alignedLines({ head: ["to", "opens"], rows }, plain), [
    "*TO                        OPENS*",
    "a@example.com             3",
    "ada.lovelace@example.com"
  ])
})

it("wide characters count as two", () => {
  assert.deepStrictEqual(
    alignedLines(
      {
        rows: [
          ["日本", "x"],
          ["abcd", "y"]
        ]
      },
      plain
    ),
    ["日本  x", "abcd  y"]
  )
})

it("a line that is too long is cut in its last cell", () => {
  assert.deepStrictEqual(alignedLines({ rows: [["abc", "a long subject"]] }, { ...plain, width: 12 }), ["abc  a long…"])
})

it("in a pipe, each line of a block begins with the name of the block", () => {
  assert.deepStrictEqual(plainLines({ name: "event", head: ["at"], rows: [["noon", true]] }), ["event\tnoon\ttrue"])
})

it.prop(
  "a row is one line with a tab between two cells, for any text in the cells",
  [Schema.Array(Schema.String)],
  ([row]) => {
    const line = plainLine(row)
    assert.notMatch(line.replaceAll("\t", ""), /\p{Cc}/u)
    assert.strictEqual(line.split("\t").length, Math.max(1, row.length))
  }
)

it.prop("no row is wider than the line when only its last cell is long", [Schema.String], ([text]) => {
  const [line = ""] = alignedLines({ rows: [["id", text.replace(/[^ -~]/g, "")]] }, { ...plain, width: 20 })
  assert.isAtMost(CliOutput.displayWidth(line), 20)
})
