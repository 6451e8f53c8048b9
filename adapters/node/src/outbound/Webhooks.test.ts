/** Webhooks over Node's HTTP client, to faulty peers. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { loopback } from "@posthorn/core/platform/outbound/PublicAddress"
import { freshProject, type TestProject } from "@posthorn/core/testing/SegmentsFixture"
import { wire } from "@posthorn/core/testing/TestClient"
import { sender, soon } from "@posthorn/core/testing/WebhooksFixture"
import * as NodeSafeFetch from "@posthorn/platform-node/outbound/NodeSafeFetch"
import { localServer } from "@posthorn/platform-node/testing/LocalServer"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"

interface Heard {
  readonly path: string
  readonly id: string
  readonly body: string
}

const gigabyte = 1024 ** 3

/** Fails in a way that depends on the path, and keeps the requests that it received. */
const peer = Effect.suspend(() => {
  const heard: Array<Heard> = []
  let written = 0
  const flood = (response: ServerResponse) => {
    const chunk = Buffer.alloc(1024 * 1024)
    const more = () => {
      while (written < gigabyte && !response.destroyed) {
        written += chunk.length
        if (!response.write(chunk)) return response.once("drain", more)
      }
      return response.end()
    }
    more()
  }
  const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const path = request.url ?? ""
    heard.push({ path, id: String(request.headers["webhook-id"]), body })
    if (path === "/redirect") response.writeHead(302, { location: "/inside" }).end("moved")
    if (path === "/big") flood(response.writeHead(500))
    if (path === "/early") response.writeHead(200, { "content-length": "100" }).write("part", () => response.destroy())
    if (path === "/broken") response.socket?.end("nonsense\r\n\r\n")
    if (path === "/fine") response.writeHead(202).end("thanks")
  }
  const listening = localServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () => answer(request, response, body))
  })
  return Effect.map(listening, (port) => ({ url: `http://127.0.0.1:${port}`, heard, written: () => written }))
})

const sendingBy = (options: NodeSafeFetch.Options) => Layer.build(Layer.provide(sender, NodeSafeFetch.layer(options)))

/** A test delivery to a URL, which may be one that saving refuses. */
const testTo = Effect.fnUntraced(function* ({ ask }: TestProject, url: string) {
  const sql = yield* SqlClient.SqlClient
  const { body } = yield* ask("POST", "/webhooks", { url: "https://hooks.example/", events: ["*"] })
  yield* sql`update webhook_endpoints set url = ${url} where id = ${body.id}::uuid`
  const { body: delivery } = yield* ask("POST", `/webhooks/${body.id}/test`)
  return Effect.map(ask("GET", `/webhooks/${body.id}/deliveries/${delivery.id}`), ({ body }) => body)
})

layer(wire, { timeout: "60 seconds" })("Webhooks over HTTP", (it) => {
  it.effect(
    "an endpoint that hangs, redirects, floods, closes early or sends an invalid response is a failed attempt, and the retry is the same request",
    () =>
      Effect.gen(function* () {
        const { url, heard, written } = yield* peer
        const mine = yield* freshProject
        const paths = ["/hang", "/redirect", "/big", "/early", "/broken", "/fine"]
        const looks = yield* Effect.forEach(paths, (path) => testTo(mine, url + path))
        yield* sendingBy({ allowed: loopback })
        const all = Effect.all(looks)
        yield* soon(all, () => heard.length >= paths.length)
        yield* TestClock.adjust("15 seconds")
        yield* soon(all, (found) => found.every(({ attempts }) => attempts > 0))
        const first = (yield* all).map(({ status, attemptLog: [{ statusCode, error, response }] }) => {
          assert.isAtMost(response.length, 4096)
          return [status, statusCode, error, response.replaceAll("\uFFFD", "")]
        })
        assert.deepStrictEqual(first, [
          ["PENDING", null, "timeout", ""],
          ["PENDING", 302, null, "moved"],
          ["PENDING", 500, null, ""],
          ["PENDING", null, "connection_failed", ""],
          ["PENDING", null, "connection_failed", ""],
          ["SUCCEEDED", 202, null, "thanks"]
        ])
        assert.isBelow(written(), 64 * 1024 * 1024)
        yield* TestClock.adjust("6 seconds")
        yield* soon(all, () =>
          paths.every((path) => path === "/fine" || heard.filter((one) => one.path === path).length === 2)
        )
        for (const path of paths.slice(0, -1)) {
          const [once, again] = heard.filter((one) => one.path === path)
          assert.deepStrictEqual(again, once)
        }
        assert.isFalse(heard.some(({ path }) => path === "/inside"))
      })
  )

  it.effect("a private address in any spelling is never requested, and the log shows nothing of it", () =>
    Effect.gen(function* () {
      const { url, heard } = yield* peer
      const port = new URL(url).port
      const mine = yield* freshProject
      const looks = yield* Effect.forEach(
        [
          "127.1",
          "0",
          "2130706433",
          "0x7f000001",
          "①②⑦.⓪.⓪.①",
          "[::ffff:7f00:1]",
          "[64:ff9b::7f00:1]",
          "[2002:7f00:1::]",
          "[::]",
          "169.254.169.254",
          "[fd00:ec2::254]",
          "100.100.100.200",
          "localhost.",
          "inside.example"
        ],
        (host) => testTo(mine, `http://${host}:${port}/fine`)
      )
      yield* sendingBy({ lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]) })
      const found = yield* soon(Effect.all(looks), (all) => all.every(({ attempts }) => attempts === 1))
      for (const { attemptLog } of found) {
        assert.deepInclude(attemptLog[0], { statusCode: null, error: "url_not_allowed", response: "" })
      }
      assert.deepStrictEqual(heard, [])
    })
  )
})
