import { assert, it } from "@effect/vitest"
import { listOf, shipped, shippedList } from "./ProviderList.ts"

const { listed, ofExchange } = shippedList

it.each([
  ["gmail.com", "GMAIL"],
  ["googlemail.com", "GMAIL"],
  ["hotmail.com", "OUTLOOK"],
  ["hotmail.co.uk", "OUTLOOK"],
  ["outlook.com.br", "OUTLOOK"],
  ["live.nl", "OUTLOOK"],
  ["yahoo.com", "YAHOO"],
  ["yahoo.fr", "YAHOO"],
  ["yahoo.com.au", "YAHOO"],
  ["yahoo.co.jp", "YAHOO_JAPAN"],
  ["aol.com", "YAHOO"],
  ["icloud.com", "APPLE"],
  ["web.de", "GMX"],
  ["163.com", "NETEASE"],
  ["pm.me", "PROTON"]
])("%s belongs to %s without DNS", (domain, provider) => {
  assert.strictEqual(listed(domain), provider)
})

it.each(["example.com", "hotmail.example.com", "nothotmail.com", "live.example", "yahoo.shop.com", "mail.gmail.com"])(
  "%s is not in the list",
  (domain) => {
    assert.isUndefined(listed(domain))
  }
)

it.each([
  ["aspmx.l.google.com", "GMAIL"],
  ["SMTP.Google.com.", "GMAIL"],
  ["alt4.aspmx.l.googlemail.com", "GMAIL"],
  ["mta5.am0.yahoodns.net", "YAHOO"],
  ["outlook-com.olc.protection.outlook.com", "OUTLOOK"],
  ["acme-com.mail.protection.outlook.com", "MICROSOFT365"],
  ["acme-com.a-v1.mx.microsoft", "MICROSOFT365"],
  ["mx01.mail.icloud.com", "APPLE"],
  ["mx00.kundenserver.de", "IONOS"],
  ["mx-ha.web.de", "GMX"],
  ["mxs.mail.ru", "MAILRU"],
  ["mailin1.protonmail.ch", "PROTON"],
  ["in1-smtp.messagingengine.com", "FASTMAIL"],
  ["eu-smtp-inbound-1.mimecast.com", "MIMECAST"],
  ["mx0a-00000001.pphosted.com", "PROOFPOINT"],
  ["d1.ess.barracudanetworks.com", "BARRACUDA"],
  ["mail.example.com", "OTHER"],
  ["notgoogle.com", "OTHER"],
  ["google.com.example.com", "OTHER"],
  ["", "OTHER"]
])("the exchange %s is run by %s", (exchange, provider) => {
  assert.strictEqual(ofExchange(exchange), provider)
})

it("the shipped list has each provider, queue and suffix once", () => {
  const once = (values: ReadonlyArray<unknown>) => assert.strictEqual(new Set(values).size, values.length)
  once(shipped.map(({ provider }) => provider))
  once(shipped.map(({ queue }) => queue))
  once(shipped.flatMap(({ mxSuffixes }) => mxSuffixes))
  once(shipped.flatMap(({ domains }) => domains))
})

it("an operator changes a provider, and adds others before OTHER", () => {
  const nothing = {
    name: null,
    mxSuffixes: null,
    domains: null,
    maxConnections: null,
    ratePerMinute: null,
    messagesPerConnection: null
  }
  const list = listOf([
    { ...nothing, provider: "ACME", queue: 100, mxSuffixes: [".acme.net"], domains: ["acme.net"], ratePerMinute: 60 },
    { ...nothing, provider: "GMAIL", queue: 1, maxConnections: 3 }
  ])
  assert.deepInclude(list.row("GMAIL"), { maxConnections: 3, mxSuffixes: [".google.com", ".googlemail.com"] })
  assert.strictEqual(list.rows.at(-1)?.provider, "ACME")
  assert.strictEqual(list.ofExchange("mx1.acme.net"), "ACME")
  assert.strictEqual(list.listed("acme.net"), "ACME")
  assert.strictEqual(list.ofQueue(100)?.ratePerMinute, 60)
  assert.deepInclude(list.known, { domain: "yahoo.co.uk", provider: "YAHOO" })
})
