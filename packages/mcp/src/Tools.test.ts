import { assert, describe, it } from "@effect/vitest"
import { endpoints, OpenApiDocument } from "@posthorn/docs/document/OpenApiDocument"
import { document as published } from "@posthorn/openapi"
import { Schema } from "effect"
import { call, type ServerRequest } from "./Calls.ts"
import { irreversible, withoutTool } from "./Kinds.ts"
import { answered, longestResult } from "./Results.ts"
import { longestSchema } from "./Schemas.ts"
import { own, type Tool, toolsOf } from "./Tools.ts"

const document = Schema.decodeUnknownSync(OpenApiDocument)(published)
const tools = toolsOf(document)
const named = (name: string): Tool =>
  tools.find(({ definition }) => definition.name === name) ?? assert.fail(`There is no tool ${name}`)
const ids = new Set(endpoints(document).map(({ operation }) => operation.operationId))

const page = (count: number, length: number) =>
  JSON.stringify({
    data: Array.from({ length: count }, (_, index) => ({ index, text: "x".repeat(length) })),
    cursor: "next",
    hasMore: true,
    total: 900
  })

const textsOf = (content: ReadonlyArray<{ readonly text: string }>) => content.map(({ text }) => text)

/** Records what a call sends. */
const sender = () => {
  const sent: Array<ServerRequest> = []
  return {
    sent,
    send: async (request: ServerRequest) => {
      sent.push(request)
      return { status: 200, text: "{}" }
    }
  }
}

describe("tools", () => {
  it("are named and described for a model, and are small", () => {
    assert.isAbove(tools.length, 200)
    for (const { definition } of tools) {
      assert.match(definition.name, /^[a-zA-Z0-9_]{1,64}$/)
      assert.isAtLeast(definition.description.length, 20)
      const text = JSON.stringify(definition)
      assert.notInclude(text, "$ref")
      assert.isAtMost(text.length, longestSchema + 2_000, definition.name)
    }
  })

  it("have names of their own for what is not of the operation", () => {
    for (const { definition, path, query } of tools) {
      const { properties, required } = definition.inputSchema
      for (const name of [...path, ...required]) assert.property(properties, name, definition.name)
      assert.strictEqual(new Set([...path, ...query, ...Object.values(own)]).size, path.length + query.length + 3)
    }
  })

  it("know operations that are in the document", () => {
    for (const id of [...withoutTool, ...irreversible]) assert.include([...ids], id)
  })

  it("read, unless the operation changes something", () => {
    assert.strictEqual(named("contacts_list").kind, "reads")
    assert.strictEqual(named("contacts_query").kind, "reads")
    assert.strictEqual(named("send").kind, "writes")
    assert.strictEqual(named("contacts_delete").kind, "destroys")
    assert.strictEqual(named("campaigns_send").kind, "destroys")
    for (const { definition, endpoint, kind } of tools) {
      if (kind === "reads") {
        const scopes = endpoint.operation["x-posthorn-scope"] ?? []
        assert.isTrue(endpoint.method === "GET" || scopes.some((scope) => /:read$|^verify$/.test(scope)))
      }
      assert.strictEqual(definition.annotations.readOnlyHint, kind === "reads")
      if (kind === "destroys") assert.isTrue(definition.annotations.destructiveHint)
      if (endpoint.method === "DELETE") assert.strictEqual(kind, "destroys")
    }
  })

  it("show no secrets, files or streams", () => {
    for (const id of ["apiKeys_create", "workflows_signingSecret", "contacts_links", "contacts_export", "live"]) {
      assert.isUndefined(tools.find(({ definition }) => definition.name === id))
    }
  })
})

describe("a call", () => {
  it("becomes a request: path, query, body and key", async () => {
    const { send, sent } = sender()
    await call(named("contacts_get"), { id: "a/b?c" }, send)
    await call(named("contacts_list"), { limit: 5, search: "a&b" }, send)
    await call(named("contacts_upsert"), { email: "ada@example.com", idempotencyKey: "one" }, send)
    assert.deepStrictEqual(
      sent.map(({ method, path, body }) => [method, path, body]),
      [
        ["GET", "/contacts/a%2Fb%3Fc", undefined],
        ["GET", "/contacts?limit=5&search=a%26b", undefined],
        ["POST", "/contacts", '{"email":"ada@example.com"}']
      ]
    )
  })

  it("sends nothing with arguments that the tool has not, or that are missing", async () => {
    const { send, sent } = sender()
    const wrong = [
      await call(named("contacts_get"), {}, send),
      await call(named("contacts_get"), { id: ".." }, send),
      await call(named("contacts_get"), { id: "1", other: 1 }, send),
      await call(named("contacts_list"), { search: {} }, send),
      await call(named("contacts_list"), { resultOffset: -1 }, send)
    ]
    for (const { content, isError } of wrong) {
      assert.isTrue(isError)
      assert.include(textsOf(content)[0], "INVALID_ARGUMENT")
    }
    assert.isEmpty(sent)
  })

  it("that cannot be undone repeats what it is about", async () => {
    const { send, sent } = sender()
    for (const args of [{ id: "1" }, { id: "1", confirm: true }, { id: "1", confirm: "2" }, { confirm: undefined }]) {
      const { content } = await call(named("contacts_delete"), args, send)
      assert.include(textsOf(content)[0], "CONFIRMATION_REQUIRED")
    }
    assert.isEmpty(sent)
    await call(named("contacts_delete"), { id: "1", confirm: "1" }, send)
    await call(named("contacts_bulkDelete"), { ids: ["1"], confirm: "contacts_bulkDelete" }, send)
    assert.deepStrictEqual(
      sent.map(({ path, body }) => [path, body]),
      [
        ["/contacts/1", undefined],
        ["/contacts/bulk-delete", '{"ids":["1"]}']
      ]
    )
  })
})

describe("a result", () => {
  const lengthOf = (texts: ReadonlyArray<string>) => texts.join("").length

  it("is whole when it is short", () => {
    assert.deepStrictEqual(answered(named("contacts_list"), 200, page(3, 10), 0).content, [
      { type: "text", text: page(3, 10) }
    ])
  })

  it("has the first items of a long page, without a cursor that skips the others", () => {
    const texts = textsOf(answered(named("contacts_list"), 200, page(100, 1_000), 0).content)
    const { data, cursor, total } = JSON.parse(texts[0] ?? "")
    assert.isAtMost(lengthOf(texts), longestResult)
    assert.isAbove(data.length, 10)
    assert.isUndefined(cursor)
    assert.strictEqual(total, 900)
    assert.include(texts[1], `\`limit: ${data.length}\``)
  })

  it("of any form can be read in parts that make up the whole", () => {
    const whole = `"${"\u{1f98a}".repeat(40_000)}"`
    let [offset, read] = [0, ""]
    for (let parts = 0; offset < whole.length && parts < 10; parts++) {
      const texts = textsOf(answered(named("templates_get"), 200, whole, offset).content)
      assert.isAtMost(lengthOf(texts), longestResult)
      assert.isTrue(texts[0]?.isWellFormed())
      read += texts[0]
      offset += texts[0]?.length ?? 0
      if (offset < whole.length) assert.include(texts[1], `\`resultOffset: ${offset}\``)
    }
    assert.strictEqual(read, whole)
  })

  it("of a refusal is an error within the bound", () => {
    const { content, isError } = answered(named("send"), 422, "x".repeat(100_000), 0)
    assert.isTrue(isError)
    assert.isAtMost(lengthOf(textsOf(content)), longestResult)
  })
})
