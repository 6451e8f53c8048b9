import { assert, it } from "@effect/vitest"
import { clientAddress, parseTrustedProxies } from "./ClientAddress.ts"

/** The client address for a setting, the other end of the connection and the header. */
const seen = (setting: string, peer: string, forwardedFor?: string) => {
  const proxies = parseTrustedProxies(setting)
  return proxies && clientAddress(proxies, peer, forwardedFor)
}

it("no proxy is trusted unless the operator says so", () => {
  assert.strictEqual(seen("false", "192.0.2.1", "198.51.100.7"), "192.0.2.1")
  assert.strictEqual(seen("0", "192.0.2.1", "198.51.100.7"), "192.0.2.1")
})

it("each trusted hop accounts for one entry, counted from the right", () => {
  assert.strictEqual(seen("1", "10.0.0.1", "6.6.6.6, 198.51.100.7"), "198.51.100.7")
  assert.strictEqual(seen("2", "10.0.0.1", "6.6.6.6, 198.51.100.7, 10.0.0.2"), "198.51.100.7")
  assert.strictEqual(seen("2", "10.0.0.1", "198.51.100.7"), "198.51.100.7")
})

it("networks are trusted in any position, but nothing left of the first untrusted address", () => {
  const networks = "10.0.0.0/8, 2001:db8::/32, 192.0.2.9"
  assert.strictEqual(seen(networks, "10.0.0.1", "6.6.6.6, 198.51.100.7, 10.2.3.4, 192.0.2.9"), "198.51.100.7")
  assert.strictEqual(seen(networks, "198.51.100.1", "6.6.6.6"), "198.51.100.1")
  assert.strictEqual(seen(networks, "2001:db8::1", "2001:db9::7"), "2001:db9::7")
  assert.strictEqual(seen(networks, "::ffff:10.0.0.1", "[2001:db9::7]"), "2001:db9::7")
})

it("an entry that is not an address ends the search", () => {
  assert.strictEqual(seen("1", "10.0.0.1", "unknown"), "10.0.0.1")
  assert.strictEqual(seen("2", "10.0.0.1", "198.51.100.7, "), "10.0.0.1")
  assert.strictEqual(seen("1", "10.0.0.1", undefined), "10.0.0.1")
})

it.each(["yes", "11", "-1", "10.0.0.0/33", "10.0.0", "10.0.0.0/8,", "example.com", "10.0.0.0/a"])(
  "%s is not a valid setting",
  (setting) => {
    assert.isUndefined(parseTrustedProxies(setting))
  }
)
