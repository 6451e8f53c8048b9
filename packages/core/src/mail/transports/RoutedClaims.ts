/**
 * Claims mail of projects with routes. A worker holds at most twice the pool of a transport, so that a slow transport
 * keeps its mail in the queue and no other mail waits behind it.
 */
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { TransportId } from "@posthorn/contract/mail/transports/Transport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import type { ClaimedEmail, DeliveryQueue, WaitingEmail, WaitingPlace } from "../sending/DeliveryQueue.ts"
import { maxAge } from "../sending/RetryLadder.ts"
import { ofInstallation, type Shaping } from "../shaping/Shaping.ts"
import { firstOfServer } from "../warmup/WarmupClaims.ts"
import { type Routing, wayFor } from "./MailRoute.ts"
import type { MailRoutes } from "./MailRoutes.ts"
import type { StoredTransport } from "./TransportRow.ts"

/** A claimed mail, and the transport whose room it takes. Undefined: that of the installation. */
export interface Routed {
  readonly mail: ClaimedEmail
  readonly transport: TransportId | undefined
}

export interface RoutedClaims {
  /** Claims what fits. `room` is the room at the transports of the installation. */
  readonly claim: (room: number) => Effect.Effect<ReadonlyArray<Routed>>
  /** The mail no longer takes room. */
  readonly free: (transport: TransportId) => void
}

const pageSize = 200
/** Milliseconds after which mail that was passed over is looked at again. */
const lookAgain = 30_000

/** How far a lane was read past mail of transports without room. */
interface Reading {
  readonly place: WaitingPlace
  readonly full: ReadonlySet<TransportId>
  readonly until: number
}

/** The room of each queue with a limit. A queue that is not there has none. */
type Rooms = Map<number, number>

export const make = (
  queue: DeliveryQueue["Service"],
  routes: MailRoutes,
  shaping: Pick<Shaping, "roomsAt">,
  worker: string
): RoutedClaims => {
  const held = new Map<TransportId, number>()
  const readings = new Map<string, Reading>()

  const roomOf = ({ id, pool }: StoredTransport) => 2 * pool - (held.get(id) ?? 0)

  const claimOf = Effect.fnUntraced(function* (project: ProjectId, roomAtServer: number, now: DateTime.Utc) {
    const routing: Routing = yield* routes.routing(project)
    const left = new Map<TransportId, number>()
    let server = roomAtServer
    const picked = new Map<EmailId, TransportId | undefined>()
    const full = new Set<TransportId>()
    const rooms = new Map<string, Rooms>()
    for (const transport of [ofInstallation, ...routing.transports.keys()]) {
      const limited = yield* shaping.roomsAt(transport)
      rooms.set(transport, new Map(limited.map(({ queue, room }) => [queue, room])))
    }
    /** Queues that no transport of the project takes mail of. */
    const own = [...rooms].filter(([transport]) => transport !== ofInstallation).map(([, each]) => each)
    const closed = [...(own[0]?.keys() ?? [])].filter((queue) => own.every((each) => (each.get(queue) ?? 1) < 1))
    /** Takes the room of bulk mail at a transport, if there is some. */
    const fits = ({ queue, urgency }: WaitingEmail, transport: string): boolean => {
      const each = rooms.get(transport)
      const room = urgency === "bulk" ? each?.get(queue) : undefined
      if (each === undefined || room === undefined) return true
      if (room < 1) return false
      each.set(queue, room - 1)
      return true
    }

    const pick = (mail: WaitingEmail) => {
      const { transports, fallback } = wayFor(routing, mail)
      const [first] = transports
      if (first !== undefined) {
        const room = left.get(first.id) ?? roomOf(first)
        if (room < 1) return void full.add(first.id)
        if (!fits(mail, first.id)) return
        left.set(first.id, room - 1)
        return void picked.set(mail.id, first.id)
      }
      // Mail that is too old is claimed all the same, so that it fails.
      const isOver = DateTime.isLessThanOrEqualTo(DateTime.addDuration(mail.ladderSince, maxAge(mail.urgency)), now)
      if ((!fallback && !isOver) || server < 1 || !fits(mail, ofInstallation)) return
      server--
      picked.set(mail.id, undefined)
    }

    for (const lane of [0, 1] as const) {
      const key = `${project}:${lane}`
      const millis = yield* elapsedMillis
      const first = yield* queue.waiting(project, { lane, after: undefined }, pageSize, now, closed)
      for (const mail of first) pick(mail)
      if (first.length < pageSize) {
        readings.delete(key)
        continue
      }
      const before = readings.get(key)
      const isOld = before === undefined || millis >= before.until
      const hasRoom = [...(before?.full ?? [])].some((id) => {
        const transport = routing.transports.get(id)
        return transport !== undefined && roomOf(transport) > 0
      })
      const start = isOld || hasRoom ? first.at(-1) : before.place
      if (start === undefined) continue
      const next = yield* queue.waiting(project, { lane, after: start }, pageSize, now, closed)
      for (const mail of next) pick(mail)
      readings.set(key, {
        place: next.at(-1) ?? start,
        full: new Set([...(isOld || hasRoom ? [] : before.full), ...full]),
        until: isOld || hasRoom ? millis + lookAgain : before.until
      })
    }
    for (const mail of yield* queue.waiting(project, "campaigns", pageSize, now, closed)) pick(mail)

    const wanted = [...picked].map(([id, transport]) => ({ id, transport: transport ?? firstOfServer }))
    const mails = yield* queue.claimThese(worker, project, wanted, now)
    return mails.map((mail): Routed => ({ mail, transport: picked.get(mail.id) }))
  })

  const claim = Effect.fn("RoutedClaims.claim")(function* (room: number) {
    if ((yield* routes.projects).size === 0) return []
    const now = yield* DateTime.now
    const claimed: Array<Routed> = []
    // Projects without routes get the other half.
    let server = Math.ceil(room / 2)
    for (const project of yield* queue.routed(now)) {
      const mails = yield* claimOf(project, server, now)
      for (const { transport } of mails) {
        if (transport === undefined) server--
        else held.set(transport, (held.get(transport) ?? 0) + 1)
      }
      claimed.push(...mails)
    }
    return claimed
  })

  const free = (transport: TransportId) => {
    const count = (held.get(transport) ?? 0) - 1
    if (count > 0) held.set(transport, count)
    else held.delete(transport)
  }

  return { claim, free }
}
