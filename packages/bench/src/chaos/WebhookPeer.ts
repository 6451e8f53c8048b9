/** A server that receives webhooks, and records each call. */
import { createServer } from "node:http"
import { Effect, type Scope } from "effect"

export interface Call {
  /** The same for every attempt. */
  readonly id: string
  /** The execution that the call is about. */
  readonly execution: string
}

export interface WebhookPeer {
  readonly url: string
  readonly calls: ReadonlyArray<Call>
}

/** Milliseconds before an answer, so that calls are running at any moment. */
const delays = [2, 5, 10, 40]

export const make: Effect.Effect<WebhookPeer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<WebhookPeer & { readonly close: () => void }>((resume) => {
    const calls: Array<Call> = []
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        const told = JSON.parse(body) as { readonly execution: { readonly id: string } }
        calls.push({ id: String(request.headers["webhook-id"]), execution: told.execution.id })
        setTimeout(() => response.writeHead(204).end(), delays[calls.length % delays.length])
      })
    }).listen(0, "127.0.0.1", () => {
      const bound = server.address()
      const port = typeof bound === "object" && bound !== null ? bound.port : 0
      const close = () => void server.close().closeAllConnections()
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, calls, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)
