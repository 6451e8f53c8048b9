import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { recordsToPublish } from "./DomainRecords.ts"
import { dkimFinding, dmarcFinding, returnPathFinding, spfFinding } from "./RecordFindings.ts"

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A+/=="
const recordOf = (index: number) => {
  const record = recordsToPublish(
    { domain: "acme.test", selector: "ph1a2b3c", rsaPublicKey: key, ed25519PublicKey: "11qYAYK=" },
    Option.some({ bounceDomain: "bounces.posthorn.example", label: "bounce" })
  )[index]
  if (record === undefined) throw new Error("no such record")
  return record
}
const [rsa, ed25519, returnPath, spf] = [recordOf(0), recordOf(1), recordOf(2), recordOf(3)]

const Blank = Schema.Literals(["", " ", "\t", "  ", "\r\n "])
const Blanks = Schema.Array(Blank).check(Schema.isMinLength(8), Schema.isMaxLength(8))

describe("DKIM", () => {
  const statusOf = (...texts: ReadonlyArray<string>) => dkimFinding(rsa, texts).status

  it("is VERIFIED by our key in any valid spelling", () => {
    for (const text of [
      rsa.value,
      `p=${key}`,
      `k=rsa;p=${key};v=DKIM1;`,
      `v = DKIM1 ; k = rsa ; p = ${key.slice(0, 9)} \r\n ${key.slice(9)}`,
      `v=DKIM1; h=sha256; p=${key}`,
      `v=DKIM1; h=sha1 : sha256; p=${key}`,
      `v=DKIM1; t=s; p=${key}`,
      `v=DKIM1; t=y; n=a note; s=email; future=1; p=${key}`
    ]) {
      assert.strictEqual(statusOf(text), "VERIFIED", text)
    }
    assert.strictEqual(dkimFinding(ed25519, ["p=11qYAYK=; k=ed25519"]).status, "VERIFIED")
  })

  it("is PENDING without a record", () => {
    assert.deepStrictEqual(dkimFinding(rsa, []), { status: "PENDING", found: [] })
  })

  it("is a MISMATCH otherwise", () => {
    for (const text of [
      "v=DKIM1; k=rsa; p=AAAA",
      "v=DKIM1; k=rsa; p=",
      "v=DKIM1; k=rsa",
      `v=DKIM2; k=rsa; p=${key}`,
      `v=dkim1; k=rsa; p=${key}`,
      `v=DKIM1; k=ed25519; p=${key}`,
      `v=DKIM1; k=; p=${key}`,
      `v=DKIM1; h=sha1; p=${key}`,
      `v=DKIM1; h=; p=${key}`,
      `v=DKIM1; p=${key}; p=${key}`,
      `v=DKIM1; P=${key}`,
      `"v=DKIM1; k=rsa; p=${key}"`,
      `v=DKIM1\\; k=rsa\\; p=${key}`,
      `v=DKIM1; p=${key.toLowerCase()}`,
      `v=DKIM1; p=${key}; broken`,
      "v=spf1 -all",
      "",
      key
    ]) {
      assert.deepStrictEqual(dkimFinding(rsa, [text]), { status: "MISMATCH", found: [text] })
    }
    assert.strictEqual(statusOf(rsa.value, rsa.value), "MISMATCH")
    assert.strictEqual(statusOf(rsa.value, "v=spf1 -all"), "MISMATCH")
    assert.strictEqual(dkimFinding(ed25519, ["p=11qYAYK="]).status, "MISMATCH")
  })

  it.prop(
    "only the key matters, not order, blanks and unknown tags",
    [Schema.Array(Schema.Finite), Blanks, Schema.Array(Blank), Schema.Int],
    ([order, [b0, b1, b2, b3, b4, b5, b6, b7], inKey, at]) => {
      const cut = Math.abs(at) % key.length
      const spaced = `${key.slice(0, cut)}${inKey.join("")}${key.slice(cut)}`
      const tags = [
        `${b0}v${b1}=${b2}DKIM1${b3}`,
        `${b4}k=${b5}rsa`,
        `p${b6}=${b7}${spaced}`,
        "x=unknown",
        "t=s",
        "h=sha1 : sha256"
      ]
      const shuffled = tags
        .map((tag, i) => [order[i] ?? 0, tag] as const)
        .sort(([a], [b]) => a - b)
        .map(([, tag]) => tag)
      assert.strictEqual(statusOf(shuffled.join(";")), "VERIFIED")
      const [other] = key.charAt(cut) === "A" ? ["B"] : ["A"]
      const changed = `${key.slice(0, cut)}${other}${key.slice(cut + 1)}`
      assert.strictEqual(statusOf(shuffled.join(";").replace(spaced, changed)), "MISMATCH")
    }
  )

  it.prop("any other text is a MISMATCH and is shown", [Schema.String], ([text]) => {
    assert.deepStrictEqual(dkimFinding(rsa, [text]).status, "MISMATCH")
    assert.lengthOf(dkimFinding(rsa, [text]).found, 1)
  })
})

describe("RETURN_PATH", () => {
  const statusOf = (...exchanges: ReadonlyArray<string>) =>
    returnPathFinding(
      returnPath,
      exchanges.map((exchange, priority) => ({ priority, exchange }))
    )

  it("is VERIFIED by an MX with the bounce domain, in any case, with any preference", () => {
    assert.deepStrictEqual(statusOf("bounces.posthorn.example").status, "VERIFIED")
    assert.deepStrictEqual(statusOf("other.test", "Bounces.Posthorn.EXAMPLE."), {
      status: "VERIFIED",
      found: ["0 other.test", "1 Bounces.Posthorn.EXAMPLE."]
    })
  })

  it("is PENDING without an MX, a MISMATCH with others", () => {
    assert.deepStrictEqual(statusOf(), { status: "PENDING", found: [] })
    assert.strictEqual(statusOf("posthorn.example").status, "MISMATCH")
    assert.strictEqual(statusOf("x.bounces.posthorn.example").status, "MISMATCH")
    assert.deepStrictEqual(statusOf(""), { status: "MISMATCH", found: ["0 ."] })
  })
})

describe("SPF", () => {
  const statusOf = (...texts: ReadonlyArray<string>) => spfFinding(spf, texts).status

  it("is VERIFIED by one policy that includes the bounce domain, at any position", () => {
    for (const text of [
      spf.value,
      "v=spf1 include:bounces.posthorn.example -all",
      "v=spf1 a mx ip4:192.0.2.0/24 +include:Bounces.Posthorn.Example. ?all",
      "v=spf1 include:other.test include:bounces.posthorn.example"
    ]) {
      assert.strictEqual(statusOf(text), "VERIFIED", text)
    }
    assert.strictEqual(statusOf("some=token", spf.value), "VERIFIED")
  })

  it("is PENDING without a policy, and shows the existing records", () => {
    assert.strictEqual(statusOf(), "PENDING")
    assert.deepStrictEqual(spfFinding(spf, ["some=token", "v=spf10 x"]), {
      status: "PENDING",
      found: ["some=token", "v=spf10 x"]
    })
  })

  it("is a MISMATCH without the include, or with two policies", () => {
    for (const text of [
      "v=spf1 -all",
      "v=spf1",
      "v=spf1 include:bounces.posthorn.example.evil.test -all",
      "v=spf1 include:x.bounces.posthorn.example -all",
      "v=spf1 exp=include:bounces.posthorn.example -all",
      "v=spf1 redirect=bounces.posthorn.example"
    ]) {
      assert.strictEqual(statusOf(text), "MISMATCH", text)
    }
    assert.strictEqual(statusOf(spf.value, spf.value), "MISMATCH")
    assert.strictEqual(statusOf(spf.value, "v=spf1 -all"), "MISMATCH")
  })
})

describe("DMARC", () => {
  const statusOf = (...texts: ReadonlyArray<string>) => dmarcFinding(texts).status

  it("is VERIFIED by any valid policy, old or new", () => {
    for (const text of [
      "v=DMARC1; p=none",
      "v=DMARC1;p=reject;",
      "v = DMARC1 ; p = quarantine",
      "v=DMARC1; P=x; p=Reject",
      "v=DMARC1; p=reject; pct=50; rf=afrf; ri=86400; rua=mailto:dmarc@acme.test",
      "v=DMARC1; sp=none; np=reject; psd=n; t=y; adkim=s; p=reject; future=1; broken"
    ]) {
      assert.strictEqual(statusOf(text), "VERIFIED", text)
    }
    assert.strictEqual(statusOf("v=spf1 -all", "v=DMARC1; p=none"), "VERIFIED")
  })

  it("is PENDING without one, and a MISMATCH if it is invalid or not the only one", () => {
    for (const texts of [[], ["v=spf1 -all"], ["p=none; v=DMARC1"], ["v=DMARC10; p=none"], ["V=dmarc1; p=none"]]) {
      assert.deepStrictEqual(dmarcFinding(texts), { status: "PENDING", found: texts })
    }
    for (const text of ["v=DMARC1", "v=DMARC1; p=", "v=DMARC1; p=block", "v=DMARC1 p=none", "v=DMARC1; sp=none"]) {
      assert.deepStrictEqual(dmarcFinding([text]), { status: "MISMATCH", found: [text] })
    }
    assert.strictEqual(statusOf("v=DMARC1; p=none", "v=DMARC1; p=none"), "MISMATCH")
  })
})

describe("found", () => {
  it("contains at most 5 values of at most 1,000 characters", () => {
    const { found } = dkimFinding(
      rsa,
      Array.from({ length: 9 }, () => "💌".repeat(2_000))
    )
    assert.deepStrictEqual(
      found,
      Array.from({ length: 5 }, () => "💌".repeat(1_000))
    )
  })

  it("shows no control characters", () => {
    assert.deepStrictEqual(dkimFinding(rsa, ["a\u0000b\u001b[31m\u0085"]).found, ["a\ufffdb\ufffd[31m\ufffd"])
  })
})
