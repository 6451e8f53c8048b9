import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Sending } from "@posthorn/core/mail/sending/Sending"
import { TrackingLinks } from "@posthorn/core/mail/tracking/TrackingLinks"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as RawTracking from "../baselines/RawTracking.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import type { Child } from "../processes/Child.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests } from "./Loads.ts"

const projects = 4

/** Emails of each project, requested in turn, so that tokens rarely repeat. */
const mails = 5_000

const batch = 500

const destination = "https://shop.example.com/orders/4711?from=mail"

interface Tracked {
  readonly pixel: string
  readonly click: string
}

/** The emails that the row uses. */
export const stored = projects * mails

export const senders = Seed.senders(projects)

/** Emails with a template, or with a text of their own, that were sent a minute ago: the paths of pixel and link. */
export const paths = Effect.fnUntraced(function* (
  senders: ReadonlyArray<Seed.Sender>,
  textOf = ({ template }: Seed.Sender): object => ({ template: TemplateId.make(template) })
) {
  const sending = yield* Sending
  const tracking = yield* TrackingLinks
  const sql = yield* SqlClient.SqlClient
  const made: Array<Tracked> = []
  for (const sender of senders) {
    const project = ProjectId.make(sender.id)
    for (const of of Array.chunksOf(Array.range(1, mails), batch)) {
      const to = of.map((n) => `reader-${n}@example.com`)
      const { emails } = yield* Effect.orDie(sending.send(project, { to, ...textOf(sender) }))
      for (const { email } of emails) {
        const links = tracking.of({ project, email: EmailId.make(email) })
        const [pixel, click] = yield* Effect.all([links.pixelUrl, links.clickUrl(1, destination)])
        made.push({ pixel: pathOf(pixel), click: pathOf(click) })
      }
    }
  }
  yield* sql`update emails set status = 'SENT', sent_at = now() - interval '1 minute'`
  return Array.isArrayNonEmpty(made) ? made : yield* Effect.die("there are mails")
}, Effect.orDie)

const pathOf = (url: string) => url.slice(new URL(url).origin.length)

const statuses = { pixel: 200, click: 302 }

/** Requests for the pixels or the links of these emails in turn. */
export const hits = (
  server: { readonly pid: number; readonly url: string },
  load: Child,
  made: Array.NonEmptyReadonlyArray<Tracked>,
  of: keyof Tracked
): Run =>
  requests(server, load, {
    url: server.url,
    method: "GET",
    path: "$path",
    status: statuses[of],
    projects: Array.map(made, (mail) => ({ path: mail[of], "user-agent": userAgent }))
  })

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

export const row: Row = {
  id: "C5",
  title: "open pixel and click redirect",
  needsPostgres: true,
  conditions: [
    `${stored} mails in ${projects} projects, in turn; 32 connections, a browser's user agent, role api`,
    "each answer waits until its hit is stored durably: counters, status, hit and, for an open, its event",
    "baseline: node:http with the same answer, without checking a signature and without storing anything"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const made = yield* Effect.provideContext(
      Effect.flatMap(senders, (all) => paths(all)),
      services
    )
    const server = yield* Server.start({ name: "C5 api", role: "api", database })
    const raw = yield* RawTracking.start
    const load = yield* HttpLoad.start
    const oneOf = (name: string, of: keyof Tracked) => ({
      name,
      unit: "requests/s" as const,
      target: ">= 3,000/s",
      posthorn: hits(server, load, made, of),
      baselines: { "raw node:http": hits(raw, load, made, of) }
    })
    return [oneOf("open", "pixel"), oneOf("click", "click")]
  })
}
