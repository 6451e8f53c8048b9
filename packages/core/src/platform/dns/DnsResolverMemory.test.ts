import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { layerMemory } from "../../mail/domains/DnsResolverMemory.ts"
import { atMost, DnsResolver } from "./DnsResolver.ts"
import { dnsResolverSuite } from "./DnsResolverSuite.ts"

dnsResolverSuite("DnsResolverMemory", layerMemory)

it.effect("a loop of CNAMEs is a server failure", () =>
  Effect.gen(function* () {
    const { txt } = yield* DnsResolver
    assert.strictEqual((yield* Effect.flip(txt("a.test"))).reason, "server_failure")
  }).pipe(
    Effect.provide(
      layerMemory(
        new Map([
          ["a.test", { cname: "b.test" }],
          ["b.test", { cname: "a.test" }]
        ])
      )
    )
  )
)

it.effect("atMost delays lookups above its number", () =>
  Effect.gen(function* () {
    const answered = yield* Deferred.make<void>()
    const asked: Array<string> = []
    const hanging = DnsResolver.of({
      txt: (name) =>
        Effect.gen(function* () {
          asked.push(name)
          yield* Deferred.await(answered)
          return { nameExists: true, values: [name] }
        }),
      mx: () => Effect.succeed({ nameExists: false, values: [] }),
      cname: () => Effect.succeed({ nameExists: false, values: [] }),
      ptr: () => Effect.succeed({ nameExists: false, values: [] }),
      address: () => Effect.succeed({ nameExists: false, values: [] })
    })
    const names = Array.from({ length: 50 }, (_, i) => `${i}.test`)
    const all = DnsResolver.use(({ txt }) => Effect.forEach(names, txt, { concurrency: "unbounded" })).pipe(
      Effect.provide(atMost(20).pipe(Layer.provide(Layer.succeed(DnsResolver, hanging))))
    )
    const fiber = yield* Effect.forkChild(all)
    while (asked.length < 20) yield* Effect.yieldNow
    for (let i = 0; i < 100; i++) yield* Effect.yieldNow
    assert.lengthOf(asked, 20)
    yield* Deferred.succeed(answered, undefined)
    assert.lengthOf(yield* Fiber.join(fiber), 50)
  })
)
