import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Api } from "@posthorn/contract/Api"
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { webhookTypes } from "@posthorn/contract/webhooks/WebhookTypes"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { style } from "./browser/Style.ts"
import { addressOfOperation } from "./document/Groups.ts"
import { endpoints, OpenApiDocument } from "./document/OpenApiDocument.ts"
import { guides } from "./guides.generated.ts"
import { llmsText } from "./LlmsText.ts"
import { searchIndex } from "./SearchIndex.ts"
import { filesOf, siteOf } from "./Site.ts"

const decode = Schema.decodeUnknownSync(OpenApiDocument)
const document = decode(OpenApi.fromApi(Api))
const site = siteOf(document)
const textsOf = (given: typeof OpenApiDocument.Type) =>
  new Map(Array.from(filesOf(siteOf(given)), ([address, { parts }]) => [address, Array.from(parts()).join("")]))
const files = textsOf(document)
const pages = new Map([...files].filter(([address]) => !address.endsWith(".md")))
const texts = new Map([...files].filter(([address]) => address.endsWith(".md")))
const pageAt = (address: string) => files.get(address) ?? assert.fail(`There is no page ${address}`)

it("shows every operation and every schema, with a link to each", () => {
  const first = pageAt("/docs")
  for (const endpoint of endpoints(document)) {
    const { operationId, tags: [tag = ""] = [] } = endpoint.operation
    assert.include(first, `<li id="${operationId}"><a href="/docs/${tag}#${operationId}">`)
    assert.include(pageAt(`/docs/${tag}`), `<article id="${operationId}"`)
    assert.include(pageAt(`/docs/${tag}`), `<li><a href="/docs/${tag}#${operationId}">`)
    assert.include(pageAt(`/docs/${tag}.md`), `(\`${operationId}\`)`)
  }
  for (const name of Object.keys(document.components.schemas)) {
    assert.include(pageAt("/docs/schemas"), `<article id="schema-${name}">`)
    assert.include(pageAt("/docs/schemas.md"), `\n## ${name}\n`)
  }
})

it("has a page for each guide, which the first page and llms.txt name", () => {
  assert.isAtLeast(guides.length, 10)
  for (const { name, title } of guides) {
    assert.match(pageAt(`/docs/guides/${name}`), /<h1>[^<]/, title)
    assert.match(pageAt(`/docs/guides/${name}.md`), /^# /)
    assert.include(pageAt("/docs"), `<a href="/docs/guides/${name}">${title}</a>`)
    assert.include(llmsText(document, site), `(/docs/guides/${name}.md)`)
  }
})

it("every link has a target, on all pages, in Markdown, in the search and in llms.txt", () => {
  const anchors = new Map(
    Array.from(pages, ([address, page]) => [address, new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))])
  )
  const leads = (from: string, target: string) => {
    const [path = "", anchor] = target.split("#")
    if (texts.has(path)) return anchor === undefined
    const known = anchors.get(path === "" ? from : path)
    return known !== undefined && (anchor === undefined || known.has(anchor))
  }
  const others = ["/openapi.json", "/llms.txt", "/docs.css"]
  for (const [address, page] of pages) {
    const targets = new Set([...page.matchAll(/ href="([^"]+)"/g)].map(([, target = ""]) => target))
    for (const target of targets) {
      const isElsewhere = others.includes(target) || /^https:\/\//.test(target)
      assert.isTrue(isElsewhere || leads(address, target), `${address} ${target}`)
    }
  }
  for (const [address, text] of texts) {
    for (const [, target = ""] of text.matchAll(/\]\((\/docs[^)]*)\)/g)) {
      assert.isTrue(leads("", target), `${address} ${target}`)
    }
  }
  for (const [address] of searchIndex(document)) assert.isTrue(leads("", address), address)
  for (const [, target = ""] of llmsText(document, site).matchAll(/\]\((\/docs[^)]*)\)/g))
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

it("finds guides, operations, parameters, fields of bodies, errors and schemas", () => {
  const index = searchIndex(document)
  const found = (word: string) =>
    index.filter((entry) => entry.join(" ").toLowerCase().includes(word.toLowerCase())).map(([address]) => address)
  assert.include(found("double opt-in"), "/docs/guides/audience")
  assert.include(found("Many mails at once"), "/docs/guides/sending#many-mails-at-once")
  assert.include(found("/contacts/lookup"), "/docs/contacts#contacts.lookup")
  assert.include(found("Idempotency-Key"), "/docs/v1#send")
  assert.include(found("preserveExistingSubscription"), "/docs/v1#track")
  assert.include(found("SENDER_DOMAIN_UNVERIFIED"), "/docs/errors#SENDER_DOMAIN_UNVERIFIED")
  assert.include(found("EMPTY_AUDIENCE"), "/docs/errors#EMPTY_AUDIENCE")
  assert.include(found("WebhookAttempt"), "/docs/schemas#schema-WebhookAttempt")
})

it("has three samples and a response for each operation, who may call it, and its errors with what to do", () => {
  for (const { operation } of endpoints(document)) {
    const page = pageAt(`/docs/${operation.tags?.[0]}`)
    const start = page.indexOf(`<article id="${operation.operationId}"`)
    const article = page.slice(start, page.indexOf("</article>", start))
    for (const name of ["curl", "typescript", "cli"]) {
      assert.match(article, new RegExp(`<pre class="${name}" tabindex="0"><code>[^ ]`), operation.operationId)
    }
    assert.match(article, /Answer <span class="status">2\d\d/, operation.operationId)
    // A server that is not ready says what is missing, without an envelope.
    const error = operation.operationId === "service.ready" ? "INTERNAL_SERVER_ERROR" : "SERVICE_UNAVAILABLE"
    assert.include(article, `<a href="/docs/errors#${error}">`, operation.operationId)
    if (operation["x-posthorn-role"] != null) {
      assert.include(article, `<dt>Role</dt><dd><code>${operation["x-posthorn-role"]}</code>`)
    }
    for (const scope of operation["x-posthorn-scope"] ?? []) {
      assert.include(article, `<code>${scope === "*" ? "any" : scope}</code>`)
    }
  }
})

it("describes each event of a webhook, with its fields, an example and an address of its own", () => {
  const page = pageAt("/docs/webhooks")
  for (const type of [...webhookTypes, "segment.entry"]) {
    assert.include(page, `<article id="${type}">`, type)
    assert.include(pageAt("/docs/webhooks.md"), `## ${type}\n`)
  }
  for (const text of ["bounceType", "webhook-signature", "verifyWebhook", "signed_up"]) assert.include(page, text)
  const events = pageAt("/docs/events")
  for (const type of ["email.bounce", "contact.unsubscribed", "campaign.sent", "segment.&lt;slug&gt;.entry"]) {
    assert.include(events, `<code>${type}</code>`)
  }
})

it("describes each error, with an example and an address of its own", () => {
  const page = pageAt("/docs/errors")
  for (const [row, { suggestion }] of Object.entries(catalogue)) {
    const start = page.indexOf(`<article id="${row}">`)
    assert.isAbove(start, 0, row)
    const article = page.slice(start, page.indexOf("</article>", start))
    assert.include(article, "&quot;requestId&quot;", row)
    assert.include(pageAt("/docs/errors.md"), suggestion)
  }
})

it("is short for language models: every operation with a link to its description", () => {
  const text = llmsText(document, site)
  assert.match(text, /^# Posthorn\n\n> Email delivery.*\n\n/)
  for (const endpoint of endpoints(document)) {
    const { method, operation, path } = endpoint
    assert.include(text, `[${operation.operationId}](${addressOfOperation(endpoint)}): \`${method} ${path}\`, `)
  }
  assert.isBelow(text.length, 45_000)
})

it("loads only its own style and script, and nothing inline or from other hosts", () => {
  for (const [address, page] of pages) {
    assert.deepStrictEqual(
      [...page.matchAll(/<script[^>]*>[^<]*/g)].map(String),
      ['<script src="/docs.js" defer>'],
      address
    )
    assert.deepStrictEqual([...page.matchAll(/<link rel="stylesheet"[^>]*>/g)].map(String), [
      '<link rel="stylesheet" href="/docs.css">'
    ])
    assert.notMatch(page, /<img|<iframe|<style| style="| on[a-z]+="/)
  }
})

it("has the colours of the console", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../../console/src/styles/tokens.css"), "utf8")
  const named = (text: string) =>
    new Map([...text.matchAll(/--([a-z-]+): (light-dark\(#\w+, #\w+\));/g)].map(([, name, value]) => [name, value]))
  const own = named(style)
  const theirs = named(tokens)
  assert.isAtLeast(own.size, 10)
  for (const [name, value] of own) if (name !== "word") assert.strictEqual(value, theirs.get(name), name)
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
  const text = textsOf(fields).get("/docs/schemas") ?? ""
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
