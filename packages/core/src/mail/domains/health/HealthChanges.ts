/**
 * Watches the health of all domains, and tells when a domain becomes ready or is no longer ready: webhook and mail, at
 * most once a week for each check that is a reason.
 */
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { type DomainHealth, HealthCheckId } from "@posthorn/contract/mail/domains/DomainHealth"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Cause, DateTime, Duration, Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../accounts/people/Accounts.ts"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { inSubject, inText } from "../../../accounts/systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../../../accounts/systemmail/SystemMail.ts"
import { projectEvent, recordServiceEvents } from "../../../events/ServiceEvents.ts"
import { atMost } from "../../../platform/dns/DnsResolver.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { DomainStore, type StoredDomain } from "../DomainStore.ts"
import * as DomainHealthOf from "./DomainHealth.ts"

/** How often figures are looked at. DNS is asked once a day. */
export const watchEvery = Duration.hours(1)
const noticeEvery = Duration.days(7)
const domainsAtOnce = 10
const pageSize = 200
const lookupsAtOnce = atMost(20)

/** The last notice. `ready` is null before the first look. */
export interface LastNotice {
  readonly ready: boolean | null
  /** The failing checks at the last look at which the domain was not ready. */
  readonly failing: ReadonlyArray<string>
  /** By check: milliseconds since 1970. */
  readonly notified: { readonly [check: string]: number }
}

/** What to store, and whether to tell it. Pure. */
export const decide = (
  before: LastNotice,
  failing: ReadonlyArray<string>,
  now: number
): LastNotice & { readonly tells: boolean } => {
  const ready = failing.length === 0
  const seen = { ...before, failing: ready ? before.failing : failing }
  if (before.ready === null) return { ...seen, ready, tells: false }
  if (before.ready === ready) return { ...seen, tells: false }
  const reasons = ready ? before.failing : failing
  const isFree = (check: string) =>
    now - (before.notified[check] ?? Number.NEGATIVE_INFINITY) >= Duration.toMillis(noticeEvery)
  if (!reasons.some(isFree)) return { ...seen, tells: false }
  return {
    ...seen,
    ready,
    notified: { ...before.notified, ...Object.fromEntries(reasons.map((check) => [check, now])) },
    tells: true
  }
}

const noticeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ready: Schema.NullOr(Schema.Boolean),
      failing: Schema.Array(HealthCheckId),
      notified: Schema.Record(Schema.String, Schema.Finite)
    })
  )
)
const positions = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ projectId: ProjectId, id: DomainId })))

const failingOf = ({ checks }: DomainHealth): ReadonlyArray<HealthCheckId> =>
  checks.flatMap(({ id, status }) => (status === "FAIL" ? [id] : []))

const changedEmail = (project: string, { domain }: StoredDomain, health: DomainHealth): UnaddressedEmail => {
  const { ready } = health
  return systemEmail(
    ready
      ? `${inSubject(domain, "A domain")} meets the requirements of mailbox providers again`
      : `${inSubject(domain, "A domain")} does not meet the requirements of mailbox providers`,
    ready
      ? `The domain ${inText(domain)} of the project ${inText(project)} has no failing check any more.`
      : `The domain ${inText(domain)} of the project ${inText(project)} has checks that fail: ${failingOf(health).join(", ")}. Mailbox providers may refuse its mail.`,
    "The page of the domain in the console shows every check; so does `posthorn domains health`."
  )
}

export type Needs = DomainHealthOf.Needs | Accounts | DomainStore | Projects | SystemMail | Transaction

/** Compares the health with the last notice, and records a change in the same transaction. */
const tell = Effect.fnUntraced(function* (domain: StoredDomain, health: DomainHealth) {
  const sql = yield* SqlClient.SqlClient
  const { administrators } = yield* Accounts
  const { getCached } = yield* Projects
  const { post } = yield* SystemMail
  const own = sql`project_id = ${domain.projectId} and domain_id = ${domain.id}`
  const [before] = yield* noticeRows(
    yield* sql`select ready, failing, notified from domain_health where ${own} for update`
  )
  if (before === undefined) return
  const now = yield* DateTime.now
  const failing = failingOf(health)
  const { tells, ...next } = decide(before, failing, DateTime.toEpochMillis(now))
  yield* sql`
    update domain_health set ready = ${next.ready}, failing = ${JSON.stringify(next.failing)}::text::jsonb,
           notified = ${JSON.stringify(next.notified)}::text::jsonb
    where ${own} and (ready, failing, notified) is distinct from
      (${next.ready}::boolean, ${JSON.stringify(next.failing)}::text::jsonb, ${JSON.stringify(next.notified)}::text::jsonb)`
  if (!tells) return
  const data = { domainId: domain.id, domain: domain.domain, ready: health.ready, failing }
  yield* recordServiceEvents(sql, projectEvent(sql, domain.projectId, "domain.health_changed", data), now)
  const { name } = yield* getCached(domain.projectId)
  yield* post((yield* administrators(domain.projectId)).map(changedEmail(name, domain, health)))
}, Effect.orDie)

const watchOne = Effect.fnUntraced(function* (project: ProjectId, id: DomainId) {
  const { find } = yield* DomainStore
  const { run } = yield* Transaction
  const found = yield* find(project, id)
  if (Option.isNone(found)) return
  yield* run(tell(found.value, yield* DomainHealthOf.healthOf(found.value, DomainHealthOf.dnsEvery)))
})

/** A failure is logged, and does not stop the others. */
const safely = Effect.fnUntraced(function* ({
  id,
  projectId
}: {
  readonly id: DomainId
  readonly projectId: ProjectId
}) {
  const exit = yield* Effect.exit(watchOne(projectId, id))
  if (Exit.isSuccess(exit)) return
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  yield* Effect.logError("The health of a domain could not be checked", exit.cause).pipe(
    Effect.annotateLogs({ projectId, domainId: id })
  )
})

/** Looks at all domains of projects that are not disabled. */
export const watchAll: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const page = (after: { readonly id: DomainId; readonly projectId: ProjectId } | undefined) =>
    Effect.orDie(
      Effect.flatMap(
        sql`
          select project_id as "projectId", domains.id from domains join projects on projects.id = domains.project_id
          where disabled_reason is null
            and ${after === undefined ? sql`true` : sql`(project_id, domains.id) > (${after.projectId}::uuid, ${after.id}::uuid)`}
          order by project_id, domains.id limit ${pageSize}`,
        positions
      )
    )
  let domains = yield* page(undefined)
  while (domains.length > 0) {
    yield* Effect.forEach(domains, safely, { concurrency: domainsAtOnce, discard: true })
    domains = yield* page(domains.at(-1))
  }
}).pipe(Effect.provide(lookupsAtOnce, { local: true }), Effect.withSpan("HealthChanges.watchAll"))
