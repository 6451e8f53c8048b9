import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import { readMail, UnreadableMail } from "../../mail/receivers/ReportedMail.ts"
import * as MailRendererLive from "../../mail/sending/MailRenderer.ts"
import { MailRenderer } from "../../mail/sending/MailRenderer.ts"
import * as TrackedHtml from "../../mail/tracking/TrackedHtml.ts"
import * as TrackingLinks from "../../mail/tracking/TrackingLinks.ts"
import * as PublicLinks from "../../platform/links/PublicLinks.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import { requireSyntax } from "../templates/TextSyntax.ts"
import { longestInLine, TextTooSlow, TextWork, type TextWorker } from "./TextWork.ts"

const message = "The text takes longer than 10s to process."
const asked: Array<string> = []

/** A worker on which every task takes too long. */
const tooSlow: TextWorker = {
  run: (task) =>
    Effect.suspend(() => {
      asked.push(task)
      return Effect.fail(new TextTooSlow({ message }))
    })
}

/** No text here has a link to preferences, so no setting is read. */
const noRules = Layer.mock(AudienceRules, {})

const services = Layer.merge(MailRendererLive.layer, TrackingLinks.layer).pipe(
  Layer.provideMerge(PublicLinks.layer),
  Layer.provide([crypto, secrets, noRules]),
  Layer.provideMerge(Layer.succeed(TextWork, tooSlow))
)

const project = ProjectId.make("019a0000-0000-7000-8000-000000000001")
const email = EmailId.make("019a0000-0000-7000-8000-000000000002")
const reader = {
  id: ContactId.make("019a0000-0000-7000-8000-000000000003"),
  projectId: project,
  email: "ada@example.com",
  subscribed: true,
  data: { rows: Array.from({ length: 90 }, (_, n) => n) }
}

const render = (body: string) =>
  MailRenderer.use((personal) =>
    personal.render(
      { subject: "Hi", body, type: "TRANSACTIONAL", data: {}, project: { name: "Shop", language: "en" } },
      reader,
      email
    )
  )

layer(services)("a text that takes too long in a thread", (it) => {
  it.effect("is refused with the field and the reason; small texts are not processed in a thread", () =>
    Effect.gen(function* () {
      asked.length = 0
      assert.strictEqual((yield* render("<p>{{email}}</p>")).text, "ada@example.com")
      assert.deepStrictEqual(asked, [])
      const large = yield* Effect.flip(render("x".repeat(longestInLine + 1)))
      assert.deepStrictEqual(large.errors, [{ field: "body", code: "custom", message }])
      // A small template that renders to a large text.
      const grown = yield* Effect.flip(render(`{{#each rows}}${"y".repeat(2_000)}{{/each}}`))
      assert.deepStrictEqual(grown.errors, [{ field: "body", code: "custom", message }])
      assert.deepStrictEqual(asked, ["message", "message"])
    })
  )

  it.effect("is refused when it is saved", () =>
    Effect.gen(function* () {
      yield* requireSyntax(tooSlow, { body: "{{name}}" })
      const refused = yield* Effect.flip(requireSyntax(tooSlow, { body: "x".repeat(longestInLine + 1) }))
      assert.deepStrictEqual(refused.errors, [{ field: "body", code: "custom", message }])
    })
  )

  it.effect("gets no tracked links, and is not read as a report", () =>
    Effect.gen(function* () {
      const { rewrite } = yield* TrackedHtml.make
      const html = "<p>x</p>".repeat(longestInLine)
      assert.strictEqual((yield* Effect.flip(rewrite({ project, email }, html))).message, message)
      const lines = new TextEncoder().encode(`From: a@example.com\r\n\r\n${"\r\n".repeat(5_000)}`)
      assert.instanceOf(yield* Effect.flip(readMail(lines, tooSlow)), UnreadableMail)
    })
  )
})
