/** Tests that every DnsResolver must pass, over a layer that answers from a zone. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Zone, ZoneName } from "../../mail/domains/DnsResolverMemory.ts"
import { DnsResolver, DnsUnavailable, reverseName } from "./DnsResolver.ts"

export const dnsResolverSuite = (name: string, resolverOf: (zone: Zone) => Layer.Layer<DnsResolver>) => {
  const asking = <A, E>(
    zone: { readonly [name: string]: ZoneName },
    questions: (resolver: DnsResolver["Service"]) => Effect.Effect<A, E>
  ) => DnsResolver.use(questions).pipe(Effect.provide(resolverOf(new Map(Object.entries(zone)))))

  describe(name, () => {
    it.effect("a TXT record is one value, of any length and script", () =>
      Effect.gen(function* () {
        const txt = ["v=DKIM1; p=".padEnd(700, "A"), "grüße 💌", "", 'a\\;"b"']
        const answer = yield* asking({ "a.test": { txt } }, ({ txt }) => txt("a.test"))
        assert.isTrue(answer.nameExists)
        assert.sameMembers([...answer.values], txt)
      })
    )

    it.effect("an answer of many kilobytes is complete", () =>
      Effect.gen(function* () {
        const txt = Array.from({ length: 40 }, (_, i) => `${i} `.padEnd(1_000, "x"))
        const answer = yield* asking({ "big.test": { txt } }, ({ txt }) => txt("big.test"))
        assert.sameMembers([...answer.values], txt)
      })
    )

    it.effect("names that are not host names, in any case and with a final dot, are found", () =>
      Effect.gen(function* () {
        const zone = { "s1._domainkey.a.test": { txt: ["key"] } }
        const answer = yield* asking(zone, ({ txt }) => txt("S1._DomainKey.A.test."))
        assert.deepStrictEqual(answer, { nameExists: true, values: ["key"] })
      })
    )

    it.effect("a name without such records differs from a name that does not exist", () =>
      Effect.gen(function* () {
        const zone = { "a.test": { txt: ["x"] }, "deep.below.b.test": { txt: ["x"] } }
        for (const there of ["a.test", "b.test"]) {
          assert.deepStrictEqual(yield* asking(zone, ({ mx }) => mx(there)), { nameExists: true, values: [] })
          assert.deepStrictEqual(yield* asking(zone, ({ address }) => address(there)), { nameExists: true, values: [] })
        }
        for (const gone of ["c.test", "x.a.test", `${"a".repeat(60)}.`.repeat(5)]) {
          const answers = yield* asking(zone, ({ txt, mx, address }) =>
            Effect.all([txt(gone), mx(gone), address(gone)])
          )
          for (const answer of answers) assert.deepStrictEqual(answer, { nameExists: false, values: [] })
        }
      })
    )

    it.effect("CNAMEs are followed, also to a name without records", () =>
      Effect.gen(function* () {
        const zone = {
          "a.test": { cname: "b.test" },
          "b.test": { cname: "c.test" },
          "c.test": { txt: ["found"] },
          "lost.test": { cname: "nowhere.test" }
        }
        assert.deepStrictEqual((yield* asking(zone, ({ txt }) => txt("a.test"))).values, ["found"])
        assert.deepStrictEqual((yield* asking(zone, ({ mx }) => mx("a.test"))).values, [])
        assert.deepStrictEqual(yield* asking(zone, ({ txt }) => txt("lost.test")), { nameExists: false, values: [] })
      })
    )

    it.effect("a CNAME record is the alias itself, also of a name without records", () =>
      Effect.gen(function* () {
        const zone = { "a.test": { cname: "b.test" }, "b.test": { cname: "nowhere.test" }, "c.test": { txt: ["x"] } }
        assert.deepStrictEqual(yield* asking(zone, ({ cname }) => cname("a.test")), {
          nameExists: true,
          values: ["b.test"]
        })
        assert.deepStrictEqual((yield* asking(zone, ({ cname }) => cname("c.test"))).values, [])
        assert.deepStrictEqual((yield* asking(zone, ({ cname }) => cname("gone.test"))).values, [])
      })
    )

    it.effect("MX records have their preference; the null MX is the empty name", () =>
      Effect.gen(function* () {
        const mx = [
          { priority: 10, exchange: "mx1.b.test" },
          { priority: 65535, exchange: "mx2.b.test" }
        ]
        const zone = { "a.test": { mx }, "null.test": { mx: [{ priority: 0, exchange: "" }] } }
        assert.sameDeepMembers([...(yield* asking(zone, ({ mx }) => mx("a.test"))).values], mx)
        assert.deepStrictEqual((yield* asking(zone, ({ mx }) => mx("null.test"))).values, [
          { priority: 0, exchange: "" }
        ])
      })
    )

    it.effect("addresses of both families are returned", () =>
      Effect.gen(function* () {
        const zone = { "a.test": { a: ["192.0.2.1"], aaaa: ["2001:db8::1"] }, "b.test": { aaaa: ["2001:db8:0:1::2"] } }
        const both = yield* asking(zone, ({ address }) => address("a.test"))
        assert.sameMembers([...both.values], ["192.0.2.1", "2001:db8::1"])
        assert.deepStrictEqual((yield* asking(zone, ({ address }) => address("b.test"))).values, ["2001:db8:0:1::2"])
      })
    )

    it.effect("PTR records are host names, found by the name of an address", () =>
      Effect.gen(function* () {
        const zone = {
          "7.2.0.192.in-addr.arpa": { ptr: ["mail.b.test"] },
          [reverseName("2001:db8::7") ?? ""]: { ptr: ["mail6.b.test"] }
        }
        const names = yield* asking(zone, ({ ptr }) =>
          Effect.forEach(["192.0.2.7", "2001:db8::7", "192.0.2.8"], (address) => ptr(reverseName(address) ?? ""))
        )
        assert.deepStrictEqual(
          names.map(({ values }) => values),
          [["mail.b.test"], ["mail6.b.test"], []]
        )
      })
    )

    it.effect('one family of addresses is enough, but a missing answer is not "no address"', () =>
      Effect.gen(function* () {
        const zone = {
          "a.test": { a: ["192.0.2.1"], trouble: "server_failure", troubled: ["AAAA"] },
          "b.test": { trouble: "server_failure", troubled: ["AAAA"] }
        } as const
        assert.deepStrictEqual((yield* asking(zone, ({ address }) => address("a.test"))).values, ["192.0.2.1"])
        assert.strictEqual((yield* asking(zone, ({ address }) => Effect.flip(address("b.test")))).type, "AAAA")
      })
    )

    it.effect("a failing, refusing or silent server is an error with its reason", () =>
      Effect.gen(function* () {
        for (const reason of ["server_failure", "refused", "timeout"] as const) {
          const failing = { "a.test": { trouble: reason, txt: ["unseen"] } }
          const error = yield* asking(failing, ({ txt }) => Effect.flip(txt("a.test")))
          assert.deepStrictEqual(error, new DnsUnavailable({ type: "TXT", name: "a.test", reason }))
          const others = yield* asking(failing, ({ mx, address }) =>
            Effect.all([Effect.flip(mx("a.test")), Effect.flip(address("a.test"))])
          )
          for (const other of others) assert.strictEqual(other.reason, reason)
        }
      })
    )

    it.effect("the next query sees a changed record", () =>
      Effect.gen(function* () {
        const zone: Zone = new Map()
        yield* Effect.gen(function* () {
          const { txt } = yield* DnsResolver
          assert.isFalse((yield* txt("a.test")).nameExists)
          zone.set("a.test", { txt: ["one"] })
          assert.deepStrictEqual((yield* txt("a.test")).values, ["one"])
          zone.set("a.test", { txt: ["two"] })
          assert.deepStrictEqual((yield* txt("a.test")).values, ["two"])
          zone.set("a.test", { trouble: "server_failure" })
          yield* Effect.flip(txt("a.test"))
        }).pipe(Effect.provide(resolverOf(zone)))
      })
    )
  })
}
