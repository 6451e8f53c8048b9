/** The least that a pixel and a redirect cost: Node's own server, in a separate process, which accepts every token. */
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import * as Child from "../processes/Child.ts"

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

const serve = () => {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    if (url.pathname.startsWith("/t/o/")) {
      response.writeHead(200, { "content-type": "image/gif", "content-length": gif.length })
      response.end(gif)
    } else {
      response.writeHead(302, { location: url.searchParams.get("u") ?? "/", "content-length": 0 })
      response.end()
    }
  })
  server.listen(0, "127.0.0.1", () => {
    const bound = server.address()
    console.log(`http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`)
  })
  process.once("SIGTERM", () => process.exit())
}

export const start = Effect.gen(function* () {
  const child = yield* Child.start({ name: "raw tracking server", argv: [fileURLToPath(import.meta.url)] })
  return { pid: child.pid, url: yield* child.firstLine }
})

if (import.meta.main) serve()
