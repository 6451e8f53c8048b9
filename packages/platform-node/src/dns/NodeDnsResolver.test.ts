import { assert, it } from "@effect/vitest"
import type { Zone } from "@posthorn/core/mail/domains/DnsResolverMemory"
import { DnsResolver } from "@posthorn/core/platform/dns/DnsResolver"
import { dnsResolverSuite } from "@posthorn/core/testing/DnsResolverSuite"
import { Effect, Layer } from "effect"
import { type DnsStub, dnsStub } from "../testing/DnsStub.ts"
import * as NodeDnsResolver from "./NodeDnsResolver.ts"

const quick = { timeout: "250 millis" } as const

const over = (zone: Zone) =>
  Layer.unwrap(Effect.map(dnsStub(zone), ({ address }) => NodeDnsResolver.layer({ ...quick, servers: [address] })))

dnsResolverSuite("NodeDnsResolver over UDP and TCP", over)

const asking = <A, E>(stub: DnsStub, questions: (resolver: DnsResolver["Service"]) => Effect.Effect<A, E>) =>
  DnsResolver.use(questions).pipe(Effect.provide(NodeDnsResolver.layer({ ...quick, servers: [stub.address] })))

it.effect("a server that does not answer is queried twice; an answer is final at once", () =>
  Effect.gen(function* () {
    const stub = yield* dnsStub(
      new Map([
        ["silent.test", { trouble: "timeout" }],
        ["failing.test", { trouble: "server_failure" }]
      ])
    )
    yield* asking(stub, ({ txt }) => Effect.flip(txt("silent.test")))
    assert.deepStrictEqual(stub.queries.splice(0), ["TXT silent.test over udp", "TXT silent.test over udp"])
    yield* asking(stub, ({ mx }) => Effect.flip(mx("failing.test")))
    yield* asking(stub, ({ txt }) => txt("gone.test"))
    assert.deepStrictEqual(stub.queries, ["MX failing.test over udp", "TXT gone.test over udp"])
  })
)

it.effect("the number of attempts can be set", () =>
  Effect.gen(function* () {
    const stub = yield* dnsStub(new Map([["silent.test", { trouble: "timeout" }]]))
    const once = NodeDnsResolver.layer({ ...quick, tries: 1, servers: [stub.address] })
    yield* DnsResolver.use(({ txt }) => Effect.flip(txt("silent.test"))).pipe(Effect.provide(once))
    assert.lengthOf(stub.queries, 1)
  })
)

it.effect("the next server is queried if one does not answer", () =>
  Effect.gen(function* () {
    const silent = yield* dnsStub(new Map([["a.test", { trouble: "timeout" }]]))
    const good = yield* dnsStub(new Map([["a.test", { txt: ["here"] }]]))
    const both = NodeDnsResolver.layer({ ...quick, servers: [silent.address, good.address] })
    const answer = yield* DnsResolver.use(({ txt }) => txt("a.test")).pipe(Effect.provide(both))
    assert.deepStrictEqual(answer.values, ["here"])
  })
)

it.effect("an unreachable server is an error, not an empty answer", () =>
  Effect.gen(function* () {
    const closed = yield* Effect.scoped(dnsStub())
    const error = yield* asking(closed, ({ txt }) => Effect.flip(txt("a.test")))
    assert.include(["unreachable", "timeout"], error.reason)
  })
)

it.effect("an answer that does not fit into a datagram is requested again over TCP", () =>
  Effect.gen(function* () {
    const txt = ["x".repeat(200), "y".repeat(2_000)]
    const stub = yield* dnsStub(new Map([["big.test", { txt }]]))
    const answer = yield* asking(stub, ({ txt }) => txt("big.test"))
    assert.sameMembers([...answer.values], txt)
    assert.deepStrictEqual(stub.queries, ["TXT big.test over udp", "TXT big.test over tcp"])
  })
)

it.effect("pending queries end with the layer", () =>
  Effect.gen(function* () {
    const stub = yield* dnsStub(new Map([["silent.test", { trouble: "timeout" }]]))
    const patient = NodeDnsResolver.layer({ timeout: "1 hour", servers: [stub.address] })
    const asked = Effect.gen(function* () {
      while (stub.queries.length === 0) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
    })
    yield* DnsResolver.use(({ txt }) => Effect.raceFirst(Effect.ignore(txt("silent.test")), asked)).pipe(
      Effect.provide(patient)
    )
    assert.lengthOf(stub.queries, 1)
  })
)
