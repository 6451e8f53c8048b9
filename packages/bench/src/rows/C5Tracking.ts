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
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests } from "./Loads.ts"

const projects = 4

/** Emails of each project, requested in turn, so that tokens rarely repeat. */
const mails = 5_000

const batch = 500

const destination = "https://shop.example.com/orders/4711?from=mail"

/** Emails that were sent a minute ago, as the paths of their pixel and their link. */
const paths = Effect.gen(function* () {
  const sending = yield* Sending
  const tracking = yield* TrackingLinks
  const sql = yield* SqlClient.SqlClient
  const senders = yield* Seed.senders(projects)
  const made: Array<{ readonly pixel: string; readonly click: string }> = []
  for (const { id, template } of senders) {
    const project = ProjectId.make(id)
    for (const of of Array.chunksOf(Array.range(1, mails), batch)) {
      const to = of.map((n) => `reader-${n}@example.com`)
      const { emails } = yield* Effect.orDie(sending.send(project, { to, template: TemplateId.make(template) }))
      for (const { email } of emails) {
        const links = tracking.of({ project, email: EmailId.make(email) })
        const [pixel, click] = yield* Effect.all([links.pixelUrl, links.clickUrl(1, destination)])
        made.push({ pixel: pathOf(pixel), click: pathOf(click) })
      }
    }
  }
  yield* sql`update emails set status = 'SENT', sent_at = now() - interval '1 minute'`
  return Array.isArrayNonEmpty(made) ? made : yield* Effect.die("there are mails")
}).pipe(Effect.orDie)

const pathOf = (url: string) => url.slice(new URL(url).origin.length)

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

export const row: Row = {
  id: "C5",
  title: "open pixel and click redirect",
  needsPostgres: true,
  conditions: [
    `${projects * mails} mails in ${projects} projects, in turn; 32 connections, a browser's user agent, role api`,
    "each answer waits until its hit is on record, durable: counters, status, hit and, for an open, its event",
    "baseline: node:http that answers the same, without a signature and without a record"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const made = yield* Effect.provideContext(paths, services)
    const server = yield* Server.start({ name: "C5 api", role: "api", database })
    const raw = yield* RawTracking.start
    const load = yield* HttpLoad.start
    const get = (of: "pixel" | "click", status: number) => ({
      method: "GET" as const,
      path: "$path",
      status,
      projects: Array.map(made, (mail) => ({
        path: mail[of],
        "user-agent": userAgent
      }))
    })
    const oneOf = (name: string, of: "pixel" | "click", status: number) => ({
      name,
      unit: "requests/s" as const,
      target: ">= 3,000/s",
      posthorn: requests(server, load, { ...get(of, status), url: server.url }),
      baselines: { "raw node:http": requests(raw, load, { ...get(of, status), url: raw.url }) }
    })
    return [oneOf("open", "pixel", 200), oneOf("click", "click", 302)]
  })
}
