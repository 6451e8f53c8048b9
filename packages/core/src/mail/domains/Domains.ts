/** Adds, lists, checks and removes the sender domains of a project. */

import type { DmarcQuery, DmarcSummary } from "@posthorn/contract/mail/domains/DmarcReport"
import { type CheckedDomain, type Domain, DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { DomainHealth, DomainHealthQuery } from "@posthorn/contract/mail/domains/DomainHealth"
import type { AddDomain } from "@posthorn/contract/mail/domains/DomainsApi"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type BadRequest,
  Conflict,
  ResourceInUse,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom, type Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { summaryOf } from "../dmarc/Dmarc.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { makeKeyPairs } from "./DkimKeys.ts"
import { withFindings } from "./DomainRecords.ts"
import { DomainStore, type NameTaken, type StoredDomain } from "./DomainStore.ts"
import { checkDomain } from "./DomainVerification.ts"
import { needsNoDns, recordsOf, shown } from "./DomainView.ts"
import { healthNow } from "./health/DomainHealth.ts"
import { refusal } from "./SenderDomain.ts"

/** Changes and checks sender domains. A service, because HTTP handlers and hosts call it. */
export class Domains extends Context.Service<
  Domains,
  {
    /**
     * Makes the keys and returns the records to publish. The first check runs a few seconds later, unless the domain was
     * checked by then.
     */
    readonly add: (
      project: ProjectId,
      input: AddDomain
    ) => Effect.Effect<Domain, Conflict | ResourceNotFound | ValidationError>
    /** All of them, newest first; `requested` is the project that the path names. */
    readonly list: (project: ProjectId, requested: string) => Effect.Effect<ReadonlyArray<Domain>, ResourceNotFound>
    readonly get: (project: ProjectId, id: DomainId) => Effect.Effect<Domain, ResourceNotFound>
    /** What mailbox providers require of the domain. `refresh` asks DNS now, at most once a minute. */
    readonly health: (
      project: ProjectId,
      id: DomainId,
      query: DomainHealthQuery
    ) => Effect.Effect<DomainHealth, ResourceNotFound>
    /** What DMARC reports say about the domain. */
    readonly dmarc: (
      project: ProjectId,
      id: DomainId,
      query: DmarcQuery
    ) => Effect.Effect<DmarcSummary, BadRequest | ResourceNotFound>
    /** Checks now, unless the last check is less than 10 seconds old. */
    readonly verify: (project: ProjectId, id: DomainId) => Effect.Effect<CheckedDomain, ResourceNotFound>
    /** Deletes the domain and its keys. Refused while anything sends from it. */
    readonly remove: (project: ProjectId, id: DomainId) => Effect.Effect<void, ResourceInUse | ResourceNotFound>
  }
>()("@posthorn/core/mail/domains/Domains") {}

const maxDomains = 100
const firstCheckAfter = Duration.seconds(5)
const checkIsFresh = Duration.seconds(10)

const noProject = (id: string) => new ResourceNotFound({ resource: "project", id })
const noDomain = (id: string) => new ResourceNotFound({ resource: "domain", id })

/**
 * Fails if the project cannot add the name. A name that another project has verified is accepted, so that a caller who does
 * not control its DNS does not learn of that project.
 */
const admit = Effect.fnUntraced(function* ({ count, existing }: NameTaken) {
  if (existing !== null) return yield* new Conflict({ reason: "domain_exists", domainId: existing })
  if (count >= maxDomains) {
    return yield* ValidationError.one("domain", "too_big", `A project has at most ${maxDomains} domains.`)
  }
})

export const layer: Layer.Layer<
  Domains,
  never,
  | DnsResolver
  | DomainStore
  | ReturnPath
  | SecretBox
  | SecureRandom.SecureRandom
  | Signature.Signature
  | SqlClient.SqlClient
  | Transaction
> = Layer.effect(
  Domains,
  Effect.gen(function* () {
    const store = yield* DomainStore
    const crypto = yield* Effect.context<SecretBox | SecureRandom.SecureRandom | Signature.Signature>()
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const settings = yield* Settings
    const scope = yield* Effect.scope
    const { reportAddress } = yield* ReturnPath
    const checking = Context.merge(
      yield* Effect.context<DnsResolver | ReturnPath | SqlClient.SqlClient>(),
      Context.make(DomainStore, store).pipe(Context.add(Settings, settings))
    )
    const view = (domain: StoredDomain) =>
      Effect.map(reportAddress(domain.id), (address) => shown(domain, settings, address))

    const check = (domain: StoredDomain) => Effect.provideContext(checkDomain(domain), checking)

    const find = Effect.fnUntraced(function* (project: ProjectId, id: DomainId) {
      const found = yield* store.find(project, id)
      if (Option.isNone(found)) return yield* noDomain(id)
      return found.value
    })

    /** The first check, soon after the domain is added. If it fails, the background check repeats it. */
    const firstCheck = Effect.fnUntraced(
      function* (project: ProjectId, id: DomainId) {
        yield* Effect.sleep(firstCheckAfter)
        const domain = yield* store.find(project, id)
        if (Option.isSome(domain) && domain.value.lastCheckedAt === null) yield* check(domain.value)
      },
      (effect, projectId, domainId) =>
        effect.pipe(
          Effect.catchDefect((defect) => Effect.logError("First check of a domain failed", defect)),
          Effect.annotateLogs({ projectId, domainId })
        )
    )

    const add = Effect.fn("Domains.add")(function* (project: ProjectId, { domain, projectId }: AddDomain) {
      const refused = refusal(domain)
      if (refused !== undefined) {
        return yield* ValidationError.one("domain", "custom", refused, { received: domain })
      }
      if (projectId && projectId !== project) return yield* noProject(projectId)
      // Checked twice: keys are expensive, and the final check runs under the lock of the project.
      yield* Effect.flatMap(store.taken(project, domain), admit)
      const id = DomainId.make(yield* random.uuidV7())
      const pairs = yield* Effect.provideContext(makeKeyPairs(id), crypto)

      const stored = yield* transaction
        .run(
          Effect.gen(function* () {
            yield* store.holdProject(project)
            const taken = yield* store.taken(project, domain)
            yield* admit(taken)
            const dmarcReportAddress = yield* reportAddress(id)
            const records = withFindings(recordsOf({ domain, dmarcReportAddress, ...pairs }, settings), [])
            const verified = needsNoDns(domain, settings) && !taken.heldElsewhere
            const stored = yield* Effect.mapError(
              store.insert(project, { id, domain, verified, records, ...pairs }, yield* DateTime.now),
              () => new Conflict({ reason: "domain_verified_elsewhere" })
            )
            yield* transaction.afterCommit(Effect.asVoid(Effect.forkIn(firstCheck(project, id), scope)))
            return stored
          })
        )
        // Another project verified the name at the same time. This domain is then added as pending.
        .pipe(
          Effect.retry({
            times: 1,
            while: (error) => error._tag === "CONFLICT" && error.reason === "domain_verified_elsewhere"
          })
        )
      return yield* view(stored)
    })

    const list = Effect.fn("Domains.list")(function* (project: ProjectId, requested: string) {
      if (requested.toLowerCase() !== project) return yield* noProject(requested)
      return yield* Effect.forEach(yield* store.list(project), view)
    })

    const get = Effect.fn("Domains.get")(function* (project: ProjectId, id: DomainId) {
      return yield* view(yield* find(project, id))
    })

    const health = Effect.fn("Domains.health")(function* (
      project: ProjectId,
      id: DomainId,
      { refresh = false }: DomainHealthQuery
    ) {
      return yield* Effect.provideContext(healthNow(yield* find(project, id), refresh), checking)
    })

    const dmarc = Effect.fn("Domains.dmarc")(function* (project: ProjectId, id: DomainId, query: DmarcQuery) {
      return yield* Effect.provideContext(summaryOf(yield* find(project, id), query), checking)
    })

    const isFresh = ({ lastCheckedAt }: StoredDomain, now: DateTime.Utc) =>
      lastCheckedAt !== null && DateTime.isLessThan(now, DateTime.addDuration(lastCheckedAt, checkIsFresh))

    const verify = Effect.fn("Domains.verify")(function* (project: ProjectId, id: DomainId) {
      const before = yield* find(project, id)
      const checked = isFresh(before, yield* DateTime.now)
        ? Option.some(before)
        : Option.map(yield* check(before), ({ domain }) => domain)
      if (Option.isNone(checked)) return yield* noDomain(id)
      return { ...(yield* view(checked.value)), tokens: [checked.value.selector] }
    })

    const remove = Effect.fn("Domains.remove")(function* (project: ProjectId, id: DomainId) {
      const { domain } = yield* find(project, id)
      // Deletes first, so that it waits for transactions that are about to use the domain.
      if (!(yield* store.delete(project, id))) return yield* noDomain(id)
      const usage = yield* store.usage(project, domain)
      const { templates, workflowSteps, campaigns, pendingEmails } = usage
      if (pendingEmails > 0 || [templates, workflowSteps, campaigns].some(({ length }) => length > 0)) {
        return yield* new ResourceInUse({ ...usage })
      }
    }, transaction.run)

    return Domains.of({ add, list, get, health, dmarc, verify, remove })
  })
)
