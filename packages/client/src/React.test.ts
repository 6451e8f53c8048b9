import { createElement, type ReactElement, Suspense, use } from "react"
import { assert, describe, it } from "vitest"
import { Posthorn } from "./react.ts"
import { json, ScriptedServer } from "./testing/ScriptedServer.ts"

const secretKey = `sk_${"s".repeat(43)}`
const sent = { success: true, data: { emails: [], timestamp: "2026-11-20T15:04:05.123Z" } }

const clientOf = (server: ScriptedServer) => new Posthorn({ secretKey, baseUrl: server.url })
const bodies = (server: ScriptedServer): ReadonlyArray<Record<string, unknown>> =>
  server.received.map(({ body }) => JSON.parse(body))

const Welcome = ({ name }: { readonly name: string }) =>
  createElement("p", { className: "hello" }, "Hello ", name, " & all")

const Broken = (): ReactElement => {
  throw new Error("No such order.")
}

const mail = { to: "anna@example.com", subject: "Hi {{name}}" }

describe("A mail that is an element", () => {
  it("is sent as HTML that is final", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent))
    const { data, error } = await clientOf(server).send({ ...mail, react: createElement(Welcome, { name: "{{<Ada>" }) })
    assert.isNull(error)
    assert.deepStrictEqual(data, sent.data)
    const [body] = bodies(server)
    assert.deepInclude(body, { ...mail, interpolate: false })
    assert.match(String(body?.["body"]), /^<!DOCTYPE html/)
    assert.include(
      String(body?.["body"]).replaceAll("<!-- -->", ""),
      '<p class="hello">Hello {{&lt;Ada&gt; &amp; all</p>'
    )
    assert.notProperty(body, "react")
    assert.isString(server.received[0]?.headers["idempotency-key"])
  })

  it("keeps interpolate, text and all other fields", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent))
    const react = createElement(Welcome, { name: "Ada" })
    await clientOf(server).send({ ...mail, react, interpolate: true, text: "Hello", tags: { order: 1 } })
    assert.deepInclude(bodies(server)[0], { interpolate: true, text: "Hello", tags: { order: 1 } })
  })

  it("waits for components that suspend", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent))
    const loaded = new Promise<string>((resolve) => setTimeout(() => resolve("Ada"), 20))
    const Loading = () => createElement("b", {}, use(loaded))
    const react = createElement(Suspense, { fallback: createElement("i", {}, "wait") }, createElement(Loading))
    await clientOf(server).send({ ...mail, react })
    assert.include(String(bodies(server)[0]?.["body"]), "<b>Ada</b>")
  })

  it("returns INVALID_ARGUMENT before any request if it throws, or is given together with a body", async () => {
    await using server = await ScriptedServer.start()
    const client = clientOf(server)
    const thrown = await client.send({ ...mail, react: createElement(Broken) })
    assert.deepInclude(thrown.error, { code: "INVALID_ARGUMENT", details: { index: 0 } })
    assert.include(thrown.error?.message, "No such order.")
    assert.isNull(thrown.meta.status)
    const both = { ...mail, react: createElement(Welcome, { name: "Ada" }), body: "<p>Hi</p>" } as never
    const refused = await client.send(both)
    assert.deepInclude(refused.error, { code: "INVALID_ARGUMENT", details: { index: 0 } })
    const thrower = await client.send(both).orThrow().catch(String)
    assert.include(String(thrower), "`react` and `body` exclude each other.")
    assert.isEmpty(server.received)
  })

  it("without an element is sent as it is", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, sent), json(200, sent))
    const client = clientOf(server)
    await client.send({ ...mail, body: "<p>Hi</p>" })
    await client.send({ ...mail, body: "<p>Hi</p>", react: undefined })
    const expected = { ...mail, body: "<p>Hi</p>" }
    assert.deepStrictEqual(bodies(server), [expected, expected])
  })
})

describe("A batch of elements", () => {
  const batched = { success: true, data: { accepted: 0, refused: 0, results: [], timestamp: sent.data.timestamp } }

  it("of 1,000 is sent in one request, each item with its own HTML", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, batched))
    const emails = Array.from({ length: 1_000 }, (_, n) => ({
      ...mail,
      react: createElement(Welcome, { name: `no. ${n}.` })
    }))
    const { data, error } = await clientOf(server).batch({ emails })
    assert.isNull(error)
    assert.deepStrictEqual(data, batched.data)
    assert.lengthOf(server.received, 1)
    const [body] = bodies(server) as ReadonlyArray<{ emails: ReadonlyArray<{ body: string; interpolate: boolean }> }>
    assert.lengthOf(body?.emails ?? [], 1_000)
    body?.emails.forEach((item, n) => {
      assert.include(item.body.replaceAll("<!-- -->", ""), `Hello no. ${n}. &amp; all`)
      assert.isFalse(item.interpolate)
      assert.notProperty(item, "react")
    })
    assert.isString(server.received[0]?.headers["idempotency-key"])
  })

  it("can have a default element, which items with their own body replace", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, batched), json(200, batched))
    const defaults = { subject: "Hi", react: createElement(Welcome, { name: "all" }) }
    const own = { to: "b@example.com", body: "<p>{{name}}</p>" }
    const emails = [{ to: "a@example.com" }, own, { to: "c@example.com", interpolate: true }]
    await clientOf(server).batch({ emails, defaults, atomic: false })
    const [body] = bodies(server)
    assert.deepInclude(body, {
      atomic: false,
      emails: [{ to: "a@example.com", interpolate: false }, own, { to: "c@example.com", interpolate: true }]
    })
    const shared = body?.["defaults"] as Record<string, unknown>
    assert.include(String(shared["body"]), "Hello")
    assert.sameMembers(Object.keys(shared), ["subject", "body"])

    await clientOf(server).batch({ emails: [{ ...mail, react: defaults.react }], defaults: { interpolate: true } })
    const [item] = (bodies(server)[1] as { emails: ReadonlyArray<object> }).emails
    assert.deepInclude(item, { interpolate: true })
  })

  it("returns the index of the first item that throws, before any request", async () => {
    await using server = await ScriptedServer.start()
    const good = { ...mail, react: createElement(Welcome, { name: "Ada" }) }
    const bad = { ...mail, react: createElement(Broken) }
    const { error } = await clientOf(server).batch({ emails: [good, { ...mail, body: "x" }, bad, bad] })
    assert.deepInclude(error, { code: "INVALID_ARGUMENT", details: { index: 2 } })
    const shared = await clientOf(server).batch({ emails: [good], defaults: { react: createElement(Broken) } })
    assert.deepInclude(shared.error, { code: "INVALID_ARGUMENT", details: {} })
    assert.isEmpty(server.received)
  })
})

describe("A template that is an element", () => {
  it("is created, changed and rendered with its placeholders", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(201, { id: "t-1" }), json(200, { id: "t-1" }), json(200, { id: "t-1" }), json(200, {}))
    const { templates } = clientOf(server)
    const react = createElement(Welcome, { name: "{{name}}" })
    const template = { name: "Welcome", subject: "Hi", from: "hi@example.com" }
    await templates.create({ ...template, react })
    await templates.update("t-1", { subject: "Bye", react })
    await templates.update("t-1", { subject: "Again" })
    await templates.renderTexts({ subject: "Hi", react, data: { name: "Ada" } })
    assert.deepStrictEqual(
      server.received.map(({ method, url }) => `${method} ${url}`),
      ["POST /templates", "PATCH /templates/t-1", "PATCH /templates/t-1", "POST /templates/render"]
    )
    const [created, changed, renamed, shown] = bodies(server)
    for (const body of [created, changed, shown]) {
      assert.include(String(body?.["body"]), "{{name}}")
      assert.notProperty(body, "interpolate")
      assert.notProperty(body, "react")
    }
    assert.deepInclude(created, template)
    assert.deepStrictEqual(renamed, { subject: "Again" })
  })
})

describe("Elements", () => {
  it("are rendered at most 20 at the same time", async () => {
    await using server = await ScriptedServer.start()
    server.answers(...Array.from({ length: 100 }, () => json(200, sent)))
    let [now, most] = [0, 0]
    const Slow = ({ wait }: { readonly wait: Promise<void> }) => {
      use(wait)
      return createElement("b")
    }
    const client = clientOf(server)
    await Promise.all(
      Array.from({ length: 100 }, () => {
        let wait: Promise<void> | undefined
        // Starts when the element is rendered first.
        const Counted = () => {
          wait ??= new Promise((resolve) => {
            most = Math.max(most, ++now)
            setTimeout(() => {
              now--
              resolve()
            }, 10)
          })
          return createElement(Slow, { wait })
        }
        return client.send({ ...mail, react: createElement(Counted) })
      })
    )
    assert.lengthOf(server.received, 100)
    assert.isAtMost(most, 20)
    assert.isAbove(most, 10)
  })
})
