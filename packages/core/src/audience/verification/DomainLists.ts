/** Lists of domains with disposable addresses, and of domains of mailbox providers. */
import disposable from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with { type: "json" }
import { Context } from "effect"
import personal from "email-providers/common.json" with { type: "json" }
import { morePersonalProviders, placeholders } from "./PersonalProviders.ts"

export interface DomainLists {
  /** Also true for names below a listed domain. */
  readonly isDisposable: (domain: string) => boolean
  readonly isPersonal: (domain: string) => boolean
}

/**
 * Lines of the operator's files: one domain per line. `!` before a domain removes it from the list, `#` starts a
 * comment.
 */
export interface OwnDomains {
  readonly disposable: ReadonlyArray<string>
  readonly personal: ReadonlyArray<string>
}
export const OwnDomains = Context.Reference<OwnDomains>("@posthorn/core/verification/OwnDomains", {
  defaultValue: () => ({ disposable: [], personal: [] })
})

const changed = (domains: Iterable<string>, lines: ReadonlyArray<string>): ReadonlySet<string> => {
  const given = lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== "" && !line.startsWith("#"))
  const removed = new Set(given.filter((line) => line.startsWith("!")).map((line) => line.slice(1).trim()))
  const added = given.filter((line) => !line.startsWith("!"))
  return new Set([...domains, ...added].filter((domain) => !removed.has(domain)))
}

/** The name itself and all names above it: `a.b.c`, `b.c`, `c`. */
const upwards = (domain: string): ReadonlyArray<string> => {
  const labels = domain.split(".")
  return labels.map((_, n) => labels.slice(n).join("."))
}

/** The lists from the packages, with the operator's changes. */
export const domainLists = (own: OwnDomains): DomainLists => {
  const disposables = changed(disposable, own.disposable)
  const isDisposable = (domain: string) => upwards(domain).some((name) => disposables.has(name))
  const shipped = [...personal.filter((domain) => !placeholders.includes(domain)), ...morePersonalProviders]
  const providers = changed(shipped, own.personal)
  return { isDisposable, isPersonal: (domain) => providers.has(domain) && !isDisposable(domain) }
}
