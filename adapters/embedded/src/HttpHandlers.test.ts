/**
 * HTTP requests: through Node's server as Express and Fastify pass them on, and through `fetch` with a typed client.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { json, text } from "node:stream/consumers"
import { preferences } from "@posthorn/client"
import * as PosthornClient from "@posthorn/client/effect"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import Fastify from "fastify"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { createPosthorn, type Posthorn } from "./index.ts"
import * as NodeHandler from "./NodeHandler.ts"

let posthorn: Posthorn
let authorization: string
let client: PosthornClient.PosthornOptions

beforeAll(async () => {
  posthorn = await createPosthorn({
    database: { dataDir: dataFolder() },
    mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
    publicUrl: "https://app.example/mail",
    secret: "0123456789abcdef0123456789abcdef",
    workers: false
  })
  const { keys } = await posthorn.run(Projects.use(({ create }) => create("App")))
  client = { baseUrl: "https://app.example/mail", publicKey: Redacted.make(keys.publicKey), secretKey: keys.secretKey }
  authorization = `Bearer ${Redacted.value(keys.secretKey)}`
})
afterAll(() => posthorn.close())

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

const serving = async (handler: Handler, use: (url: string) => Promise<void>) => {
  const server = createServer((request, response) => void handler(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  try {
    await use(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const post = (url: string, email: string) =>
  fetch(url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ email })
  })

describe("posthorn.node", () => {
  it("answers requests with bodies, keys, streams, and the path of the public URL or without it", () =>
    serving(posthorn.node, async (url) => {
      assert.strictEqual((await post(`${url}/contacts`, "a@example.com")).status, 201)
      assert.strictEqual((await post(`${url}/mail/contacts`, "b@example.com")).status, 201)
      assert.strictEqual((await post(`${url}/mailbox/contacts`, "c@example.com")).status, 404)
      const rows = await (await fetch(`${url}/mail/contacts/export`, { headers: { authorization } })).text()
      assert.include(rows, "b@example.com")
      assert.strictEqual((await fetch(`${url}/contacts`)).status, 401)
      const head = await fetch(`${url}/mail/health`, { method: "HEAD" })
      assert.deepStrictEqual([head.status, await head.text()], [200, ""])
      assert.include(await (await fetch(`${url}/mail/health`)).json(), { version: manifest.version })
    }))

  it("uses the body that an earlier parser has read", () =>
    serving(
      async (request, response) => {
        const body = await json(request)
        await posthorn.node(Object.assign(request, { body }), response)
      },
      async (url) => {
        assert.strictEqual((await post(`${url}/contacts`, "parsed@example.com")).status, 201)
      }
    ))

  it("limits failed logins by the address of the client", () =>
    serving(posthorn.node, async (url) => {
      const guess = () =>
        fetch(`${url}/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: `${Math.random()}@example.com`, password: "a wrong password" })
        })
      const statuses = new Set<number>()
      for (let tries = 0; tries < 60 && !statuses.has(429); tries++) statuses.add((await guess()).status)
      assert.deepStrictEqual([...statuses], [401, 429])
    }))

  it("stops a request whose client has disconnected, and continues with the next", () => {
    const done: Array<Promise<unknown>> = []
    return serving(
      (request, response) => {
        const answered = posthorn.node(request, response)
        done.push(answered)
        return answered
      },
      async (url) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1")
        socket.write(`POST /contacts HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n`)
        socket.write("content-type: application/json\r\ncontent-length: 100\r\n\r\n{")
        while (done.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
        socket.destroy()
        await done[0]
        assert.strictEqual((await post(`${url}/contacts`, "next@example.com")).status, 201)
      }
    )
  })
})

describe("posthorn.fetch", () => {
  it("takes what a recipient asks about their data, by the client without a key", async () => {
    const fetch = (url: string, init: RequestInit) => posthorn.fetch(new Request(url, init))
    const baseUrl = "https://app.example/mail"
    const ask = async <A>(method: string, path: string, body?: object): Promise<A> => {
      const headers = { authorization, "content-type": "application/json" }
      const answer = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return (await answer.json()) as A
    }
    const { id } = await ask<{ id: string }>("POST", "/contacts", { email: "asks@example.com" })
    const { token } = await ask<{ token: string }>("GET", `/contacts/${id}/links`)
    const own = preferences(token, { baseUrl, fetch })
    assert.strictEqual((await own.request({ type: "EXPORT" })).error?.code, "RESOURCE_NOT_FOUND")
    await ask("PATCH", "/settings/audience", { selfService: { export: true } })
    assert.strictEqual((await own.request({ type: "EXPORT" })).data?.status, "received")
    const { data } = await ask<{ data: ReadonlyArray<{ contactId: string }> }>("GET", "/privacy-requests")
    assert.strictEqual(data[0]?.contactId, id)
    const page = await fetch(`${baseUrl}/privacy/none`, { method: "GET" })
    assert.deepStrictEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"])
  })
})

describe("Fastify", () => {
  it("passes on bodies of every kind, and keeps its own routes", async () => {
    const app = Fastify()
    app.register(async (mail) => {
      mail.removeAllContentTypeParsers()
      mail.addContentTypeParser("*", (_request, _body, done) => done(null))
      mail.all("/mail/*", (request, reply) => posthorn.node(request.raw, reply.hijack().raw))
    })
    app.post("/own", ({ body }) => body)
    const url = await app.listen({ port: 0, host: "127.0.0.1" })
    assert.strictEqual((await post(`${url}/mail/contacts`, "fastify@example.com")).status, 201)
    const file = new FormData()
    file.append("file", new File(["email\nrow@example.com\n"], "rows.csv", { type: "text/csv" }))
    const imported = await fetch(`${url}/mail/contacts/import`, {
      method: "POST",
      headers: { authorization },
      body: file
    })
    assert.strictEqual(imported.status, 202)
    const form = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }
    assert.include(await (await fetch(`${url}/mail/unsubscribe/none`, form)).text(), "<!doctype html>")
    assert.deepStrictEqual(await (await post(`${url}/own`, "own@example.com")).json(), { email: "own@example.com" })
    await app.close()
  })
})

describe("A request or a response that fails", () => {
  it("gets an answer if it is not valid HTTP for a web Request, and the application keeps running", () =>
    serving(posthorn.node, async (url) => {
      const statusOf = async (line: string, host = "app.example") => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1")
        socket.end(`${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
        return Number((await text(socket)).split(" ")[1])
      }
      for (const line of ["TRACE /health", "PURGE /health", "OPTIONS *", "GET //[", "GET http://[", "GET /%"]) {
        assert.strictEqual(await statusOf(line), 404, line)
      }
      assert.strictEqual(await statusOf("GET /health", "a b:c/["), 200)
      assert.strictEqual(await statusOf("GET http://app.example/health"), 200)
    }))

  it("is reported to the application, and the response ends", async () => {
    const told: Array<string> = []
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
      pull: () => Promise.reject(new Error("the other half is missing"))
    })
    const handler = (request: IncomingMessage, response: ServerResponse) =>
      NodeHandler.answer(
        ({ url }) =>
          url.endsWith("/half") ? Promise.resolve(new Response(broken)) : Promise.reject(new Error("none")),
        request,
        response,
        (error) => told.push(String(error))
      )
    await serving(handler, async (url) => {
      assert.strictEqual((await fetch(`${url}/none`)).status, 500)
      const half = await fetch(`${url}/half`)
        .then((response) => response.text())
        .catch(() => "broken off")
      assert.strictEqual(half, "broken off")
    })
    assert.deepStrictEqual(told, ["Error: none", "Error: the other half is missing"])
  })
})

describe("@posthorn/client/effect", () => {
  const run = <A, E>(effect: Effect.Effect<A, E, PosthornClient.Posthorn>) =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(Layer.provide(PosthornClient.layer(client), FetchHttpClient.layer)),
        Effect.provideService(FetchHttpClient.Fetch, (input, init) => posthorn.fetch(new Request(input, init)))
      )
    )

  it("is the same API as services: decoded answers, typed errors, the right key for each endpoint", () =>
    run(
      Effect.gen(function* () {
        const { contacts, track } = yield* PosthornClient.Posthorn
        const made = yield* contacts.upsert({ payload: { email: "eva@example.com", data: { plan: "pro" } } })
        assert.isTrue(DateTime.isDateTime(made.createdAt))
        const page = yield* contacts.list({ query: { search: "eva@" } })
        assert.deepStrictEqual(
          page.data.map(({ id }) => id),
          [made.id]
        )
        yield* contacts.delete({ params: { id: made.id } })
        const gone = yield* Effect.flip(contacts.get({ params: { id: made.id } }))
        assert.strictEqual(gone._tag, "CONTACT_NOT_FOUND")
        const seen = track({ payload: { event: "seen", email: "eva@example.com" } })
        const keyed = PosthornClient.withIdempotencyKey("once")
        yield* keyed(seen)
        assert.strictEqual((yield* Effect.flip(keyed(seen)))._tag, "IDEMPOTENCY_KEY_REUSED")
      })
    ))
})
