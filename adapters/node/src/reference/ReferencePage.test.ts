import { assert, it } from "@effect/vitest"
import { Api } from "@posthorn/contract/Api"
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { webhookTypes } from "@posthorn/contract/webhooks/WebhookTypes"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { llmsText } from "./LlmsText.ts"
import { endpoints, OpenApiDocument } from "./OpenApiDocument.ts"
import { referencePages } from "./ReferencePage.ts"
import { searchIndex } from "./SearchIndex.ts"

const decode = Schema.decodeUnknownSync(OpenApiDocument)
const document = decode(OpenApi.fromApi(Api))
const pagesOf = (given: typeof OpenApiDocument.Type) =>
  new Map(
    Array.from(referencePages(given), ([name, page]) => [name === "" ? "/docs" : `/docs/${name}`, String(page())])
  )
const pages = pagesOf(document)
const pageAt = (address: string) => pages.get(address) ?? assert.fail(`There is no page ${address}`)

it("shows every endpoint and every schema, with a link to each", () => {
  const overview = pageAt("/docs")
  for (const { operation } of endpoints(document)) {
    const [tag = ""] = operation.tags ?? []
    assert.include(overview, `<a href="/docs/${tag}">`)
    assert.include(pageAt(`/docs/${tag}`), `<article id="${operation.operationId}">`)
    assert.include(pageAt(`/docs/${tag}`), `<li><a href="/docs/${tag}#${operation.operationId}">`)
  }
  for (const name of Object.keys(document.components.schemas)) {
    assert.include(pageAt("/docs/schemas"), `<article id="schema-${name}">`)
  }
})

it("every link has a target, on all pages, in the search and in llms.txt", () => {
  const anchors = new Map(
    Array.from(pages, ([address, page]) => [address, new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))])
  )
  const leads = (from: string, target: string) => {
    const [path = "", anchor] = target.split("#")
    const known = anchors.get(path === "" ? from : path)
    return known !== undefined && (anchor === undefined || known.has(anchor))
  }
  const others = ["/openapi.json", "/llms.txt", "/docs.css"]
  for (const [address, page] of pages) {
    const targets = new Set([...page.matchAll(/ href="([^"]+)"/g)].map(([, target = ""]) => target))
    for (const target of targets)
      assert.isTrue(others.includes(target) || leads(address, target), `${address} ${target}`)
  }
  for (const [address] of searchIndex(document)) assert.isTrue(leads("", address), address)
  for (const [, target = ""] of llmsText(document).matchAll(/\]\((\/docs[^)]*)\)/g))
    assert.isTrue(leads("", target), target)
})

it("has no id twice on a page", () => {
  for (const [address, page] of pages) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.deepStrictEqual(
      ids.filter((id, position) => ids.indexOf(id) !== position),
      [],
      address
    )
  }
})

it("finds endpoints, parameters, fields of bodies, errors and schemas", () => {
  const index = searchIndex(document)
  const found = (word: string) =>
    index.filter((entry) => entry.join(" ").toLowerCase().includes(word.toLowerCase())).map(([address]) => address)
  assert.include(found("/contacts/lookup"), "/docs/contacts#contacts.lookup")
  assert.include(found("Idempotency-Key"), "/docs/v1#send")
  assert.include(found("preserveExistingSubscription"), "/docs/v1#track")
  assert.include(found("SENDER_DOMAIN_UNVERIFIED"), "/docs/errors#INTERNAL_SERVER_ERROR")
  assert.include(found("EMPTY_AUDIENCE"), "/docs/errors#EMPTY_AUDIENCE")
  assert.include(found("WebhookAttempt"), "/docs/schemas#schema-WebhookAttempt")
})

it("has three samples and a response for each endpoint", () => {
  for (const { operation } of endpoints(document)) {
    const page = pageAt(`/docs/${operation.tags?.[0]}`)
    const start = page.indexOf(`<article id="${operation.operationId}">`)
    const article = page.slice(start, page.indexOf("</article>", start))
    for (const name of ["curl", "typescript", "cli"]) {
      assert.match(article, new RegExp(`<pre class="${name}"><code>[^ ]`), operation.operationId)
    }
    assert.match(article, /Answer <span class="status">2\d\d/, operation.operationId)
  }
})

it("describes each event of a webhook, with its fields and an address of its own", () => {
  const page = pageAt("/docs/webhook-events")
  for (const type of [...webhookTypes, "segment.entry"]) assert.include(page, `id="${type}"`, type)
  for (const text of ["bounceType", "webhook-signature", "verifyWebhook"]) assert.include(page, text)
})

it("describes each code of an error, with an address of its own", () => {
  const page = pageAt("/docs/errors")
  for (const [row, entry] of Object.entries(catalogue)) {
    assert.include(page, `<td id="${"code" in entry ? entry.code : row}">`)
  }
})

it("is short for language models: every endpoint with a link to its description", () => {
  const text = llmsText(document)
  assert.match(text, /^# Posthorn\n\n> Email delivery.*\n\n/)
  for (const { method, operation, path } of endpoints(document)) {
    assert.include(
      text,
      `[${operation.operationId}](/docs/${operation.tags?.[0]}#${operation.operationId}): \`${method} ${path}\`, `
    )
  }
  assert.isBelow(text.length, 32_000)
})

it("loads only its own style and script, and nothing inline or from other hosts", () => {
  for (const [address, page] of pages) {
    assert.deepStrictEqual(
      [...page.matchAll(/<script[^>]*>[^<]*/g)].map(String),
      ['<script src="/docs.js" defer>'],
      address
    )
    assert.deepStrictEqual([...page.matchAll(/<link [^>]*>/g)].map(String), [
      '<link rel="stylesheet" href="/docs.css">'
    ])
    assert.notMatch(page, /<img|<iframe|<style| style="| on[a-z]+="/)
  }
})

it("shows the type of a field, its bounds and whether it is required", () => {
  const fields = decode({
    info: { title: "Example", version: "1" },
    paths: {},
    components: {
      schemas: {
        Thing: {
          type: "object",
          description: "A `thing`.",
          required: ["name"],
          properties: {
            name: { type: "string", minLength: 1, maxLength: 9 },
            state: { enum: ["ON", "OFF"] },
            parts: { type: "array", items: { $ref: "#/components/schemas/Part" }, maxItems: 3 },
            owner: {
              anyOf: [{ type: "object", properties: { id: { type: "string", format: "uuid" } } }, { type: "null" }]
            }
          }
        },
        Part: { type: "integer", minimum: 0 }
      }
    }
  })
  const text = pagesOf(fields).get("/docs/schemas") ?? ""
  assert.include(text, "<p>A <code>thing</code>.</p>")
  assert.match(text, /name<\/code> <span class="kind">string, 1 to 9 characters<\/span> <strong>required/)
  assert.include(text, "<code>&quot;ON&quot;</code> or <code>&quot;OFF&quot;</code>")
  assert.include(text, 'array of <a href="/docs/schemas#schema-Part">Part</a>, at most 3 items')
  assert.include(text, "object or null")
  assert.match(
    text,
    /<summary>Fields of <code>owner<\/code><\/summary><ul class="fields">\s*<li>\s*<code class="name">id<\/code> <span class="kind">string \(uuid\)/
  )
  assert.include(text, "integer, at least 0")
})
