import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { Cause, DateTime, Deferred, Effect, Equal, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { defaults } from "../../platform/Settings.ts"
import { publish, type Zone } from "./DnsResolverMemory.ts"
import { checkAllDomains } from "./DomainCheckJob.ts"
import type { DomainIdentity } from "./DomainRecords.ts"
import { DomainStore } from "./DomainStore.ts"
import { foundation, mine, theirs } from "./DomainsFixture.ts"
import { recordsOf } from "./DomainView.ts"

const uuid = (n: number) => DomainId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)

const identity = (n: number): DomainIdentity => ({
  domain: `job${n}.test`,
  selector: `ph${n}`,
  rsaPublicKey: "MIIB",
  ed25519PublicKey: "11qY"
})

const insert = Effect.fnUntraced(function* (n: number) {
  const store = yield* DomainStore
  const sealed = { rsaPrivateKey: "", ed25519PrivateKey: "" }
  const records = recordsOf(identity(n), defaults).map((record) => ({
    ...record,
    status: "PENDING" as const,
    found: []
  }))
  const project = n % 2 === 0 ? mine : theirs
  return yield* store.insert(
    project,
    { id: uuid(n), verified: false, records, ...identity(n), ...sealed },
    yield* DateTime.now
  )
})

const states = Effect.gen(function* () {
  const store = yield* DomainStore
  const all = [...(yield* store.list(mine)), ...(yield* store.list(theirs))]
  return new Map(all.map((domain) => [domain.domain, domain]))
})

const zone: Zone = new Map()
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

layer(foundation(zone), { timeout: "60 seconds" })("The background check", (it) => {
  it.effect("checks every domain of every project, pending and verified", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(range(1, 230), insert)
      for (const n of range(1, 100)) publish(zone, recordsOf(identity(n), defaults))
      yield* checkAllDomains
      const now = yield* DateTime.now
      const first = yield* states
      assert.isTrue([...first.values()].every(({ lastCheckedAt }) => lastCheckedAt !== null))
      assert.lengthOf(
        [...first.values()].filter(({ verified }) => verified),
        100
      )
      zone.clear()
      publish(zone, recordsOf(identity(230), defaults))
      yield* TestClock.adjust("5 minutes")
      yield* checkAllDomains
      const second = yield* states
      assert.deepStrictEqual([second.get("job1.test")?.verified, second.get("job1.test")?.failedChecks], [true, 1])
      assert.isTrue(second.get("job230.test")?.verified)
      assert.deepStrictEqual(first.get("job1.test")?.verifiedAt, now)
    })
  )

  it.effect("makes at most 20 lookups at the same time", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<void>()
      let [asking, most] = [0, 0]
      const counted = Effect.gen(function* () {
        most = Math.max(most, ++asking)
        yield* Deferred.await(answered)
        asking--
        return { nameExists: false, values: [] }
      })
      const slow = DnsResolver.of({
        txt: () => counted,
        mx: () => counted,
        cname: () => counted,
        ptr: () => counted,
        address: () => counted
      })
      yield* TestClock.adjust("5 minutes")
      const round = yield* Effect.forkChild(Effect.provideService(checkAllDomains, DnsResolver, slow))
      while (asking < 20) yield* TestClock.withLive(Effect.sleep("5 millis"))
      yield* TestClock.withLive(Effect.sleep("50 millis"))
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(round)
      assert.strictEqual(most, 20)
    })
  )

  it.effect("continues an interrupted round: domains that were just checked are not counted again", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("5 minutes")
      zone.clear()
      yield* checkAllDomains
      const before = yield* states
      yield* TestClock.adjust("59 seconds")
      yield* checkAllDomains
      assert.deepStrictEqual(yield* states, before)
    })
  )

  it.effect("a domain that cannot be checked does not delay others, and is reported at the end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.adjust("5 minutes")
      publish(zone, recordsOf(identity(229), defaults))
      yield* sql`
        alter table domains add constraint broken check (domain <> 'job7.test' or last_checked_at is null) not valid`
      const exit = yield* Effect.exit(checkAllDomains)
      yield* sql`alter table domains drop constraint broken`
      assert.match(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", /1 domains could not be checked/)
      const after = yield* states
      const now = yield* DateTime.now
      assert.isTrue(after.get("job229.test")?.verified)
      const unchecked = [...after.values()].filter(({ lastCheckedAt }) => !Equal.equals(lastCheckedAt, now))
      assert.deepStrictEqual(
        unchecked.map(({ domain }) => domain),
        ["job7.test"]
      )
    })
  )
})
