import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuseForeign } from "./DevOnly.ts"

const publicUrl = "https://mail.example.com"
const guard = (open: boolean) => refuseForeign({ publicUrl, open })(Effect.succeed(HttpServerResponse.empty()))
const guarded = guard(false)

const statusFrom = (address: string, host: string, open: boolean) =>
  guard(open).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/dev/mailbox", { headers: { host } })).modify({
        remoteAddress: Option.some(address)
      })
    ),
    Effect.map((response) => response.status)
  )

it.effect.each([
  ["127.0.0.1", "localhost:3000", false, 204],
  ["::ffff:127.0.0.1", "localhost:3000", false, 204],
  ["::1", "[::1]:3000", false, 204],
  ["192.0.2.7", "localhost:3000", false, 403],
  ["::ffff:192.0.2.7", "mail.example.com", false, 403],
  ["192.0.2.7", "192.0.2.1:3000", true, 204],
  ["192.0.2.7", "evil.test:3000", true, 403]
] as const)("peer %s, host %s, open %s: %i", ([address, host, open, expected]) =>
  Effect.map(statusFrom(address, host, open), (status) => assert.strictEqual(status, expected))
)

const status = (headers: Record<string, string>) =>
  guarded.pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/dev/clock", { method: "POST", headers }))
    ),
    Effect.map((response) => response.status)
  )

it.effect.each([
  "localhost",
  "localhost:3000",
  "LOCALHOST:3000",
  "127.0.0.1:3000",
  "127.1.2.3",
  "[::1]:3000",
  "mail.example.com",
  "mail.example.com:8443"
])("accepts Host %s", (host) => Effect.map(status({ host }), (status) => assert.strictEqual(status, 204)))

it.effect.each([
  "example.com",
  "evil.test:3000",
  "localhost.evil.test",
  "127.0.0.1.evil.test",
  "localhost@evil.test",
  "evil.test#localhost",
  "10.0.0.1",
  "[::2]",
  ""
])("refuses Host %s", (host) => Effect.map(status({ host }), (status) => assert.strictEqual(status, 403)))

it.effect("refuses a request without Host", () => Effect.map(status({}), (status) => assert.strictEqual(status, 403)))

it.effect.each([
  ["localhost:3000", "http://localhost:3000", 204],
  ["mail.example.com", "https://mail.example.com", 204],
  ["127.0.0.1:3000", "https://mail.example.com", 204],
  ["localhost:3000", "http://localhost:5173", 403],
  ["localhost:3000", "http://127.0.0.1:3000", 403],
  ["localhost:3000", "https://evil.test", 403],
  ["localhost:3000", "null", 403],
  ["localhost:3000", "", 403]
] as const)("Host %s with Origin %s answers %i", ([host, origin, expected]) =>
  Effect.map(status({ host, origin }), (status) => assert.strictEqual(status, expected))
)
