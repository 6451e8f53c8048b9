/** The background check: every domain of every project, pending and verified. */
import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { atMost, type DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { DomainStore, type StoredDomain } from "./DomainStore.ts"
import { checkDomain } from "./DomainVerification.ts"

/** How often; in the same words as the contract. */
export const checkEvery = Duration.minutes(5)

const lookupsAtOnce = atMost(20)
const domainsAtOnce = 20
const pageSize = 200

/** A domain checked so short a time ago is left out: a run that was cut off goes on where it stopped. */
const stillFresh = Duration.minutes(1)

/** True when the domain was checked; what goes wrong with one must not keep the others waiting. */
const checkOne = Effect.fnUntraced(function* (domain: StoredDomain) {
  const exit = yield* Effect.exit(checkDomain(domain))
  if (Exit.isSuccess(exit)) return true
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  yield* Effect.logError("Check of a domain failed", exit.cause).pipe(
    Effect.annotateLogs({ projectId: domain.projectId, domainId: domain.id })
  )
  return false
})

/** What the jobs about domains need, for those who run them. */
export type Needs = DnsResolver | DomainStore

/** One round, with at most 20 look-ups at once. Dies at the end when a domain could not be checked. */
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
