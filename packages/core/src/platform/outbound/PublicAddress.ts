/**
 * Which network addresses the service may send requests to. Pure. All requests to addresses that callers chose use this
 * one guard.
 */

import { dotted, type IpAddress, parse, parse4 } from "../IpAddress.ts"

interface Block {
  readonly version: 4 | 6
  readonly start: bigint
  readonly length: number
}

/** `10.0.0.0/8`, `fc00::/7`, or one address. Undefined for anything else. */
const parseBlock = (text: string): Block | undefined => {
  const [address = "", prefix, ...more] = text.split("/")
  const found = parse(address)
  const width = found?.version === 4 ? 32 : 128
  const length = prefix === undefined ? width : /^\d{1,3}$/.test(prefix) ? Number(prefix) : width + 1
  if (found === undefined || more.length > 0 || length > width) return undefined
  const shift = BigInt(width - length)
  return { version: found.version, start: (found.bits >> shift) << shift, length }
}

const blocks = (...texts: ReadonlyArray<string>): ReadonlyArray<Block> =>
  texts.flatMap((text) => parseBlock(text) ?? [])

const holds = ({ version, start, length }: Block, address: IpAddress): boolean => {
  const shift = BigInt((version === 4 ? 32 : 128) - length)
  return version === address.version && address.bits >> shift === start >> shift
}

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
  readonly blocks: ReadonlyArray<Block>
}

export const nothingAllowed: Allowed = { hosts: [], blocks: [] }

/** This machine. */
export const loopback: Allowed = { hosts: [], blocks: blocks("127.0.0.0/8", "::1") }

/** Parses the operator's list. Undefined when an entry is neither a name nor a block. */
export const parseAllowed = (texts: ReadonlyArray<string>): Allowed | undefined => {
  const found = texts.map((text) => ({ text: text.toLowerCase(), block: parseBlock(text) }))
  const isName = (text: string) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text) && !/^[\d.]+$/.test(text)
  if (!found.every(({ text, block }) => block !== undefined || isName(text))) return undefined
  return {
    hosts: found.filter(({ block }) => block === undefined).map(({ text }) => text),
    blocks: found.flatMap(({ block }) => block ?? [])
  }
}

/** Whether a connection may go to this address, as a resolver or a URL writes it. */
export const isAllowedAddress = (text: string, allowed: Allowed = nothingAllowed): boolean => {
  const address = parse(text)
  if (address === undefined) return false
  if (allowed.blocks.some((block) => holds(block, address))) return true
  if (address.version === 6 && wrapped.some((block) => holds(block, address))) {
    return isAllowedAddress(dotted(address.bits & 0xffffffffn), allowed)
  }
  if (address.version === 6 && !publicUse.some((block) => holds(block, address))) return false
  return !refused.some((block) => holds(block, address))
}

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
  const literal = host.startsWith("[") ? host.slice(1, -1) : parse4(host) === undefined ? undefined : host
  if (literal !== undefined) return isAllowedAddress(literal, allowed) ? { url, literal, isOpened } : undefined
  return { url, literal, isOpened }
}
