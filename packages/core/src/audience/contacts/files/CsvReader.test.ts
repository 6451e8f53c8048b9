import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type CsvPlace, csvReader, maxRecordBytes } from "./CsvReader.ts"

/** The line of every record with its cells or its fault. */
const read = (text: string, delimiter = ",", from?: CsvPlace) => {
  const reader = csvReader(text, delimiter, from)
  const found: Array<readonly [line: number, cells: ReadonlyArray<string> | string]> = []
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    found.push([record.line, record.fault ?? reader.cells(record)])
  }
  return found
}

const unclosed = "A quoted cell is never closed."
const behindQuote = "Text follows the closing quote of a cell."
const withinCell = "A quote stands within a cell that is not quoted."
const tooLong = "The row is longer than 65536 bytes."

describe("A CSV text", () => {
  it.each([
    [
      "a,b\r\n1,2\r\n",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    [
      "a,b\n1,2",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    [
      "a,b\r1,2\r3,4",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]],
        [3, ["3", "4"]]
      ]
    ],
    ['a,"b ""x"", y"\n', [[1, ["a", 'b "x", y']]]],
    [
      '"a\r\nb\nc","d"\n1,2\n',
      [
        [1, ["a\r\nb\nc", "d"]],
        [4, ["1", "2"]]
      ]
    ],
    [
      "a,,\n,,b\n",
      [
        [1, ["a", "", ""]],
        [2, ["", "", "b"]]
      ]
    ],
    [
      'a,""\n""\n',
      [
        [1, ["a", ""]],
        [2, [""]]
      ]
    ],
    [
      "\n\na\n  \n\t\nb\n\n",
      [
        [3, ["a"]],
        [6, ["b"]]
      ]
    ],
    ["", []],
    ["\n\r\n\r", []],
    ['"a",', [[1, ["a", ""]]]]
  ] as const)("%j is parsed", (text, records) => {
    assert.deepStrictEqual<unknown>(read(text), records)
  })

  it.each([
    [
      '1\n2,"x\n3\n4',
      [
        [1, ["1"]],
        [2, unclosed]
      ]
    ],
    [
      '1\n"x"y,2\n3\n',
      [
        [1, ["1"]],
        [2, behindQuote],
        [3, ["3"]]
      ]
    ],
    [
      '1\n"x" ,2\n3\n',
      [
        [1, ["1"]],
        [2, behindQuote],
        [3, ["3"]]
      ]
    ],
    [
      '1\n5" pipe,2\n3\n',
      [
        [1, ["1"]],
        [2, withinCell],
        [3, ["3"]]
      ]
    ],
    [
      '1\n "x",2\n3\n',
      [
        [1, ["1"]],
        [2, withinCell],
        [3, ["3"]]
      ]
    ],
    [
      '"a\nb"c\nd\n',
      [
        [1, behindQuote],
        [3, ["d"]]
      ]
    ]
  ] as const)("%j loses only its faulty record", (text, records) => {
    assert.deepStrictEqual<unknown>(read(text), records)
  })

  it("has records of at most 64 KB, in bytes; the record after a longer one is read", () => {
    const long = "z".repeat(maxRecordBytes)
    const wide = "ä".repeat(maxRecordBytes / 2)
    assert.deepStrictEqual(read(`${long}\n1\n`), [
      [1, [long]],
      [2, ["1"]]
    ])
    assert.deepStrictEqual(read(`${wide}\n1\n`), [
      [1, [wide]],
      [2, ["1"]]
    ])
    for (const text of [`${long}z`, `${wide}z`, `"${long}"`, `"${"z\n".repeat(maxRecordBytes)}"`]) {
      const lines = text.split("\n").length
      assert.deepStrictEqual(read(`${text}\n1\n`), [
        [1, tooLong],
        [lines + 1, ["1"]]
      ])
    }
  })
})

const cell = fc.string({
  unit: fc.constantFrom("a", "1", " ", '"', ",", ";", "\t", "\n", "\r", "é", "🦊", "'"),
  maxLength: 6
})
const lineEnds = fc.constantFrom("\n", "\r\n", "\r")
const delimiters = fc.constantFrom(",", ";", "\t")

/** Writes a cell as a spreadsheet does. With `always`, quotes every cell. */
const written = (text: string, delimiter: string, always: boolean) =>
  always || /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text

describe("The reader", () => {
  it("reads back any written text", () => {
    const rows = fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    fc.assert(
      fc.property(rows, delimiters, lineEnds, fc.boolean(), (rows, delimiter, lineEnd, ends) => {
        const lines = rows.map((row) => row.map(([text, always]) => written(text, delimiter, always)).join(delimiter))
        const text = lines.join(lineEnd) + (ends ? lineEnd : "")
        const isBlank = (line: string) => line.trim() === ""
        const expected = rows.filter((_, n) => !isBlank(lines[n] ?? "")).map((row) => row.map(([text]) => text))
        assert.deepStrictEqual<unknown>(
          read(text, delimiter).map(([, cells]) => cells),
          expected
        )
      }),
      { numRuns: 2_000 }
    )
  })

  it("can start at the end of any record, with the same records and line numbers", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', '"', ",", "\n", "\r", "\r\n"), maxLength: 40 })
    fc.assert(
      fc.property(text, (text) => {
        const all = read(text)
        const reader = csvReader(text, ",")
        let position = 0
        for (let n = 1, record = reader.next(); record !== undefined; record = reader.next(), n++) {
          assert.isAtLeast(record.at, position)
          assert.isAbove(record.next.at, record.at)
          const lines = text.slice(0, record.at).match(/\r\n|\n|\r/g)?.length ?? 0
          assert.strictEqual(record.line, lines + 1)
          assert.deepStrictEqual(read(text, ",", record.next), all.slice(n))
          position = record.next.at
        }
      }),
      { numRuns: 2_000 }
    )
  })
})
