import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Zone } from "./DnsResolverMemory.ts"
import * as Domains from "./Domains.ts"
import { foundation, mine, publishAll, theirs } from "./DomainsFixture.ts"
import { type CannotTrust, trust, untrust } from "./DomainTrust.ts"

const zone: Zone = new Map()
const services = Domains.layer.pipe(Layer.provideMerge(foundation(zone)))

layer(services, { timeout: "60 seconds" })("DomainTrust", (it) => {
  it.effect("verifies without DNS, and no check ends it", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const { id } = yield* domains.add(mine, { domain: "xn--bcher-kva.test" })
      const trusted = yield* trust(" BÜCHER.test. ")
      assert.deepStrictEqual([trusted.id, trusted.trusted, trusted.verified], [id, true, true])
      for (let n = 0; n < 4; n++) {
        yield* TestClock.adjust("10 seconds")
        const { verified, failedChecks, records } = yield* domains.verify(mine, id)
        assert.deepStrictEqual([verified, failedChecks, records[0]?.status], [true, 0, "PENDING"])
      }
      assert.strictEqual((yield* trust("bücher.test")).trusted, true)
    })
  )

  it.effect("when it ends, DNS decides again, with an immediate check", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const { id } = yield* domains.add(mine, { domain: "ended.test" })
      yield* trust("ended.test")
      const ended = yield* untrust("ended.test")
      assert.deepStrictEqual([ended.trusted, ended.verified, ended.failedChecks], [false, true, 1])
      yield* TestClock.adjust("10 seconds")
      yield* domains.verify(mine, id)
      yield* TestClock.adjust("10 seconds")
      assert.isFalse((yield* domains.verify(mine, id)).verified)
    })
  )

  it.effect("is refused for a name of no project, of several projects, or of another project", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const refused = <R>(attempt: Effect.Effect<unknown, CannotTrust, R>) =>
        Effect.map(Effect.flip(attempt), ({ reason, projects }) => [reason, projects])
      assert.deepStrictEqual(yield* refused(trust("nobody.test")), ["unknown", []])
      assert.deepStrictEqual(yield* refused(untrust("nobody.test")), ["unknown", []])

      yield* domains.add(mine, { domain: "both.test" })
      yield* TestClock.adjust("1 second")
      const other = yield* domains.add(theirs, { domain: "both.test" })
      assert.deepStrictEqual(yield* refused(trust("both.test")), ["several", [mine, theirs]])
      yield* publishAll(zone, other)
      yield* domains.verify(theirs, other.id)
      assert.deepStrictEqual(yield* refused(trust("both.test", mine)), ["held", [theirs]])
      const trusted = yield* trust("both.test", theirs)
      assert.deepStrictEqual([trusted.projectId, trusted.trusted], [theirs, true])
      yield* untrust("both.test", mine)
      const message = (yield* Effect.flip(trust("both.test"))).message
      assert.strictEqual(message, "both.test stays as it is: several projects have it; say which.")
    })
  )
})
