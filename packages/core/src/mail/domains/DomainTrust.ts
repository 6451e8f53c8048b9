/** Lets the operator verify a domain without DNS. */

import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { canonicalDomain } from "@posthorn/contract/platform/DomainName"
import { Data, DateTime, Effect, Option } from "effect"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { Settings } from "../../platform/Settings.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { DomainStore, type StoredDomain } from "./DomainStore.ts"
import { announce, checkDomain } from "./DomainVerification.ts"
import { shown } from "./DomainView.ts"

const sentences = {
  unknown: "no project has it.",
  several: "several projects have it; say which.",
  held: "another project holds it."
} as const

/** `projects` has the projects with the domain, or the one that has verified it. */
export class CannotTrust extends Data.TaggedError("CannotTrust")<{
  readonly domain: string
  readonly reason: keyof typeof sentences
  readonly projects: ReadonlyArray<ProjectId>
}> {
  override readonly message = `${this.domain} stays as it is: ${sentences[this.reason]}`
}

const theOne = Effect.fnUntraced(function* (name: string, project: ProjectId | undefined) {
  const store = yield* DomainStore
  const domain = canonicalDomain(name)
  const all = yield* store.named(domain)
  const [one, ...others] = project === undefined ? all : all.filter(({ projectId }) => projectId === project)
  if (one === undefined) return yield* new CannotTrust({ domain, reason: "unknown", projects: [] })
  if (others.length > 0) {
    return yield* new CannotTrust({ domain, reason: "several", projects: all.map(({ projectId }) => projectId) })
  }
  return one
})

const held = Effect.fnUntraced(function* (domain: string) {
  const holders = (yield* (yield* DomainStore).named(domain)).filter(({ verified }) => verified)
  return yield* new CannotTrust({ domain, reason: "held", projects: holders.map(({ projectId }) => projectId) })
})

const setTrust = Effect.fnUntraced(
  function* ({ projectId, id, domain }: StoredDomain, trusted: boolean) {
    const store = yield* DomainStore
    const changed = yield* store.setTrust(projectId, id, trusted, yield* DateTime.now)
    if (Option.isNone(changed)) return yield* new CannotTrust({ domain, reason: "unknown", projects: [] })
    yield* announce(changed.value)
    return changed.value.domain
  },
  (effect, { domain }) => Effect.catchTag(effect, "DomainHeld", () => held(domain))
)

const view = Effect.fnUntraced(function* (domain: StoredDomain) {
  const { reportAddress } = yield* ReturnPath
  return shown(domain, yield* Settings, yield* reportAddress(domain.id))
})

/**
 * Verifies a domain without DNS, and keeps it verified whatever DNS has. Accepts a name in any spelling. The project is
 * only needed if several projects have the domain.
 */
export const trust = Effect.fn("DomainTrust.trust")(function* (
  name: string,
  project?: ProjectId
): Effect.fn.Return<Domain, CannotTrust, DomainStore | ReturnPath> {
  return yield* view(yield* setTrust(yield* theOne(name, project), true))
})

/** Ends the trust: DNS decides again, starting with a check now. */
export const untrust = Effect.fn("DomainTrust.untrust")(function* (
  name: string,
  project?: ProjectId
): Effect.fn.Return<Domain, CannotTrust, DnsResolver | DomainStore | ReturnPath> {
  const untrusted = yield* setTrust(yield* theOne(name, project), false)
  const checked = yield* checkDomain(untrusted)
  return yield* view(Option.isSome(checked) ? checked.value.domain : untrusted)
})
