import { createServer, request } from "node:http"
import { text } from "node:stream/consumers"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import * as Credentials from "./Credentials.ts"

const echo = HttpRouter.add("GET", "/", ({ headers }) =>
  Effect.succeed(HttpServerResponse.text(headers["authorization"] ?? "none"))
)
const server = HttpRouter.serve(Layer.merge(Credentials.layer, echo), { disableLogger: true, disableListenLog: true })

it.live("two keys are joined, a single key is unchanged", () =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    const seen = (headers: Record<string, string | Array<string>>) =>
      Effect.promise(
        () =>
          new Promise<string>((resolve, reject) => {
            const sent = request({ port, host: "127.0.0.1", headers }, (response) => resolve(text(response)))
            sent.on("error", reject).end()
          })
      )
    assert.strictEqual(yield* seen({ authorization: ["Bearer sk_a", "Bearer sk_b"] }), "Bearer sk_a, Bearer sk_b")
    assert.strictEqual(yield* seen({ authorization: "Bearer sk_a" }), "Bearer sk_a")
    assert.strictEqual(yield* seen({}), "none")
  }).pipe(
    Effect.provide(
      server.pipe(Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })))
    )
  )
)
