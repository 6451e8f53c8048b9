/** Requests that a proxy in front of the server may read in another way (RFC 9112, section 6), or that never end. */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as Server from "../Server.ts"

const echo = HttpRouter.add("POST", "/", (request) => Effect.map(Effect.orDie(request.text), HttpServerResponse.text))
const smuggled = HttpRouter.add("GET", "/smuggled", Effect.succeed(HttpServerResponse.text("smuggled")))
const server = HttpRouter.serve(Layer.merge(echo, smuggled), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(Server.layer({ host: "127.0.0.1", port: 0 }))
)

/** All that the server says on one connection until it closes it. */
const said = (url: string | null, bytes: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        let text = ""
        const socket = connect({ host: "127.0.0.1", port: Number(new URL(url ?? "").port) }, () => socket.write(bytes))
        socket.setEncoding("latin1").on("data", (part) => {
          text += part
        })
        socket.on("error", () => {}).on("close", () => resolve(text))
      })
  )

const statuses = (text: string) => Array.from(text.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status)

const request = (fields: ReadonlyArray<string>, body: string) =>
  `${["POST / HTTP/1.1", "Host: posthorn", ...fields].join("\r\n")}\r\n\r\n${body}`
const hidden = "GET /smuggled HTTP/1.1\r\nHost: posthorn\r\nConnection: close\r\n\r\n"
const last = ["Connection: close"]

it.live.each([
  ["a length and chunks", ["Content-Length: 6", "Transfer-Encoding: chunked"], `0\r\n\r\n${hidden}`],
  ["two lengths", ["Content-Length: 0", `Content-Length: ${hidden.length}`], hidden],
  ["a list of lengths", [`Content-Length: 0, ${hidden.length}`], hidden],
  ["a length with a sign", ["Content-Length: +5"], `hello${hidden}`],
  ["chunks that are not the last coding", ["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${hidden}`],
  ["a blank before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${hidden}`],
  ["an unknown coding", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${hidden}`],
  ["a chunk length with a sign", ["Transfer-Encoding: chunked"], `+5\r\nhello\r\n0\r\n\r\n${hidden}`],
  ["a chunk longer than its length", ["Transfer-Encoding: chunked"], `1\r\nhello\r\n0\r\n\r\n${hidden}`]
] as const)("with %s is refused, and what follows is not read as a request", ([, fields, body]) =>
  Effect.gen(function* () {
    const text = yield* said(yield* Server.LocalUrl, request(fields, body))
    assert.deepStrictEqual(statuses(text), ["400"])
    assert.notInclude(text, "smuggled")
  }).pipe(Effect.provide(server))
)

it.live("with headers of more than 16 kB is refused, and one with less is answered", () =>
  Effect.gen(function* () {
    const url = yield* Server.LocalUrl
    const withHeader = (length: number) =>
      request([`X-Long: ${"a".repeat(length)}`, "Content-Length: 5", ...last], "hello")
    assert.deepStrictEqual(statuses(yield* said(url, withHeader(17_000))), ["431"])
    const answered = yield* said(url, withHeader(15_000))
    assert.deepStrictEqual([statuses(answered), answered.endsWith("hello")], [["200"], true])
  }).pipe(Effect.provide(server))
)

it.live(
  "that never ends its headers is closed",
  () =>
    Effect.gen(function* () {
      const text = yield* said(yield* Server.LocalUrl, "POST / HTTP/1.1\r\nHost: posthorn\r\nX-Slow: ")
      assert.deepStrictEqual(statuses(text), ["408"])
    }).pipe(Effect.provide(server)),
  60_000
)
