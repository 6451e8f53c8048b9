import { assert, it, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { clientHeader, send, wire } from "../../testing/TestClient.ts"
import * as ClientLimit from "./ClientLimit.ts"

const { clientOf } = ClientLimit

it("a client is an IPv4 address or the /64 of an IPv6 address, in one spelling", () => {
  assert.strictEqual(clientOf("192.0.2.1"), "192.0.2.1")
  for (const same of [
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff::",
    "2001:0db8:0001:0002:0:0:0:9",
    "2001:db8:1:2::%eth0",
    "2001:db8:1:2::192.0.2.1"
  ]) {
    assert.strictEqual(clientOf(same), "2001:db8:1:2::/64")
  }
  assert.strictEqual(clientOf("::1"), "0:0:0:0::/64")
  assert.notStrictEqual(clientOf("2001:db8:1:3::1"), clientOf("2001:db8:1:2::1"))
})

it("IPv4-mapped IPv6 is IPv4, in every spelling", () => {
  for (const same of ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1", "0:0:0:0:0:ffff:c000:0201"]) {
    assert.strictEqual(clientOf(same), "192.0.2.1")
  }
})

it("addresses of one /64 are one client, for any host part", () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 4, maxLength: 4 }),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (net, host) => {
        fc.pre(net.some((part) => part > 0))
        const [first, ...others] = [...net, ...host].map((part) => part.toString(16))
        assert.strictEqual(
          clientOf([first, ...others].join(":")),
          `${net.map((part) => part.toString(16)).join(":")}::/64`
        )
      }
    )
  )
})

it("text that is not an address is cut, and never an error", () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => assert.isBelow(clientOf(text).length, 100)))
})

it.effect("allows the limit in any minute for each client, and returns how long to wait", () =>
  Effect.gen(function* () {
    const { take, wait } = ClientLimit.make(3)
    const passes = (client: string) => Effect.map(take(client), Option.isNone)
    assert.deepStrictEqual(yield* Effect.replicateEffect(passes("192.0.2.1"), 4), [true, true, true, false])
    assert.deepStrictEqual([yield* wait("192.0.2.1"), yield* wait("192.0.2.2")], [Option.some(60), Option.none()])
    assert.isTrue(yield* passes("192.0.2.2"))
    yield* TestClock.adjust("59 seconds")
    assert.deepStrictEqual(yield* take("192.0.2.1"), Option.some(1))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Effect.replicateEffect(passes("192.0.2.1"), 4), [true, true, true, false])
  })
)

it.effect("clients pass after the clock is set back", () =>
  Effect.gen(function* () {
    const { take } = ClientLimit.make(1)
    yield* TestClock.setTime(3_600_000)
    yield* take("192.0.2.1")
    yield* TestClock.setTime(1_000)
    assert.deepStrictEqual(yield* take("192.0.2.1"), Option.none())
  })
)

it.effect("many new clients do not displace a client that is seen often", () =>
  Effect.gen(function* () {
    const { take } = ClientLimit.make(1)
    yield* take("192.0.2.1")
    for (let stranger = 0; stranger < 25_000; stranger++) {
      yield* take(`stranger ${stranger}`)
      if (stranger % 5_000 === 0) assert.isTrue(Option.isSome(yield* take("192.0.2.1")))
    }
    assert.isTrue(Option.isSome(yield* take("192.0.2.1")))
  })
)

layer(wire, { timeout: "60 seconds" })("Public pages", (it) => {
  it.effect("count all addresses of a /64, and no others, as one client", () =>
    Effect.gen(function* () {
      const visit = (address: string) =>
        Effect.map(send("GET", "/unsubscribe/x", undefined, { [clientHeader]: address }), ({ status }) => status)
      for (let host = 1; host <= 600; host++) assert.strictEqual(yield* visit(`2001:db8::${host.toString(16)}`), 404)
      assert.strictEqual(yield* visit("2001:db8::ffff"), 429)
      assert.strictEqual(yield* visit("2001:db8:0:1::1"), 404)
    })
  )
})
