import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { parseTrustedProxies } from "./ClientAddress.ts"
import * as Proxies from "./Proxies.ts"

const echo = HttpRouter.add("GET", "/", ({ remoteAddress }) =>
  Effect.succeed(HttpServerResponse.text(Option.getOrElse(remoteAddress, () => "nobody")))
)

/** The client address that a handler sees. */
const seen = Effect.fnUntraced(function* (setting: string) {
  const proxies = parseTrustedProxies(setting)
  if (proxies === undefined) return yield* Effect.die("no setting")
  const app = yield* HttpRouter.toHttpEffect(Layer.merge(Proxies.layer(proxies), echo))
  const request = HttpServerRequest.fromWeb(
    new Request("http://posthorn/", { headers: { "x-forwarded-for": "6.6.6.6, 198.51.100.7" } })
  ).modify({ remoteAddress: Option.some("10.0.0.1") })
  const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  return yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
}, Effect.scoped)

it.effect("handlers see the address behind trusted proxies only", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* seen("10.0.0.0/8"), "198.51.100.7")
    assert.strictEqual(yield* seen("1"), "198.51.100.7")
    assert.strictEqual(yield* seen("false"), "10.0.0.1")
    assert.strictEqual(yield* seen("192.0.2.0/24"), "10.0.0.1")
  })
)
