/** The mailbox providers that mail goes to, as shipped. Pure. */
import { mailboxProviders } from "../domains/MailboxProviders.ts"

/** Of a domain that no provider in the list runs, or that is not known yet. */
export const otherProvider = "OTHER"

interface Row {
  readonly provider: string
  /** Ends of the names of its mail exchanges. */
  readonly mxSuffixes: ReadonlyArray<string>
  /** Domains that are known without DNS. */
  readonly domains: ReadonlyArray<string>
}

const row = (provider: string, mxSuffixes: string, domains = ""): Row => ({
  provider,
  mxSuffixes: mxSuffixes.split(" "),
  domains: domains === "" ? [] : domains.split(" ")
})

/** A domain belongs to the first row that has it, or whose suffix ends its best mail exchange. */
const rows: ReadonlyArray<Row> = [
  row("GMAIL", ".google.com .googlemail.com", "gmail.com googlemail.com"),
  row("YAHOO", ".yahoodns.net", "aol.com aim.com ymail.com rocketmail.com myyahoo.com"),
  row("OUTLOOK", ".olc.protection.outlook.com", "msn.com"),
  row("MICROSOFT365", ".mail.protection.outlook.com .mx.microsoft"),
  row("APPLE", ".icloud.com", "icloud.com me.com mac.com"),
  row("YAHOO_JAPAN", ".yahoo.co.jp", "yahoo.co.jp"),
  row("GMX", ".gmx.net .web.de", "gmx.de gmx.net gmx.com gmx.at gmx.ch web.de"),
  row("T_ONLINE", ".t-online.de", "t-online.de"),
  row("IONOS", ".kundenserver.de .ionos.com"),
  row("ORANGE", ".orange.fr", "orange.fr wanadoo.fr"),
  row("COMCAST", ".comcast.net", "comcast.net"),
  row("MAILRU", ".mail.ru", "mail.ru bk.ru inbox.ru list.ru"),
  row("YANDEX", ".yandex.ru .yandex.net", "yandex.ru yandex.com ya.ru"),
  row("QQ", ".qq.com", "qq.com foxmail.com"),
  row("NETEASE", ".netease.com", "163.com 126.com yeah.net"),
  row("ZOHO", ".zoho.com .zoho.eu", "zohomail.com"),
  row("PROTON", ".protonmail.ch", "proton.me protonmail.com pm.me"),
  row("FASTMAIL", ".messagingengine.com", "fastmail.com fastmail.fm"),
  row("MIMECAST", ".mimecast.com .mimecast.co.za .mimecast-offshore.com"),
  row("PROOFPOINT", ".pphosted.com .ppe-hosted.com"),
  row("BARRACUDA", ".barracudanetworks.com")
]

const byDomain = new Map(rows.flatMap(({ domains, provider }) => domains.map((domain) => [domain, provider] as const)))

/** Names that a provider has in many countries. */
const national = [
  { provider: "YAHOO", names: /^yahoo\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/ },
  { provider: "OUTLOOK", names: /^hotmail\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/ }
]

/** The provider of a domain, if the list has it. The domain is in lower case. */
export const listed = (domain: string): string | undefined =>
  byDomain.get(domain) ??
  national.find(({ names }) => names.test(domain))?.provider ??
  (/^(?:outlook|live)\./.test(domain) && mailboxProviders.has(domain) ? "OUTLOOK" : undefined)

/** The provider that runs a mail exchange. */
export const ofExchange = (exchange: string): string => {
  const name = `.${exchange.toLowerCase().replace(/\.$/, "")}`
  return rows.find(({ mxSuffixes }) => mxSuffixes.some((suffix) => name.endsWith(suffix)))?.provider ?? otherProvider
}
