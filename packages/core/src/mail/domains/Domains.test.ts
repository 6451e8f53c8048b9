import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { Conflict, ResourceInUse, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import type { Zone } from "./DnsResolverMemory.ts"
import { DomainStore } from "./DomainStore.ts"
import * as Domains from "./Domains.ts"
import { foundation, mine, publishAll, theirs, unpublishAll } from "./DomainsFixture.ts"
import { insertEmail, insertTemplate } from "./DomainUsageFixture.ts"
import * as SigningKeys from "./SigningKeys.ts"

const nowhere = DomainId.make("019a0000-0000-7000-8000-00000000dead")
const statuses = ({ records }: { readonly records: ReadonlyArray<{ readonly status: string }> }) =>
  records.map(({ status }) => status)

const zone: Zone = new Map()
const services = Domains.layer.pipe(
  Layer.provideMerge(foundation(zone, { bounceDomain: "bounces.posthorn.example", returnPathLabel: "rp" }))
)

layer(services, { timeout: "60 seconds" })("Domains", (it) => {
  it.effect("an added domain is pending, with the records to publish", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "added.test", projectId: mine })
      const now = yield* DateTime.now
      assert.deepStrictEqual(added, {
        id: added.id,
        projectId: mine,
        domain: "added.test",
        verified: false,
        status: "PENDING",
        selector: added.selector,
        verifiedElsewhere: false,
        trusted: false,
        failedChecks: 0,
        linkHost: null,
        dmarcReportAddress: added.dmarcReportAddress,
        records: added.records,
        lastCheckedAt: null,
        lastError: null,
        verifiedAt: null,
        createdAt: now,
        updatedAt: now
      })
      assert.deepStrictEqual(
        added.records.map(({ purpose, name, required }) => [purpose, name, required]),
        [
          ["DKIM", `${added.selector}._domainkey.added.test`, true],
          ["DKIM", `${added.selector}e._domainkey.added.test`, false],
          ["RETURN_PATH", "rp.added.test", false],
          ["SPF", "rp.added.test", false],
          ["DMARC", "_dmarc.added.test", false]
        ]
      )
      assert.deepStrictEqual(statuses(added), ["PENDING", "PENDING", "PENDING", "PENDING", "PENDING"])
      assert.deepStrictEqual(yield* domains.get(mine, added.id), added)
    })
  )

  it.effect("it is verified by a check after the records are published", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "published.test" })
      yield* publishAll(zone, added)
      const verified = yield* domains.verify(mine, added.id)
      const now = yield* DateTime.now
      assert.deepStrictEqual(verified, {
        ...added,
        verified: true,
        status: "VERIFIED",
        records: verified.records,
        lastCheckedAt: now,
        verifiedAt: now,
        updatedAt: now,
        tokens: [added.selector]
      })
      assert.deepStrictEqual(statuses(verified), ["VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED"])
      assert.deepStrictEqual(verified.records[0]?.found, [added.records[0]?.value ?? ""])
      const { tokens: _tokens, ...shown } = verified
      assert.deepStrictEqual(yield* domains.get(mine, added.id), shown)
    })
  )

  it.effect("the first check runs automatically within 10 seconds", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "first.test" })
      yield* publishAll(zone, added)
      yield* TestClock.adjust("9 seconds")
      yield* eventually(domains.get(mine, added.id), ({ verified }) => verified)
    })
  )

  it.effect("unless a caller was faster; a check less than 10 seconds old is returned again", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "asked.test" })
      yield* publishAll(zone, added)
      const first = yield* domains.verify(mine, added.id)
      yield* unpublishAll(zone, added)
      yield* TestClock.adjust("9999 millis")
      assert.deepStrictEqual(yield* domains.verify(mine, added.id), first)
      yield* TestClock.adjust("1 millis")
      const second = yield* domains.verify(mine, added.id)
      assert.deepStrictEqual([second.lastCheckedAt, second.failedChecks], [yield* DateTime.now, 1])
    })
  )

  it.effect("three definite negatives in a row end the verification; a failing name server never does", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "flips.test" })
      const [key] = added.records
      const check = Effect.gen(function* () {
        yield* TestClock.adjust("10 seconds")
        const { verified, failedChecks, lastError, verifiedAt } = yield* domains.verify(mine, added.id)
        assert.strictEqual(verifiedAt !== null, verified)
        return [verified, failedChecks, lastError !== null]
      })
      const serverFails = Effect.sync(() => zone.set(key?.name ?? "", { trouble: "server_failure" }))

      yield* publishAll(zone, added)
      assert.deepStrictEqual(yield* check, [true, 0, false])
      yield* serverFails
      for (let n = 0; n < 5; n++) assert.deepStrictEqual(yield* check, [true, 0, true])
      yield* unpublishAll(zone, added)
      assert.deepStrictEqual(yield* check, [true, 1, false])
      assert.deepStrictEqual(yield* check, [true, 2, false])
      yield* serverFails
      for (let n = 0; n < 3; n++) assert.deepStrictEqual(yield* check, [true, 2, true])
      yield* unpublishAll(zone, added)
      assert.deepStrictEqual(yield* check, [false, 3, false])
      yield* publishAll(zone, added)
      assert.deepStrictEqual(yield* check, [true, 0, false])
    })
  )

  it.effect("overlapping checks count once", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const added = yield* domains.add(mine, { domain: "overlapping.test" })
      yield* publishAll(zone, added)
      yield* domains.verify(mine, added.id)
      yield* unpublishAll(zone, added)
      yield* TestClock.adjust("10 seconds")
      const checks = Array.from({ length: 5 }, () => domains.verify(mine, added.id))
      const results = yield* Effect.all(checks, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map(({ failedChecks, verified }) => [failedChecks, verified]),
        results.map(() => [1, true])
      )
    })
  )

  it.effect("of two projects with correct DNS, one owns the name until it removes it", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const one = yield* domains.add(mine, { domain: "shared.test" })
      const two = yield* domains.add(theirs, { domain: "shared.test" })
      assert.notStrictEqual(one.selector, two.selector)
      zone.clear()
      yield* publishAll(zone, { ...one, records: one.records.filter(({ purpose }) => purpose === "DKIM") })
      yield* publishAll(zone, { ...two, records: two.records.filter(({ purpose }) => purpose === "DKIM") })
      const [first, second] = yield* Effect.all([domains.verify(mine, one.id), domains.verify(theirs, two.id)], {
        concurrency: 2
      })
      assert.deepStrictEqual([first.verified, second.verified].toSorted(), [false, true])
      assert.deepStrictEqual([first.verifiedElsewhere, second.verifiedElsewhere].toSorted(), [false, true])
      const [winner, loser] = first.verified ? [first, second] : [second, first]
      assert.isTrue(loser.verifiedElsewhere)
      yield* domains.remove(winner.projectId, winner.id)
      yield* TestClock.adjust("10 seconds")
      const heir = yield* domains.verify(loser.projectId, loser.id)
      assert.deepStrictEqual([heir.verified, heir.verifiedElsewhere], [true, false])

      const late = yield* domains.add(winner.projectId, { domain: "shared.test" })
      assert.deepInclude(late, { status: "PENDING", verified: false, verifiedElsewhere: false })
      yield* TestClock.adjust("1 minute")
      const checked = yield* domains.verify(winner.projectId, late.id)
      assert.deepInclude(checked, { verified: false, verifiedElsewhere: false })
    })
  )

  it.effect("is refused if it belongs to a mailbox provider, exists already, or belongs to another project", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      for (const domain of ["gmail.com", "co.uk", "github.io"]) {
        const refused = yield* Effect.flip(domains.add(mine, { domain, projectId: theirs }))
        assert.instanceOf(refused, ValidationError)
        if (refused._tag !== "VALIDATION_ERROR") return
        assert.deepStrictEqual(
          refused.errors.map(({ field, code, received }) => [field, code, received]),
          [["domain", "custom", domain]]
        )
      }
      const foreign = yield* Effect.flip(domains.add(mine, { domain: "own.test", projectId: theirs }))
      assert.deepStrictEqual(foreign, new ResourceNotFound({ resource: "project", id: theirs }))
      const { id } = yield* domains.add(mine, { domain: "own.test", projectId: null })
      const again = yield* Effect.flip(domains.add(mine, { domain: "own.test" }))
      assert.deepStrictEqual(again, new Conflict({ reason: "domain_exists", domainId: id }))
      yield* domains.add(theirs, { domain: "own.test" })
    })
  )

  it.effect("added twice at the same time, it exists once", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const adds = Array.from({ length: 3 }, () => Effect.exit(domains.add(mine, { domain: "twice.test" })))
      yield* Effect.all(adds, { concurrency: "unbounded" })
      const all = yield* domains.list(mine, mine)
      assert.lengthOf(
        all.filter(({ domain }) => domain === "twice.test"),
        1
      )
    })
  )

  it.effect("lists only domains of the project, and finds a name in any case", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const older = yield* domains.add(theirs, { domain: "older.test" })
      yield* TestClock.adjust("1 second")
      const newer = yield* domains.add(theirs, { domain: "newer.test" })
      const listed = yield* domains.list(theirs, theirs.toUpperCase())
      assert.deepStrictEqual(listed.slice(0, 2), [newer, older])
      assert.isTrue(listed.every(({ projectId }) => projectId === theirs))
      for (const other of [theirs, "verify", ""]) {
        const refused = yield* Effect.flip(domains.list(mine, other))
        assert.deepStrictEqual(refused, new ResourceNotFound({ resource: "project", id: other }))
      }
      for (const id of [older.id, nowhere]) {
        const missing = new ResourceNotFound({ resource: "domain", id })
        assert.deepStrictEqual(yield* Effect.flip(domains.get(mine, id)), missing)
        assert.deepStrictEqual(yield* Effect.flip(domains.verify(mine, id)), missing)
        assert.deepStrictEqual(yield* Effect.flip(domains.remove(mine, id)), missing)
      }
    })
  )

  it.effect("is not removed while a template or unsent mail uses it; its keys are deleted with it", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const { signingKeys } = yield* SigningKeys.make
      const { id } = yield* domains.add(mine, { domain: "used.test" })
      const template = yield* insertTemplate(mine, "Welcome", "hi@used.test")
      yield* insertEmail(mine, "hi@used.test", "PENDING")
      yield* insertEmail(mine, "hi@used.test", "SENT")
      assert.deepStrictEqual(
        yield* Effect.flip(domains.remove(mine, id)),
        new ResourceInUse({
          templates: [{ id: template, name: "Welcome" }],
          workflowSteps: [],
          campaigns: [],
          pendingEmails: 1
        })
      )
      const free = yield* domains.add(mine, { domain: "unused.test" })
      yield* domains.remove(mine, free.id)
      assert.strictEqual((yield* Effect.flip(domains.get(mine, free.id)))._tag, "RESOURCE_NOT_FOUND")
      assert.isTrue((yield* Effect.exit(signingKeys(mine, free.id)))._tag === "Failure")
      yield* domains.add(mine, { domain: "unused.test" })
    })
  )

  it.effect("a project has at most 100", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const store = yield* DomainStore
      const have = (yield* domains.list(theirs, theirs)).length
      const keys = {
        selector: "ph",
        rsaPublicKey: "",
        rsaPrivateKey: "",
        ed25519PublicKey: "",
        ed25519PrivateKey: "",
        verified: false,
        records: []
      }
      for (let n = have; n < 99; n++) {
        const id = DomainId.make(crypto.randomUUID())
        yield* store.insert(theirs, { id, domain: `many${n}.test`, ...keys }, yield* DateTime.now)
      }
      const last = ["last-a.test", "last-b.test"].map((domain) => Effect.exit(domains.add(theirs, { domain })))
      const exits = yield* Effect.all(last, { concurrency: 2 })
      assert.lengthOf(
        exits.filter(({ _tag }) => _tag === "Success"),
        1
      )
      assert.deepStrictEqual(
        yield* Effect.flip(domains.add(theirs, { domain: "one-more.test" })),
        ValidationError.one("domain", "too_big", "A project has at most 100 domains.")
      )
      const known = yield* Effect.flip(domains.add(theirs, { domain: "newer.test" }))
      assert.strictEqual(known._tag, "CONFLICT")
    })
  )
})

const devZone: Zone = new Map()
layer(Domains.layer.pipe(Layer.provideMerge(foundation(devZone, { devMode: true }))), { timeout: "60 seconds" })(
  "Domains in dev mode",
  (it) => {
    it.effect("reserved names are verified at once, and stay verified", () =>
      Effect.gen(function* () {
        const domains = yield* Domains.Domains
        for (const domain of ["posthorn.test", "a.b.example", "app.localhost"]) {
          const added = yield* domains.add(mine, { domain })
          assert.deepStrictEqual([added.verified, added.status], [true, "VERIFIED"])
          assert.deepStrictEqual(added.verifiedAt, added.createdAt)
          assert.lengthOf(added.records, 3)
          for (let n = 0; n < 4; n++) {
            yield* TestClock.adjust("10 seconds")
            const checked = yield* domains.verify(mine, added.id)
            assert.deepStrictEqual([checked.verified, checked.failedChecks, checked.lastError], [true, 0, null])
          }
        }
      })
    )

    it.effect("a name still belongs to one project, and every other name needs DNS", () =>
      Effect.gen(function* () {
        const domains = yield* Domains.Domains
        const adds = [mine, theirs].map((project) => domains.add(project, { domain: "one.test" }))
        const added = yield* Effect.all(adds, { concurrency: 2 })
        assert.deepStrictEqual(added.map(({ verified }) => verified).toSorted(), [false, true])
        const own = yield* domains.add(mine, { domain: "example.com" })
        assert.isFalse(own.verified)
        yield* publishAll(devZone, own)
        assert.isTrue((yield* domains.verify(mine, own.id)).verified)
      })
    )
  }
)
