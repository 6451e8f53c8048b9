import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { html } from "./Html.ts"

it("keeps its own markup and escapes values, in text and in attributes", () => {
  const link = html`<a title="${`"><script>`}">${"<b> & 'c'"}</a>`
  assert.strictEqual(
    html`<p>${link}</p>`.toString(),
    `<p><a title="&quot;&gt;&lt;script&gt;">&lt;b&gt; &amp; &#39;c&#39;</a></p>`
  )
})

it("joins lists, prints zero, and omits null, undefined and false", () => {
  assert.strictEqual(html`${[1, "<", html`<br>`]}${0}${null}${undefined}${false}`.toString(), "1&lt;<br>0")
})

it.prop("no text ends an attribute or starts a tag", [Schema.String], ([text]) => {
  assert.notMatch(html`${text}`.toString(), /[<>"']/)
})
