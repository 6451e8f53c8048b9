import { assert, describe, it, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer, Option, Redacted } from "effect"
import * as fc from "fast-check"
import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5"
import { htmlLinks } from "../../content/text/HtmlLinks.ts"
import * as PublicLinks from "../../platform/links/PublicLinks.ts"
import { Secrets } from "../../platform/Secrets.ts"
import { defaults, Settings } from "../../platform/Settings.ts"
import { growing } from "../../testing/Growth.ts"
import { crypto } from "../../testing/Services.ts"
import * as TrackedHtml from "./TrackedHtml.ts"
import * as TrackingLinks from "./TrackingLinks.ts"

const mail = {
  project: ProjectId.make("019a0000-0000-7000-8000-000000000000"),
  email: EmailId.make("019a0000-0000-7000-8000-0000000000e1")
}

const withSecret = (current: string, ...previous: ReadonlyArray<string>) =>
  Layer.merge(TrackingLinks.layer, PublicLinks.layer).pipe(
    Layer.provide(crypto),
    Layer.provide(
      Layer.succeed(Secrets, {
        current: Redacted.make(current),
        previous: previous.map((text) => Redacted.make(text))
      })
    ),
    Layer.provide(Layer.succeed(Settings, { ...defaults, publicUrl: "https://posthorn.example" }))
  )

const first = "0123456789abcdef0123456789abcdef"
const second = "fedcba9876543210fedcba9876543210"

const rewrite = (html: string) => Effect.flatMap(TrackedHtml.make, (tracked) => tracked.rewrite(mail, html))

type Node = DefaultTreeAdapterTypes.Node

interface Seen {
  /** All text, in order. */
  text: string
  /** Every element with its attributes, but for what `href` of a link says. */
  readonly shape: Array<string>
  readonly hrefs: Array<string>
  readonly pictures: Array<string>
}

/** What a browser makes of a document. */
const seen = (html: string, isDocument = false): Seen => {
  const result: Seen = { text: "", shape: [], hrefs: [], pictures: [] }
  const walk = (node: Node) => {
    if (node.nodeName === "#text" && "value" in node) result.text += node.value
    if ("tagName" in node) {
      const src = node.attrs.find(({ name }) => name === "src")?.value ?? ""
      const isPixel = node.tagName === "img" && src.startsWith("https://posthorn.example/t/o/")
      if (isPixel) result.pictures.push(src)
      else {
        const isLink = node.tagName === "a" || node.tagName === "area"
        const others = node.attrs.filter(({ name }) => !(isLink && name === "href"))
        result.shape.push(`${node.tagName} ${JSON.stringify(others.map(({ name, value }) => [name, value]))}`)
        const href = isLink ? node.attrs.find(({ name }) => name === "href")?.value : undefined
        if (href !== undefined) result.hrefs.push(href)
      }
      if (node.nodeName === "template" && "content" in node) walk(node.content)
    }
    if ("childNodes" in node) for (const child of node.childNodes) walk(child)
  }
  walk(isDocument ? parse(html, { scriptingEnabled: false }) : parseFragment(html, { scriptingEnabled: false }))
  return result
}

const clicks = "https://posthorn.example/t/c/"
const destination = (href: string) => new URL(href).searchParams.get("u")

layer(withSecret(first))("the links of a mail", (it) => {
  it.effect.each([
    ['<a href="https://shop.example/a">x</a>', "https://shop.example/a"],
    ["<A HREF='https://shop.example/a?b=1&amp;c=2'>x</A>", "https://shop.example/a?b=1&c=2"],
    ["<a class=big href=https://shop.example/a>x</a>", "https://shop.example/a"],
    ['<area shape="rect" href="http://shop.example/">', "http://shop.example/"],
    [
      '<a href="https://shop.example/?q=&quot;rosa&quot;&#x26;r=&auml;">x</a>',
      "https://shop.example/?q=%22rosa%22&r=%C3%A4"
    ],
    ['<a href="https://shop.example/?a=1&copy=2">x</a>', "https://shop.example/?a=1&copy=2"],
    ['<a href="https://shop.example/it\'s">x</a>', "https://shop.example/it's"],
    ['<a href=" \n https://shop.example/a\tb ">x</a>', "https://shop.example/ab"],
    [
      '<a href="https://münchen.example/größe?ü=ß#ende">x</a>',
      "https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe?%C3%BC=%C3%9F#ende"
    ],
    ['<a href="HTTPS://SHOP.example/A">x</a>', "https://shop.example/A"],
    ['<a href="https:shop.example">x</a>', "https://shop.example/"],
    ['<a\nhref\n=\n"https://shop.example/a"\n>x</a>', "https://shop.example/a"],
    ['<a/href="https://shop.example/a">x</a>', "https://shop.example/a"],
    ['<a href="https://shop.example/a" href="https://evil.example/">x</a>', "https://shop.example/a"],
    ['<a title="a > b" href="https://shop.example/a">x</a>', "https://shop.example/a"],
    ['<a data-posthorn-track="on" href="https://shop.example/a">x</a>', "https://shop.example/a"],
    ["<!--[if !mso]><!--><a href='https://shop.example/a'>x</a><!--<![endif]-->", "https://shop.example/a"]
  ] as const)("%s leads to %s through the service", ([html, expected]) =>
    Effect.gen(function* () {
      const written = yield* rewrite(html)
      const [href = ""] = seen(written).hrefs
      assert.isTrue(href.startsWith(clicks), href)
      assert.strictEqual(destination(href), expected)
      const token = new URL(href).pathname.slice("/t/c/".length)
      const read = yield* TrackingLinks.TrackingLinks.use((links) => links.readClick(token, expected))
      assert.deepStrictEqual(Option.getOrUndefined(read), { ...mail, number: 1 })
    })
  )

  it.effect.each([
    '<a href="mailto:a@shop.example">x</a>',
    '<a href="tel:+49301234">x</a>',
    '<a href="#top">x</a>',
    '<a href="">x</a>',
    "<a href>x</a>",
    '<a href href="https://shop.example/">x</a>',
    '<a href="/relative">x</a>',
    '<a href="//shop.example/">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="https://">x</a>',
    '<a href="https://[bad/">x</a>',
    '<a href="https://shop.example/" data-posthorn-track="off">x</a>',
    "<a DATA-POSTHORN-TRACK=OFF href=https://shop.example/>x</a>",
    '<link href="https://shop.example/a.css" rel="stylesheet">',
    '<img alt="<a href=\'https://shop.example/\'>" src="cid:a">',
    '<!-- <a href="https://shop.example/">x</a> -->',
    '<style>a::after{content:"<a href=https://shop.example/>"}</style>',
    '<textarea><a href="https://shop.example/">x</a></textarea>',
    "<abbr href='https://shop.example/'>x</abbr>",
    '<a href="https://posthorn.example/unsubscribe/abc.def">x</a>',
    '<a href="https://posthorn.example/subscribe/abc.def">x</a>',
    '<a href="HTTPS://Posthorn.Example/manage/abc.def">x</a>',
    `<a href="https://shop.example/${"ä".repeat(1_300)}">x</a>`
  ])("%s stays as it is", (html) =>
    Effect.gen(function* () {
      const written = yield* rewrite(html)
      assert.strictEqual(written.replace(/<img src="https:\/\/posthorn\.example\/t\/o\/[^>]*>/, ""), html)
    })
  )

  it.effect.each([
    ["<p>a</p>", "<p>a</p>|"],
    ["<html><body><p>a</p></body></html>", "<html><body><p>a</p>|</body></html>"],
    ["<body>a</BODY \n></html>", "<body>a|</BODY \n></html>"],
    ["<body>a</body><!-- </body> --></html>", "<body>a|</body><!-- </body> --></html>"],
    ["<body>a</body>b</body>", "<body>a</body>b|</body>"],
    ["a <title>b", "a |<title>b"],
    ['a <a href="', 'a |<a href="'],
    ["a <!-- b", "a |<!-- b"],
    ["a < b", "a < b|"],
    ["", "|"]
  ] as const)("the pixel of %j stands at %j", ([html, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* rewrite(html)).replace(/<img src="[^"]*" width="1" height="1" alt="">/, "|"), expected)
    })
  )

  it.effect("are numbered in their order, and the same on every try", () =>
    Effect.gen(function* () {
      const html =
        '<a href="https://a.example/">a</a><a href="mailto:x@a.example">m</a><a href="https://b.example/">b</a>'
      const written = yield* rewrite(html)
      assert.strictEqual(yield* rewrite(html), written)
      const links = yield* TrackingLinks.TrackingLinks
      const hrefs = seen(written).hrefs.filter((href) => href.startsWith(clicks))
      const read = yield* Effect.forEach(hrefs, (href) => {
        const url = new URL(href)
        return links.readClick(url.pathname.slice("/t/c/".length), url.searchParams.get("u") ?? "")
      })
      assert.deepStrictEqual(
        read.map((link) => Option.getOrUndefined(link)?.number),
        [1, 2]
      )
    })
  )

  const markup = fc.oneof(
    fc.constantFrom(
      "<a href='https://a.example/?x=1&amp;y=2'>",
      '<a title="<b>" href="https://b.example">',
      "</a>",
      "<p>",
      "</p>",
      "<table><tr><td>",
      "</table>",
      "<area href=https://c.example>",
      "<!--",
      "-->",
      "<!-->",
      "<style>",
      "</style>",
      "<textarea>",
      "</textarea >",
      "<title>",
      "</title>",
      "<script>",
      "</script>",
      "</body>",
      "<body>",
      "<a href=",
      '"',
      "'",
      ">",
      "<",
      "</",
      "<?x",
      "&amp;",
      "<template>",
      "</template>",
      "<a\fhref = https://d.example />",
      "<a =href=https://e.example>"
    ),
    fc.string({ maxLength: 8 })
  )

  it.effect("whatever the markup, readers see the same text and the same elements, and only links differ", () =>
    Effect.gen(function* () {
      const tracked = yield* TrackedHtml.make
      const property = fc.asyncProperty(fc.array(markup, { maxLength: 30 }), async (parts) => {
        const html = parts.join("").replaceAll("\0", "")
        const written = await Effect.runPromise(tracked.rewrite(mail, html))
        assert.strictEqual(seen(written, true).text, seen(html, true).text)
        // A picture in an element that is still open has the browser open others again, wherever it comes from.
        const { bodyEnd } = htmlLinks(html)
        const withPicture = `${html.slice(0, bodyEnd)}<img src="https://posthorn.example/t/o/">${html.slice(bodyEnd)}`
        const [before, after] = [seen(withPicture, true), seen(written, true)]
        assert.deepStrictEqual(after.shape, before.shape)
        const led = after.hrefs.map((href) => (href.startsWith(clicks) ? destination(href) : href))
        const plain = before.hrefs.map((href, n) => (after.hrefs[n]?.startsWith(clicks) ? new URL(href).href : href))
        assert.deepStrictEqual(led, plain)
        assert.isAtMost(after.pictures.length, 1)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 500 }))
    })
  )
})

describe("a document", () => {
  it("of any size is read in one pass", () => {
    const html = `${"<a href=".repeat(100_000)}${'<b title="'.repeat(100_000)}`
    assert.strictEqual(htmlLinks(html).links.length, 0)
  })

  it("takes time in proportion to its length, whatever is in it", async () => {
    assert.deepStrictEqual(await growing({ name: "links", run: htmlLinks, limit: 100_000, longest: 200 }), [])
  })

  it("with a script that hides its end is cut off there", () => {
    const link = '<a href="https://example.com">x</a>'
    assert.lengthOf(htmlLinks(`<script><!-- <script> </script>${link}`).links, 0)
    assert.lengthOf(htmlLinks(`<script><!-- <SCRIPT> </script>${link}`).links, 0)
    assert.lengthOf(htmlLinks(`<script><script> <!-- </script>${link}`).links, 1)
  })
})

describe("a token", () => {
  const urls = Effect.gen(function* () {
    const links = yield* TrackingLinks.TrackingLinks
    const pixel = yield* links.of(mail).pixelUrl
    const click = yield* links.of(mail).clickUrl(7, "https://shop.example/")
    return {
      pixel: pixel.slice("https://posthorn.example/t/o/".length, -".gif".length),
      click: new URL(click).pathname.slice("/t/c/".length)
    }
  })

  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

  it.effect("with any one character changed, added or left out is none", () =>
    Effect.gen(function* () {
      const links = yield* TrackingLinks.TrackingLinks
      const { pixel, click } = yield* urls
      const isNone = Effect.fnUntraced(function* (token: string) {
        assert.isTrue(Option.isNone(yield* links.readPixel(token)), token)
        assert.isTrue(Option.isNone(yield* links.readClick(token, "https://shop.example/")), token)
      })
      for (const token of [pixel, click]) {
        for (let at = 0; at < token.length; at++) {
          for (const other of alphabet.replace(token.charAt(at), "")) {
            yield* isNone(token.slice(0, at) + other + token.slice(at + 1))
          }
          yield* isNone(token.slice(0, at) + token.slice(at + 1))
        }
        yield* isNone(`${token}A`)
        yield* isNone(`${token}=`)
      }
      for (const token of ["", ".", "A.A", "x".repeat(10_000), `${pixel}.${pixel}`]) yield* isNone(token)
    }).pipe(Effect.provide(withSecret(first)))
  )

  it.effect("is good for its own kind and its own destination alone", () =>
    Effect.gen(function* () {
      const links = yield* TrackingLinks.TrackingLinks
      const { pixel, click } = yield* urls
      assert.isTrue(Option.isSome(yield* links.readPixel(pixel)))
      assert.isTrue(Option.isSome(yield* links.readClick(click, "https://shop.example/")))
      assert.isTrue(Option.isNone(yield* links.readPixel(click)))
      assert.isTrue(Option.isNone(yield* links.readClick(pixel, "")))
      for (const other of [
        "https://evil.example/",
        "https://shop.example",
        "https://shop.example//",
        "",
        "javascript:"
      ]) {
        assert.isTrue(Option.isNone(yield* links.readClick(click, other)), other)
      }
      const pages = yield* PublicLinks.PublicLinks
      for (const purpose of PublicLinks.purposes) {
        const page = yield* pages.token(purpose, {
          project: mail.project,
          contact: ContactId.make(mail.email),
          email: mail.email
        })
        assert.isTrue(Option.isNone(yield* links.readPixel(page)))
        assert.isTrue(Option.isNone(yield* pages.read(purpose, pixel)))
        for (const other of PublicLinks.purposes) {
          assert.strictEqual(Option.isSome(yield* pages.read(other, page)), other === purpose)
        }
      }
    }).pipe(Effect.provide(withSecret(first)))
  )

  it.effect("outlives one change of the secret, and not two", () =>
    Effect.gen(function* () {
      const { pixel } = yield* Effect.provide(urls, withSecret(first))
      const read = TrackingLinks.TrackingLinks.use((links) => links.readPixel(pixel))
      assert.isTrue(Option.isSome(yield* Effect.provide(read, withSecret("s".repeat(32), second, first))))
      assert.isTrue(Option.isNone(yield* Effect.provide(read, withSecret(second))))
    })
  )
})
