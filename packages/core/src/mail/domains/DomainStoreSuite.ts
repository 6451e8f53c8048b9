/** What every DomainStore promises, as tests over a layer. */
import { assert, layer } from "@effect/vitest"
import { DomainId, type DomainRecord } from "@posthorn/contract/mail/domains/Domain"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, type Layer, Option } from "effect"
import { Transaction } from "../../platform/Transaction.ts"
import { at, uuid } from "../../testing/StoreValues.ts"
import type { NextState } from "./DomainCheck.ts"
import { DomainHeld, DomainStore, type NewDomain, type StoredDomain } from "./DomainStore.ts"

const id = (n: number) => DomainId.make(uuid(n))

const record: DomainRecord = {
  type: "TXT",
  name: "ph1a2b3c._domainkey.acme.test",
  value: "v=DKIM1; k=rsa; p=MIIB",
  purpose: "DKIM",
  required: true,
  status: "PENDING",
  found: ['"grüße" \\ 💌']
}
const found: DomainRecord = { ...record, status: "VERIFIED", found: [record.value] }

const domain = (n: number, name: string, more: Partial<NewDomain> = {}): NewDomain => ({
  id: id(n),
  domain: name,
  verified: false,
  records: [record],
  selector: "ph1a2b3c",
  rsaPublicKey: `rsa ${n}`,
  rsaPrivateKey: `sealed rsa ${n}`,
  ed25519PublicKey: `ed25519 ${n}`,
  ed25519PrivateKey: `sealed ed25519 ${n}`,
  ...more
})

const good: NextState = {
  verified: true,
  verifiedElsewhere: false,
  failedChecks: 0,
  records: [found],
  lastError: null,
  flip: "verified"
}

/** What a check says whose DNS is right. */
const right = (state: { readonly heldElsewhere: boolean }): NextState =>
  state.heldElsewhere ? { ...good, verified: false, verifiedElsewhere: true, flip: null } : good

/** A negative one, which un-verifies at once. */
const wrong = (): NextState => ({ ...good, verified: false, failedChecks: 1, records: [record] })

export const domainStoreSuite = (name: string, storage: Layer.Layer<DomainStore | Transaction>) => {
  let projects = 0
  // The ids are in order, as are those of real projects.
  const freshProject = Effect.sync(() => ProjectId.make(uuid(100_000 + projects++)))
  const idsOf = (domains: ReadonlyArray<StoredDomain>) => domains.map((each) => each.id)

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns the written record, without the private keys", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const project = yield* freshProject
        const stored = yield* store.insert(project, domain(1, "written.test"), at(0))
        assert.deepStrictEqual(stored, {
          id: id(1),
          projectId: project,
          domain: "written.test",
          verified: false,
          selector: "ph1a2b3c",
          verifiedElsewhere: false,
          trusted: false,
          failedChecks: 0,
          linkHost: null,
          records: [record],
          lastCheckedAt: null,
          lastError: null,
          verifiedAt: null,
          createdAt: at(0),
          updatedAt: at(0),
          rsaPublicKey: "rsa 1",
          ed25519PublicKey: "ed25519 1"
        })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(stored))
        const keys = yield* store.keys(project, id(1))
        const { verified: _v, records: _r, ...given } = domain(1, "written.test")
        assert.deepStrictEqual(keys, Option.some({ ...given, projectId: project }))
      })
    )

    it.effect("lists the project's domains, newest first, equal times by id", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const project = yield* freshProject
        yield* store.insert(project, domain(1, "a.test"), at(1))
        yield* store.insert(project, domain(2, "b.test"), at(0))
        yield* store.insert(project, domain(3, "c.test"), at(1))
        assert.deepStrictEqual(idsOf(yield* store.list(project)), [id(3), id(1), id(2)])
        assert.deepStrictEqual(yield* store.list(yield* freshProject), [])
      })
    )

    it.effect("deletes once, including the keys, and never changes another project", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const [project, other] = [yield* freshProject, yield* freshProject]
        const stored = yield* store.insert(project, domain(1, "deleted.test"), at(0))
        assert.isTrue(Option.isNone(yield* store.find(other, id(1))))
        assert.isTrue(Option.isNone(yield* store.keys(other, id(1))))
        assert.isTrue(Option.isNone(yield* store.saveCheck({ ...stored, projectId: other }, right, at(1))))
        assert.isTrue(Option.isNone(yield* store.setTrust(other, id(1), true, at(1))))
        assert.isFalse(yield* store.delete(other, id(1)))
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(stored))
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.isFalse(yield* store.delete(project, id(1)))
        assert.isTrue(Option.isNone(yield* store.keys(project, id(1))))
        assert.isTrue(Option.isNone(yield* store.saveCheck(stored, right, at(1))))
      })
    )

    it.effect("reports whether this project has a name, and whether another project has verified it", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const [project, other] = [yield* freshProject, yield* freshProject]
        const free = { count: 0, existing: null, heldElsewhere: false }
        assert.deepStrictEqual(yield* store.taken(project, "standing.test"), free)
        yield* store.insert(other, domain(1, "standing.test"), at(0))
        assert.deepStrictEqual(yield* store.taken(project, "standing.test"), free)
        yield* store.insert(project, domain(2, "standing.test", { verified: true }), at(0))
        assert.deepStrictEqual(yield* store.taken(project, "standing.test"), {
          count: 1,
          existing: id(2),
          heldElsewhere: false
        })
        assert.deepStrictEqual(yield* store.taken(other, "standing.test"), {
          count: 1,
          existing: id(1),
          heldElsewhere: true
        })
        assert.deepStrictEqual(yield* store.taken(yield* freshProject, "mail.standing.test"), free)
      })
    )

    it.effect("a name that would be verified at once is refused if another project owns it", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const [project, other] = [yield* freshProject, yield* freshProject]
        const first = yield* store.insert(project, domain(1, "held.test", { verified: true }), at(0))
        assert.deepStrictEqual(first.verifiedAt, at(0))
        const second = store.insert(other, domain(2, "held.test", { verified: true }), at(0))
        assert.deepStrictEqual(yield* Effect.flip(second), new DomainHeld())
        yield* store.insert(other, domain(2, "held.test"), at(0))
      })
    )

    it.effect("domains are added to a locked project one after another", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const transaction = yield* Transaction
        const project = yield* freshProject
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) =>
            transaction.run(
              Effect.gen(function* () {
                yield* store.holdProject(project)
                const { count } = yield* store.taken(project, `turn${n}.test`)
                yield* store.insert(project, domain(n, `turn${n}.test`), at(0))
                return count
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(counts.toSorted(), [0, 1, 2, 3])
      })
    )

    it.effect("stores a check; updatedAt changes only if the check changes something", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const project = yield* freshProject
        const before = yield* store.insert(project, domain(1, "checked.test"), at(0))
        const decided: Array<boolean> = []
        const first = yield* store.saveCheck(
          before,
          (state) => {
            decided.push(state.heldElsewhere, state.verified, state.trusted)
            return good
          },
          at(1)
        )
        assert.deepStrictEqual(decided, [false, false, false])
        const checked = {
          ...before,
          verified: true,
          records: [found],
          lastCheckedAt: at(1),
          verifiedAt: at(1),
          updatedAt: at(1)
        }
        assert.deepStrictEqual(first, Option.some({ domain: checked, flip: "verified" }))
        const second = yield* store.saveCheck(checked, right, at(2))
        const again = { ...checked, lastCheckedAt: at(2) }
        assert.deepStrictEqual(second, Option.some({ domain: again, flip: null }))
        const third = yield* store.saveCheck(again, () => ({ ...wrong(), lastError: "no answer" }), at(3))
        const negative = {
          ...before,
          failedChecks: 1,
          lastError: "no answer",
          lastCheckedAt: at(3),
          updatedAt: at(3)
        }
        assert.deepStrictEqual(third, Option.some({ domain: negative, flip: "unverified" }))
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(negative))
      })
    )

    it.effect("of overlapping checks only the first stored one counts", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const project = yield* freshProject
        const before = yield* store.insert(project, domain(1, "overlap.test"), at(0))
        let counted = 0
        const results = yield* Effect.forEach(
          [1, 2, 3],
          (minute) =>
            store.saveCheck(
              before,
              (state) => {
                counted++
                return { ...wrong(), failedChecks: state.failedChecks + 1 }
              },
              at(minute)
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(counted, 1)
        const stored = Option.getOrThrow(yield* store.find(project, id(1)))
        assert.strictEqual(stored.failedChecks, 1)
        for (const result of results) {
          assert.deepStrictEqual(
            Option.map(result, (checked) => checked.domain),
            Option.some(stored)
          )
        }
      })
    )

    it.effect(
      "of projects that verify one name at the same time, one gets it, and the others report that it is verified elsewhere",
      () =>
        Effect.gen(function* () {
          const store = yield* DomainStore
          for (let round = 0; round < 10; round++) {
            const inserted = yield* Effect.forEach([1, 2, 3], (n) =>
              Effect.flatMap(freshProject, (project) => store.insert(project, domain(n, `race${round}.test`), at(0)))
            )
            yield* Effect.forEach(inserted, (each) => store.saveCheck(each, right, at(1)), { concurrency: "unbounded" })
            const after = yield* store.named(`race${round}.test`)
            assert.lengthOf(
              after.filter(({ verified }) => verified),
              1
            )
            assert.lengthOf(
              after.filter(({ verified, verifiedElsewhere }) => !verified && verifiedElsewhere),
              2
            )
          }
        })
    )

    it.effect("a check that read the domain before it was trusted does not end the trust", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const project = yield* freshProject
        const before = yield* store.insert(project, domain(1, "trusted.test"), at(0))
        const trusted = yield* store.setTrust(project, id(1), true, at(1))
        assert.deepStrictEqual(
          trusted,
          Option.some({
            domain: { ...before, trusted: true, verified: true, verifiedAt: at(1), updatedAt: at(1) },
            flip: "verified"
          })
        )
        const seen: Array<boolean> = []
        yield* store.saveCheck(
          before,
          (state) => {
            seen.push(state.trusted, state.verified)
            return right(state)
          },
          at(2)
        )
        assert.deepStrictEqual(seen, [true, true])
        const ended = Option.getOrThrow(yield* store.setTrust(project, id(1), false, at(3)))
        assert.deepStrictEqual([ended.domain.trusted, ended.domain.verified, ended.flip], [false, true, null])
      })
    )

    it.effect("trust is refused while another project owns the name", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const [project, other] = [yield* freshProject, yield* freshProject]
        yield* store.insert(other, domain(1, "trustheld.test", { verified: true }), at(0))
        const stored = yield* store.insert(project, domain(2, "trustheld.test"), at(0))
        const refused = yield* Effect.flip(store.setTrust(project, id(2), true, at(1)))
        assert.deepStrictEqual(refused, new DomainHeld())
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(stored))
        yield* store.delete(other, id(1))
        assert.isTrue(Option.isSome(yield* store.setTrust(project, id(2), true, at(1))))
      })
    )

    it.effect("iterates over all domains that are due for a check, each once", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const mine: Array<StoredDomain> = []
        for (let n = 1; n <= 5; n++) {
          mine.push(yield* store.insert(yield* freshProject, domain(n, `walk${n}.test`), at(0)))
        }
        const [early, late] = mine
        if (early) yield* store.saveCheck(early, right, at(10))
        if (late) yield* store.saveCheck(late, right, at(11))
        const walked: Array<StoredDomain> = []
        let page = yield* store.toCheck(at(10), 2)
        while (page.length > 0) {
          assert.isAtMost(page.length, 2)
          walked.push(...page)
          page = yield* store.toCheck(at(10), 2, page.at(-1))
        }
        const names = walked.map((each) => each.domain).filter((each) => each.startsWith("walk"))
        assert.deepStrictEqual(names, ["walk1.test", "walk3.test", "walk4.test", "walk5.test"])
        assert.strictEqual(new Set(walked.map(({ projectId, id }) => projectId + id)).size, walked.length)
      })
    )
  })
}
