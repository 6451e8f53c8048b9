import { assert, describe, it } from "vitest"
import { type CreateStep, Posthorn } from "./index.ts"
import { json, refusal, reset, ScriptedServer, silence } from "./testing/ScriptedServer.ts"

const secretKey = `sk_${"s".repeat(43)}`
const publicKey = `pk_${"p".repeat(43)}`
const id = "019a9f3c-0000-7000-8000-000000000001"
const mail = { to: "anna@example.com", subject: "Hi", body: "<p>Hi</p>" }
const sent = { success: true, data: { emails: [], timestamp: "2026-11-20T15:04:05.123Z" } }
const soon = { "retry-after": "0" }

const clientOf = (server: ScriptedServer, more: object = {}) =>
  new Posthorn({ secretKey, publicKey, baseUrl: server.url, ...more })

const keysOf = (server: ScriptedServer) => server.received.map(({ headers }) => headers["idempotency-key"])
const modesOf = (server: ScriptedServer) => server.received.map(({ headers }) => headers["idempotency-mode"])

describe("A field that the service does not know", () => {
  const warning = { field: "html", message: "`html` is unknown; did you mean `body`?", suggestion: "body" }

  it("is refused unless strict is false", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent), json(200, sent))
    await clientOf(server).send(mail)
    await clientOf(server, { strict: false }).send(mail)
    assert.deepStrictEqual(
      server.received.map(({ headers }) => headers["prefer"]),
      ["handling=strict", undefined]
    )
  })

  it("is returned in meta.warnings, from an envelope and from a header", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(200, { ...sent, warnings: [warning] }),
      json(200, { id }, { "posthorn-warnings": JSON.stringify([warning]) }),
      json(200, { id }, { "posthorn-warnings": "nonsense" }),
      json(422, { success: false, error: { code: "VALIDATION_ERROR", message: "" }, warnings: [warning] })
    )
    const client = clientOf(server, { strict: false })
    assert.deepStrictEqual((await client.send(mail)).meta.warnings, [warning])
    assert.deepStrictEqual((await client.contacts.upsert({ email: "a@b.co" })).meta.warnings, [warning])
    assert.deepStrictEqual((await client.contacts.upsert({ email: "a@b.co" })).meta.warnings, [])
    const refused = await client.send(mail)
    assert.deepStrictEqual([refused.error?.code, refused.meta.warnings], ["VALIDATION_ERROR", [warning]])
  })
})

describe("A sender domain that is not verified", () => {
  it("has its own error code, with the reason and a suggestion", async () => {
    await using server = await ScriptedServer.start()
    const details = { reason: "sender_domain_unverified", domain: "example.com" }
    const error = {
      code: "INTERNAL_SERVER_ERROR",
      message: "Not verified.",
      statusCode: 403,
      details,
      suggestion: "Add it."
    }
    server.answers(json(403, { success: false, error }))
    const answer = await clientOf(server).send(mail)
    assert.deepInclude(answer.error?.toJSON(), {
      code: "SENDER_DOMAIN_UNVERIFIED",
      statusCode: 403,
      details,
      suggestion: "Add it."
    })
  })
})

describe("A call that is safe to repeat", () => {
  it("is retried after a rate limit, an outage, a proxy's page and a broken connection", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      refusal(429, "RATE_LIMIT_EXCEEDED", soon),
      refusal(503, "SERVICE_UNAVAILABLE", soon),
      (response) => response.writeHead(502, { "content-type": "text/html", ...soon }).end("<h1>Bad gateway</h1>"),
      reset,
      json(200, { id })
    )
    const { data, error } = await clientOf(server, { retries: 4 }).contacts.get(id)
    assert.isNull(error)
    assert.strictEqual(data?.id, id)
    assert.lengthOf(server.received, 5)
  })

  it("is retried if the response is incomplete or too late", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
        response.write(`{"id":`, () => response.destroy())
      },
      silence,
      json(200, { id })
    )
    assert.strictEqual((await clientOf(server, { timeoutMs: 300 }).contacts.get(id)).data?.id, id)
    assert.lengthOf(server.received, 3)
  })

  it("ends with the last error after its last retry", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(503, "SERVICE_UNAVAILABLE", soon), refusal(503, "SERVICE_UNAVAILABLE", soon), reset)
    const { error, meta } = await clientOf(server).contacts.delete(id)
    assert.strictEqual(error?.code, "NETWORK_ERROR")
    assert.isNull(meta.status)
    assert.lengthOf(server.received, 3)
  })

  it("uses the retries of the call rather than those of the client", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(503, "SERVICE_UNAVAILABLE", soon))
    assert.strictEqual((await clientOf(server).contacts.get(id, { retries: 0 })).error?.code, "SERVICE_UNAVAILABLE")
    assert.lengthOf(server.received, 1)
  })

  it("is not retried if the service asks for a wait of more than a minute, or has decided", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "61" }), refusal(404, "CONTACT_NOT_FOUND"))
    const { contacts } = clientOf(server)
    assert.strictEqual((await contacts.get(id)).error?.code, "RATE_LIMIT_EXCEEDED")
    assert.strictEqual((await contacts.get(id)).error?.code, "CONTACT_NOT_FOUND")
    assert.lengthOf(server.received, 2)
  })
})

describe("A write without Idempotency-Key", () => {
  it("is tried only once", async () => {
    await using server = await ScriptedServer.start()
    const { contacts, emails } = clientOf(server)
    server.answers(refusal(429, "RATE_LIMIT_EXCEEDED", soon), refusal(503, "SERVICE_UNAVAILABLE", soon), reset)
    assert.strictEqual((await contacts.upsert({ email: "anna@example.com" })).error?.code, "RATE_LIMIT_EXCEEDED")
    assert.strictEqual((await contacts.update(id, { subscribed: true })).error?.code, "SERVICE_UNAVAILABLE")
    assert.strictEqual((await emails.retry(id)).error?.code, "NETWORK_ERROR")
    assert.lengthOf(server.received, 3)
    assert.deepStrictEqual(keysOf(server), [undefined, undefined, undefined])
  })
})

describe("A send or track", () => {
  it("gets a new key for each call", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent), json(200, sent), json(200, sent))
    const { send, track } = clientOf(server)
    await send(mail)
    await send(mail)
    await track({ email: "anna@example.com", event: "signed_up" })
    const keys = keysOf(server)
    assert.strictEqual(new Set(keys).size, 3)
    for (const key of keys) assert.match(String(key), /^[0-9a-f]{32}$/)
    assert.deepStrictEqual(modesOf(server), [undefined, undefined, undefined])
  })

  it("asks for the stored response when it is retried, with the same key and body", async () => {
    await using server = await ScriptedServer.start()
    server.answers(reset, json(200, sent, { "idempotency-replayed": "true" }))
    const { error, meta } = await clientOf(server).send(mail)
    assert.isNull(error)
    assert.isTrue(meta.idempotencyReplayed)
    const [first, second] = server.received
    assert.strictEqual(second?.body, first?.body)
    assert.strictEqual(second?.headers["idempotency-key"], first?.headers["idempotency-key"])
    assert.deepStrictEqual(modesOf(server), [undefined, "replay"])
  })

  it("waits for its first attempt while that is still running", async () => {
    await using server = await ScriptedServer.start()
    server.answers(silence, refusal(409, "IDEMPOTENCY_KEY_REUSED", soon, { key: "k" }), json(200, sent))
    assert.isNull((await clientOf(server, { timeoutMs: 300 }).send(mail)).error)
    assert.lengthOf(server.received, 3)
  })

  it("keeps the caller's key, and is refused if the key was used before", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      refusal(409, "IDEMPOTENCY_KEY_REUSED", {}, { key: "order-4711", originalStatusCode: 200 }),
      json(200, sent)
    )
    const { send } = clientOf(server)
    assert.strictEqual((await send(mail, { idempotencyKey: "order-4711" })).error?.code, "IDEMPOTENCY_KEY_REUSED")
    await send(mail, { idempotencyKey: "order-4711", idempotencyMode: "replay" })
    assert.deepStrictEqual(keysOf(server), ["order-4711", "order-4711"])
    assert.deepStrictEqual(modesOf(server), [undefined, "replay"])
  })
})

describe("A call that is ended", () => {
  it("by its timeout, returns TIMEOUT", async () => {
    await using server = await ScriptedServer.start()
    server.answers(silence, (response) => response.writeHead(200, { "content-type": "application/json" }).write("{"))
    const { contacts } = clientOf(server, { retries: 0 })
    for (const call of [contacts.get(id, { timeoutMs: 200 }), contacts.get(id, { timeoutMs: 200 })]) {
      const { error } = await call
      assert.deepInclude(error, { code: "TIMEOUT", statusCode: null })
      assert.match(error?.message ?? "", / 200 ms/)
    }
  })

  it("by its signal, returns ABORTED and is not retried", async () => {
    await using server = await ScriptedServer.start()
    const controller = new AbortController()
    server.answers(() => controller.abort())
    const { data, error } = await clientOf(server).contacts.get(id, { signal: controller.signal })
    assert.isNull(data)
    assert.strictEqual(error?.code, "ABORTED")
    assert.lengthOf(server.received, 1)
  })

  it("by its signal, does not wait for its next attempt", async () => {
    await using server = await ScriptedServer.start()
    const controller = new AbortController()
    server.answers((response, request) => {
      refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "60" })(response, request)
      setTimeout(() => controller.abort(), 50)
    })
    assert.strictEqual((await clientOf(server).contacts.get(id, { signal: controller.signal })).error?.code, "ABORTED")
    assert.lengthOf(server.received, 1)
  })

  it("before it starts, sends nothing", async () => {
    await using server = await ScriptedServer.start()
    const { error } = await clientOf(server).contacts.get(id, { signal: AbortSignal.abort() })
    assert.strictEqual(error?.code, "ABORTED")
    assert.isEmpty(server.received)
  })
})

describe("A server that cannot be reached", () => {
  it("gives an error that says why", async () => {
    const server = await ScriptedServer.start()
    const { url } = server
    await server[Symbol.asyncDispose]()
    const posthorn = new Posthorn({ secretKey, baseUrl: url, retries: 0 })
    const { data, error } = await posthorn.contacts.get(id)
    assert.isNull(data)
    assert.deepInclude(error, { code: "NETWORK_ERROR", statusCode: null, requestId: null })
    assert.match(error?.message ?? "", /ECONNREFUSED/)
  })

  it("is not needed with a custom fetch", async () => {
    const posthorn = new Posthorn({
      secretKey,
      baseUrl: "https://mail.example.com/posthorn",
      fetch: async (url, { method }) => Response.json({ url, method })
    })
    assert.deepStrictEqual<unknown>(await posthorn.contacts.get(id).orThrow(), {
      url: `https://mail.example.com/posthorn/contacts/${id}`,
      method: "GET"
    })
  })
})

describe("The config of a step", () => {
  it("has the fields of the type of the step", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(201, { id }), json(201, { id, type: "DELAY", config: { amount: 1, unit: "days" } }))
    const { workflows } = clientOf(server)
    // @ts-expect-error: an EXIT has no amount.
    await workflows.addStep(id, { type: "EXIT", config: { amount: 1 } })
    const step = await workflows.addStep(id, { type: "DELAY", config: { amount: 1, unit: "days" } }).orThrow()
    assert.strictEqual(step.type === "DELAY" ? step.config.amount : undefined, 1)
    // @ts-expect-error: the amount is a number.
    const faulty: CreateStep = { type: "DELAY", config: { amount: "1", unit: "days" } }
    assert.notPropertyVal(faulty.config, "amount", 1)
  })
})
