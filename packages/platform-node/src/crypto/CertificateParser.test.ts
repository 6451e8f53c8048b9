import { execFileSync } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { parse } from "./CertificateParser.ts"

const folder = mkdtempSync(join(tmpdir(), "posthorn-certificate-"))
const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=sns.test", "-days", "30"]
const files = { key: join(folder, "key.pem"), certificate: join(folder, "certificate.pem") }
execFileSync("openssl", [...request, "-keyout", files.key, "-out", files.certificate], { stdio: "ignore" })
const key = readFileSync(files.key, "utf8")
const pem = readFileSync(files.certificate, "utf8")
rmSync(folder, { recursive: true })

describe("Certificates", () => {
  it("contain their public key and their period of validity", () => {
    const found = parse(pem)
    assert.deepStrictEqual(found?.publicKey, createPublicKey(key).export({ type: "spki", format: "der" }))
    assert.strictEqual(found && Duration.toDays(DateTime.distance(found.notBefore, found.notAfter)), 30)
  })

  it.each([
    ["nothing", ""],
    ["text", "a certificate"],
    ["a private key", key],
    ["a certificate without its end", pem.slice(0, pem.length / 2)],
    ["a certificate with a changed length", pem.replace("MII", "MIH")]
  ])("are refused if the text is %s", (_, text) => {
    assert.isUndefined(parse(text))
  })
})
