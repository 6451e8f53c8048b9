/**
 * kill -9 of the API process while recipients confirm their erasure: between the confirmation and the erasure, and at
 * random moments. Another process then takes the same click, twice.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as RequestLinks from "@posthorn/core/platform/links/RequestLinks"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Effect, Fiber, Layer, Random, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Seed from "../Seed.ts"
import { Installation } from "./Installation.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"

export interface Options {
  /** Seeds the moments. */
  readonly seed: string
  readonly kills: number
}

const WithId = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const Links = Schema.decodeUnknownEffect(Schema.Struct({ token: Schema.String }))
const Found = Schema.decodeUnknownEffect(
  Schema.Struct({ data: Schema.NonEmptyArray(Schema.Struct({ id: Schema.String, status: Schema.String })) })
)
const Erased = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const links = RequestLinks.layer.pipe(
  Layer.provide([
    Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto),
    Layer.succeed(Secrets, { current: Redacted.make(Seed.secret), previous: [] })
  ])
)

/** The click on the button of the page: its text, or nothing from a process that dies. */
const click = (url: string) =>
  Effect.promise(() =>
    fetch(url, { method: "POST", body: new URLSearchParams({ confirm: "1" }) }).then(
      (answer) => answer.text(),
      () => ""
    )
  )

/** Returns the verdict: each person is erased, and once. */
export const kills = Effect.fn("ErasureKills.kills")(function* ({ kills, seed }: Options) {
  const { api, senders, startApi } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [project] = senders
  const wrong: Array<string> = []
  const ask = (method: "GET" | "PATCH" | "POST", path: string, body?: object) =>
    Load.ask(method, api.url + path, { key: project.key, body, patience: 60_000 })

  const one = Effect.fnUntraced(
    function* (number: number) {
      const email = `erased-${seed}-${number}@example.com`
      const contact = yield* Effect.flatMap(ask("POST", "/contacts", { email }), ({ body }) => WithId(body))
      const { token } = yield* Effect.flatMap(ask("GET", `/contacts/${contact.id}/links`), ({ body }) => Links(body))
      yield* ask("POST", `/public/preferences/${token}/requests`, { type: "ERASURE" })
      const look = Effect.flatMap(ask("GET", "/privacy-requests?limit=1"), ({ body }) => Found(body))
      const { id } = (yield* look).data[0]
      const link = yield* Effect.provide(
        RequestLinks.RequestLinks.use((all) => all.url("privacy", { project: ProjectId.make(project.id), id })),
        links
      )
      const { pathname } = new URL(link)
      const isBetween = yield* Random.nextBoolean
      const doomed = yield* startApi(isBetween ? { failAt: "before_self_erasure" } : {})
      const clicked = yield* Effect.forkScoped(click(doomed.url + pathname))
      if (!isBetween) {
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 60))
        doomed.signal("SIGKILL")
      }
      yield* doomed.ended
      yield* Fiber.join(clicked)
      if (isBetween && (yield* look).data[0].status !== "UNCONFIRMED")
        wrong.push(`${email} was confirmed by a dead process`)
      for (const _ of [1, 2]) {
        const text = yield* click(api.url + pathname)
        if (!text.includes("Your data has been deleted.")) wrong.push(`The click for ${email} was answered ${text}`)
      }
      const { status } = yield* ask("GET", `/contacts/${contact.id}`)
      const request = (yield* look).data[0]
      const [{ count }] = yield* Effect.flatMap(
        sql`
        select count(*)::int as count from audit_log
        where action = 'contact.erased' and details ->> 'contactId' = ${contact.id}`,
        Erased
      )
      if (status !== 404 || request.status !== "DONE" || count !== 1) {
        wrong.push(
          `${email}: the contact answers ${status}, its request is ${request.status}, and it was erased ${count} times`
        )
      }
    },
    Effect.orDie,
    Effect.scoped
  )

  yield* ask("PATCH", "/settings/audience", { selfService: { erasure: "automatic" } })
  const all = Effect.forEach(
    Array.from({ length: kills }, (_, n) => n),
    one,
    { discard: true }
  )
  yield* Random.withSeed(all, `erasures ${seed}`)
  return wrong.reduce((so, sentence) => promising(so, sentence, false), yield* verdict(new Set(), 0))
})
