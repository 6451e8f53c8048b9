/** The tools for language models of an application, as clients of the protocol see them. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createPosthorn, type Posthorn } from "./index.ts"
import { databaseAt, places } from "./testing/Places.ts"

const publicUrl = "https://app.example/mail"
const options = { publicUrl, secret: "0123456789abcdef0123456789abcdef", dev: true } as const

describe.each(places)("Tools for language models in an application on %s", (place) => {
  const scope = Scope.makeUnsafe()
  let posthorn: Posthorn
  let secretKey: string

  beforeAll(async () => {
    posthorn = await createPosthorn({ ...options, database: await databaseAt(place, scope), mcp: true })
    const project = await posthorn.ensureProject("Shop")
    secretKey = project.secretKey ?? assert.fail()
    await posthorn.client(project.id).domains.add({ domain: "shop.test" }).orThrow()
  })
  afterAll(async () => {
    await posthorn.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const ask = (path: string, init: RequestInit = {}) => posthorn.fetch(new Request(`${publicUrl}${path}`, init))

  const connected = async (key: string, query = "") => {
    const client = new Client({ name: "test", version: "1.0.0" })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp${query}`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
        fetch: (url, init) => posthorn.fetch(new Request(url, init))
      })
    )
    return client
  }
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("")
    return { isError, text }
  }

  it("send a mail and tell its fate, with the key of a project", async () => {
    const client = await connected(secretKey, "?write=true&groups=v1,emails")
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.includeMembers(names, ["docs", "send", "emails_get"])
    assert.notInclude(names, "contacts_list")
    const mail = { to: "ada@example.com", from: "hi@shop.test", subject: "Hello", body: "<p>It works.</p>" }
    const sent = await call(client, "send", mail)
    assert.isFalse(sent.isError, sent.text)
    const id = JSON.parse(sent.text).data.emails[0].email
    const status = async () => JSON.parse((await call(client, "emails_get", { id })).text).status
    while (!["SENT", "DELIVERED"].includes(await status())) await new Promise((done) => setTimeout(done, 100))
    await client.close()
  })

  it("only read unless they are asked to write, and do what the scopes of the key allow", async () => {
    const reading = await connected(secretKey)
    assert.include((await call(reading, "contacts_upsert", { email: "no@example.com" })).text, "TOOL_NOT_ALLOWED")
    const made = await ask("/api-keys", {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Model", scopes: ["emails:read"] })
    })
    const limited = await connected(JSON.parse(await made.text()).key, "?write=true")
    const refused = await call(limited, "contacts_upsert", { email: "no@example.com" })
    assert.isTrue(refused.isError)
    assert.include(refused.text, "contacts:write")
    await Promise.all([reading.close(), limited.close()])
  })

  it("read the documentation as Markdown", async () => {
    const client = await connected(secretKey)
    assert.include((await call(client, "docs")).text, "/docs/contacts.md")
    const page = await call(client, "docs", { page: "contacts" })
    assert.include(page.text, "POST /contacts")
    const { resources } = await client.listResources()
    assert.isAbove(resources.length, 20)
    await client.close()
    assert.strictEqual((await ask("/docs/contacts.md")).headers.get("content-type"), "text/markdown; charset=utf-8")
    // Its links would lead out of the mount.
    assert.strictEqual((await ask("/docs/contacts")).status, 404)
  })

  it("are closed to strangers, other origins and pages with a public key", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const statusWith = async (headers: Record<string, string>) =>
      (await ask("/mcp", { method: "POST", headers: { "content-type": "application/json", ...headers }, body })).status
    assert.strictEqual(await statusWith({}), 401)
    assert.strictEqual(await statusWith({ authorization: "Bearer sk_wrong" }), 401)
    assert.strictEqual(await statusWith({ authorization: "Bearer pk_wrong" }), 401)
    assert.strictEqual(await statusWith({ authorization: `Bearer ${secretKey}`, origin: "https://evil.example" }), 403)
  })
})

it("an application that does not ask for them has no tools and no documentation", async () => {
  const posthorn = await createPosthorn({ ...options, database: { dataDir: dataFolder() } })
  try {
    for (const path of ["/mcp", "/llms.txt", "/docs/contacts.md"]) {
      assert.strictEqual((await posthorn.fetch(new Request(publicUrl + path))).status, 404)
    }
  } finally {
    await posthorn.close()
  }
})
