import { assert, it } from "@effect/vitest"
import { previewOf, previewPolicy } from "./MailPreview.ts"

const logo = { filename: "logo.png", contentType: "image/png", contentId: "logo@x", content: new Uint8Array([1, 2, 3]) }
const preview = (html: string) => previewOf({ html, attachments: [logo] })

it("embeds the parts of the mail, and nothing else", () => {
  assert.strictEqual(
    preview(`<img src="cid:logo@x"><img src='cid:other'>`),
    `<base target="_blank"><img src="data:image/png;base64,AQID"><img src='cid:other'>`
  )
})

it("embeds a few large parts, not a thousand copies", () => {
  const large = { ...logo, content: new Uint8Array(10 * 1024 * 1024) }
  const html = previewOf({ html: `<img src="cid:logo@x">`.repeat(1_000), attachments: [large] })
  assert.strictEqual(html.match(/data:image/g)?.length, 3)
})

it("opens links in a new tab without a switch to quirks mode", () => {
  assert.strictEqual(
    preview("<!doctype html><html><head lang=de><title>x</title>"),
    `<!doctype html><html><head lang=de><base target="_blank"><title>x</title>`
  )
  assert.strictEqual(preview("<!DOCTYPE html><p>x"), `<!DOCTYPE html><base target="_blank"><p>x`)
})

it("runs no script, sends no form, and has no origin", () => {
  assert.match(previewPolicy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/)
  assert.notMatch(previewPolicy, /allow-scripts|allow-same-origin|script-src/)
})
