/**
 * Takes the mails that come to the address for DMARC reports of a domain. A mail without a valid report is taken all the
 * same: its sender could do nothing about a refusal.
 */
import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Metric, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { TextWork } from "../../content/text/TextWork.ts"
import { ed25519Selector } from "../domains/DomainRecords.ts"
import { organisationalDomain } from "../domains/SenderDomain.ts"
import { readMail } from "../receivers/ReportedMail.ts"
import { type AggregateReport, BadReport, formOf, readReport } from "./ReportReader.ts"
import * as ReportStore from "./ReportStore.ts"

export type Result = "bad" | "duplicate" | "limited" | "stored" | "unknown"

const reportsTotal = Metric.counter("posthorn_dmarc_reports_total", {
  description: "Mails to addresses for DMARC reports",
  incremental: true
})

const maxMailBytes = 10 * 1024 * 1024
const maxParts = 10
/** How far the begin of a report may be in the future. */
const maxAheadDays = 1

/** The policy of a domain is its own, or that of a domain above it down to its organisational domain. */
export const isAbout = (policyDomain: string, domain: string): boolean => {
  const top = organisationalDomain(domain) ?? domain
  return (
    policyDomain === domain ||
    (domain.endsWith(`.${policyDomain}`) && (policyDomain === top || policyDomain.endsWith(`.${top}`)))
  )
}

const bad = (why: string) => new BadReport({ why })

/** Its begin is neither in the future nor so old that it would be deleted at once. */
const checked = Effect.fnUntraced(function* (report: AggregateReport, domain: string) {
  if (!isAbout(report.domain, domain)) return yield* bad("The report is about another domain.")
  const now = yield* DateTime.now
  const isInTime =
    DateTime.isLessThan(report.begin, DateTime.add(now, { days: maxAheadDays })) &&
    DateTime.isGreaterThan(report.begin, DateTime.subtract(now, { days: ReportStore.limits.keptDays }))
  return isInTime ? report : yield* bad("The report is about a time in the future, or too old.")
})

export const make = Effect.gen(function* () {
  const work = yield* TextWork
  const context = yield* Effect.context<SqlClient.SqlClient>()
  // A large report takes some megabytes while it is read.
  const { withPermit } = yield* Semaphore.make(1)

  const reportIn = Effect.fnUntraced(function* (bytes: Uint8Array) {
    if (bytes.length > maxMailBytes) return yield* bad("The mail is too large.")
    const { parts, text } = yield* Effect.mapError(readMail(bytes, work), () => bad("The mail cannot be read."))
    const candidates = parts.slice(0, maxParts).map(({ content }) => content)
    if (candidates.length === 0 && text !== null) candidates.push(new TextEncoder().encode(text))
    const found = candidates.find((content) => formOf(content) !== undefined)
    return found ?? (yield* bad("The mail has no report."))
  })

  /** With a project, only a domain of that project. */
  const take = Effect.fn("ReportIntake.take")(function* (bytes: Uint8Array, id: DomainId, project?: ProjectId) {
    const domain = yield* ReportStore.domainWith(id)
    const result: Result = yield* domain === undefined || (project !== undefined && domain.projectId !== project)
      ? Effect.succeed("unknown" as const)
      : withPermit(
          Effect.gen(function* () {
            const packed = yield* reportIn(bytes)
            const selectors = [domain.selector, ed25519Selector(domain.selector)]
            const report = yield* readReport(packed, { domain: domain.domain, selectors })
            return yield* ReportStore.store(domain, yield* checked(report, domain.domain))
          })
        ).pipe(
          Effect.catchTag("BadReport", ({ why }) =>
            Effect.as(
              Effect.logInfo("A DMARC report is not stored").pipe(
                Effect.annotateLogs({ why, projectId: domain.projectId, domainId: id })
              ),
              "bad" as const
            )
          )
        )
    yield* Metric.update(Metric.withAttributes(reportsTotal, { result }), 1)
    return result
  }, Effect.provideContext(context))

  return { take }
})
