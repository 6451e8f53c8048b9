/** The background job that checks every domain of every project. */
import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { atMost, type DnsResolver } from "../../platform/dns/DnsResolver.ts"
import type { ReturnPath } from "../sending/ReturnPath.ts"
import { DomainStore, type StoredDomain } from "./DomainStore.ts"
import { checkDomain } from "./DomainVerification.ts"

/** The interval that the description of the API names. */
export const checkEvery = Duration.minutes(5)

const lookupsAtOnce = atMost(20)
const domainsAtOnce = 20
const pageSize = 200

/** Domains checked within this time are left out, so that an interrupted run continues where it stopped. */
const stillFresh = Duration.minutes(1)

/** True if the domain was checked. A failure is logged and does not stop the others. */
const checkOne = Effect.fnUntraced(function* (domain: StoredDomain) {
  const exit = yield* Effect.exit(checkDomain(domain))
  if (Exit.isSuccess(exit)) return true
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  yield* Effect.logError("Check of a domain failed", exit.cause).pipe(
    Effect.annotateLogs({ projectId: domain.projectId, domainId: domain.id })
  )
  return false
})

export type Needs = DnsResolver | DomainStore | ReturnPath

/** Checks all domains, with at most 20 lookups at once. Dies at the end if a domain could not be checked. */
export const checkAllDomains: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const store = yield* DomainStore
  const checkedUntil = DateTime.subtractDuration(yield* DateTime.now, stillFresh)
  let failed = 0
  let page = yield* store.toCheck(checkedUntil, pageSize)
  while (page.length > 0) {
    const checked = yield* Effect.forEach(page, checkOne, { concurrency: domainsAtOnce })
    failed += checked.filter((each) => !each).length
    page = yield* store.toCheck(checkedUntil, pageSize, page.at(-1))
  }
  if (failed > 0) yield* Effect.die(new Error(`${failed} domains could not be checked.`))
}).pipe(Effect.provide(lookupsAtOnce, { local: true }), Effect.withSpan("DomainCheckJob.checkAllDomains"))
