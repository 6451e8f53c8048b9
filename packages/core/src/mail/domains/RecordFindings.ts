/** Decides whether the records in DNS match the record to publish. */
import type { RecordStatus } from "@posthorn/contract/mail/domains/Domain"
import type { MailExchange } from "../../platform/dns/DnsResolver.ts"
import type { RecordLookup, RecordToPublish } from "./DomainRecords.ts"
import { parseTagList } from "./TagList.ts"

const maxFound = 5
const maxFoundLength = 1_000

/** Control characters become U+FFFD: the text is untrusted, and PostgreSQL cannot store U+0000. */
export const foundTexts = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.slice(0, maxFound).map((value) => [...value.replace(/\p{Cc}/gu, "\uFFFD")].slice(0, maxFoundLength).join(""))

const finding = (status: RecordStatus, values: ReadonlyArray<string>): RecordLookup => ({
  status,
  found: foundTexts(values)
})

/** Exactly one TXT record, which has the key in any valid form (RFC 6376 3.6.1). */
export const dkimFinding = ({ value }: RecordToPublish, texts: ReadonlyArray<string>): RecordLookup => {
  const [text, ...others] = texts
  if (text === undefined) return finding("PENDING", [])
  return finding(others.length === 0 && holdsKey(text, value) ? "VERIFIED" : "MISMATCH", texts)
}

const holdsKey = (text: string, ours: string): boolean => {
  const { tags, wellFormed } = parseTagList(text)
  const wanted = parseTagList(ours).tags
  return (
    wellFormed &&
    (tags.get("v") ?? "DKIM1") === "DKIM1" &&
    (tags.get("k") ?? "rsa") === wanted.get("k") &&
    withoutBlanks(tags.get("p") ?? "") === wanted.get("p") &&
    withoutBlanks(tags.get("h") ?? "sha256")
      .split(":")
      .includes("sha256")
  )
}

const withoutBlanks = (text: string): string => text.replace(/[ \t\r\n]/g, "")

/** One of the MX records names the bounce domain, with any preference. */
export const returnPathFinding = ({ value }: RecordToPublish, exchanges: ReadonlyArray<MailExchange>): RecordLookup => {
  if (exchanges.length === 0) return finding("PENDING", [])
  const [, bounceDomain = ""] = value.split(" ")
  const isOurs = exchanges.some(({ exchange }) => sameName(exchange, bounceDomain))
  return finding(
    isOurs ? "VERIFIED" : "MISMATCH",
    exchanges.map(({ priority, exchange }) => `${priority} ${exchange || "."}`)
  )
}

/** The alias leads to the host of the installation. */
export const linkFinding = ({ value }: RecordToPublish, aliases: ReadonlyArray<string>): RecordLookup => {
  if (aliases.length === 0) return finding("PENDING", [])
  return finding(aliases.some((alias) => sameName(alias, value)) ? "VERIFIED" : "MISMATCH", aliases)
}

const sameName = (a: string, b: string): boolean => bareName(a) === bareName(b)
const bareName = (name: string): string => name.toLowerCase().replace(/\.$/, "")

/** Exactly one SPF record (RFC 7208 4.5), which includes the bounce domain, with any qualifier. */
export const spfFinding = ({ value }: RecordToPublish, texts: ReadonlyArray<string>): RecordLookup => {
  const [policy, ...others] = texts.filter((text) => /^v=spf1(?: |$)/i.test(text))
  if (policy === undefined) return finding("PENDING", texts)
  const bounceDomain = includesOf(value)[0] ?? ""
  const hasInclude = includesOf(policy).some((name) => sameName(name, bounceDomain))
  return finding(others.length === 0 && hasInclude ? "VERIFIED" : "MISMATCH", texts)
}

const includesOf = (policy: string): ReadonlyArray<string> =>
  policy.split(" ").flatMap((term) => /^[+?~-]?include:(.+)$/i.exec(term)?.[1] ?? [])

/**
 * Exactly one DMARC record with a valid `p` (RFC 9989). Tags may have any order. Unknown and invalid tags are ignored.
 */
export const dmarcFinding = (texts: ReadonlyArray<string>): RecordLookup => {
  const [policy, ...others] = texts.filter((text) => /^v[ \t]*=[ \t]*DMARC1\b/.test(text))
  if (policy === undefined) return finding("PENDING", texts)
  const isValid = /^(?:none|quarantine|reject)$/i.test(parseTagList(policy).tags.get("p") ?? "")
  return finding(others.length === 0 && isValid ? "VERIFIED" : "MISMATCH", texts)
}
