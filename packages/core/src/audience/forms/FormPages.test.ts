import { gzipSync } from "node:zlib"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sha256 } from "../../../forms-script/Search.ts"
import { languages } from "../../platform/web/Languages.ts"
import { textOn } from "../../platform/web/PageBrand.ts"
import { wire } from "../../testing/TestClient.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import { formsScript } from "./FormScript.generated.ts"
import { newForm, postForm, visit } from "./FormsFixture.ts"
import { formWords } from "./FormWords.ts"

it("the script is at most 5 kB, and names no other host", () => {
  assert.isAtMost(gzipSync(formsScript).length, 5_000)
  assert.notMatch(formsScript, /https?:|cookie|localStorage|sessionStorage/)
})

it("the hash of the script is SHA-256 for texts of every length of a block", () =>
  Promise.all(
    Array.from({ length: 200 }, async (_, length) => {
      const text = "a".repeat(length)
      const expected = new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
      assert.deepStrictEqual(
        [...sha256(text)],
        Array.from({ length: 8 }, (_, n) => expected.getInt32(4 * n))
      )
    })
  ))

it("text on any colour has a contrast of 4.5", () => {
  const channel = (part: number) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  for (let n = 0; n < 4_096; n++) {
    const parts = [n >> 8, (n >> 4) & 15, n & 15].map((part) => part * 17)
    const hex = parts.map((part) => part.toString(16).padStart(2, "0")).join("")
    const [r = 0, g = 0, b = 0] = parts.map(channel)
    const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
    const contrast = textOn(hex) === "#ffffff" ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05
    assert.isAtLeast(contrast, 4.5, hex)
  }
})

layer(wire, { timeout: "120 seconds", excludeTestServices: false })("the pages of forms", (it) => {
  it.effect("are in ten languages, with their own policy and no cookie", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { topics: [] })
      for (const language of languages) {
        const { status, headers, text } = yield* visit(`${form.path}?lang=${language}`)
        assert.strictEqual(status, 200)
        assert.include(text, `<html lang="${language}">`)
        assert.include(text, formWords[language].email)
        assert.include(text, `<input type="hidden" name="lang" value="${language}">`)
        assert.strictEqual(
          headers.get("content-security-policy"),
          "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )
        assert.isNull(headers.get("set-cookie"))
      }
      const { text } = yield* visit(form.path, { headers: { "accept-language": "sv, de;q=0.8" } })
      assert.include(text, '<html lang="de">')
    })
  )

  it.effect("have the name, colour and links of the project", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own)
      const set = yield* own.ask("PATCH", "/settings/audience", {
        pages: {
          name: "Acme & Co",
          color: "#FFCC00",
          websiteUrl: "https://acme.example/",
          privacyUrl: "https://acme.example/privacy",
          imprintUrl: "https://acme.example/imprint"
        }
      })
      assert.strictEqual(set.status, 200, JSON.stringify(set.body))
      const { text } = yield* visit(form.path)
      assert.include(text, "<title>Newsletter – Acme &amp; Co</title>")
      assert.include(text, '<a href="https://acme.example/"><bdi>Acme &amp; Co</bdi></a>')
      assert.include(text, '<a href="https://acme.example/privacy">Privacy policy</a>')
      const [, sheet = ""] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
      assert.strictEqual(sheet, "/pages.css?accent=ffcc00")
      const style = yield* visit(sheet)
      assert.include(style.text, "background: #ffcc00;\n  color: #000000;")
      const plain = yield* visit("/pages.css")
      for (const accent of ["}", "ffcc0", "ffcc00}", "FFCC00&accent=000000"]) {
        assert.strictEqual((yield* visit(`/pages.css?accent=${accent}`)).text, plain.text, accent)
      }
    })
  )

  it.effect("hostile texts in each field keep the page whole", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const fields = ["text", "number", "date", "hidden", "checkbox", "select"].map((type) => ({
        key: `a-${type}`,
        label: type,
        type,
        ...(type === "select" && { options: ["S"] }),
        ...(["text", "hidden"].includes(type) && { maxLength: 5_000 })
      }))
      const form = yield* newForm(own, { fields, requireTicket: false })
      const names = ["email", "topic", "consent", "ticket", "lang", "website", ...fields.map(({ key }) => key)]
      const nasty = [
        '"><script>alert(1)</script>',
        "' onfocus=alert(1) autofocus x='",
        "{{email}}",
        "<!--",
        "]]>",
        "\u202e",
        "&#x22;"
      ]
      for (const name of names) {
        for (const text of nasty) {
          const page = yield* postForm(form, [
            ["email", "nobody"],
            [name, text]
          ])
          assert.isBelow(page.status, 500, `${name} ${text}`)
          assert.notMatch(page.text, /<script>/, `${name} ${text}`)
          // Characters of markup are escaped wherever the text is shown.
          if (/[<>"'&]/.test(text)) assert.notInclude(page.text, text, name)
        }
        yield* TestClock.adjust("1 minute")
      }
    })
  )
})
