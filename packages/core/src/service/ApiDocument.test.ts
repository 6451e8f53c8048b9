import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { TextWork, type TextWorker } from "../content/text/TextWork.ts"
import { takesGzip } from "../platform/http/StoredFile.ts"
import { layer } from "./ApiDocument.ts"

const { handler } = HttpRouter.toWebHandler(layer, { disableLogger: true })

const ask = async (headers: Record<string, string> = {}) => {
  const answer = await handler(new Request("http://localhost/openapi.json", { headers }))
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

it("/openapi.json is the committed document, compressed if the client accepts it", async () => {
  const plain = await ask()
  assert.strictEqual(plain.headers.get("content-type"), "application/json")
  const committed = readFileSync(new URL("../../../../openapi/openapi.json", import.meta.url), "utf8")
  assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(plain.bytes)), JSON.parse(committed))
  const small = await ask({ "accept-encoding": "gzip" })
  assert.strictEqual(small.headers.get("content-encoding"), "gzip")
  assert.isBelow(small.bytes.length, plain.bytes.length / 5)
  assert.deepStrictEqual(new Uint8Array(gunzipSync(small.bytes)), plain.bytes)
})

it("/openapi.json is not sent again to clients that already have it", async () => {
  const tag = (await ask()).headers.get("etag") ?? ""
  const again = await ask({ "if-none-match": tag })
  assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
})

it("/openapi.json is made once, also if the first client leaves meanwhile", async () => {
  let runs = 0
  let release = () => {}
  const begun = Promise.withResolvers<void>()
  const held = new Promise<void>((done) => {
    release = done
  })
  const slow: TextWorker = {
    run: (task, input) =>
      Effect.andThen(
        Effect.promise(() => {
          runs++
          begun.resolve()
          return held
        }),
        TextWork.defaultValue().run(task, input)
      )
  }
  const served = HttpRouter.toWebHandler(Layer.provide(layer, Layer.succeed(TextWork, slow)), { disableLogger: true })
  const ask = (signal?: AbortSignal) =>
    served.handler(new Request("http://localhost/openapi.json", signal === undefined ? {} : { signal }))
  const client = new AbortController()
  const left = ask(client.signal)
  await begun.promise
  client.abort()
  assert.notStrictEqual((await left).status, 200)
  const next = ask()
  release()
  assert.strictEqual((await next).status, 200)
  assert.strictEqual(runs, 1)
  await served.dispose()
})

it("reads Accept-Encoding", () => {
  for (const accepted of ["gzip", "deflate, GZIP", "*", "br;q=1.0, gzip;q=0.1"])
    assert.isTrue(takesGzip(accepted), accepted)
  for (const accepted of [undefined, "", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0"]) assert.isFalse(takesGzip(accepted))
})
