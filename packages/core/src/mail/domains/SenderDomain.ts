/** Which domain names can be sender domains. */
import { getDomain, getPublicSuffix } from "tldts"
import { mailboxProviders } from "./MailboxProviders.ts"

/** Includes the private part of the public suffix list, such as `github.io`. */
const wholeList = { allowPrivateDomains: true }

/** Why a canonical domain name cannot be added, as the message of a fault. Undefined if it can. */
export const refusal = (domain: string): string | undefined => {
  if (mailboxProviders.has(domain)) return `${domain} is a mailbox provider: add a domain that you own.`
  if (getPublicSuffix(domain, wholeList) === domain) return `${domain} is a public suffix: add a domain below it.`
}

/** The registered domain: `acme.co.uk` for `mail.acme.co.uk`. Undefined for a public suffix. */
export const organisationalDomain = (domain: string): string | undefined => getDomain(domain, wholeList) ?? undefined

/** Whether the name is reserved for tests (RFC 2606, RFC 6761). Dev mode verifies it without DNS. */
export const isTestDomain = (domain: string): boolean => /\.(?:test|example|localhost)$/.test(domain)
