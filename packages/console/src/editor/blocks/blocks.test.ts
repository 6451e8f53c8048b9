/** The tree of blocks over generated MJML with Handlebars: nothing is lost, and an edit changes its own block only. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  addedAfter,
  attributeOf,
  contentOf,
  inCondition,
  withAttribute,
  withContent,
  without,
  withoutCondition
} from "./edits.ts"
import { preheaderOf, themeSettingIds, themeValue, withPreheader, withTheme } from "./head.ts"
import { newBlockIds } from "./kinds.ts"
import {
  added,
  canDrop,
  checked,
  dropped,
  markedHtml,
  movedDown,
  movedUp,
  outlineOf,
  pasted,
  pieceAdded,
  staysBeside,
  withExpression,
  withMarks,
  withStacking
} from "./outline.ts"
import { helperOf, masked } from "./placeholders.ts"
import { attributesOf, isPair, print, type Tree, treeOf } from "./tree.ts"

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
  fc
    .tuple(fc.constantFrom("mj-image", "mj-divider", "mj-spacer"), attributes)
    .map(([tag, text]) => `<${tag}${text} />`),
  fc
    .array(attributes, { maxLength: 2 })
    .map((links) => `<mj-social>${links.map((text) => `<mj-social-element${text} />`).join("\n")}</mj-social>`),
  fc.constantFrom("<mj-raw>{{> footer year=2026}}</mj-raw>", "<mj-raw>{{else}}</mj-raw>", "<mj-raw>{{/if}}</mj-raw>")
)
/** Blocks between two Handlebars tags that belong together. */
const conditional = (child: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom("if", "unless", "each"), name, fc.array(child, { maxLength: 2 }), fc.boolean())
    .map(
      ([helper, word, children, isClosed]) =>
        `<mj-raw>{{#${helper} ${word}}}</mj-raw>${children.join("\n")}${isClosed ? `<mj-raw> {{/${helper}}} </mj-raw>` : ""}`
    )
const holder = (tag: string, child: fc.Arbitrary<string>) =>
  fc
    .tuple(attributes, fc.array(fc.tuple(space, child), { maxLength: 3 }), space)
    .map(([text, children, end]) => `<${tag}${text}>${children.flat().join("")}${end}</${tag}>`)
const column = holder("mj-column", fc.oneof(leaf, conditional(leaf)))
const section = holder("mj-section", fc.oneof(column, holder("mj-group", column)))
const mail = fc
  .tuple(
    fc.array(fc.oneof(section, holder("mj-wrapper", section), conditional(section), leaf), { maxLength: 3 }),
    attributes
  )
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

const shapeOf = (source: string) =>
  outlineOf(wholeTree(source))
    .map(({ kind, depth }) => `${depth} ${kind}`)
    .sort()
    .join()

describe("blocks over MJML", () => {
  it("prints every source as it was, and finds as many blocks in the same source", () => {
    fc.assert(
      fc.property(mail, (source) => {
        const tree = wholeTree(source)
        assert.strictEqual(print(tree), source)
        for (const { block } of outlineOf(tree)) {
          assert.isTrue(source.startsWith(isPair(block.tag) ? "<mj-raw" : `<${block.tag}`, block.start))
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
        if (block === undefined || isPair(block.tag)) return
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
          // Two Handlebars tags that did not belong together can do so when one of them moves.
          if (down !== null && shapeOf(down.source) === shapeOf(tree.source)) {
            const back = outlineOf(wholeTree(down.source)).find(({ block }) => block.start === down.at)
            assert.strictEqual(back && movedUp(down.source, back)?.source, tree.source)
          }
          const kind = newBlockIds[choice % newBlockIds.length] ?? "text"
          const isKept = tree.source.slice(entry.block.start, entry.block.end).includes(rest)
          const target = entries[(choice >> 2) % entries.length] ?? entry
          const isFixed = ["head", "body"].includes(entry.kind)
          const edits = [
            () => down,
            () => added(tree, entry, kind),
            () => (isPair(entry.block.tag) ? null : withAttribute(tree.source, entry.block, "padding", `${choice}px`)),
            () => (isKept || entry.kind === "head" ? null : without(tree.source, entry.block)),
            () => dropped(tree.source, entry, target, (["before", "after", "on"] as const)[choice % 3] ?? "on"),
            () => pasted(tree, target, isKept || isFixed ? "" : tree.source.slice(entry.block.start, entry.block.end)),
            () => (isFixed ? null : inCondition(tree.source, entry.block, "plan")),
            () => (isPair(entry.block.tag) ? withoutCondition(tree.source, entry.block) : null),
            () => withExpression(tree.source, entry.block, `plan${choice}`),
            () => pieceAdded(tree, entry, "footer")
          ]
          const edit = edits[choice % edits.length]?.() ?? null
          if (edit !== null && edit.source.length < 50_000) tree = wholeTree(edit.source)
        }
        assert.include(tree.source, rest)
      }),
      { numRuns: 10 }
    )
  })

  it("drops a block wherever MJML allows it, in the same letters, and keeps all others", () => {
    fc.assert(
      fc.property(mail, pick, pick, fc.constantFrom("before", "after", "on"), (source, from, to, position) => {
        const entries = outlineOf(wholeTree(source))
        const [entry, target] = [entries[from % entries.length], entries[to % entries.length]]
        if (entry === undefined || target === undefined || !canDrop(entry, target, position)) return
        const edit = dropped(source, entry, target, position)
        assert.isNotNull(edit)
        if (edit === null) return
        const text = source.slice(entry.block.start, entry.block.end)
        const after = outlineOf(wholeTree(edit.source))
        const letters = (all: string) => all.replace(/\s/g, "").split("").sort().join("")
        assert.strictEqual(letters(edit.source), letters(source))
        if (entry.kind === "code" || shapeOf(edit.source).length !== shapeOf(source).length) return
        const moved = after.find(({ block }) => block.start === edit.at)?.block
        assert.strictEqual(moved && edit.source.slice(moved.start, moved.end), text)
      }),
      { numRuns: 500 }
    )
  })

  it("shows Handlebars tags that belong together as one block, and edits their condition alone", () => {
    const source = `<mjml><mj-body><mj-section><mj-column>
  <mj-raw>{{#if plan}}</mj-raw>
  <mj-text>a</mj-text>
  <mj-raw> {{else}} </mj-raw>
  <mj-text>b</mj-text>
  <mj-raw>{{/if}}</mj-raw>
  <mj-raw>{{#each items}}</mj-raw>
  <mj-raw>{{> footer year=2026}}</mj-raw>
</mj-column></mj-section></mj-body></mjml>`
    const kinds = outlineOf(wholeTree(source)).map(({ kind, depth, hint }) => `${depth} ${kind} ${hint}`.trim())
    assert.deepStrictEqual(kinds.slice(3), [
      "3 if plan",
      "4 text a",
      "4 else {{else}}",
      "4 text b",
      "3 code {{#each items}}",
      "3 piece footer year=2026"
    ])
    const entries = outlineOf(wholeTree(source))
    const [pair, piece] = [entries[3]?.block, entries[8]?.block]
    assert.isDefined(pair)
    assert.isDefined(piece)
    if (pair === undefined || piece === undefined) return
    assert.strictEqual(
      withExpression(source, pair, "customer.plan ")?.source,
      source.replace("#if plan", "#if customer.plan")
    )
    assert.strictEqual(withExpression(source, piece, "header")?.source, source.replace("footer year=2026", "header"))
    assert.isNull(withExpression(source, pair, "a}}"))
    assert.isNull(withExpression(source, pair, " "))
    const tree = wholeTree(source)
    const other = pasted(tree, entries[4], "<mj-raw>{{#unless a}}</mj-raw><mj-spacer /><mj-raw>{{/unless}}</mj-raw>")
    assert.include(other?.source, "<mj-text>a</mj-text>\n  <mj-raw>{{#unless a}}</mj-raw><mj-spacer />")
    assert.isNull(added(tree, entries[4], "else"))
    for (const text of ["", "a", "<mj-text>", "<mj-body></mj-body>", "<mj-section></mj-section><mj-text>a</mj-text>"]) {
      assert.isNull(pasted(tree, entries[4], text), text)
    }
  })

  it("reads each kind of Handlebars tag that stands alone, and nothing else", () => {
    assert.deepStrictEqual(helperOf(" {{#each a.b}} "), { kind: "open", name: "each", about: "a.b" })
    assert.deepStrictEqual(helperOf("{{/if}}"), { kind: "close", name: "if" })
    assert.deepStrictEqual(helperOf("{{> a x=1}}"), { kind: "piece", about: "a x=1" })
    for (const text of ["{{a}}", "{{#if}}", "{{#with a}}", "{{#if a}}b{{/if}}", "{{else if a}}", "{{>}}", "a", ""]) {
      assert.isNull(helperOf(text), text)
    }
    for (const kind of newBlockIds) {
      const tree = wholeTree("<mjml><mj-body><mj-section><mj-column></mj-column></mj-section></mj-body></mjml>")
      const entry = outlineOf(tree)[2]
      const edit = added(tree, entry, kind)
      if (edit === null) continue
      const made = outlineOf(wholeTree(edit.source)).find(({ block }) => block.start === edit.at)
      assert.strictEqual(made?.kind, kind === "columns" ? "section" : kind)
    }
  })

  it("keeps columns beside each other on a phone, and takes that back to the letter", () => {
    const source =
      '<mjml><mj-body><mj-section>\n  <mj-column />\n  <mj-column width="20%" />\n</mj-section></mj-body></mjml>'
    const section = (text: string) => outlineOf(wholeTree(text))[1]?.block
    const block = section(source)
    assert.isDefined(block)
    if (block === undefined) return
    assert.isFalse(staysBeside(block))
    const kept = withStacking(source, block, false)?.source ?? ""
    const grouped = section(kept)
    assert.isTrue(grouped && staysBeside(grouped))
    assert.strictEqual(grouped && withStacking(kept, grouped, true)?.source, source)
  })

  it("changes the theme and the preheader in the head and nothing else, and makes a head if there is none", () => {
    const body = "<mj-body><mj-section></mj-section></mj-body>"
    for (const source of [
      `<mjml>${body}</mjml>`,
      `<mjml>\n  <mj-head>\n    <mj-title>t</mj-title>\n  </mj-head>\n  ${body}\n</mjml>`,
      `<mjml><mj-head><mj-attributes><mj-all font-family="Arial" /><mj-text /></mj-attributes><mj-preview>old</mj-preview></mj-head>${body}</mjml>`
    ]) {
      let changed: string | null = source
      for (const id of themeSettingIds) {
        changed = withTheme(changed ?? "", id, `${id} "a"`)
        assert.strictEqual(themeValue(changed ?? "", id), `${id} "a"`)
      }
      changed = withPreheader(changed ?? "", "a < b & {{name}} ")
      assert.strictEqual(preheaderOf(changed ?? ""), "a < b & {{name}} ")
      assert.include(changed, "&lt; b &amp; {{name}}")
      assert.include(changed, body)
      assert.strictEqual(treeOf(changed ?? "")?.blocks.length, 1)
    }
    assert.isNull(withTheme("<p>", "font", "a"))
  })

  it("reads attributes in time that grows with the tag only", () => {
    assert.deepStrictEqual(
      attributesOf(`<mj-text a="1" b = '2' c=3 d e="" />`, 0).map(({ name, value }) => [name, value]),
      [
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
        ["e", ""]
      ]
    )
    const took = (text: string) => {
      const times = [0, 1, 2, 3, 4].map(() => {
        const start = performance.now()
        attributesOf(text, 0)
        return performance.now() - start
      })
      return Math.min(...times)
    }
    assert.isNull(treeOf(`<mjml>${"<a>".repeat(300_000)}</mjml>`))
    for (const part of ["a", "a ", " ", "=", '"', "'", 'a="', "a =", "/", 'a="b"']) {
      const tag = (count: number) => `<t ${part.repeat(count)}>`
      took(tag(20_000))
      // Eight times the letters take eight times as long; if time grew with the square, they would take 64 times.
      assert.isBelow(took(tag(160_000)), 32 * took(tag(20_000)) + 100, part)
    }
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
