import { assert, describe, it } from "@effect/vitest"
import type { RecordStatus } from "@posthorn/contract/mail/domains/Domain"
import { Effect, Option, Result, Schema } from "effect"
import { DnsUnavailable } from "../../platform/dns/DnsResolver.ts"
import { layerMemory, publish, type Zone } from "./DnsResolverMemory.ts"
import { afterCheck, type CheckedRecord, checkRecords, type DomainState } from "./DomainCheck.ts"
import { type RecordToPublish, recordsToPublish, withFindings } from "./DomainRecords.ts"

const records = recordsToPublish(
  { domain: "mail.acme.test", selector: "ph1a2b3c", rsaPublicKey: "MIIB", ed25519PublicKey: "11qY" },
  Option.some({ bounceDomain: "bounces.posthorn.example", label: "bounce" })
)
const added: DomainState = {
  verified: false,
  trusted: false,
  heldElsewhere: false,
  failedChecks: 0,
  records: withFindings(records, [])
}

type Word = RecordStatus | "unavailable"

/** A check in which the required record gets this word, and all others are right. */
const checkWith = (word: Word): ReadonlyArray<CheckedRecord> =>
  records.map((record) => {
    const status = record.required ? word : "VERIFIED"
    return {
      record,
      outcome:
        status === "unavailable"
          ? Result.fail(new DnsUnavailable({ type: "TXT", name: record.name, reason: "timeout" }))
          : Result.succeed({ status, found: [status] })
    }
  })

/** The states after each of the checks, each stored before the next. */
const checked = (state: DomainState, ...words: ReadonlyArray<Word>) => {
  let before = state
  return words.map((word) => {
    const after = afterCheck(before, checkWith(word))
    before = { ...before, ...after }
    return after
  })
}
const verified: DomainState = { ...added, ...checked(added, "VERIFIED")[0] }

describe("after a check", () => {
  it("one successful check verifies, and only the RSA record decides", () => {
    const [first, second] = checked(added, "VERIFIED", "VERIFIED")
    assert.deepStrictEqual([first?.verified, first?.flip], [true, "verified"])
    assert.deepStrictEqual([second?.verified, second?.flip], [true, null])
    const [pending] = checked(added, "PENDING")
    assert.deepStrictEqual([pending?.verified, pending?.flip, pending?.failedChecks], [false, null, 0])
  })

  it("the third definite negative of any kind in a row ends the verification", () => {
    const states = checked(verified, "PENDING", "MISMATCH", "PENDING", "MISMATCH")
    assert.deepStrictEqual(
      states.map((each) => each.verified),
      [true, true, false, false]
    )
    assert.deepStrictEqual(
      states.map((each) => each.flip),
      [null, null, "unverified", null]
    )
    assert.deepStrictEqual(
      states.map((each) => each.failedChecks),
      [1, 2, 3, 3]
    )
  })

  it("a successful check resets the count and verifies again", () => {
    const saved = checked(verified, "PENDING", "PENDING", "VERIFIED", "PENDING", "PENDING")
    assert.isTrue(saved.every((each) => each.verified && each.flip === null))
    const [again] = checked(verified, "PENDING", "PENDING", "PENDING", "VERIFIED").slice(-1)
    assert.deepStrictEqual([again?.flip, again?.failedChecks], ["verified", 0])
  })

  it("a missing answer does not count and keeps the record unchanged", () => {
    const states = checked(verified, "PENDING", "unavailable", "unavailable", "PENDING", "unavailable", "PENDING")
    assert.deepStrictEqual(
      states.map((each) => each.failedChecks),
      [1, 1, 1, 2, 2, 3]
    )
    assert.deepStrictEqual(
      states.map((each) => each.verified),
      [true, true, true, true, true, false]
    )
    const [flapping] = checked(verified, "unavailable")
    assert.deepStrictEqual(flapping?.records, verified.records)
    assert.strictEqual(
      flapping?.lastError,
      "The DNS query for TXT ph1a2b3c._domainkey.mail.acme.test failed: no answer in time."
    )
    assert.isNull(checked(verified, "VERIFIED")[0]?.lastError)
  })

  it("a domain that the operator trusts stays verified, and its records are still reported", () => {
    const states = checked({ ...verified, trusted: true }, "PENDING", "MISMATCH", "PENDING", "PENDING", "unavailable")
    assert.isTrue(states.every((each) => each.verified && each.flip === null && each.failedChecks === 0))
    assert.strictEqual(states[1]?.records[0]?.status, "MISMATCH")
  })

  it("a domain that another project owns stays pending, and reports that its DNS is correct", () => {
    const held = { ...added, heldElsewhere: true }
    const [right, wrong] = checked(held, "VERIFIED", "PENDING")
    assert.deepStrictEqual([right?.verified, right?.verifiedElsewhere, right?.flip], [false, true, null])
    assert.deepStrictEqual([wrong?.verified, wrong?.verifiedElsewhere], [false, false])
    const [free] = checked({ ...held, ...right, heldElsewhere: false }, "VERIFIED")
    assert.deepStrictEqual([free?.flip, free?.verifiedElsewhere], ["verified", false])
  })

  it.prop(
    "in any sequence of checks, only three negatives without a success between them end the verification",
    [
      Schema.Array(Schema.Literals(["PENDING", "MISMATCH", "VERIFIED", "unavailable"])),
      Schema.Struct({ verified: Schema.Boolean, trusted: Schema.Boolean, heldElsewhere: Schema.Boolean })
    ],
    ([words, given]) => {
      const flags = { ...given, heldElsewhere: given.heldElsewhere && !given.verified }
      let isVerified = flags.verified
      let negatives = 0
      checked({ ...added, ...flags }, ...words).forEach((after, i) => {
        const before = isVerified
        const word = words[i]
        if (word === "VERIFIED") {
          isVerified ||= !flags.heldElsewhere
          negatives = 0
        } else if (word !== "unavailable" && isVerified && !flags.trusted) {
          negatives += 1
          isVerified = negatives < 3
        }
        assert.strictEqual(after.verified, isVerified)
        assert.strictEqual(after.flip, before === isVerified ? null : isVerified ? "verified" : "unverified")
        assert.isAtMost(after.failedChecks, 3)
        assert.strictEqual(after.lastError === null, word !== "unavailable")
        assert.isFalse(after.verified && after.verifiedElsewhere)
      })
    }
  )
})

describe("checking the records", () => {
  const statusesIn = (zone: Zone, of: ReadonlyArray<RecordToPublish> = records) =>
    checkRecords(of).pipe(
      Effect.map((checks) =>
        checks.map(({ outcome }) => Result.match(outcome, { onSuccess: ({ status }) => status, onFailure: () => "?" }))
      ),
      Effect.provide(layerMemory(zone))
    )
  const dmarc = records.filter(({ purpose }) => purpose === "DMARC")

  it.effect("finds all records that the owner has published", () =>
    Effect.gen(function* () {
      const zone: Zone = new Map()
      assert.deepStrictEqual(yield* statusesIn(zone), ["PENDING", "PENDING", "PENDING", "PENDING", "PENDING"])
      publish(zone, records)
      assert.deepStrictEqual(yield* statusesIn(zone), ["VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED"])
    })
  )

  it.effect("follows a CNAME to the key", () =>
    Effect.gen(function* () {
      const zone: Zone = new Map([
        ["ph1a2b3c._domainkey.mail.acme.test", { cname: "keys.acme.test" }],
        ["keys.acme.test", { txt: ["k=rsa; p=MIIB"] }]
      ])
      assert.deepStrictEqual(yield* statusesIn(zone, records.slice(0, 1)), ["VERIFIED"])
    })
  )

  it.effect("a failed lookup does not affect the others", () =>
    Effect.gen(function* () {
      const zone: Zone = new Map()
      publish(zone, records)
      zone.set("ph1a2b3c._domainkey.mail.acme.test", { trouble: "server_failure" })
      zone.set("bounce.mail.acme.test", { trouble: "timeout" })
      assert.deepStrictEqual(yield* statusesIn(zone), ["?", "VERIFIED", "?", "?", "VERIFIED"])
    })
  )

  it.effect("uses the DMARC policy of the organisation if the domain has none", () =>
    Effect.gen(function* () {
      const zone: Zone = new Map([["_dmarc.acme.test", { txt: ["v=DMARC1; p=reject"] }]])
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["VERIFIED"])
      zone.set("_dmarc.acme.test", { txt: ["v=DMARC1; p=whatever"] })
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["MISMATCH"])
      zone.set("_dmarc.acme.test", { trouble: "refused" })
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["?"])
      zone.set("_dmarc.mail.acme.test", { txt: ["v=DMARC1; p=none"] })
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["VERIFIED"])
      zone.set("_dmarc.mail.acme.test", { txt: ["v=DMARC1"] })
      zone.set("_dmarc.acme.test", { txt: ["v=DMARC1; p=reject"] })
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["MISMATCH"])
      zone.set("_dmarc.mail.acme.test", { trouble: "timeout" })
      assert.deepStrictEqual(yield* statusesIn(zone, dmarc), ["?"])
    })
  )
})
