/** The least that an authenticated JSON answer costs: Node's own server, in a separate process. */
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import * as Child from "../processes/Child.ts"

const body = {
  success: false,
  error: {
    code: "RESOURCE_NOT_FOUND",
    message: "There is no contact with this id.",
    statusCode: 404,
    requestId: "019a0000-0000-7000-8000-000000000000",
    details: { resource: "contact", id: "not-an-id" },
    suggestion: "Check the id."
  },
  timestamp: "2026-01-01T00:00:00.000Z"
}

const serve = () => {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization?.startsWith("Bearer sk_") === true
    const text = JSON.stringify(body)
    response.writeHead(isKnown ? 404 : 401, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text)
    })
    response.end(text)
  })
  server.listen(0, "127.0.0.1", () => {
    const bound = server.address()
    console.log(`http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`)
  })
  process.once("SIGTERM", () => process.exit())
}

export const start = Effect.gen(function* () {
  const child = yield* Child.start({ name: "raw HTTP server", argv: [fileURLToPath(import.meta.url)] })
  return { pid: child.pid, url: yield* child.firstLine }
})

if (import.meta.main) serve()
