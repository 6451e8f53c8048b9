/** The tree of blocks over generated MJML with Handlebars: nothing is lost, and an edit changes its own block only. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { addedAfter, attributeOf, contentOf, withAttribute, withContent, without } from "./edits.ts"
import { newBlockIds } from "./kinds.ts"
import { added, checked, markedHtml, movedDown, movedUp, outlineOf, withMarks } from "./outline.ts"
import { masked } from "./placeholders.ts"
import { print, type Tree, treeOf } from "./tree.ts"

const space = fc.constantFrom("", " ", "\n", "\n    ", "\r\n\t", "<!-- note -->", " stray text ")
const name = fc.constantFrom("firstName", "order.total", "items")
const placeholder = fc.oneof(
  name.map((word) => `{{${word}}}`),
  name.map((word) => `{{{${word}}}}`),
  name.map((word) => `{{${word} ?? "a < b > \\"c\\""}}`),
  fc.constantFrom("{{> footer}}", "{{#if plan}}", "{{/if}}", "{{!-- <mj-text> --}}")
)
const value = fc
  .array(fc.oneof(placeholder, fc.constantFrom("#fff", "10px 25px", "&amp;", "'", " ", "https://example.com/?a=1")), {
    maxLength: 3
  })
  .map((parts) => parts.join(""))
const attribute = fc
  .tuple(fc.constantFrom("padding", "color", "href", "x-own"), value, fc.constantFrom(" ", "\n  "))
  .map(([key, text, before]) => `${before}${key}="${text}"`)
const attributes = fc
  .uniqueArray(attribute, { maxLength: 3, selector: (text) => text.trim().split("=")[0] })
  .map((all) => all.join(""))
const html = fc
  .array(
    fc.oneof(
      placeholder,
      fc.constantFrom("Hello ", "<b>bold</b>", "<br>", "<br />", '<a href="#">x</a>', "&nbsp;", "<p>a")
    ),
    {
      maxLength: 5
    }
  )
  .map((parts) => parts.join(""))

const leaf = fc.oneof(
  fc
    .tuple(fc.constantFrom("mj-text", "mj-button", "mj-raw", "mj-table", "mj-carousel", "own-thing"), attributes, html)
    .map(([tag, text, content]) => `<${tag}${text}>${content}</${tag}>`),
  fc.tuple(fc.constantFrom("mj-image", "mj-divider", "mj-spacer"), attributes).map(([tag, text]) => `<${tag}${text} />`)
)
const holder = (tag: string, child: fc.Arbitrary<string>) =>
  fc
    .tuple(attributes, fc.array(fc.tuple(space, child), { maxLength: 3 }), space)
    .map(([text, children, end]) => `<${tag}${text}>${children.flat().join("")}${end}</${tag}>`)
const column = holder("mj-column", leaf)
const section = holder("mj-section", column)
const mail = fc
  .tuple(fc.array(fc.oneof(section, holder("mj-wrapper", section), leaf), { maxLength: 3 }), attributes)
  .map(
    ([sections, text]) =>
      `<mjml>\n<mj-head><mj-attributes><mj-all /></mj-attributes></mj-head><mj-body${text}>${sections.join("\n")}</mj-body>\n</mjml>\n`
  )

const wholeTree = (source: string): Tree => {
  const tree = treeOf(source)
  assert.isNotNull(tree, source)
  return tree as Tree
}

const pick = fc.nat(1_000)

describe("blocks over MJML", () => {
  it("prints every source as it was, and finds as many blocks in the same source", () => {
    fc.assert(
      fc.property(mail, (source) => {
        const tree = wholeTree(source)
        assert.strictEqual(print(tree), source)
        for (const { block } of outlineOf(tree)) {
          assert.isTrue(source.startsWith(`<${block.tag}`, block.start))
          assert.strictEqual(source[block.end - 1], ">")
        }
      }),
      { numRuns: 300 }
    )
  })

  it("changes one setting of one block and no other letter, and reads the setting back", () => {
    fc.assert(
      fc.property(mail, pick, fc.oneof(value, fc.string({ maxLength: 12 })), (source, at, text) => {
        const tree = wholeTree(source)
        const entries = outlineOf(tree)
        const index = at % entries.length
        const block = entries[index]?.block
        if (block === undefined) return
        const edit = checked(tree, withAttribute(source, block, "padding", text), true)
        if (edit === null) return
        const changed = outlineOf(wholeTree(edit.source))[index]?.block
        assert.isDefined(changed)
        if (changed === undefined) return
        assert.strictEqual(edit.source.slice(0, changed.start), source.slice(0, block.start))
        assert.strictEqual(edit.source.slice(changed.innerStart), source.slice(block.innerStart))
        if (!/[{}&]/.test(text)) assert.strictEqual(attributeOf(changed, "padding"), text)
      }),
      { numRuns: 300 }
    )
  })

  it("changes the content of one block and no letter outside of it", () => {
    fc.assert(
      fc.property(mail, pick, fc.string({ maxLength: 20 }), (source, at, text) => {
        const tree = wholeTree(source)
        const texts = outlineOf(tree).filter(({ block }) => block.tag === "mj-text" || block.tag === "mj-button")
        const block = texts[at % Math.max(1, texts.length)]?.block
        if (block === undefined) return
        const edit = checked(tree, withContent(source, block, text), true)
        if (edit === null) return
        const changed = outlineOf(wholeTree(edit.source)).find(({ block: { start } }) => start === edit.at)?.block
        assert.strictEqual(changed && contentOf(edit.source, changed), text)
        assert.strictEqual(edit.source.slice(0, block.start), source.slice(0, block.start))
        assert.strictEqual(edit.source.slice(changed?.end), source.slice(block.end))
      }),
      { numRuns: 300 }
    )
  })

  it("moves a block and back without a change, and survives 200 edits around what it does not know", () => {
    fc.assert(
      fc.property(mail, fc.infiniteStream(pick), (source, choices) => {
        const unknown = "<own-thing keep='{{a < b}}'><x>1<br></own-thing>"
        const rest = unknown.slice(unknown.indexOf("><x>"))
        let tree = wholeTree(source.replace("</mj-body>", `${unknown}</mj-body>`))
        for (const choice of choices.take(200)) {
          const entries = outlineOf(tree)
          const entry = entries[choice % entries.length]
          if (entry === undefined) break
          const down = movedDown(tree.source, entry)
          if (down !== null) {
            const back = outlineOf(wholeTree(down.source)).find(({ block }) => block.start === down.at)
            assert.strictEqual(back && movedUp(down.source, back)?.source, tree.source)
          }
          const kind = newBlockIds[choice % newBlockIds.length] ?? "text"
          const isKept = tree.source.slice(entry.block.start, entry.block.end).includes(rest)
          const edits = [
            () => down,
            () => added(tree, entry, kind),
            () => withAttribute(tree.source, entry.block, "padding", `${choice}px`),
            () => (isKept || entry.kind === "head" ? null : without(tree.source, entry.block))
          ]
          const edit = edits[choice % edits.length]?.() ?? null
          if (edit !== null) tree = wholeTree(edit.source)
        }
        assert.include(tree.source, rest)
      }),
      { numRuns: 10 }
    )
  })

  it("refuses a source whose tags are not closed", () => {
    for (const source of [
      "<mjml><mj-body>",
      "<mjml><mj-section></mjml>",
      "<mjml><mj-body><mj-text>a</mj-body></mjml>"
    ]) {
      assert.isNull(treeOf(source), source)
    }
    const tree = wholeTree("<mjml><mj-body><mj-text>a</mj-text></mj-body></mjml>")
    const text = outlineOf(tree)[1]?.block
    assert.isDefined(text)
    if (text === undefined) return
    assert.isNull(checked(tree, withContent(tree.source, text, "a</mj-text>"), true))
    assert.isNull(checked(tree, withContent(tree.source, text, "a</mj-text><mj-text>"), true))
    assert.isNotNull(checked(tree, addedAfter(tree.source, text, "<mj-text>b</mj-text>"), false))
  })

  it("hides placeholders at their length, in time that grows with the source only", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.strictEqual(masked(text).length, text.length)))
    const source = "{{".repeat(500_000)
    assert.strictEqual(masked(source), source)
    assert.strictEqual(masked('<a b="{{c "<d>"}}">'), `<a b="${"x".repeat(11)}">`)
  })

  it("names blocks in the preview by their number", () => {
    const tree = wholeTree(
      '<mjml><mj-body><mj-section css-class="own"><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>'
    )
    assert.include(withMarks(tree), 'css-class="own posthorn-block-1"')
    assert.include(withMarks(tree), '<mj-text css-class="posthorn-block-3">')
    assert.strictEqual(markedHtml('<td class="own posthorn-block-12">'), '<td class="own " data-block="12">')
  })
})
