import { createPublicKey } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { makeKeyPairs } from "@posthorn/core/mail/domains/DkimKeys"
import { publish } from "@posthorn/core/mail/domains/DnsResolverMemory"
import { checkRecords } from "@posthorn/core/mail/domains/DomainCheck"
import { recordsToPublish } from "@posthorn/core/mail/domains/DomainRecords"
import * as SecretBox from "@posthorn/core/platform/SecretBox"
import { Secrets } from "@posthorn/core/platform/Secrets"
import * as NodeDnsResolver from "@posthorn/platform-node/dns/NodeDnsResolver"
import { dnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect, Layer, Option, Redacted, Result } from "effect"

const crypto = SecretBox.layer.pipe(
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provide(Layer.succeed(Secrets, { current: Redacted.make("0123456789abcdef0123456789abcdef"), previous: [] }))
)

it.effect("the records to publish are found through a DNS server once they are published", () =>
  Effect.gen(function* () {
    const pairs = yield* makeKeyPairs("domain-1")
    assert.strictEqual(
      createPublicKey({ key: Buffer.from(pairs.rsaPublicKey, "base64"), format: "der", type: "spki" })
        .asymmetricKeyDetails?.modulusLength,
      2048
    )
    const records = recordsToPublish(
      { domain: "mail.acme.test", ...pairs },
      Option.some({ bounceDomain: "bounces.posthorn.example", label: "bounce" })
    )
    const stub = yield* dnsStub()
    const resolver = NodeDnsResolver.layer({ servers: [stub.address], timeout: "1 second" })
    const statuses = checkRecords(records).pipe(
      Effect.map((checks) => checks.map(({ outcome }) => (Result.isSuccess(outcome) ? outcome.success.status : "?"))),
      Effect.provide(resolver)
    )

    assert.deepStrictEqual(yield* statuses, ["PENDING", "PENDING", "PENDING", "PENDING", "PENDING"])
    publish(stub.zone, records)
    assert.deepStrictEqual(yield* statuses, ["VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED"])
    stub.zone.set(records[0]?.name ?? "", { trouble: "server_failure" })
    assert.deepStrictEqual(yield* statuses, ["?", "VERIFIED", "VERIFIED", "VERIFIED", "VERIFIED"])
  }).pipe(Effect.provide(crypto))
)
