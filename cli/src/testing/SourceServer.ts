/** A service that is imported from: answers of the shapes of its API, on this machine. For tests. */
import { createServer } from "node:http"
import { Effect } from "effect"

export interface SourceAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The answer for a path and its query; undefined: 404; "hang": none. */
export type Answers = (path: string, query: URLSearchParams) => SourceAnswer | "hang" | undefined

/** Runs until the scope ends. `asked` has every path with its query. Requests without the header get a 401. */
export const sourceServer = Effect.fnUntraced(function* (authorization: string, answers: Answers) {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://source")
    asked.push(`${url.pathname}${url.search}`)
    const answer =
      request.headers.authorization === authorization
        ? answers(url.pathname, url.searchParams)
        : { status: 401, body: { message: "Unauthorized" } }
    if (answer === "hang") return
    const { status = 200, headers = {}, body } = answer ?? { status: 404, body: { message: "Not found" } }
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  return { asked, url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` }
})
