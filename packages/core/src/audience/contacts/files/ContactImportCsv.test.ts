import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { countRows, inferred, openSheet, rowOf } from "./ContactImportCsv.ts"
import { csvReader } from "./CsvReader.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const sheetOf = (text: string) => Result.getOrThrow(openSheet(utf8(text)))
const faultOf = (bytes: Uint8Array) => Result.getOrThrow(Result.flip(openSheet(bytes)))

/** Every row as a contact or a fault. */
const rows = (text: string, inferTypes = true) => {
  const sheet = sheetOf(text)
  const reader = csvReader(sheet.text, sheet.delimiter, sheet.rows)
  const found: Array<unknown> = []
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    found.push(Result.merge(rowOf(sheet, reader.cells(record), inferTypes)))
  }
  return found
}

describe("A file", () => {
  it.each([
    ["a comma", "email,first name\na@example.com,Ann\n"],
    ["a semicolon", "email;first name\na@example.com;Ann\n"],
    ["a tab", "email\tfirst name\na@example.com\tAnn\n"],
    ["a semicolon, commas in a quoted name", '"first name";email;"a,b,c"\nAnn;a@example.com;1\n'],
    ["a semicolon, a comma in another name", "email;first name;a, b, c, d\na@example.com;Ann;1\n"],
    ["a comma, after a byte order mark", "\uFEFFemail,first name\na@example.com,Ann\n"],
    ["carriage returns alone", "email,first name\ra@example.com,Ann\r"]
  ])("with %s is read", (_, text) => {
    const [row] = rows(text)
    assert.deepInclude(row, { email: "a@example.com" })
    assert.propertyVal((row as { data: object }).data, "first name", "Ann")
  })

  it.each([
    ["latin-1", Uint8Array.from([...utf8("email,city\na@example.com,K"), 0xf6, ...utf8("ln\n")])],
    ["UTF-16 with a mark", Uint8Array.of(0xff, 0xfe, 0x65, 0, 0x6d, 0)],
    ["UTF-16 without one", Uint8Array.from([...utf8("email\n")].flatMap((byte) => [byte, 0]))],
    ["a spreadsheet", Uint8Array.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0])],
    ["gzip", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0)],
    ["text with U+0000", utf8("email\na\0@example.com\n")],
    ["nothing", new Uint8Array()],
    ["blank lines", utf8("\n\r\n  \n")],
    ["no column email", utf8("mail,name\na@example.com,Ann\n")],
    ["two columns of a name", utf8("email,plan, plan \na@example.com,1,2\n")],
    ["two columns email", utf8("email,Email\na@example.com,b@example.com\n")],
    ["a column without a name", utf8("email,\na@example.com,1\n")],
    ["a column with too long a name", utf8(`email,${"x".repeat(101)}\na@example.com,1\n`)],
    ["a quote that never closes in its header", utf8('email,"plan\na@example.com,1\n')]
  ])("of %s is refused as a whole", (_, bytes) => {
    assert.strictEqual(faultOf(bytes).code, "custom")
  })

  it("has at most 100 columns and 100,000 rows", () => {
    const names = (count: number) => ["email", ...Array.from({ length: count - 1 }, (_, n) => `c${n}`)].join(",")
    assert.isTrue(Result.isSuccess(openSheet(utf8(`${names(100)}\n`))))
    assert.strictEqual(faultOf(utf8(`${names(101)}\n`)).code, "too_big")
    assert.strictEqual(faultOf(utf8(`${names(10_000)}\n`)).code, "too_big")
    assert.strictEqual(countRows(sheetOf(`email\n${"a@b.co\n\n".repeat(100_000)}`)), 100_000)
    assert.isUndefined(countRows(sheetOf(`email\n${"a@b.co\n".repeat(100_001)}`)))
  })
})

describe("A row", () => {
  it("is stored in data under its headers, except for reserved keys", () => {
    const header =
      " Plan ,id,EMAIL,createdAt,updatedAt,svc_id,unsubscribeUrl,__proto__,constructor,prototype,Subscribed"
    assert.deepStrictEqual(rows(`${header}\npro,1,Anna@EXAMPLE.com,2,3,4,5,6,7,8,yes\n`), [
      { email: "anna@example.com", subscribed: undefined, data: { Plan: "pro", Subscribed: "yes" } }
    ])
  })

  it("may be short, and an empty cell changes nothing", () => {
    assert.deepStrictEqual(rows("email,plan,subscribed\na@example.com\nb@example.com,,\n"), [
      { email: "a@example.com", subscribed: undefined, data: {} },
      { email: "b@example.com", subscribed: undefined, data: {} }
    ])
  })

  it.each([
    ["true", true],
    ["1", true],
    ["YES", true],
    ["False", false],
    ["0", false],
    [" no ", false],
    ["", undefined]
  ])("with %j in the column subscribed means %s", (cell, subscribed) => {
    assert.deepStrictEqual(rows(`email,subscribed\na@example.com,${cell}\n`), [
      { email: "a@example.com", subscribed, data: {} }
    ])
  })

  it.each([
    ["bad,1,", "bad", "Not a valid email address."],
    [",1,", "", "An address is required."],
    ["  ,1,", "  ", "An address is required."],
    ["a@example.com,1,maybe", "a@example.com", "The column 'subscribed' takes true, 1, yes, false, 0 or no."],
    ["a@example.com,1,constructor", "a@example.com", "The column 'subscribed' takes true, 1, yes, false, 0 or no."],
    ["a@example.com,1,,", "a@example.com", "The row has 4 cells, and 3 columns."],
    [`${"x".repeat(500)},1,`, "x".repeat(100), "Not a valid email address."]
  ])("%s is faulty", (line, email, error) => {
    assert.deepStrictEqual(rows(`email,plan,subscribed\n${line}\n`), [{ email, error }])
  })

  it.each([
    ["42", 42],
    ["-1.5", -1.5],
    ["0", 0],
    ["true", true],
    ["false", false],
    ["01234", "01234"],
    ["1e3", "1e3"],
    ["+49", "+49"],
    ["-0", "-0"],
    ["1.0", "1.0"],
    [".5", ".5"],
    [" 7", " 7"],
    ["0x10", "0x10"],
    ["NaN", "NaN"],
    ["Infinity", "Infinity"],
    ["9007199254740993", "9007199254740993"],
    ["TRUE", "TRUE"],
    ["null", "null"],
    ["'-1.5", "-1.5"],
    ["'=1+1", "=1+1"],
    ["'+49", "+49"],
    ["'@x", "@x"],
    ["'42", "'42"],
    ["''=x", "''=x"]
  ])("cell %s becomes %j", (cell, value) => {
    const [row] = rows(`email,x\na@example.com,"${cell}"\n`)
    assert.deepStrictEqual((row as { data: object }).data, { x: value })
  })

  it("keeps every cell as text without type inference", () => {
    assert.deepStrictEqual(rows("email,a,b,c\na@example.com,42,true,'=x\n", false), [
      { email: "a@example.com", subscribed: undefined, data: { a: "42", b: "true", c: "=x" } }
    ])
  })
})

describe("The type of a cell", () => {
  it("preserves the text: the value prints as the cell", () => {
    const cells = fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String), fc.bigInt().map(String))
    fc.assert(
      fc.property(cells, (cell) => {
        assert.strictEqual(String(inferred(cell)), cell)
      }),
      { numRuns: 5_000 }
    )
  })

  it("is number for every printed number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.strictEqual(inferred(String(number)), number === 0 ? 0 : number)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("A locale and a time zone", () => {
  it("are stored in their canonical spelling, and a wrong one makes the row faulty", () => {
    const lines = [
      "email,locale,timezone",
      "a@example.com, pt-br,Europe/Berlin",
      "b@example.com, ,",
      "c@example.com,very long,Europe/Berlin",
      "d@example.com,de,Mars/Base"
    ]
    assert.deepStrictEqual(rows(lines.join("\n")), [
      { email: "a@example.com", subscribed: undefined, data: { locale: "pt-BR", timezone: "Europe/Berlin" } },
      { email: "b@example.com", subscribed: undefined, data: {} },
      { email: "c@example.com", error: "Not a language tag such as `de`, `pt-BR` or `zh-Hans-CN`." },
      { email: "d@example.com", error: "Not an IANA time zone." }
    ])
  })
})
