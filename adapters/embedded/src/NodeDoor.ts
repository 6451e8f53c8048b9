/** Requests of Node's HTTP server, as Express, Fastify and others pass them on, answered by a web handler. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"

/** A body parser that ran before has taken the bytes and left what it understood. */
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

const requestOf = (request: IncomingMessage, signal: AbortSignal): Request =>
  new Request(new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`), {
    method: request.method ?? "GET",
    headers: headersOf(request),
    body: bodyOf(request),
    signal,
    duplex: "half"
  })

const write = async (response: ServerResponse, { status, headers, body }: Response): Promise<void> => {
  response.statusCode = status
  response.setHeaders(headers)
  if (body === null) response.end()
  else await pipeline(Readable.fromWeb(body), response)
}

/**
 * Resolves when the response is out, or its reader is gone. Rejects, before anything is written, where the request is
 * none, so that the caller's own error handling answers.
 */
export const answer = async (
  handler: (request: Request, address: string | undefined) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const gone = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) gone.abort()
  })
  const given = await handler(requestOf(request, gone.signal), request.socket.remoteAddress)
  await write(response, given).catch((error) => {
    if (!gone.signal.aborted) throw error
  })
}
