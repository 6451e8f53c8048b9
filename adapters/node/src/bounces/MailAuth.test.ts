/** Mail that arrives by SMTP from servers of other domains. A DNS server of the test holds their records. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import type { Zone } from "@posthorn/core/mail/domains/DnsResolverMemory"
import { databases } from "@posthorn/core/testing/Databases"
import { notify, tally, wireWith } from "@posthorn/core/testing/ReceiversFixture"
import { project } from "@posthorn/core/testing/Services"
import { send } from "@posthorn/core/testing/TestClient"
import { dnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createTransport } from "nodemailer"
import { BounceServer, layer as bounceServer } from "./BounceServer.ts"
import * as MailAuth from "./MailAuth.ts"

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
  }
}
const [signer, evil] = [pair(), pair()]

/** `bank.example` signs its mail and sends none from this machine; `evil.example` may send from it. */
const zone: Zone = new Map([
  ["_dmarc.bank.example", { txt: ["v=DMARC1; p=reject"] }],
  ["bank.example", { txt: ["v=spf1 -all"] }],
  ["s1._domainkey.bank.example", { txt: [signer.record] }],
  ["evil.example", { txt: ["v=spf1 ip4:127.0.0.1 -all"] }],
  ["s1._domainkey.evil.example", { txt: [evil.record] }],
  ["_dmarc.silent.example", { trouble: "timeout" }],
  ["silent.example", { trouble: "timeout" }],
  ["_dmarc.half.example", { txt: ["v=DMARC1; p=reject"] }],
  ["half.example", { txt: ["v=spf1 -all"] }],
  ["s1._domainkey.half.example", { trouble: "timeout" }]
])

const system = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Layer.unwrap(
    Effect.map(dnsStub(zone), ({ address }) =>
      bounceServer({ host: "127.0.0.1", port: 0 }).pipe(
        Layer.provideMerge(
          Layer.effectDiscard(send("POST", "/domains", { domain: "in.test" })).pipe(
            Layer.provideMerge(wireWith(database))
          )
        ),
        Layer.provide(MailAuth.layer({ servers: [address] }))
      )
    )
  )

interface Given {
  readonly from: string
  /** Envelope sender. */
  readonly sender: string
  readonly to?: string | Array<string>
  readonly signedBy?: { readonly domain: string; readonly privateKey: string }
  readonly headers?: Record<string, string>
}

const dkimOf = ({ domain, privateKey }: { readonly domain: string; readonly privateKey: string }) => ({
  domainName: domain,
  keySelector: "s1",
  privateKey
})

/** Hands a message over and returns the reply of the listener. */
const handOver = Effect.fnUntraced(function* ({
  from,
  sender,
  to = "hi@in.test",
  signedBy,
  headers = {}
}: Given): Effect.fn.Return<string, never, BounceServer> {
  const { port } = yield* BounceServer
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    ...(signedBy && { dkim: dkimOf(signedBy) })
  })
  const mail = { envelope: { from: sender, to }, from, to: "hi@in.test", subject: "Hello", text: "Hello", headers }
  return yield* Effect.promise(() =>
    transport.sendMail(mail).then(
      ({ response }) => response,
      ({ response }: { readonly response?: string }) => response ?? "none"
    )
  )
})

/** Hands over a message unchanged. */
const delivered = Effect.fnUntraced(function* (raw: string | Buffer, from: string) {
  const { port } = yield* BounceServer
  const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true })
  return yield* Effect.promise(() =>
    transport.sendMail({ envelope: { from, to: "hi@in.test" }, raw }).then(
      ({ response }) => response,
      ({ response }: { readonly response?: string }) => response ?? "none"
    )
  )
})

/** A message with a signature added. */
const signedMail = (raw: string, by: Parameters<typeof dkimOf>[0]) =>
  Effect.promise(() =>
    createTransport({ streamTransport: true, buffer: true, newline: "windows", dkim: dkimOf(by) }).sendMail({
      envelope: { from: "x@evil.example", to: "hi@in.test" },
      raw
    })
  ).pipe(Effect.map(({ message }) => String(message)))

/** The authentication results in the events of a sender, oldest first. */
const resultsOf = Effect.fnUntraced(function* (from: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    select data ->> 'spf' as spf, data ->> 'dkim' as dkim, data ->> 'dmarc' as dmarc from events
    where name = 'email.received' and data ->> 'from' = ${from} order by id`
})

const rejecting = (rejectDmarcFailures: boolean, id = project) =>
  Projects.use((projects) => projects.update(id, { rejectDmarcFailures }))

const bank = { domain: "bank.example", privateKey: signer.privateKey }
const taken = /^250 /
const rejected = /^550 5\.7\.26 /

for (const [name, database] of databases()) {
  describe(`Inbound mail on ${name}`, () => {
    layer(system(database), { timeout: "60 seconds", excludeTestServices: true })((it) => {
      it.effect("signed by its author's domain passes, even if the project rejects failures", () =>
        Effect.gen(function* () {
          yield* rejecting(true)
          const given = { from: "a@bank.example", sender: "bounces@evil.example", signedBy: bank }
          assert.match(yield* handOver(given), taken)
          assert.deepStrictEqual(yield* resultsOf("a@bank.example"), [{ spf: "pass", dkim: "pass", dmarc: "pass" }])
        })
      )

      it.effect("that fails is recorded as failed, and rejected if the project rejects failures", () =>
        Effect.gen(function* () {
          yield* rejecting(false)
          const given = { from: "b@bank.example", sender: "b@bank.example" }
          assert.match(yield* handOver(given), taken)
          const failed = [{ spf: "fail", dkim: "none", dmarc: "fail" }]
          assert.deepStrictEqual(yield* resultsOf("b@bank.example"), failed)
          yield* rejecting(true)
          assert.match(yield* handOver(given), rejected)
          assert.deepStrictEqual(yield* resultsOf("b@bank.example"), failed)
        })
      )

      it.effect("signed only by another domain fails, in whatever form it names its author", () =>
        Effect.gen(function* () {
          yield* rejecting(true)
          const signedBy = { domain: "evil.example", privateKey: evil.privateKey }
          const sender = "b@evil.example"
          const long = "c@bank.example ".repeat(60)
          const replies: Array<string> = []
          for (const from of [
            "c@bank.example",
            "c@bank.example, c@evil.example",
            // A reader that cuts long fields must not see another author: it finds none, and nothing is recorded.
            `"c@bank.example\r\n${` ${long}\r\n`.repeat(5)} " <c@evil.example>`,
            `c@bank.example\r\nFrom: c@evil.example`
          ]) {
            const raw = yield* signedMail(`From: ${from}\r\nTo: hi@in.test\r\nSubject: x\r\n\r\nHello\r\n`, signedBy)
            replies.push(yield* delivered(raw, sender))
          }
          assert.deepStrictEqual(
            replies.map((reply) => reply.slice(0, 10)),
            ["550 5.7.26", "550 5.7.26", "250 2.0.0 ", "550 5.7.26"]
          )
          assert.deepStrictEqual(yield* resultsOf("c@bank.example"), [])
        })
      )

      it.effect("without a policy is accepted, with the domains that authenticated it", () =>
        Effect.gen(function* () {
          yield* rejecting(true)
          assert.match(yield* handOver({ from: "d@evil.example", sender: "d@evil.example" }), taken)
          assert.deepStrictEqual(yield* resultsOf("d@evil.example"), [{ spf: "pass", dkim: "none", dmarc: "none" }])
        })
      )

      it.effect("is accepted while DNS does not answer", () =>
        Effect.gen(function* () {
          yield* rejecting(true)
          const unknown = { from: "e@silent.example", sender: "e@silent.example" }
          assert.match(yield* handOver(unknown), taken)
          const [found] = yield* resultsOf("e@silent.example")
          assert.deepStrictEqual(found, { spf: "temperror", dkim: "none", dmarc: "temperror" })
          // The policy is known, but the lookup of the key failed.
          const half = { domain: "half.example", privateKey: signer.privateKey }
          const maybe = { from: "e@half.example", sender: "e@half.example", signedBy: half }
          assert.match(yield* handOver(maybe), taken)
          const [other] = yield* resultsOf("e@half.example")
          assert.deepStrictEqual(other, { spf: "fail", dkim: "temperror", dmarc: "temperror" })
        })
      )

      it.effect("with many signatures has only the first ten checked", () =>
        Effect.gen(function* () {
          yield* rejecting(true)
          const broken = "v=1; a=rsa-sha256; d=bank.example; s=s1; h=from; bh=AAAA; b=AAAA"
          const raw = yield* signedMail("From: f@bank.example\r\nTo: hi@in.test\r\n\r\nHello\r\n", bank)
          const over = (count: number) => delivered(`DKIM-Signature: ${broken}\r\n`.repeat(count) + raw, "")
          assert.match(yield* over(9), taken)
          assert.match(yield* over(10), rejected)
        })
      )

      it.effect("with a line longer than SMTP allows has no signature checked", () =>
        Effect.gen(function* () {
          yield* rejecting(false)
          const long = `From: i@bank.example\r\nTo: hi@in.test\r\n\r\n${"y".repeat(200_000)}\r\n`
          assert.match(yield* delivered(yield* signedMail(long, bank), "i@bank.example"), taken)
          const found = yield* resultsOf("i@bank.example")
          assert.deepStrictEqual(found, [{ spf: "fail", dkim: "policy", dmarc: "fail" }])
        })
      )

      it.effect("for two projects is rejected for one and accepted for the other", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const projects = yield* Projects
          const other = yield* projects.create("Other")
          yield* send("POST", "/domains", { domain: "other-in.test" })
          yield* sql`update domains set project_id = ${other.project.id} where domain = 'other-in.test'`
          yield* rejecting(true)
          const to = ["hi@in.test", "hi@other-in.test"]
          const given = { from: "g@bank.example", sender: "g@bank.example", to }
          assert.match(yield* handOver(given), taken)
          const projectsOf = sql`
            select project_id as id from events where name = 'email.received' and data ->> 'from' = 'g@bank.example'`
          assert.deepStrictEqual(yield* projectsOf, [{ id: other.project.id }])
          yield* rejecting(true, other.project.id)
          assert.match(yield* handOver({ ...given, headers: { "x-second": "1" } }), rejected)
        })
      )

      it.effect("that a provider reports as failed records no event if the project rejects failures", () =>
        Effect.gen(function* () {
          const report = (dmarc: string) =>
            notify({
              id: crypto.randomUUID(),
              type: "inbound",
              timestamp: new Date().toISOString(),
              mail: { from: "h@bank.example", to: "hi@in.test", dmarc }
            })
          yield* rejecting(true)
          for (const failed of ["fail", "FAIL", "fail (p=reject)"]) {
            assert.deepStrictEqual((yield* report(failed)).body.data, tally({ ignored: 1 }))
          }
          assert.deepStrictEqual((yield* report("temperror")).body.data, tally({ accepted: 1 }))
          yield* rejecting(false)
          assert.deepStrictEqual((yield* report("fail")).body.data, tally({ accepted: 1 }))
        })
      )
    })
  })
}
