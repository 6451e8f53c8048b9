import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { recordsToPublish, withFindings } from "./DomainRecords.ts"

const identity = { domain: "mail.acme.test", selector: "ph1a2b3c", rsaPublicKey: "MIIB", ed25519PublicKey: "11qY" }
const returnPath = Option.some({ bounceDomain: "bounces.posthorn.example", label: "bounce" })

describe("the records to publish", () => {
  it("are DKIM twice, RETURN_PATH, SPF and DMARC, in this order", () => {
    assert.deepStrictEqual(recordsToPublish(identity, returnPath), [
      {
        type: "TXT",
        name: "ph1a2b3c._domainkey.mail.acme.test",
        value: "v=DKIM1; k=rsa; p=MIIB",
        purpose: "DKIM",
        required: true
      },
      {
        type: "TXT",
        name: "ph1a2b3ce._domainkey.mail.acme.test",
        value: "v=DKIM1; k=ed25519; p=11qY",
        purpose: "DKIM",
        required: false
      },
      {
        type: "MX",
        name: "bounce.mail.acme.test",
        value: "10 bounces.posthorn.example",
        purpose: "RETURN_PATH",
        required: false
      },
      {
        type: "TXT",
        name: "bounce.mail.acme.test",
        value: "v=spf1 include:bounces.posthorn.example ~all",
        purpose: "SPF",
        required: false
      },
      { type: "TXT", name: "_dmarc.mail.acme.test", value: "v=DMARC1; p=none", purpose: "DMARC", required: false }
    ])
  })

  it("do not include RETURN_PATH and SPF without a bounce domain", () => {
    const purposes = recordsToPublish(identity, Option.none()).map(({ purpose }) => purpose)
    assert.deepStrictEqual(purposes, ["DKIM", "DKIM", "DMARC"])
  })
})

describe("the stored findings", () => {
  it("are PENDING at first, then the stored ones of the same record", () => {
    const records = recordsToPublish(identity, returnPath)
    const fresh = withFindings(records, [])
    assert.isTrue(fresh.every(({ status, found }) => status === "PENDING" && found.length === 0))
    const stored = fresh.map((record) => ({ ...record, status: "VERIFIED" as const, found: ["x"] }))
    assert.deepStrictEqual(withFindings(records, stored), stored)
  })

  it("are dropped when the installation needs another record", () => {
    const stored = withFindings(recordsToPublish(identity, returnPath), []).map((record) => ({
      ...record,
      status: "VERIFIED" as const
    }))
    const moved = Option.some({ bounceDomain: "other.posthorn.example", label: "bounce" })
    const statuses = withFindings(recordsToPublish(identity, moved), stored).map(({ status }) => status)
    assert.deepStrictEqual(statuses, ["VERIFIED", "VERIFIED", "PENDING", "PENDING", "VERIFIED"])
    assert.lengthOf(withFindings(recordsToPublish(identity, Option.none()), stored), 3)
  })
})
