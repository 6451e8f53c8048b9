import { assert, it } from "@effect/vitest"
import { Api } from "@posthorn/contract/Api"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { llmsText } from "./LlmsText.ts"
import { endpoints, OpenApiDocument } from "./OpenApiDocument.ts"
import { referencePage } from "./ReferencePage.ts"

const decode = Schema.decodeUnknownSync(OpenApiDocument)
const document = decode(OpenApi.fromApi(Api))
const page = referencePage(document).toString()

it("shows every endpoint and every schema, and leads to each", () => {
  const anchors = [
    ...endpoints(document).map(({ operation }) => operation.operationId),
    ...Object.keys(document.components.schemas).map((name) => `schema-${name}`)
  ]
  assert.isAbove(anchors.length, 30)
  for (const anchor of anchors) {
    assert.include(page, `<article id="${anchor}">`)
    assert.include(page, `<li><a href="#${anchor}">`)
  }
})

it("no link leads nowhere", () => {
  const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) assert.isTrue(targets.has(target), target)
})

it("is short for language models: every endpoint, and where it is described", () => {
  const text = llmsText(document)
  assert.match(text, /^# Posthorn\n\n> Email delivery.*\n\n/)
  for (const { method, operation, path } of endpoints(document)) {
    assert.include(text, `[${operation.operationId}](/docs#${operation.operationId}): \`${method} ${path}\`, `)
  }
  assert.isBelow(text.length, 32_000)
})

it("has no script and loads nothing from elsewhere", () => {
  assert.notMatch(page, /<script|<img|<iframe| src=|https?:\/\/[^\s<]*\.js/)
  assert.deepStrictEqual([...page.matchAll(/<link [^>]*>/g)].map(String), ['<link rel="stylesheet" href="/docs.css">'])
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
  const text = referencePage(fields).toString()
  assert.include(text, "<p>A <code>thing</code>.</p>")
  assert.match(text, /name<\/code> <span class="kind">string, 1 to 9 characters<\/span> <strong>required/)
  assert.include(text, "<code>&quot;ON&quot;</code> or <code>&quot;OFF&quot;</code>")
  assert.include(text, 'array of <a href="#schema-Part">Part</a>, at most 3 items')
  assert.include(text, "object or null")
  assert.match(text, /<ul class="fields">\s*<li>\s*<code class="name">id<\/code> <span class="kind">string \(uuid\)/)
  assert.include(text, "integer, at least 0")
})
