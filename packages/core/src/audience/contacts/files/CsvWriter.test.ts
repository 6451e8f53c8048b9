import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { openSheet, rowOf } from "./ContactImportCsv.ts"
import { csvReader } from "./CsvReader.ts"
import { csvRow } from "./CsvWriter.ts"

describe("A row", () => {
  it.each([
    [["a", 1, -1.5, true, undefined], "a,1,-1.5,true,"],
    [["=1+1", "+49", "-x", "@x", "\tx", "\rx"], `'=1+1,'+49,'-x,'@x,'\tx,"'\rx"`],
    [["＝1+1", "＋49", "－x", "＠x", "\nx"], `'＝1+1,'＋49,'－x,'＠x,"'\nx"`],
    [['say "hi"', "a,b", "a\nb"], '"say ""hi""","a,b","a\nb"'],
    [[{ a: '"' }, [1, "="]], '"{""a"":""\\""""}","[1,""=""]"'],
    [['=HYPERLINK("http://e")'], `"'=HYPERLINK(""http://e"")"`]
  ])("of %j is written so that no spreadsheet runs it", (values, text) => {
    assert.strictEqual(csvRow(values), `${text}\r\n`)
  })

  it("keeps its texts and numbers through export and import", () => {
    const texts = fc
      .string({
        unit: fc.constantFrom("=", "+", "-", "@", "'", '"', ",", ";", "\t", "\n", "\r", "＝", "＠", "1", "a", "é", " "),
        minLength: 1
      })
      // CSV has no other way to write a text that looks like a number, a boolean or a guarded text.
      .filter(
        (text) =>
          String(Number(text)) !== text && !/^(?:true|false)$/.test(text) && !/^'[=+\-@\t\r\n＝＋－＠]/.test(text)
      )
    const values = fc.oneof(
      texts,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
      fc.boolean()
    )
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (given) => {
        const keys = given.map((_, n) => `k${n}`)
        const text = csvRow(["email", ...keys]) + csvRow(["a@example.com", ...given])
        const sheet = Result.getOrThrow(openSheet(new TextEncoder().encode(text)))
        const reader = csvReader(sheet.text, sheet.delimiter, sheet.rows)
        const record = reader.next()
        assert.isDefined(record)
        assert.isUndefined(record.fault)
        const row = Result.getOrThrow(rowOf(sheet, reader.cells(record), true))
        assert.deepStrictEqual<unknown>(row.data, Object.fromEntries(given.map((value, n) => [`k${n}`, value])))
      }),
      { numRuns: 2_000 }
    )
  })
})
