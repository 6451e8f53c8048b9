import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sealLink } from "../../accounts/systemmail/SealedLinks.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { Mailer, MailerError } from "../../platform/Mailer.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project, services } from "../../testing/Services.ts"
import { Domains } from "../domains/Domains.ts"
import { SystemMailSender } from "./SystemMailSender.ts"

const letter = { to: "ada@example.com", subject: "Hello", body: "Look at <this>." }

const post = (more: { readonly link?: string } = {}) => SystemMail.use((mail) => mail.post([{ ...letter, ...more }]))

/** What left, of all that was due. */
const drained = Effect.gen(function* () {
  const peer = yield* Peer
  const before = (yield* peer.accepted).length
  const { send } = yield* Mailer
  yield* (yield* SystemMailSender).drain(send)
  return (yield* peer.accepted).slice(before)
})

const waiting = SqlClient.SqlClient.use((sql) => sql`select tries from system_mails`)

layer(services, { timeout: "60 seconds" })("Mail of the service itself", (it) => {
  it.effect("leaves once, from the platform, with its link opened for whom it is", () =>
    Effect.gen(function* () {
      const link = yield* sealLink(letter.to, "https://posthorn.example/account/x?token=t")
      yield* post({ link })
      const [sent, ...others] = yield* drained
      assert.deepStrictEqual([others, yield* waiting], [[], []])
      assert.deepInclude(sent, {
        from: { address: "posthorn@posthorn.example", name: "Posthorn" },
        to: [{ address: letter.to }],
        cc: [],
        subject: "Hello",
        text: "Look at <this>.\n\nhttps://posthorn.example/account/x?token=t",
        headers: [["Auto-Submitted", "auto-generated"]],
        dkim: []
      })
      assert.include(sent?.html, "&lt;this&gt;")
    })
  )

  it.effect("is signed once a project has verified the domain that it comes from", () =>
    Effect.gen(function* () {
      yield* Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "posthorn.example" })))
      yield* post()
      const [sent] = yield* drained
      assert.deepStrictEqual(
        sent?.dkim.map(({ algorithm, domain }) => [domain, algorithm]),
        [
          ["posthorn.example", "rsa-sha256"],
          ["posthorn.example", "ed25519-sha256"]
        ]
      )
    })
  )

  it.effect("with a link that was sealed for somebody else does not leave", () =>
    Effect.gen(function* () {
      yield* post({ link: yield* sealLink("eve@example.com", "https://posthorn.example/") })
      assert.deepStrictEqual([yield* drained, yield* waiting], [[], []])
    })
  )

  it.effect("is tried again every five minutes, twelve times", () =>
    Effect.gen(function* () {
      const peer = yield* Peer
      const refused = new MailerError({ transport: "memory", reason: "unreachable", reply: "Nobody is there." })
      yield* peer.answer(() => Effect.fail(refused))
      yield* post()
      for (let tries = 1; tries < 12; tries++) {
        assert.deepStrictEqual([yield* drained, yield* waiting], [[], [{ tries }]])
        yield* TestClock.adjust("299 seconds")
        yield* drained
        assert.deepStrictEqual(yield* waiting, [{ tries }])
        yield* TestClock.adjust("1 second")
      }
      yield* drained
      assert.deepStrictEqual(yield* waiting, [])
      yield* peer.answer(() => Effect.succeed(receipt))
    })
  )
})
