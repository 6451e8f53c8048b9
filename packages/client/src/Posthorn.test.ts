import { readFileSync } from "node:fs"
import { assert, describe, expectTypeOf, it } from "vitest"
import type { Contact, ContactPage, CreatedContact, EmailContent, SentEmails, UpdatedContact } from "./index.ts"
import { type Answer, type ErrorCode, Posthorn, PosthornError } from "./index.ts"
import { json, refusal, ScriptedServer } from "./testing/ScriptedServer.ts"

const secretKey = `sk_${"s".repeat(43)}`
const publicKey = `pk_${"p".repeat(43)}`
const id = "019a9f3c-0000-7000-8000-000000000001"

const clientOf = (server: ScriptedServer) => new Posthorn({ secretKey, publicKey, baseUrl: server.url })

describe("The methods of the client", () => {
  it("are the operations of the document that accept a key, and those on campaigns by people, with the same names", () => {
    const file = new URL("../../../openapi/openapi.json", import.meta.url)
    const document: { paths: Record<string, Record<string, { operationId: string; security: Array<object> }>> } =
      JSON.parse(readFileSync(file, "utf8"))
    const operations = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter(
        ({ operationId, security }) =>
          security.some((scheme) => "secretKey" in scheme || "publicKey" in scheme) ||
          ["campaigns.approve", "campaigns.reject"].includes(operationId)
      )
    const methods = Object.entries(new Posthorn()).flatMap(([name, member]) =>
      typeof member === "function" ? [name] : Object.keys(member).map((method) => `${name}.${method}`)
    )
    assert.sameMembers(
      methods,
      operations.map(({ operationId }) => operationId)
    )
  })

  it("have the names of journeys, campaigns, domains and deliverability that programs rely on", () => {
    const names: { readonly [resource: string]: ReadonlyArray<string> } = {
      workflows: [
        ...["publish", "removeDraft", "versions", "version", "diff", "restore", "migrate", "migration"],
        ...["testRun", "report", "decideExperiment"]
      ],
      campaigns: [
        ...["experiment", "decideExperiment", "report", "followUp", "requestApproval", "approve", "reject"],
        ...["setRecurrence", "removeRecurrence"]
      ],
      settings: ["sending"],
      contacts: ["sendingState"],
      domains: ["health", "dmarc", "warmup", "setWarmup", "removeWarmup", "pauseWarmup", "resumeWarmup"],
      deliverability: ["providers"],
      analytics: ["conversions"]
    }
    const client: { readonly [resource: string]: unknown } = { ...new Posthorn() }
    for (const [resource, methods] of Object.entries(names))
      assert.includeMembers(Object.keys(client[resource] ?? {}), [...methods], resource)
  })
})

describe("A request", () => {
  it("carries method, path, query, key and JSON body", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(201, { id }), json(200, { data: [] }), json(200, { id }))
    const posthorn = new Posthorn({ secretKey, baseUrl: `${server.url}/`, userAgent: "example/1.0" })
    await posthorn.contacts.upsert({ email: "anna@example.com", subscribed: undefined, data: { plan: "pro" } })
    await posthorn.contacts.list({ limit: 5, search: "a&b", subscribed: false, cursor: undefined }).page()
    await posthorn.contacts.get("a/b c")
    const [upsert, list, get] = server.received
    assert.deepInclude(upsert, {
      method: "POST",
      url: "/contacts",
      body: `{"email":"anna@example.com","data":{"plan":"pro"}}`
    })
    assert.deepInclude(upsert?.headers, {
      authorization: `Bearer ${secretKey}`,
      "content-type": "application/json",
      "user-agent": "example/1.0"
    })
    assert.deepInclude(list, { method: "GET", url: "/contacts?limit=5&search=a%26b&subscribed=false", body: "" })
    assert.notProperty(list?.headers, "content-type")
    assert.deepInclude(get, { method: "GET", url: "/contacts/a%2Fb%20c" })
  })

  it("uses the public key only for track", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, { success: true }), json(200, { success: true }))
    await clientOf(server).track({ email: "anna@example.com", event: "signed_up" })
    await clientOf(server).send({ to: "anna@example.com", subject: "Hi", body: "<p>Hi</p>" })
    assert.deepStrictEqual(
      server.received.map(({ url, headers }) => [url, headers.authorization]),
      [
        ["/v1/track", `Bearer ${publicKey}`],
        ["/v1/send", `Bearer ${secretKey}`]
      ]
    )
  })

  it("uses an API key in place of the secret key", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, []))
    const apiKey = `ph_test_${"a".repeat(43)}`
    await new Posthorn({ baseUrl: server.url, secretKey: apiKey }).apiKeys.list()
    assert.deepStrictEqual(
      server.received.map(({ url, headers }) => [url, headers.authorization]),
      [["/api-keys", `Bearer ${apiKey}`]]
    )
  })

  it("is not sent without the key it needs, or with the other kind of key", async () => {
    await using server = await ScriptedServer.start()
    const calls = [
      new Posthorn({ baseUrl: server.url, publicKey }).contacts.get(id),
      new Posthorn({ baseUrl: server.url, secretKey: publicKey }).contacts.list().page(),
      new Posthorn({ baseUrl: server.url, secretKey }).track({ email: "anna@example.com", event: "signed_up" })
    ]
    for (const call of calls) {
      const { data, error, meta } = await call
      assert.isNull(data)
      assert.strictEqual(error?.code, "MISSING_KEY")
      assert.match(error?.message ?? "", /(GET \/contacts|POST \/v1\/track).*needs a key that begins with (sk|pk)_/)
      assert.isNull(meta.status)
    }
    assert.isEmpty(server.received)
  })

  it("is not sent for a parameter that would change the path, a body that is not JSON, or an invalid header", async () => {
    await using server = await ScriptedServer.start()
    const { contacts, send } = clientOf(server)
    const ring: { [key: string]: unknown } = {}
    ring["self"] = ring
    const calls = [
      contacts.delete(""),
      contacts.get(".."),
      contacts.upsert({ email: "anna@example.com", data: ring }),
      send({ to: "anna@example.com" }, { idempotencyKey: "two\nlines" })
    ]
    for (const call of calls) assert.strictEqual((await call).error?.code, "INVALID_ARGUMENT")
    assert.isEmpty(server.received)
  })
})

describe("A response", () => {
  it("is the data, with the metadata of the response", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(
        200,
        { id },
        { "x-request-id": "r-7", "ratelimit-limit": "1000", "ratelimit-remaining": "997", "ratelimit-reset": "0" }
      )
    )
    assert.deepStrictEqual<unknown>(await clientOf(server).contacts.get(id), {
      data: { id },
      error: null,
      meta: {
        status: 200,
        requestId: "r-7",
        rateLimit: { limit: 1000, remaining: 997, reset: 0 },
        idempotencyReplayed: false,
        warnings: []
      }
    })
  })

  it("is true if there is no body", async () => {
    await using server = await ScriptedServer.start()
    server.answers((response) => response.writeHead(204).end())
    const { data, error } = await clientOf(server).contacts.delete(id)
    assert.deepStrictEqual([data, error], [true, null])
  })

  it("is bytes if the service does not send JSON", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      (response) => response.writeHead(200, { "content-type": "message/rfc822" }).end("Subject: Hi\r\n\r\n"),
      json(200, { subject: "Hi" })
    )
    const { emails } = clientOf(server)
    assert.deepStrictEqual(
      (await emails.content(id, { format: "raw" })).data,
      new TextEncoder().encode("Subject: Hi\r\n\r\n")
    )
    assert.deepStrictEqual<unknown>((await emails.content(id)).data, { subject: "Hi" })
  })

  it("is the error of an error envelope", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(409, "CONFLICT", { "x-request-id": "r-1" }, { reason: "not_cancellable" }))
    const { data, error, meta } = await clientOf(server).emails.cancel(id)
    assert.isNull(data)
    assert.instanceOf(error, PosthornError)
    assert.deepInclude(JSON.parse(JSON.stringify(error)), {
      code: "CONFLICT",
      message: "This is CONFLICT.",
      statusCode: 409,
      requestId: "r-1",
      details: { reason: "not_cancellable" },
      suggestion: "Wait."
    })
    assert.strictEqual(meta.status, 409)
  })

  it("is a BAD_REQUEST if the service answers with only a sentence", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(400, { error: "Email is required" }))
    const { error } = await clientOf(server).contacts.upsert({ email: "" })
    assert.deepInclude(error, { code: "BAD_REQUEST", message: "Email is required", statusCode: 400 })
  })

  it("is an error for broken JSON or a page of another server", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      (response) => response.writeHead(200, { "content-type": "application/json" }).end(`{"id":`),
      (response) => response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>"),
      json(404, null),
      json(404, ["not", "an", "envelope"]),
      json(404, { error: "Not here" }),
      json(404, { error: { status: 404 } })
    )
    const { contacts } = clientOf(server)
    for (const status of [200, 404, 404, 404, 404, 404]) {
      const { data, error, meta } = await contacts.get(id)
      assert.isNull(data)
      assert.deepInclude(error, { code: "UNEXPECTED_RESPONSE", statusCode: status })
      assert.strictEqual(meta.status, status)
    }
  })

  it("is thrown, or the bare data, after orThrow", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, { id }), refusal(404, "CONTACT_NOT_FOUND"))
    const { contacts } = clientOf(server)
    assert.deepStrictEqual<unknown>(await contacts.get(id).orThrow(), { id })
    const thrown = await contacts
      .get(id)
      .orThrow()
      .catch((error: unknown) => error)
    assert.instanceOf(thrown, PosthornError)
    assert.deepInclude(thrown, { code: "CONTACT_NOT_FOUND", statusCode: 404, message: "This is CONTACT_NOT_FOUND." })
  })
})

describe("The types", () => {
  it("are those of the document", () => {
    const { contacts, emails, send, domains } = new Posthorn()
    expectTypeOf(contacts.get).returns.resolves.toEqualTypeOf<Answer<Contact>>()
    expectTypeOf(contacts.upsert).returns.resolves.toEqualTypeOf<Answer<UpdatedContact | CreatedContact>>()
    expectTypeOf(contacts.list().page).returns.resolves.toEqualTypeOf<Answer<ContactPage>>()
    expectTypeOf(contacts.delete).returns.resolves.toEqualTypeOf<Answer<true>>()
    expectTypeOf(emails.content).returns.resolves.toEqualTypeOf<Answer<EmailContent | Uint8Array>>()
    expectTypeOf(send).returns.resolves.toEqualTypeOf<Answer<SentEmails["data"]>>()
    expectTypeOf(domains.list).parameter(0).toEqualTypeOf<string>()
    expectTypeOf<"CONTACT_NOT_FOUND">().toExtend<ErrorCode>()
    expectTypeOf<"SENDER_DOMAIN_UNVERIFIED">().not.toExtend<ErrorCode>()
    expectTypeOf<{ externalId: 1 }>().not.toExtend<Parameters<typeof contacts.upsert>[0]>()
  })

  it("know that exactly one of data and error is null", () => {
    const name = ({ data, error }: Answer<Contact>) => (error === null ? data.email : error.code)
    expectTypeOf(name).returns.toBeString()
  })
})
