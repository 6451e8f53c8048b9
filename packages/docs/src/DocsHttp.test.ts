import { gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { HttpRouter } from "effect/http"
import { layer } from "./DocsHttp.ts"

const { handler } = HttpRouter.toWebHandler(layer(), { disableLogger: true })

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await handler(new Request(`http://localhost${path}`, { headers }))
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

const texts = [
  "/docs",
  "/docs/index.md",
  "/docs/contacts",
  "/docs/contacts.md",
  "/docs/guides/sending",
  "/docs/guides/sending.md",
  "/docs/errors",
  "/docs/schemas",
  "/docs/search.json",
  "/docs.css",
  "/docs.js"
]

it.each([...texts, "/llms.txt"])("%s is compressed if the client accepts it, with the same content", async (path) => {
  const plain = await ask(path)
  const small = await ask(path, { "accept-encoding": "br, gzip;q=0.8" })
  assert.deepStrictEqual([plain.status, small.status], [200, 200])
  assert.isNull(plain.headers.get("content-encoding"))
  assert.strictEqual(small.headers.get("content-encoding"), "gzip")
  assert.strictEqual(small.headers.get("vary"), "accept-encoding")
  assert.isBelow(small.bytes.length, plain.bytes.length / 2)
  assert.deepStrictEqual(new Uint8Array(gunzipSync(small.bytes)), plain.bytes)
})

it("is not sent again to clients that already have it", async () => {
  const tag = (await ask("/docs/contacts")).headers.get("etag") ?? ""
  assert.match(tag, /^W\/"[0-9a-f]{32}"$/)
  const again = await ask("/docs/contacts", { "if-none-match": `"other", ${tag}` })
  assert.deepStrictEqual([again.status, again.bytes.length, again.headers.get("etag")], [304, 0, tag])
  assert.strictEqual((await ask("/docs/segments", { "if-none-match": tag })).status, 200)
})

it("allows only its own style and script", async () => {
  for (const path of texts) {
    const policy = (await ask(path)).headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; /)
    assert.notMatch(policy, /unsafe|https?:|\*/)
  }
})

it("keeps the largest page of operations below 125 kB, and the script below 20", async () => {
  const gzip = { "accept-encoding": "gzip" }
  for (const name of ["campaigns", "workflows", "contacts", "webhooks"]) {
    assert.isBelow((await ask(`/docs/${name}`, gzip)).bytes.length, 125_000, name)
  }
  assert.isBelow((await ask("/docs.js", gzip)).bytes.length, 20_000)
})

it("gives programs that ask for Markdown its type, and leads to the console only where there is one", async () => {
  assert.strictEqual((await ask("/docs/contacts.md")).headers.get("content-type"), "text/markdown; charset=utf-8")
  const text = async (handle: typeof handler) => await (await handle(new Request("http://localhost/docs"))).text()
  const other = HttpRouter.toWebHandler(layer({ console: "/console" }), { disableLogger: true })
  assert.notInclude(await text(handler), 'href="/console"')
  assert.include(await text(other.handler), 'href="/console"')
})

it.each(["/docs/nothing", "/docs/nothing.md", "/docs/__proto__", "/docs/contacts/more", "/docs/guides"])(
  "there is no page %s",
  async (path) => {
    assert.strictEqual((await ask(path)).status, 404)
  }
)
