/**
 * The connections to the bounce server, and the share of each client. Anyone may connect, so a client (an IPv4 address,
 * or the /64 of an IPv6 address) gets a limited share of the connections and of the memory.
 */

export interface ClientLimits {
  /** Concurrent connections, of all clients and of one. */
  readonly connections: number
  readonly connectionsPerClient: number
  /** Messages that one client may start in a minute. The next one is deferred. */
  readonly mailsPerMinute: number
  /** Octets of a message to bounce addresses only, and of any other. */
  readonly largestReport: number
  readonly largestMail: number
  /** Octets of unfinished and unprocessed reports, of all clients and of one. */
  readonly reportRoom: number
  readonly reportRoomPerClient: number
  /** The same for other messages, so that neither kind blocks the other. */
  readonly mailRoom: number
  readonly mailRoomPerClient: number
  /** Milliseconds without an octet after which a connection is closed. */
  readonly idle: number
  /** Milliseconds within which the content of a message must arrive. */
  readonly sending: number
  /**
   * Milliseconds after which a client that is still sending is disconnected for a new one, if all connections are in
   * use.
   */
  readonly sendingWhileFull: number
}

const megabyte = 1024 * 1024

export const defaults: ClientLimits = {
  connections: 100,
  connectionsPerClient: 20,
  mailsPerMinute: 600,
  largestReport: megabyte,
  largestMail: 40 * megabyte,
  reportRoom: 16 * megabyte,
  reportRoomPerClient: 4 * megabyte,
  mailRoom: 80 * megabyte,
  mailRoomPerClient: 40 * megabyte,
  idle: 60_000,
  sending: 300_000,
  sendingWhileFull: 30_000
}

/** Octets in memory, of all clients and of each. */
export const room = (total: number, perClient: number) => {
  let taken = 0
  const shares = new Map<string, number>()
  return {
    /** Reserves the octets. False if there is not enough room; then nothing is reserved. */
    take: (client: string, size: number): boolean => {
      const share = (shares.get(client) ?? 0) + size
      if (taken + size > total || share > perClient) return false
      taken += size
      shares.set(client, share)
      return true
    },
    giveBack: (client: string, size: number): void => {
      const share = (shares.get(client) ?? 0) - size
      taken -= size
      if (share > 0) shares.set(client, share)
      else shares.delete(client)
    }
  }
}

export type Room = ReturnType<typeof room>

interface Connection {
  readonly client: string
  /** The time of its last activity; while a message arrives, the time when the message started. */
  since: number
  isSending: boolean
}

/** Connections by id. Times are milliseconds of any monotonic clock. */
export const connections = (limits: ClientLimits) => {
  const open = new Map<string, Connection>()

  const ofClient = (client: string) => {
    let count = 0
    for (const each of open.values()) if (each.client === client) count++
    return count
  }

  /**
   * The connection that has been idle longest. If none is idle, the one that has been sending longest, if it exceeds
   * the limit.
   */
  const oldest = (now: number): string | undefined => {
    let found: readonly [id: string, connection: Connection] | undefined
    for (const [id, each] of open) {
      if (each.isSending && now - each.since < limits.sendingWhileFull) continue
      const isBefore =
        found === undefined ||
        (each.isSending === found[1].isSending ? each.since < found[1].since : found[1].isSending)
      if (isBefore) found = [id, each]
    }
    return found?.[0]
  }

  return {
    /** Adds a connection. `shed` is the connection that must close for it. */
    enter: (id: string, client: string, now: number): { readonly isTaken: boolean; readonly shed?: string } => {
      if (ofClient(client) >= limits.connectionsPerClient) return { isTaken: false }
      const shed = open.size >= limits.connections ? oldest(now) : undefined
      if (open.size >= limits.connections && shed === undefined) return { isTaken: false }
      if (shed !== undefined) open.delete(shed)
      open.set(id, { client, since: now, isSending: false })
      return { isTaken: true, ...(shed !== undefined && { shed }) }
    },
    /** Records activity: the connection starts a message, or starts or ends sending one. */
    active: (id: string, now: number, isSending: boolean): void => {
      const found = open.get(id)
      if (found === undefined) return
      found.since = now
      found.isSending = isSending
    },
    leave: (id: string): void => {
      open.delete(id)
    }
  }
}
