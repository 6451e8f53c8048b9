/** Which mail takes which transports. Pure. */
import { Route, type TransportId } from "@posthorn/contract/mail/transports/Transport"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Schema } from "effect"
import type { ClaimedEmail } from "../sending/DeliveryQueue.ts"
import type { StoredTransport } from "./TransportRow.ts"

/** The parts of a mail that routes look at. */
export type Routable = Pick<ClaimedEmail, "from" | "sourceType" | "type">

/** The routes of a project with its transports. */
export interface Routing {
  readonly routes: ReadonlyArray<Route>
  readonly transports: ReadonlyMap<TransportId, StoredTransport>
}

export const StoredRoutes = Schema.Array(Route)

/** The first route whose conditions all hold. Undefined: the mail takes the transports of the installation. */
export const routeFor = (routes: ReadonlyArray<Route>, { from, sourceType, type }: Routable): Route | undefined => {
  const domain = domainOf(from)
  return routes.find(
    (route) =>
      (route.senderDomain === null || route.senderDomain === domain) &&
      (route.type === null || route.type === type) &&
      (route.sourceType === null || route.sourceType === sourceType)
  )
}

/** The transports that a mail may take now, in order of failover, and whether those of the installation follow. */
export interface TransportChoice {
  readonly transports: ReadonlyArray<StoredTransport>
  readonly fallback: boolean
  /** Why none of the transports can be used. Null where one can. */
  readonly reason: string | null
}

const toServer: TransportChoice = { transports: [], fallback: true, reason: null }

/** Disabled and failing transports are skipped. */
export const wayFor = ({ routes, transports }: Routing, mail: Routable): TransportChoice => {
  const route = routeFor(routes, mail)
  if (route === undefined) return toServer
  const named = route.transportIds.flatMap((id) => transports.get(id) ?? [])
  const usable = named.filter(({ enabled, status }) => enabled && status === "OK")
  const failing = named.find(({ enabled }) => enabled)
  return {
    transports: usable,
    fallback: route.fallbackToServer,
    reason:
      usable.length > 0
        ? null
        : failing === undefined
          ? "All transports of the route are disabled."
          : `${failing.name}: ${failing.lastError ?? "the transport is failing"}`
  }
}
