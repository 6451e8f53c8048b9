/**
 * Decides which network addresses the service may send requests to. Pure. All requests to URLs of callers use this
 * check.
 */

import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const addressIn = (text: string) => Result.getSuccess(NetAddress.ipFromString(text))

/** `10.0.0.0/8`, `fc00::/7`, or one address. None for anything else. */
const parseBlock = (text: string): Option.Option<IpNetwork.IpNetwork> => {
  const [address = "", prefix, ...more] = text.split("/")
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return Option.none()
  return Option.flatMap(addressIn(address), (found) =>
    Result.getSuccess(IpNetwork.fromAddress(found, prefix === undefined ? NetAddress.width(found) : Number(prefix)))
  )
}

const blocks = (...texts: ReadonlyArray<string>): ReadonlyArray<IpNetwork.IpNetwork> =>
  texts.flatMap((text) => Option.toArray(parseBlock(text)))

const isIn = (blocks: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  blocks.some((block) => IpNetwork.contains(block, address))

/**
 * Whether an address is in one of the blocks. An IPv4-mapped IPv6 address counts as IPv4. A text that is not an address
 * is in none.
 */
export const isInBlocks = (texts: ReadonlyArray<string>, address: string): boolean =>
  Option.exists(addressIn(address.split("%", 1)[0] ?? ""), (found) => {
    const plain = NetAddress.isIpv6Address(found)
      ? Option.getOrElse(NetAddress.fromIpv4Mapped(found), () => found)
      : found
    return isIn(blocks(...texts), plain)
  })

const refused = blocks(
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  // Protocol assignments with Teredo and ORCHID, documentation, 6to4, documentation (RFC 6890, RFC 3056, RFC 9637).
  ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
)

/** The only part of IPv6 in public use (RFC 4291 2.4, IANA). All other addresses are refused. */
const publicUse = blocks("2000::/3")

/** For IPv4-mapped and NAT64 addresses, the IPv4 address inside decides. */
const wrapped = blocks("::ffff:0:0/96", "64:ff9b::/96")

/** What an operator allows in addition (POSTHORN_OUTBOUND_ALLOW): host names, and addresses or blocks of them. */
export interface Allowed {
  readonly hosts: ReadonlyArray<string>
  readonly blocks: ReadonlyArray<IpNetwork.IpNetwork>
}

export const nothingAllowed: Allowed = { hosts: [], blocks: [] }

/** This machine. */
export const loopback: Allowed = { hosts: [], blocks: blocks("127.0.0.0/8", "::1") }

/** Parses the operator's list. Undefined when an entry is neither a name nor a block. */
export const parseAllowed = (texts: ReadonlyArray<string>): Allowed | undefined => {
  const found = texts.map((text) => ({ text: text.toLowerCase(), block: parseBlock(text) }))
  const isName = (text: string) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text) && !/^[\d.]+$/.test(text)
  if (!found.every(({ text, block }) => Option.isSome(block) || isName(text))) return undefined
  return {
    hosts: found.filter(({ block }) => Option.isNone(block)).map(({ text }) => text),
    blocks: found.flatMap(({ block }) => Option.toArray(block))
  }
}

/** Whether a connection may go to this address, as a resolver or a URL writes it. */
export const isAllowedAddress = (text: string, allowed: Allowed = nothingAllowed): boolean =>
  Option.exists(addressIn(text), (address) => isAllowed(address, allowed))

const isAllowed = (address: NetAddress.IpAddress, allowed: Allowed): boolean => {
  if (isIn(allowed.blocks, address)) return true
  if (NetAddress.isIpv4Address(address)) return !isIn(refused, address)
  if (!isIn(wrapped, address)) return isIn(publicUse, address) && !isIn(refused, address)
  const last4 = NetAddress.ipv6ToOctets(address).slice(-4)
  return isAllowed(NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(last4)), allowed)
}

/** A host that connections may go to, as far as its text shows. */
export interface OutboundHost {
  /** The IP address. Undefined where a name must be resolved. */
  readonly literal: string | undefined
  /** The operator allows this host by name or network, whatever its address or port is. */
  readonly isOpened: boolean
}

const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Checks a DNS name in ASCII, or an address without brackets. Undefined when it is refused. */
export const outboundHost = (host: string, allowed: Allowed = nothingAllowed): OutboundHost | undefined => {
  const address = addressIn(host)
  if (Option.isSome(address)) {
    const isOpened = isIn(allowed.blocks, address.value)
    return isOpened || isAllowed(address.value, allowed) ? { literal: host, isOpened } : undefined
  }
  const isOpened = allowed.hosts.includes(host)
  return isOpened || hostName.test(host) ? { literal: undefined, isOpened } : undefined
}

/** Whether connections may go to these addresses of a host, as a resolver wrote them: all of them, or none. */
export const areAllowed = (
  { isOpened }: Pick<OutboundHost, "isOpened">,
  addresses: ReadonlyArray<string>,
  allowed: Allowed = nothingAllowed
): boolean => addresses.length > 0 && (isOpened || addresses.every((address) => isAllowedAddress(address, allowed)))

/** An allowed URL, and the IP address if the URL names one. */
export interface OutboundUrl {
  readonly url: URL
  /** The IP address, without brackets. Undefined where a name must be resolved. */
  readonly literal: string | undefined
  /** The operator allows this host by name, whatever its address is. */
  readonly isOpened: boolean
}

const maxLength = 2_048

/** Checks what the URL alone shows. Undefined when the URL is refused. */
export const outboundUrl = (text: string, allowed: Allowed = nothingAllowed): OutboundUrl | undefined => {
  if (text.length > maxLength) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined
  const host = url.hostname.replace(/\.$/, "")
  if (host === "") return undefined
  const isOpened = allowed.hosts.includes(host)
  // The URL parser has normalised all spellings of an IP address.
  const literal = host.startsWith("[")
    ? host.slice(1, -1)
    : Result.isSuccess(NetAddress.ipv4FromString(host))
      ? host
      : undefined
  if (literal !== undefined) return isAllowedAddress(literal, allowed) ? { url, literal, isOpened } : undefined
  return { url, literal, isOpened }
}
