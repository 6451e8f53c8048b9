/** Passes requests of Node's HTTP server, also from Express, Fastify and others, to a web handler. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"

/** The value that an earlier body parser left after consuming the bytes. */
const bodyOf = (request: IncomingMessage): ReadableStream | string | null => {
  if (request.method === "GET" || request.method === "HEAD") return null
  const parsed: unknown = "body" in request ? request.body : undefined
  if (!request.readableEnded || parsed === undefined) return Readable.toWeb(request)
  return typeof parsed === "string" ? parsed : Buffer.isBuffer(parsed) ? parsed.toString() : JSON.stringify(parsed)
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "")
  return headers
}

/** Methods that a web `Request` cannot have. */
const isForbidden = (method: string): boolean => /^(?:CONNECT|TRACE|TRACK)$/.test(method)

/** Uses only the path of the request target. A target that a web `Request` cannot express becomes an unknown path. */
const requestOf = (request: IncomingMessage, signal: AbortSignal): Request => {
  const { method = "GET", url = "/" } = request
  const address = url.startsWith("/") ? `http://localhost${url}` : url
  if (isForbidden(method) || !URL.canParse(address)) return new Request("http://localhost/", { signal })
  return new Request(address, { method, headers: headersOf(request), body: bodyOf(request), signal, duplex: "half" })
}

const write = async (response: ServerResponse, { status, headers, body }: Response): Promise<void> => {
  response.statusCode = status
  response.setHeaders(headers)
  if (body === null) response.end()
  else await pipeline(Readable.fromWeb(body), response)
}

/** The client disconnected before the end. */
const isLeft = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" || ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"))

/**
 * Resolves when the response is sent or the client has disconnected. It never rejects, because an unhandled rejection
 * would end the application. A failure goes to `failed`, and the response ends.
 */
export const answer = async (
  handler: (request: Request, address: string | undefined, incoming: IncomingMessage) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
  failed: (error: unknown) => void
): Promise<void> => {
  const gone = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) gone.abort()
  })
  try {
    await write(response, await handler(requestOf(request, gone.signal), request.socket.remoteAddress, request))
  } catch (error) {
    if (gone.signal.aborted && isLeft(error)) return
    failed(error)
    if (response.headersSent) response.destroy()
    else if (!response.writableEnded) response.writeHead(500).end()
  }
}
