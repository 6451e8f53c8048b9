import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { loopback, parseAllowed } from "@posthorn/core/platform/outbound/PublicAddress"
import { SafeFetch } from "@posthorn/core/platform/outbound/SafeFetch"
import { Duration, Effect, type Scope } from "effect"
import { localServer } from "../testing/LocalServer.ts"
import * as NodeSafeFetch from "./NodeSafeFetch.ts"

/** A server on this machine that counts its requests. */
const server = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.suspend(() => {
    let hits = 0
    const counting = localServer((request, response) => {
      hits++
      answer(request, response)
    })
    return Effect.map(counting, (port) => ({ port, hits: () => hits }))
  })

const get = (url: string, options: NodeSafeFetch.Options, timeout = Duration.seconds(10)) =>
  SafeFetch.use(({ request }) => request({ method: "GET", url, timeout })).pipe(
    Effect.provide(NodeSafeFetch.layer(options)),
    Effect.map(({ status, body }) => `${status} ${body.length}`),
    Effect.catchTag("OutboundError", ({ reason }) => Effect.succeed(reason))
  )

const scoped = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.scoped(effect)
const to =
  (...addresses: ReadonlyArray<string>) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))

describe("SafeFetch on Node", () => {
  it.live("cannot reach this machine, by address or by name", () =>
    scoped(
      Effect.gen(function* () {
        const { hits, port } = yield* server((_, response) => response.end("secret"))
        for (const url of [
          `http://127.0.0.1:${port}/`,
          `http://2130706433:${port}/`,
          `http://[::ffff:127.0.0.1]:${port}/`
        ]) {
          assert.strictEqual(yield* get(url, {}), "url_not_allowed")
        }
        assert.strictEqual(yield* get(`http://localhost:${port}/`, {}), "url_not_allowed")
        // Not every resolver accepts the final dot.
        assert.include(["url_not_allowed", "connection_failed"], yield* get(`http://localhost.:${port}/`, {}))
        assert.strictEqual(yield* get(`http://inside.example:${port}/`, { lookup: to("127.0.0.1") }), "url_not_allowed")
        assert.strictEqual(hits(), 0)
      })
    )
  )

  it.live("a name with one private address is refused, even if the others are public", () =>
    scoped(
      Effect.gen(function* () {
        const { hits, port } = yield* server((_, response) => response.end("secret"))
        const url = `http://mixed.example:${port}/`
        assert.strictEqual(yield* get(url, { lookup: to("93.184.216.34", "127.0.0.1") }), "url_not_allowed")
        assert.strictEqual(yield* get(url, { lookup: to("93.184.216.34", "::1") }), "url_not_allowed")
        assert.strictEqual(yield* get(url, { lookup: to() }), "connection_failed")
        assert.strictEqual(
          yield* get(url, { lookup: () => Promise.reject(new Error("NXDOMAIN")) }),
          "connection_failed"
        )
        assert.strictEqual(hits(), 0)
      })
    )
  )

  it.live("a name is resolved once, and the connection goes to a checked address", () =>
    scoped(
      Effect.gen(function* () {
        let host = ""
        const { hits, port } = yield* server((request, response) => {
          host = request.headers.host ?? ""
          response.end("hello")
        })
        let looked = 0
        // The first answer is an allowed address, any later one would be the attacker's.
        const lookup = () => to(looked++ === 0 ? "127.0.0.1" : "169.254.169.254")()
        assert.strictEqual(yield* get(`http://hooks.example:${port}/x`, { allowed: loopback, lookup }), "200 5")
        assert.deepStrictEqual([looked, hits(), host], [1, 1, `hooks.example:${port}`])
      })
    )
  )

  it.live("redirects are returned and not followed", () =>
    scoped(
      Effect.gen(function* () {
        const target = yield* server((_, response) => response.end("secret"))
        const { port } = yield* server((_, response) =>
          response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end()
        )
        assert.strictEqual(yield* get(`http://127.0.0.1:${port}/`, { allowed: loopback }), "302 0")
        assert.strictEqual(target.hits(), 0)
      })
    )
  )

  it.live("no more than 64 KB of a response are read", () =>
    scoped(
      Effect.gen(function* () {
        const { port } = yield* server((_, response) => {
          const more = () => {
            while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) {}
          }
          response.on("drain", more)
          more()
        })
        assert.strictEqual(yield* get(`http://127.0.0.1:${port}/`, { allowed: loopback }), "200 65536")
      })
    )
  )

  it.live("a peer that does not answer, or closes the connection, is an error", () =>
    scoped(
      Effect.gen(function* () {
        const silent = yield* server(() => {})
        const rude = yield* server((request) => request.socket.destroy())
        const url = (port: number) => `http://127.0.0.1:${port}/`
        assert.strictEqual(yield* get(url(silent.port), { allowed: loopback }, Duration.millis(200)), "timeout")
        assert.strictEqual(yield* get(url(rude.port), { allowed: loopback }), "connection_failed")
        assert.strictEqual(yield* get("http://127.0.0.1:1/", { allowed: loopback }), "connection_failed")
      })
    )
  )

  it.live("headers are sent in UTF-8, and a request that Node does not send is an error", () =>
    scoped(
      Effect.gen(function* () {
        let heard = ""
        const { hits, port } = yield* server((request, response) => {
          heard = Buffer.from(String(request.headers["x-name"]), "latin1").toString()
          response.end()
        })
        const ask = (headers: Record<string, string>) =>
          SafeFetch.use(({ request }) =>
            request({
              method: "POST",
              url: `http://127.0.0.1:${port}/`,
              headers,
              body: new Uint8Array(1),
              timeout: Duration.seconds(10)
            })
          ).pipe(
            Effect.provide(NodeSafeFetch.layer({ allowed: loopback })),
            Effect.map(({ status }) => String(status)),
            Effect.catchTag("OutboundError", ({ reason }) => Effect.succeed(reason))
          )
        assert.strictEqual(yield* ask({ "x-name": "Łukasz 日本" }), "200")
        assert.strictEqual(heard, "Łukasz 日本")
        assert.strictEqual(yield* ask({ trailer: "x-name" }), "connection_failed")
        assert.strictEqual(yield* ask({ "x-name": "a\u0001" }), "connection_failed")
        assert.strictEqual(hits(), 1)
      })
    )
  )

  it.live("names and networks that the operator allowed can be reached", () =>
    scoped(
      Effect.gen(function* () {
        const { port } = yield* server((_, response) => response.end("ok"))
        const url = `http://hooks.internal:${port}/`
        const options = (...open: ReadonlyArray<string>) => ({ allowed: parseAllowed(open), lookup: to("127.0.0.1") })
        assert.strictEqual(yield* get(url, options("hooks.internal")), "200 2")
        assert.strictEqual(yield* get(url, options("127.0.0.0/8")), "200 2")
        assert.strictEqual(yield* get(url, options("10.0.0.0/8", "other.internal")), "url_not_allowed")
      })
    )
  )
})
