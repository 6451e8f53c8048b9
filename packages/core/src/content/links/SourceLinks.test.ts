import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Schema } from "effect"
import { renderAt } from "../rendering/Render.ts"
import { compile } from "../rendering/Template.ts"
import { destinations } from "../text/Destinations.ts"
import { sourceLinks as linksOf, matcher, maxLinks, type SourceTexts } from "./SourceLinks.ts"

const sourceLinks = (texts: ReadonlyArray<string>, more: Partial<SourceTexts> = {}) =>
  linksOf({ texts, layout: null, partials: {}, ...more })

const urls = (...sources: ReadonlyArray<string>) => sourceLinks(sources).map(({ url }) => url)
const a = (href: string, text = "x") => `<a href="${href}">${text}</a>`

describe("the links of a text", () => {
  it("are the URLs as written, in their order, each once", () => {
    const body = `${a("https://b.example/?u={{id}}&amp;v=1")} ${a("http://a.example")} ${a("http://a.example")}
      <map><area href='https://c.example/{{default name "x"}}'></map>`
    assert.deepStrictEqual(urls(body, a("https://d.example")), [
      "https://b.example/?u={{id}}&v=1",
      "http://a.example",
      'https://c.example/{{default name "x"}}',
      "https://d.example"
    ])
  })

  it("do not include untracked URLs, and URLs that consist of one value", () => {
    const body = [
      a("mailto:a@b.example"),
      a("tel:{{phone}}"),
      a("#top"),
      a("{{url}}"),
      a("{{unsubscribeUrl}}"),
      a("{{#if x}}{{y}}{{/if}}"),
      '<a href="https://off.example" data-posthorn-track="off">x</a>',
      "<!-- <a href='https://comment.example'> -->",
      "{{! <a href='https://note.example'> }}",
      a("/relative")
    ]
    assert.deepStrictEqual(urls(body.join("")), [])
    assert.deepStrictEqual(urls(a("{{base}}/path")), ["{{base}}/path"])
  })

  it("are found inside blocks, and blocks inside a URL are one placeholder", () => {
    const body = `{{#if vip}}${a("https://a.example/vip")}{{else}}${a("https://a.example/all")}{{/if}}
      ${a("https://a.example/{{#if de}}de{{else}}en{{/if}}/shop")}`
    assert.deepStrictEqual(urls(body), [
      "https://a.example/vip",
      "https://a.example/all",
      "https://a.example/{{#if de}}de{{else}}en{{/if}}/shop"
    ])
    const find = matcher(sourceLinks([body]))
    assert.strictEqual(find("https://a.example/de/shop")?.url, "https://a.example/{{#if de}}de{{else}}en{{/if}}/shop")
  })

  it("have the text of the link, the alternative text of its image, or none", () => {
    const body = [
      a("https://a.example/1", "  Shop\n<b>now</b>, {{name}} &amp; Co "),
      a("https://a.example/2", '<img src="x" alt="Our caf&eacute;">'),
      a("https://a.example/3", "<img src='x'>"),
      a("https://a.example/4", "€".repeat(300)),
      '<a href="https://a.example/5">never closed'
    ].join("")
    assert.deepStrictEqual(
      sourceLinks([body]).map(({ text }) => text),
      ["Shop now , {{name}} & Co", "Our café", "", "€".repeat(100), ""]
    )
  })

  it("include links of partials and of the layout, in their places", () => {
    const partials = {
      frame: `${a("https://f.example/top")}{{> content}}{{> foot year=2026}}`,
      foot: `${a("https://f.example/{{year}}")}{{> deep}}`,
      deep: a("https://f.example/deep"),
      loop: "{{> loop}}"
    }
    const body = `${a("https://a.example/1")}{{> deep}}{{> gone}}{{> loop}}${a("https://a.example/2")}`
    assert.deepStrictEqual(
      sourceLinks([body], { layout: "frame", partials }).map(({ url }) => url),
      [
        "https://f.example/top",
        "https://a.example/1",
        "https://f.example/deep",
        "https://a.example/2",
        "https://f.example/{{year}}"
      ]
    )
  })

  it("are at most 500", () => {
    const body = Array.from({ length: maxLinks + 5 }, (_, n) => a(`https://a.example/${n}`)).join("")
    assert.lengthOf(sourceLinks([body]), maxLinks)
  })
})

describe("a clicked URL", () => {
  const found = (written: ReadonlyArray<string>, url: string) =>
    matcher(sourceLinks([written.map((_) => a(_)).join("")]))(url)?.url

  it("belongs to the link whose fixed parts match, and of several to the one with the longest", () => {
    const links = [
      "https://shop.example/item?id=7&u={{id}}",
      "https://shop.example/item?id=7&u={{id}}&v=2",
      "https://shop.example/{{page}}",
      "https://shop.example/sale",
      "{{base}}/help"
    ]
    assert.strictEqual(found(links, "https://shop.example/item?id=7&u=4711"), links[0])
    assert.strictEqual(found(links, "https://shop.example/item?id=7&u="), links[0])
    assert.strictEqual(found(links, "https://shop.example/item?id=7&u=4711&v=2"), links[1])
    assert.strictEqual(found(links, "https://shop.example/anything/else"), links[2])
    assert.strictEqual(found(links, "https://shop.example/sale"), links[3])
    assert.strictEqual(found(links, "https://other.example/help"), links[4])
    assert.isUndefined(found(links, "https://other.example/"))
    assert.isUndefined(found(links, "https://shop.example.evil.example/"))
  })

  it("does not use the same characters for two fixed parts", () => {
    assert.isUndefined(found(["https://a.example/xx{{v}}xx"], "https://a.example/xxx"))
    assert.isUndefined(found(["https://a.example/{{v}}aba{{w}}aba"], "https://a.example/ababa"))
  })

  it.each([
    ["https://Shop.Example", {}],
    ["https://shop.example{{path}}", { path: "/a b" }],
    ["https://shop.example{{path}}", { path: "" }],
    ["https://{{name}}.example/", { name: "Ada" }],
    ["{{base}}/x?y={{z}}", { base: "https://shop.example:443", z: "ä&b" }],
    ["https://shop.example:{{port}}/x", { port: "8080" }],
    ["https://shop.example/ü/{{name}}?q=a b#{{part}}", { name: "Ü/..", part: "x" }],
    ["  https://shop.example/{{{name}}}  ", { name: "<&\"'" }],
    ["https://münchen.example/{{name}}", { name: "x" }],
    ['https://shop.example/{{default name "you"}}', {}],
    ["https://shop.example/{{#each items}}{{this}},{{/each}}end", { items: ["a", "b"] }],
    ["https://shop.example/\\{{name}}", {}]
  ])("of %s with %o is found again", (written, values) => {
    const source = `<a href='${written}'>x</a>`
    const html = Result.getOrThrow(
      renderAt(Effect.runSync(compile(source)), values as Schema.JsonObject, "html", () => 0)
    )
    const [destination] = destinations(html).links
    if (destination === undefined) return assert.fail(html)
    const links = sourceLinks([source])
    assert.lengthOf(links, 1)
    assert.strictEqual(matcher(links)(destination.url), links[0], destination.url)
  })
})
