/**
 * Limits sockets without a running request. If a client opens too many and sends nothing, its own oldest ones are
 * closed. If there are too many in total, the idle ones are closed.
 */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { clientOf } from "@posthorn/core/platform/http/ClientLimit"

interface Limits {
  /** Concurrent sockets, above which idle ones are closed. */
  readonly sockets: number
  /** Sockets of one client whose first request has not started. Above it, the client's oldest one closes. */
  readonly silent: number
  /**
   * Milliseconds for which a socket may stay silent, because many connections of a proxy can arrive at the same moment.
   */
  readonly grace: number
}

const usual: Limits = { sockets: 5_000, silent: 256, grace: 3_000 }

/** Milliseconds between two closings of idle sockets, because each checks all of them. */
const interval = 1_000

/** Applies to connections from now on. */
export const limitSockets = (server: Server, { grace, silent, sockets }: Limits = usual): void => {
  /** By client, oldest first. */
  const clients = new Map<string, Set<Socket>>()
  const openedBy = new WeakMap<Socket, { readonly client: string; readonly at: number }>()
  let open = 0
  let closedAt = Number.NEGATIVE_INFINITY

  const forget = (socket: Socket) => {
    const opened = openedBy.get(socket)
    if (opened === undefined) return
    openedBy.delete(socket)
    const own = clients.get(opened.client)
    own?.delete(socket)
    if (own?.size === 0) clients.delete(opened.client)
  }

  const closeIdle = (now: number) => {
    if (open <= sockets || now - closedAt < interval) return
    closedAt = now
    server.closeIdleConnections()
  }

  server.on("connection", (socket: Socket) => {
    const now = performance.now()
    const client = clientOf(socket.remoteAddress ?? "")
    const own = clients.get(client) ?? new Set()
    const [oldest] = own.size >= silent ? own : []
    if (oldest !== undefined && now - (openedBy.get(oldest)?.at ?? now) >= grace) {
      forget(oldest)
      oldest.destroy()
    }
    own.add(socket)
    clients.set(client, own)
    openedBy.set(socket, { client, at: now })
    open++
    socket.once("close", () => {
      open--
      forget(socket)
    })
    closeIdle(now)
  })
  server.on("request", ({ socket }) => forget(socket))
}
