/** The part of a client's address that stands for one client: all of IPv4, the /64 of IPv6 (contract-2 9.2). */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

const groupsOf = (text: string) => text.split(":").filter((group) => group !== "")

export const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!address.includes(":")) return address
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::")
  const left = groupsOf(head)
  const right = groupsOf(tail ?? "")
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0")
  const prefix = [...left, ...zeros, ...right].slice(0, 4)
  return `${prefix.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`
}

/** Undefined for requests that came over no network. */
export const current: Effect.Effect<string | undefined, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ remoteAddress }) => Option.getOrUndefined(Option.map(remoteAddress, networkOf))
)
