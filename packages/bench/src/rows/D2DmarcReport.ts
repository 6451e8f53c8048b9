import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import { Effect, Schema } from "effect"
import { SaxesParser } from "saxes"
import { BenchFailure } from "../BenchFailure.ts"
import * as Notifications from "../load/Notifications.ts"
import { peakMegabytes, rssMegabytes, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

const secret = "a notification secret of the benchmarks"
/** The maximum of a report, in a run of full length. */
const mostRecords = 100_000
const perSecond = 20_000

const recordsIn = (seconds: number) => Math.min(mostRecords, Math.ceil(seconds * perSecond))

/** Each record has a source of its own, and no element that it can do without: 100,000 must fit into 20 MB. */
const recordOf = (n: number, domain: string) =>
  `<record><row><source_ip>10.${n >> 16}.${(n >> 8) & 255}.${n & 255}</source_ip><count>1</count><policy_evaluated><dkim>pass</dkim></policy_evaluated></row><identifiers><header_from>${domain}</header_from></identifiers></record>`

const reportOf = (records: number, domain: string) => {
  const begin = Math.floor(Date.now() / 1_000)
  const all = Array.from({ length: records }, (_, n) => recordOf(n, domain)).join("")
  return `<?xml version="1.0"?><feedback><report_metadata><org_name>bench</org_name><report_id>${randomUUID()}</report_id><date_range><begin>${begin}</begin><end>${begin}</end></date_range></report_metadata><policy_published><domain>${domain}</domain><p>none</p></policy_published>${all}</feedback>`
}

const mailOf = (to: string, report: string) =>
  [
    "From: reports@receiver.example",
    `To: ${to}`,
    "Subject: Report",
    "MIME-Version: 1.0",
    'Content-Type: application/gzip; name="report.xml.gz"',
    "Content-Transfer-Encoding: base64",
    "",
    gzipSync(report).toString("base64").replace(/.{76}/g, "$&\r\n"),
    ""
  ].join("\r\n")

const saxesAlone: Run = ({ seconds }) =>
  Effect.sync(() => {
    const records = recordsIn(seconds)
    const report = reportOf(records, "bench-1.test")
    let seen = 0
    const parser = new SaxesParser({ position: false })
    parser.on("closetag", ({ name }) => {
      if (name === "record") seen++
    })
    const begin = performance.now()
    for (let at = 0; at < report.length; at += 64 * 1024) parser.write(report.slice(at, at + 64 * 1024))
    parser.close()
    return { value: seen / ((performance.now() - begin) / 1_000) }
  })

const Domains = Schema.Array(
  Schema.Struct({ id: Schema.String, domain: Schema.String, dmarcReportAddress: Schema.String })
)

export const row: Row = {
  id: "D2",
  title: "a DMARC report of 100,000 records",
  needsPostgres: true,
  conditions: [
    "POST /webhooks/notifications with the report as signed raw mail, packed with gzip; each record has a source of its own; one API process",
    `${perSecond} records for each second of a run, at most ${mostRecords}; one report in a run`,
    "baseline: saxes reads the same document in the process of the benchmark"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const [sender] = yield* Effect.provide(Seed.senders(1), Seed.core(Postgres.layer(database)))
    if (sender === undefined) return yield* new BenchFailure({ message: "No project was created." })
    const environment = { POSTHORN_NOTIFICATION_SECRET: secret, POSTHORN_BOUNCE_DOMAIN: "bounces.example" }
    const server = yield* Server.start({ name: "D2 api", role: "api", database, environment })
    const path = `/domains/project/${sender.id}`
    const [domain] = yield* Api.ask(server, sender.key, { method: "GET", path, status: 200 }, Domains)
    if (domain === undefined) return yield* new BenchFailure({ message: "The project has no domain." })
    const send = (records: number) =>
      Notifications.report(server.url, secret, mailOf(domain.dmarcReportAddress, reportOf(records, domain.domain)))
    // So that code and connections do not count as memory of a report.
    yield* send(1_000)

    const stored: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const records = recordsIn(seconds)
        const mail = mailOf(domain.dmarcReportAddress, reportOf(records, domain.domain))
        const before = (yield* rssMegabytes(server.pid)) ?? Number.NaN
        const begin = performance.now()
        const { cpuMillis } = yield* withCpuOf(server.pid, Notifications.report(server.url, secret, mail))
        const millis = performance.now() - begin
        const peak = (yield* peakMegabytes(server.pid)) ?? Number.NaN
        return {
          value: records / (millis / 1_000),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / records,
          more: { "RSS growth MB": peak - before }
        }
      })

    return [
      { name: "stored", unit: "rows/s", target: ">= 0.3", posthorn: stored, baselines: { "saxes alone": saxesAlone } }
    ]
  })
}
