/** Converts a stored domain to the form of the API, with the settings of this installation. Pure. */
import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import { Option } from "effect"
import type { Settings } from "../../platform/Settings.ts"
import { type DomainIdentity, type RecordToPublish, recordsToPublish, withFindings } from "./DomainRecords.ts"
import type { StoredDomain } from "./DomainStore.ts"
import { isTestDomain } from "./SenderDomain.ts"

/** The host that link hosts lead to. Undefined for an installation without one. */
export const linkTarget = ({ linkHost, publicUrl }: Settings): string | undefined => {
  if (linkHost !== undefined) return linkHost.toLowerCase()
  const { hostname, pathname, port } = new URL(publicUrl)
  const isName = /\.[a-z][a-z0-9-]*$/.test(hostname)
  return isName && port === "" && pathname === "/" ? hostname : undefined
}

/** The records to publish now. The bounce domain may have changed since the last check. */
export const recordsOf = (
  domain: DomainIdentity & { readonly linkHost?: StoredDomain["linkHost"] },
  settings: Settings
): ReadonlyArray<RecordToPublish> => {
  const { bounceDomain, returnPathLabel } = settings
  const target = linkTarget(settings)
  const host = domain.linkHost?.host
  const link: ReadonlyArray<RecordToPublish> =
    host === undefined || target === undefined
      ? []
      : [{ type: "CNAME", name: host, value: target, purpose: "LINK", required: false }]
  return [
    ...recordsToPublish(
      domain,
      Option.map(Option.fromUndefinedOr(bounceDomain), (name) => ({ bounceDomain: name, label: returnPathLabel }))
    ),
    ...link
  ]
}

/** Whether a domain is verified without DNS: in dev mode, names reserved for tests (RFC 6761). */
export const needsNoDns = (domain: string, { devMode }: Settings): boolean => devMode && isTestDomain(domain)

export const shown = (stored: StoredDomain, settings: Settings, dmarcReportAddress: string | null): Domain => {
  const { rsaPublicKey: _rsa, ed25519PublicKey: _ed25519, ...domain } = stored
  return {
    ...domain,
    dmarcReportAddress,
    status: domain.verified ? "VERIFIED" : "PENDING",
    records: withFindings(recordsOf({ ...stored, dmarcReportAddress }, settings), stored.records)
  }
}
