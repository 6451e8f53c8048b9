/**
 * The address of the client behind trusted proxies (`POSTHORN_TRUST_PROXY`).
 *
 * Each proxy appends the address that it saw to `X-Forwarded-For`. So the list is read from the right, for as long as
 * the proxy that wrote an entry is trusted. Anyone can write the entries further left.
 */
import { BlockList, isIP } from "node:net"

/** How many proxies are in front, or their addresses. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: BlockList }

export const noProxies: TrustedProxies = { hops: 0 }

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** A dual-stack socket shows `10.0.0.1` as `::ffff:10.0.0.1`. */
export const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** Addresses and CIDR blocks such as `10.0.0.0/8`; undefined if an item is neither. */
const networksOf = (items: ReadonlyArray<string>): BlockList | undefined => {
  const networks = new BlockList()
  for (const item of items) {
    const [address = "", prefix] = item.split("/")
    const bits = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))) return
    if (prefix === undefined) networks.addAddress(address, family(address))
    else networks.addSubnet(address, Number(prefix), family(address))
  }
  return networks
}

/** `false`, a number of hops up to 10, or a list of addresses and CIDR blocks. */
export const parseTrustedProxies = (text: string): TrustedProxies | undefined => {
  if (text.toLowerCase() === "false") return noProxies
  if (/^\d+$/.test(text)) return Number(text) <= 10 ? { hops: Number(text) } : undefined
  const networks = networksOf(text.split(",").map((item) => item.trim()))
  return networks === undefined ? undefined : { networks }
}

/** Whether a proxy at this distance is believed; 0 is the direct peer. */
export const isTrusted = (proxies: TrustedProxies, address: string, hop: number): boolean =>
  "hops" in proxies ? hop < proxies.hops : proxies.networks.check(address, family(address))

/** Whether the peer of a connection is a trusted proxy. */
export const isProxy = (proxies: TrustedProxies, peer: string): boolean => isTrusted(proxies, plain(peer), 0)

/** The first address from the right that is not a trusted proxy; `peer` is the other end of the connection. */
export const clientAddress = (proxies: TrustedProxies, peer: string, forwardedFor: string | undefined): string => {
  const forwarded = (forwardedFor ?? "").split(",").map((entry) => plain(entry.trim().replace(/^\[(.*)\]$/, "$1")))
  let address = plain(peer)
  for (let hop = 0; isTrusted(proxies, address, hop); hop++) {
    const next = forwarded.pop()
    if (next === undefined || isIP(next) === 0) break
    address = next
  }
  return address
}
