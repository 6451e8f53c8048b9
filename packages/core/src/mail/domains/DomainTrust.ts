/** Lets the operator verify a domain without DNS. */

import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { canonicalDomain } from "@posthorn/contract/platform/DomainName"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { Settings } from "../../platform/Settings.ts"
import { DomainStore, type StoredDomain } from "./DomainStore.ts"
import { announce, checkDomain } from "./DomainVerification.ts"
import { shown } from "./DomainView.ts"

const sentences = {
  unknown: "no project has it.",
  several: "several projects have it; say which.",
  held: "another project holds it."
} as const

/** `projects`: those that have the domain, or the one that holds it. */
export class CannotTrust extends Data.TaggedError("CannotTrust")<{
  readonly domain: string
  readonly reason: keyof typeof sentences
  readonly projects: ReadonlyArray<ProjectId>
}> {
  override readonly message = `${this.domain} stays as it is: ${sentences[this.reason]}`
}

/** Names in any spelling. The project need only be given where several have the domain. */
export class DomainTrust extends Context.Service<
  DomainTrust,
  {
    /** Verifies without DNS, and keeps verified whatever the DNS says. */
    readonly trust: (name: string, project?: ProjectId) => Effect.Effect<Domain, CannotTrust>
    /** DNS decides again, beginning with a check now. */
    readonly untrust: (name: string, project?: ProjectId) => Effect.Effect<Domain, CannotTrust>
  }
>()("@posthorn/core/mail/domains/DomainTrust") {}

export const layer: Layer.Layer<DomainTrust, never, DnsResolver | DomainStore> = Layer.effect(
  DomainTrust,
  Effect.gen(function* () {
    const store = yield* DomainStore
    const settings = yield* Settings
    const checking = Context.make(DnsResolver, yield* DnsResolver).pipe(
      Context.add(DomainStore, store),
      Context.add(Settings, settings)
    )

    const theOne = Effect.fnUntraced(function* (name: string, project: ProjectId | undefined) {
      const domain = canonicalDomain(name)
      const all = yield* store.named(domain)
      const [one, ...others] = project === undefined ? all : all.filter(({ projectId }) => projectId === project)
      if (one === undefined) return yield* new CannotTrust({ domain, reason: "unknown", projects: [] })
      if (others.length > 0) {
        return yield* new CannotTrust({ domain, reason: "several", projects: all.map(({ projectId }) => projectId) })
      }
      return one
    })

    const setTrust = Effect.fnUntraced(
      function* ({ projectId, id, domain }: StoredDomain, trusted: boolean) {
        const changed = yield* store.setTrust(projectId, id, trusted, yield* DateTime.now)
        if (Option.isNone(changed)) return yield* new CannotTrust({ domain, reason: "unknown", projects: [] })
        yield* announce(changed.value)
        return changed.value.domain
      },
      (effect, { domain }) => Effect.catchTag(effect, "DomainHeld", () => held(domain))
    )

    const held = Effect.fnUntraced(function* (domain: string) {
      const holders = (yield* store.named(domain)).filter(({ verified }) => verified)
      return yield* new CannotTrust({ domain, reason: "held", projects: holders.map(({ projectId }) => projectId) })
    })

    const trust = Effect.fn("DomainTrust.trust")(function* (name: string, project?: ProjectId) {
      return shown(yield* setTrust(yield* theOne(name, project), true), settings)
    })

    const untrust = Effect.fn("DomainTrust.untrust")(function* (name: string, project?: ProjectId) {
      const untrusted = yield* setTrust(yield* theOne(name, project), false)
      const checked = yield* Effect.provideContext(checkDomain(untrusted), checking)
      return shown(Option.isSome(checked) ? checked.value.domain : untrusted, settings)
    })

    return DomainTrust.of({ trust, untrust })
  })
)
