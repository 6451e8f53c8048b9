/** Which domain names can be sender domains. */
import { getDomain, getPublicSuffix } from "tldts"
import { mailboxProviders } from "./MailboxProviders.ts"

/** The whole public suffix list, with the names that companies give away below (`github.io`). */
const wholeList = { allowPrivateDomains: true }

/** Why a canonical domain name cannot be added, as a sentence for its `custom` fault; nothing when it can. */
export const refusal = (domain: string): string | undefined => {
  if (mailboxProviders.has(domain)) return `${domain} is a mailbox provider: add a domain that you own.`
  if (getPublicSuffix(domain, wholeList) === domain) return `${domain} is a public suffix: add a domain below it.`
}

/** The domain that was registered: `acme.co.uk` of `mail.acme.co.uk`; nothing above a public suffix. */
export const organisationalDomain = (domain: string): string | undefined => getDomain(domain, wholeList) ?? undefined

/** Whether dev mode verifies it without DNS: names that nobody can own (RFC 2606, RFC 6761). */
export const isTestDomain = (domain: string): boolean => /\.(?:test|example|localhost)$/.test(domain)
