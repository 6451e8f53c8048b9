import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { numberText } from "./NumberText.ts"

const print = (value: unknown, options: { decimals?: unknown; currency?: unknown; locale?: unknown } = {}) =>
  numberText(value, { decimals: undefined, currency: undefined, locale: undefined, ...options })

describe("number", () => {
  it.each([
    [1234567.891, {}, "1,234,567.891"],
    [0, {}, "0"],
    [-1.5, {}, "-1.5"],
    [0.1234567891, {}, "0.1234567891"],
    [1234.5, { decimals: 2 }, "1,234.50"],
    [1234.567, { decimals: 1 }, "1,234.6"],
    [1234.5, { decimals: 0 }, "1,235"],
    [1234.5, { decimals: "2" }, "1,234.50"],
    [1234.5, { locale: "de" }, "1.234,5"],
    [1234.5, { locale: "pt_BR" }, "1.234,5"],
    [1234.5, { currency: "EUR" }, "€1,234.50"],
    [1234.5, { currency: "eur", locale: "de" }, "1.234,50\u00a0€"],
    [1234.5, { currency: "JPY", locale: "ja" }, "￥1,235"],
    [1234.5, { currency: "EUR", decimals: 0 }, "€1,235"],
    ["19.9", { decimals: 2 }, "19.90"],
    ["-3", { currency: "USD" }, "-$3.00"]
  ])("%j with %j is %s", (value, options, expected) => {
    assert.strictEqual(print(value, options), expected)
  })

  it.each([
    ["twelve", "twelve"],
    ["12 pieces", "12 pieces"],
    ["1e3", "1e3"],
    ["", ""],
    ["12345678901234567890", "12345678901234567890"],
    [true, "true"],
    [null, ""],
    [undefined, ""],
    [[1, 2], "1, 2"],
    [{ a: 1 }, '{"a":1}']
  ])("%j is not a number and is unchanged", (value, expected) => {
    assert.strictEqual(print(value, { decimals: 2, currency: "EUR", locale: "de" }), expected)
  })

  it("ignores invalid options", () => {
    for (const decimals of [-1, 21, 1.5, "x", "100", null, {}]) assert.strictEqual(print(1.25, { decimals }), "1.25")
    for (const currency of ["EURO", "", "€", "E1R", 7, {}]) assert.strictEqual(print(1.25, { currency }), "1.25")
    for (const locale of ["nowhere!", "", 7, {}]) assert.strictEqual(print(1.25, { locale }), "1.25")
    assert.strictEqual(print(1.25, { currency: "ZZZ" }), "ZZZ\u00a01.25")
  })

  it("never breaks a text", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.string(), fc.string(), (value, decimals, currency, locale) => {
        if (typeof value !== "object") assert.isString(print(value, { decimals, currency, locale }))
        assert.isString(print(1.5, { decimals, currency, locale }))
      })
    )
  })
})
