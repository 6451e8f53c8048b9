import { assert, describe, it } from "@effect/vitest"
import { languageOf, languages } from "../../platform/web/Languages.ts"
import { type FooterOptions, withFooter } from "./Footer.ts"
import { plainText } from "./PlainText.ts"

const options: FooterOptions = {
  language: "en",
  unsubscribeUrl: "https://example.com/unsubscribe/abc.def?a=1&b=2",
  projectName: `Tom & <Jerry> "Ltd"`
}
const link = "https://example.com/unsubscribe/abc.def?a=1&amp;b=2"

/** Of a mail with HTML. */
const added = (bodies: { readonly html: string; readonly text: string }, given: FooterOptions = options) => {
  const { html, text } = withFooter(bodies, given)
  return { html: html ?? assert.fail("the HTML is lost"), text }
}

describe("the footer", () => {
  it("is at the end of both parts", () => {
    const { html, text } = added({ html: "<p>Hi</p>", text: "Hi" })
    assert.match(html, /^<p>Hi<\/p><p lang="en"[^>]*>You are receiving .*<\/p>$/)
    assert.include(html, `<a href="${link}"`)
    assert.include(html, "Tom &amp; &lt;Jerry&gt; &quot;Ltd&quot;")
    assert.strictEqual(
      text,
      `Hi\n\nYou are receiving this email because you are subscribed to messages from Tom & <Jerry> "Ltd".\n` +
        `Unsubscribe: ${options.unsubscribeUrl}`
    )
    assert.notMatch(withFooter({ html: "", text: "" }, options).text, /^\s/)
  })

  it("is before the last </body>, in any spelling", () => {
    const at = (html: string) => added({ html, text: "" }).html.replace(/<p lang.*<\/p>/, "|")
    assert.strictEqual(at("<body>a</body>"), "<body>a|</body>")
    assert.strictEqual(at("<body>İ</body>b</BODY >\n</html>"), "<body>İ</body>b|</BODY >\n</html>")
    assert.strictEqual(at("<body>a</bodyguard>"), "<body>a</bodyguard>|")
  })

  it("is omitted if the mail contains this recipient's link", () => {
    for (const href of [link, options.unsubscribeUrl]) {
      const bodies = { html: `<a href="${href}">out</a>`, text: "out" }
      assert.deepStrictEqual(withFooter(bodies, options), bodies)
    }
    const other = { html: '<a href="https://example.com/unsubscribe/other">out</a>', text: "out" }
    assert.include(added(other).html, link)
  })

  it("is added to a custom text part unless that contains the link, independently of the HTML", () => {
    const own = { ...options, hasOwnText: true }
    const out = `Out: ${options.unsubscribeUrl}`
    const withLink = `<a href="${link}">out</a>`
    assert.deepStrictEqual(withFooter({ html: withLink, text: out }, own), { html: withLink, text: out })
    const added = withFooter({ html: withLink, text: "Hi" }, own)
    assert.strictEqual(added.html, withLink)
    assert.match(added.text, /^Hi\n\nYou are receiving [\s\S]*Unsubscribe: https:/)
    const other = withFooter({ html: "<p>Hi</p>", text: out }, own)
    assert.include(other.html ?? "", link)
    assert.strictEqual(other.text, out)
    assert.deepStrictEqual(withFooter({ html: null, text: out }, own), { html: null, text: out })
    assert.include(withFooter({ html: null, text: "Hi" }, own).text, options.unsubscribeUrl)
  })

  it.each(languages)("is translated to %s", (language) => {
    const { html, text } = added({ html: "", text: "" }, { ...options, language })
    assert.include(html, `lang="${language}"`)
    assert.include(text, options.projectName)
    assert.include(text, options.unsubscribeUrl)
    const [reason = "", unsubscribe = ""] = text.split("\n")
    assert.include(plainText(html), reason)
    assert.include(plainText(html), unsubscribe.slice(0, unsubscribe.indexOf(":")))
    if (language !== "en") assert.notInclude(text, "Unsubscribe")
  })
})

describe("the language", () => {
  it.each([
    [["de"], "de"],
    [["de-AT"], "de"],
    [["DE_de"], "de"],
    [["pt-BR"], "pt"],
    [["zh"], "zh-CN"],
    [["zh-TW"], "zh-CN"],
    [["sv", "fr-CA"], "fr"],
    [[undefined, "nl"], "nl"],
    [[7, "it"], "it"],
    [["", "pl"], "pl"],
    [["desk", "ja"], "ja"],
    [["sv", "xx"], "en"],
    [[], "en"]
  ] as const)("of %j is %s", (candidates, expected) => {
    assert.strictEqual(languageOf(...candidates), expected)
  })
})
