/** The mailbox providers that mail goes to: those that are shipped, and what an operator changed. Pure. */
import { mailboxProviders } from "../domains/MailboxProviders.ts"

/** Of a domain that no provider in the list runs, or that is not known yet. */
export const otherProvider = "OTHER"

/** The queue of mail to `OTHER`, and of mail whose provider was not known when it was made. */
export const otherQueue = 0

/** The first queue of a provider that an operator added. */
export const firstAddedQueue = 100

/** The first queue of a mail exchange of `OTHER` that is in trouble. */
export const firstExchangeQueue = 1_000

/** Providers in the list, `OTHER` not counted. */
export const maxProviders = 64

export interface MailboxProvider {
  readonly provider: string
  /** The name that people know. */
  readonly name: string
  /** Number of its queue. Stored with mail, so it never changes. */
  readonly queue: number
  /** Ends of the names of its mail exchanges, each with a leading dot. */
  readonly mxSuffixes: ReadonlyArray<string>
  /** Domains that are known without DNS. */
  readonly domains: ReadonlyArray<string>
  /**
   * Mails that all workers together hand over to it at the same time, by the transports of the installation. Null: no
   * limit until the provider asks for one, since a relay opens the connections to the mail exchanges of the provider.
   */
  readonly maxConnections: number | null
  /** Mails a minute of all workers together. Null: no limit until the provider asks for one. */
  readonly ratePerMinute: number | null
  /**
   * Mails of one connection to a mail exchange of the provider. It limits nothing: a relay opens these connections, and
   * one connection to a relay carries mail to all providers.
   */
  readonly messagesPerConnection: number
}

/** What an operator set. Null: as shipped, or none for a provider that was added. */
export interface ProviderChange {
  readonly provider: string
  readonly queue: number
  readonly name: string | null
  readonly mxSuffixes: ReadonlyArray<string> | null
  readonly domains: ReadonlyArray<string> | null
  readonly maxConnections: number | null
  readonly ratePerMinute: number | null
  readonly messagesPerConnection: number | null
}

const messagesPerConnection = 100

const row = (queue: number, provider: string, name: string, mxSuffixes: string, domains = ""): MailboxProvider => ({
  provider,
  name,
  queue,
  mxSuffixes: mxSuffixes.split(" "),
  domains: domains === "" ? [] : domains.split(" "),
  maxConnections: null,
  ratePerMinute: null,
  messagesPerConnection
})

/** A domain belongs to the first row that has it, or whose suffix ends its best mail exchange. */
export const shipped: ReadonlyArray<MailboxProvider> = [
  row(1, "GMAIL", "Gmail", ".google.com .googlemail.com", "gmail.com googlemail.com"),
  row(2, "YAHOO", "Yahoo", ".yahoodns.net", "aol.com aim.com ymail.com rocketmail.com myyahoo.com"),
  row(3, "OUTLOOK", "Outlook.com", ".olc.protection.outlook.com", "msn.com"),
  row(4, "MICROSOFT365", "Microsoft 365", ".mail.protection.outlook.com .mx.microsoft"),
  row(5, "APPLE", "iCloud Mail", ".icloud.com", "icloud.com me.com mac.com"),
  row(6, "YAHOO_JAPAN", "Yahoo! Japan", ".yahoo.co.jp", "yahoo.co.jp"),
  row(7, "GMX", "GMX and WEB.DE", ".gmx.net .web.de", "gmx.de gmx.net gmx.com gmx.at gmx.ch web.de"),
  row(8, "T_ONLINE", "T-Online", ".t-online.de", "t-online.de"),
  row(9, "IONOS", "IONOS", ".kundenserver.de .ionos.com"),
  row(10, "ORANGE", "Orange", ".orange.fr", "orange.fr wanadoo.fr"),
  row(11, "COMCAST", "Comcast", ".comcast.net", "comcast.net"),
  row(12, "MAILRU", "Mail.ru", ".mail.ru", "mail.ru bk.ru inbox.ru list.ru"),
  row(13, "YANDEX", "Yandex", ".yandex.ru .yandex.net", "yandex.ru yandex.com ya.ru"),
  row(14, "QQ", "QQ Mail", ".qq.com", "qq.com foxmail.com"),
  row(15, "NETEASE", "NetEase", ".netease.com", "163.com 126.com yeah.net"),
  row(16, "ZOHO", "Zoho Mail", ".zoho.com .zoho.eu", "zohomail.com"),
  row(17, "PROTON", "Proton Mail", ".protonmail.ch", "proton.me protonmail.com pm.me"),
  row(18, "FASTMAIL", "Fastmail", ".messagingengine.com", "fastmail.com fastmail.fm"),
  row(19, "MIMECAST", "Mimecast", ".mimecast.com .mimecast.co.za .mimecast-offshore.com"),
  row(20, "PROOFPOINT", "Proofpoint", ".pphosted.com .ppe-hosted.com"),
  row(21, "BARRACUDA", "Barracuda", ".barracudanetworks.com")
]

/** Names that a provider has in many countries. */
const national = [
  { provider: "YAHOO", names: /^yahoo\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/ },
  { provider: "OUTLOOK", names: /^hotmail\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/ }
]

/** A national name of a shipped provider. */
const nationalProvider = (domain: string): string | undefined =>
  national.find(({ names }) => names.test(domain))?.provider ??
  (/^(?:outlook|live)\./.test(domain) && mailboxProviders.has(domain) ? "OUTLOOK" : undefined)

export interface ProviderList {
  /** In the order in which a domain is looked for. Without `OTHER`. */
  readonly rows: ReadonlyArray<MailboxProvider>
  /** The provider of a domain, if the list has it. The domain is in lower case. */
  readonly listed: (domain: string) => string | undefined
  /** The provider that runs a mail exchange. */
  readonly ofExchange: (exchange: string) => string
  readonly row: (provider: string) => MailboxProvider | undefined
  readonly ofQueue: (queue: number) => MailboxProvider | undefined
  /** Domains that are known without DNS, with their providers. */
  readonly known: ReadonlyArray<{ readonly domain: string; readonly provider: string }>
}

const changed = (before: MailboxProvider, change: ProviderChange): MailboxProvider => ({
  ...before,
  name: change.name ?? before.name,
  mxSuffixes: change.mxSuffixes ?? before.mxSuffixes,
  domains: change.domains ?? before.domains,
  maxConnections: change.maxConnections ?? before.maxConnections,
  ratePerMinute: change.ratePerMinute ?? before.ratePerMinute,
  messagesPerConnection: change.messagesPerConnection ?? before.messagesPerConnection
})

const added = (change: ProviderChange): MailboxProvider =>
  changed(
    {
      provider: change.provider,
      name: change.provider,
      queue: change.queue,
      mxSuffixes: [],
      domains: [],
      maxConnections: null,
      ratePerMinute: null,
      messagesPerConnection
    },
    change
  )

/** The shipped providers with the changes of an operator, and those that were added, before `OTHER`. */
export const listOf = (changes: ReadonlyArray<ProviderChange>): ProviderList => {
  const byProvider = new Map(changes.map((change) => [change.provider, change]))
  const isShipped = new Set(shipped.map(({ provider }) => provider))
  const rows = [
    ...shipped.map((before) => {
      const change = byProvider.get(before.provider)
      return change === undefined ? before : changed(before, change)
    }),
    ...changes
      .filter(({ provider }) => !isShipped.has(provider))
      .toSorted((one, other) => one.queue - other.queue)
      .map(added)
  ]
  const byDomain = new Map<string, string>()
  for (const { domains, provider } of rows) {
    for (const domain of domains) if (!byDomain.has(domain)) byDomain.set(domain, provider)
  }
  const listed = (domain: string) => byDomain.get(domain) ?? nationalProvider(domain)
  const rowOf = new Map(rows.map((row) => [row.provider, row]))
  const queues = new Map(rows.map((row) => [row.queue, row]))
  return {
    rows,
    listed,
    ofExchange: (exchange) => {
      const name = `.${exchange.toLowerCase().replace(/\.$/, "")}`
      return (
        rows.find(({ mxSuffixes }) => mxSuffixes.some((suffix) => name.endsWith(suffix)))?.provider ?? otherProvider
      )
    },
    row: (provider) => rowOf.get(provider),
    ofQueue: (queue) => queues.get(queue),
    known: [...new Set([...byDomain.keys(), ...mailboxProviders])].flatMap((domain) => {
      const provider = listed(domain)
      return provider === undefined ? [] : [{ domain, provider }]
    })
  }
}

/** The list as it is shipped. */
export const shippedList: ProviderList = listOf([])
