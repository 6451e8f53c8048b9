import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { dateText } from "./DateText.ts"

const at = "2026-03-05T01:04:09.123Z"
const print = (value: unknown, format?: unknown, tz?: unknown, locale?: unknown) =>
  dateText(value, format, { tz, locale })

describe("tokens", () => {
  it.each([
    ["YYYY", "2026"],
    ["MM", "03"],
    ["DD", "05"],
    ["D", "5"],
    ["M", "3"],
    ["HH", "01"],
    ["H", "1"],
    ["hh", "01"],
    ["h", "1"],
    ["mm", "04"],
    ["ss", "09"],
    ["A", "AM"],
    ["MMM", "Mar"],
    ["MMMM", "March"],
    ["ddd", "Thu"],
    ["dddd", "Thursday"],
    ["YYYY-MM-DD", "2026-03-05"],
    ["DDMMYYYY", "05032026"],
    ["D. MMMM YYYY, HH:mm:ss", "5. March 2026, 01:04:09"],
    ["HH:mm [Uhr]", "01:04 Uhr"],
    ["YY y d m s a x ß", "YY y d m s a x ß"],
    ["[YYYY", "[2026"]
  ])("%s", (format, expected) => {
    assert.strictEqual(print(at, format), expected)
  })

  it("distinguish noon, midnight and the hours around them", () => {
    const hour = (hour: string) => print(`2026-03-05T${hour}:00Z`, "HH H hh h A")
    assert.deepStrictEqual(["00", "11", "12", "23"].map(hour), [
      "00 0 12 12 AM",
      "11 11 11 11 AM",
      "12 12 12 12 PM",
      "23 23 11 11 PM"
    ])
  })

  it("use the given zone and language", () => {
    assert.strictEqual(print(at, "DD HH:mm", "Europe/Berlin"), "05 02:04")
    assert.strictEqual(print(at, "DD HH:mm", "America/New_York"), "04 20:04")
    assert.strictEqual(print(at, "DD HH:mm", "+05:30"), "05 06:34")
    assert.strictEqual(print("2026-07-05T01:04Z", "HH:mm", "Europe/Berlin"), "03:04")
    assert.strictEqual(print(at, "dddd, D. MMMM", "UTC", "de-AT"), "Donnerstag, 5. März")
    assert.strictEqual(print(at, "MMMM", "UTC", "pt_BR"), "março")
    assert.strictEqual(print(at, "D MMMM; ddd", "UTC", "pl"), "5 marca; czw.")
    assert.strictEqual(print(at, "MMMM YYYY", "UTC", "pl"), "marzec 2026")
    assert.strictEqual(print(at, "YYYY年M月D日dddd", "UTC", "ja"), "2026年3月5日木曜日")
  })
})

describe("styles", () => {
  it.each([
    ["short", "3/5/26"],
    ["medium", "Mar 5, 2026"],
    ["long", "March 5, 2026"],
    ["full", "Thursday, March 5, 2026"],
    [undefined, "Mar 5, 2026"],
    ["", "Mar 5, 2026"],
    [null, "Mar 5, 2026"],
    [7, "Mar 5, 2026"]
  ])("%s", (format, expected) => {
    assert.strictEqual(print(at, format), expected)
  })

  it("support languages and zones", () => {
    assert.strictEqual(print(at, "long", "America/New_York", "fr"), "4 mars 2026")
    assert.strictEqual(print(at, "medium", undefined, "zh-CN"), "2026年3月5日")
  })
})

describe("a date", () => {
  it.each([
    ["2026-03-05", "2026-03-05 00:00:00"],
    ["2026-03-05T07:08", "2026-03-05 07:08:00"],
    ["2026-03-05T07:08:09", "2026-03-05 07:08:09"],
    ["2026-03-05T07:08:09.999999999Z", "2026-03-05 07:08:09"],
    ["2026-03-05T07:08:09+02:00", "2026-03-05 05:08:09"],
    ["2026-03-05T23:08-0530", "2026-03-06 04:38:00"],
    ["2024-02-29", "2024-02-29 00:00:00"],
    ["0001-01-01", "0001-01-01 00:00:00"],
    ["0099-12-31T23:59:59Z", "0099-12-31 23:59:59"]
  ])("%s", (value, expected) => {
    assert.strictEqual(print(value, "YYYY-MM-DD HH:mm:ss"), expected)
  })

  it.each([
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-01T24:00",
    "2026-01-01T10:60",
    "2026-01-01T10:00:60",
    "2026-01-01T10:00+24:00",
    "2026-1-1",
    "20260101",
    "2026-01-01 10:00",
    "tomorrow",
    "",
    "2026-01-01T10:00:00.0000000001Z",
    0,
    1_767_225_600_000,
    true,
    null,
    undefined,
    [],
    {},
    ["2026-01-01"]
  ])("not %j", (value) => {
    assert.strictEqual(print(value), "")
    assert.strictEqual(print(value, "YYYY"), "")
  })

  it("a day without a time is that day in every zone", () => {
    for (const zone of ["UTC", "America/New_York", "Pacific/Auckland"]) {
      assert.strictEqual(print("2026-11-25", "YYYY-MM-DD", zone), "2026-11-25")
      assert.strictEqual(print("2026-11-25", "medium", zone), "Nov 25, 2026")
    }
  })
})

describe("invalid zones and locales", () => {
  it.each(["Mars/Olympus", "", "x".repeat(10_000), 7, null, {}])("%j is UTC, in English", (value) => {
    assert.strictEqual(print(at, "HH:mm MMMM", value, value), "01:04 March")
  })

  it("never break a text", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), fc.string(), fc.string(), (value, format, tz, locale) => {
        assert.isString(print(value, format, tz, locale))
        assert.isString(print(at, format, tz, locale))
      })
    )
  })
})
