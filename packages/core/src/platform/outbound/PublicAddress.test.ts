import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isAllowedAddress, loopback, outboundUrl, parseAllowed } from "./PublicAddress.ts"

const hosts = (url: string) => outboundUrl(url) !== undefined

describe("a URL with a private address in any spelling is refused", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://0/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://10.0.0.1:8080/",
    "https://192.168.1.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[fe80::1]/",
    "http://[2001:db8::1]/",
    "http://127.0.0.1./"
  ])("%s", (url) => assert.isFalse(hosts(url)))
})

describe("a URL that is not plain http or https is refused", () => {
  it.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://@169.254.169.254/",
    "https://example.com@127.0.0.1/",
    "//example.com",
    "example.com",
    "",
    `https://example.com/${"x".repeat(2048)}`
  ])("%s", (url) => assert.isFalse(hosts(url)))
})

describe("a URL with a public address is allowed", () => {
  it.each([
    "https://example.com/hook?x=1",
    "http://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "http://134744072/",
    "https://example.com.:8443/"
  ])("%s", (url) => assert.isTrue(hosts(url)))
})

describe("addresses as resolvers write them", () => {
  it.each([
    ["8.8.8.8", true],
    ["9.255.255.255", true],
    ["11.0.0.0", true],
    ["172.15.255.255", true],
    ["172.16.0.0", false],
    ["172.31.255.255", false],
    ["172.32.0.0", true],
    ["100.63.255.255", true],
    ["100.64.0.0", false],
    ["192.0.0.1", false],
    ["192.0.2.1", false],
    ["192.88.99.1", false],
    ["198.18.0.1", false],
    ["198.20.0.1", true],
    ["198.51.100.1", false],
    ["203.0.113.1", false],
    ["239.255.255.255", false],
    ["240.0.0.1", false],
    ["::", false],
    ["::1", false],
    ["::8.8.8.8", false],
    ["::ffff:8.8.8.8", true],
    ["::ffff:10.0.0.1", false],
    ["64:ff9b::808:808", true],
    ["64:ff9b::a00:1", false],
    ["64:ff9b:1::1", false],
    ["100::1", false],
    ["2001::1", false],
    ["2001:4860:4860::8888", true],
    ["2002::1", false],
    ["1fff:ffff::1", false],
    ["4000::1", false],
    ["5f00::1", false],
    ["::ffff:0:808:808", false],
    ["::ffff:0:127.0.0.1", false],
    ["2001:1ff:ffff::1", false],
    ["2001:20::1", false],
    ["2001:200::1", true],
    ["3fff::1", false],
    ["3fff:fff:ffff::1", false],
    ["3fff:1000::1", true],
    ["fc00::1", false],
    ["fdff::1", false],
    ["fec0::1", false],
    ["ff02::1", false],
    ["fe80::1%eth0", false],
    ["localhost", false],
    ["", false],
    ["1.2.3", false],
    ["01.2.3.4", false],
    ["1.2.3.256", false],
    ["1:2:3:4:5:6:7:8:9", false],
    ["1::2::3", false]
  ] as const)("%s: %s", (address, allowed) => assert.strictEqual(isAllowedAddress(address), allowed))

  it("an IPv4 address has the same result when it is mapped to IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.strictEqual(isAllowedAddress(`::ffff:${address}`), isAllowedAddress(address))
        assert.strictEqual(isAllowedAddress(`64:ff9b::${address}`), isAllowedAddress(address))
      })
    )
  })

  it("no text makes the check throw", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isAllowedAddress(text) === "boolean"))
    fc.assert(fc.property(fc.ipV6(), (text) => typeof isAllowedAddress(text) === "boolean"))
  })
})

describe("an entry of the operator's list", () => {
  it("is a network, an address or a name, and nothing else", () => {
    const allowed = parseAllowed(["10.1.0.0/16", "fd00::1", "hooks.internal"])
    assert.isTrue(isAllowedAddress("10.1.2.3", allowed))
    assert.isFalse(isAllowedAddress("10.2.0.1", allowed))
    assert.isTrue(isAllowedAddress("fd00::1", allowed))
    assert.isTrue(outboundUrl("http://hooks.internal/x", allowed)?.isOpened)
    assert.isFalse(outboundUrl("http://other.internal/x", allowed)?.isOpened)
    assert.isDefined(outboundUrl("http://127.0.0.1:3000/", loopback))
    for (const wrong of ["10.0.0.0/33", "10.0.0", "-x", "a b", "fd00::/129", "10.0.0.0/8/8"]) {
      assert.isUndefined(parseAllowed([wrong]), wrong)
    }
  })
})
