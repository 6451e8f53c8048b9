/** A real HTTP server that gives the replies that a test sets, one for each request, and records the requests. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Reply = (response: ServerResponse, request: IncomingMessage) => void

/** JSON with a status and headers. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

/** The envelope of an error. */
export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  details?: object
) =>
  json(
    status,
    {
      success: false,
      error: { code, message: `This is ${code}.`, statusCode: status, requestId: "r-1", suggestion: "Wait.", details },
      timestamp: "2026-11-20T15:04:05.123Z"
    },
    headers
  )

/** Resets the connection before the first byte. */
export const reset: Reply = (_response, { socket }) => socket.resetAndDestroy()

/** Never replies. */
export const silence: Reply = () => undefined

export class ScriptedServer implements AsyncDisposable {
  readonly received: Array<Received> = []
  readonly #replies: Array<Reply> = []
  readonly #server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request
    this.received.push({ method, url, headers, body: await text(request) })
    const reply = this.#replies.shift()
    if (reply === undefined) response.writeHead(599).end("No reply is left in the script.")
    else reply(response, request)
  })

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer()
    server.#server.listen(0, "127.0.0.1")
    await once(server.#server, "listening")
    return server
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === "string") throw new Error("The server does not listen.")
    return `http://127.0.0.1:${address.port}`
  }

  /** Sets the next replies, in this order. */
  answers(...replies: ReadonlyArray<Reply>): void {
    this.#replies.push(...replies)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, "close")
  }
}
