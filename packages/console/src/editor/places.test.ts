import { assert, describe, it } from "vitest"
import { offsetOfExample, offsetOfLine, offsetOfVariable } from "./places.ts"

describe("places that checks name", () => {
  it("finds lines, whole variables and addresses, and nothing that only looks like them", () => {
    const source = 'a\n{{planned}} {{#if plan}}\n<mj-image src="https://example.com/a.png" />'
    assert.strictEqual(offsetOfLine(source, 1), 0)
    assert.strictEqual(offsetOfLine(source, 2), 2)
    assert.strictEqual(offsetOfLine(source, 99), source.indexOf("<mj-image"))
    assert.strictEqual(offsetOfVariable(source, "plan"), source.indexOf("{{#if"))
    assert.isNull(offsetOfVariable(source, "example"))
    assert.isNull(offsetOfVariable(source, "lan"))
    assert.strictEqual(
      offsetOfExample(source, '<img alt src="https://example.com/a.png" width="1">'),
      source.indexOf('"https')
    )
    assert.isNull(offsetOfExample(source, '<img src="https://example.com/b.png">'))
    assert.strictEqual(offsetOfExample(source, "https://example.com/a"), source.indexOf("https"))
    assert.strictEqual(offsetOfExample(source, "<mj-image"), source.indexOf("<mj-image"))
    for (const example of [null, "", " ", "http://example.com"]) assert.isNull(offsetOfExample(source, example))
  })
})
