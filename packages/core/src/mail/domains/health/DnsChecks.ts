/** The checks of a sender domain that ask DNS. */
import type { HealthCheckId, HealthStatus } from "@posthorn/contract/mail/domains/DomainHealth"
import { Effect } from "effect"
import { DnsResolver, DnsUnavailable, reverseName } from "../../../platform/dns/DnsResolver.ts"
import { Settings } from "../../../platform/Settings.ts"
import { ReturnPath } from "../../sending/ReturnPath.ts"
import { type DmarcLookup, lookUp, lookUpDmarc } from "../DomainCheck.ts"
import type { RecordToPublish } from "../DomainRecords.ts"
import type { StoredDomain } from "../DomainStore.ts"
import { needsNoDns, recordsOf } from "../DomainView.ts"
import { foundTexts } from "../RecordFindings.ts"
import { organisationalDomain } from "../SenderDomain.ts"
import { parseTagList } from "../TagList.ts"
import { rsaKeyBits } from "./RsaKeyBits.ts"
import { maxLookups, spfOf } from "./SpfLookups.ts"

/** The result of one check. */
export interface CheckOutcome {
  readonly id: HealthCheckId
  readonly status: HealthStatus
  readonly found: ReadonlyArray<string>
  readonly advice: string
}

/** How long a check waits for all its answers. */
const longest = "15 seconds"

const result =
  (id: HealthCheckId) =>
  (status: HealthStatus, found: ReadonlyArray<string>, advice = ""): CheckOutcome => ({
    id,
    status,
    found: foundTexts(found),
    advice
  })

const unanswered = (id: HealthCheckId, message: string) => result(id)("UNKNOWN", [], message)

/** The policy for mail from the domain: that of subdomains if the record is that of the organisational domain. */
export const policyOf = ({ finding, isInherited, texts }: DmarcLookup): string | undefined => {
  if (finding.status !== "VERIFIED") return undefined
  const { tags } = parseTagList(texts.find((text) => /^v[ \t]*=[ \t]*DMARC1\b/.test(text)) ?? "")
  const own = tags.get("p")
  return ((isInherited ? tags.get("sp") : undefined) ?? own)?.toLowerCase()
}

const reportAddresses = ({ texts }: DmarcLookup): ReadonlyArray<string> => {
  const { tags } = parseTagList(texts.find((text) => /^v[ \t]*=[ \t]*DMARC1\b/.test(text)) ?? "")
  return (tags.get("rua") ?? "")
    .split(",")
    .map((uri) => uri.trim().replace(/!\d+[kmgt]?$/i, ""))
    .filter((uri) => uri !== "")
}

const isEnforced = (policy: string | undefined) => policy === "quarantine" || policy === "reject"

const publish = (record: RecordToPublish | undefined) =>
  record === undefined ? "" : `Publish ${record.type} ${record.name} with the value ${record.value}`

/** `adviceOnPolicy` is for a domain whose policy is `none`. */
export const dnsChecks = Effect.fn("DnsChecks.dnsChecks")(function* (
  domain: StoredDomain,
  adviceOnPolicy: string
): Effect.fn.Return<ReadonlyArray<CheckOutcome>, never, DnsResolver | ReturnPath> {
  const settings = yield* Settings
  const { address, mx, ptr, txt } = yield* DnsResolver
  const { reportAddress, reportedDomain } = yield* ReturnPath
  const { bounceDomain, returnPathLabel, sendingIps } = settings
  const dmarcReportAddress = yield* reportAddress(domain.id)
  const records = recordsOf({ ...domain, dmarcReportAddress }, settings)
  const record = (purpose: RecordToPublish["purpose"]) => records.find((each) => each.purpose === purpose)
  const rsa = record("DKIM")

  /** Both signature and return path have the domain of From. */
  const isAligned = result("alignment")("PASS", [`DKIM d=${domain.domain}`])

  if (needsNoDns(domain.domain, settings)) {
    const words = "In dev mode this name is verified without DNS."
    const ids = ["dkim_key", "spf", "dmarc_record", "dmarc_policy", "dmarc_reports"] as const
    return [
      result("dkim")(domain.verified ? "PASS" : "FAIL", []),
      bounceDomain === undefined ? isAligned : unanswered("alignment", words),
      ...[...ids, "reverse_dns" as const, "replies" as const, "bimi" as const].map((id) => unanswered(id, words))
    ]
  }

  /** Runs one lookup for several checks. All of them are unknown without an answer. */
  const asking = <A>(
    ids: ReadonlyArray<HealthCheckId>,
    ask: Effect.Effect<A, DnsUnavailable, DnsResolver | ReturnPath>,
    judge: (answer: A) => ReadonlyArray<CheckOutcome> | Effect.Effect<ReadonlyArray<CheckOutcome>>
  ) =>
    ask.pipe(
      Effect.timeoutOrElse({
        duration: longest,
        orElse: () => Effect.fail(new DnsUnavailable({ type: "TXT", name: domain.domain, reason: "timeout" }))
      }),
      Effect.matchEffect({
        onFailure: ({ message }) => Effect.succeed(ids.map((id) => unanswered(id, message))),
        onSuccess: (answer) => {
          const judged = judge(answer)
          return Effect.isEffect(judged) ? judged : Effect.succeed(judged)
        }
      })
    )

  const dkim =
    rsa === undefined
      ? Effect.succeed([])
      : asking(["dkim"], lookUp(rsa), ({ found, status }) => [
          result("dkim")(status === "VERIFIED" ? "PASS" : "FAIL", found, status === "VERIFIED" ? "" : publish(rsa))
        ])

  const dkimKey = asking(["dkim_key"], txt(rsa?.name ?? domain.domain), ({ values: [first] }) => {
    const bits = first === undefined ? undefined : rsaKeyBits(first)
    if (bits === undefined) return [unanswered("dkim_key", "There is no RSA key at the name of the DKIM record.")]
    return [
      bits >= 2048
        ? result("dkim_key")("PASS", [`${bits} bits`])
        : result("dkim_key")("WARN", [`${bits} bits`], `Use a key of 2048 bits. ${publish(rsa)}`)
    ]
  })

  const returnPath = record("RETURN_PATH")
  /** Whether bounces go to a name below the domain. */
  const ownReturnPath =
    returnPath === undefined
      ? Effect.succeed(false)
      : Effect.map(lookUp(returnPath), ({ status }) => status === "VERIFIED")

  const alignment = asking(["alignment"], ownReturnPath, (isBelow) => [
    isBelow || bounceDomain === undefined
      ? isAligned
      : result("alignment")("WARN", [`DKIM d=${domain.domain}`], `${publish(returnPath)}, so that SPF is aligned too.`)
  ])

  const spf = asking(
    ["spf"],
    Effect.gen(function* () {
      if (bounceDomain === undefined) return undefined
      const isBelow = yield* ownReturnPath
      const envelope = isBelow ? `${returnPathLabel}.${domain.domain}` : bounceDomain
      return { envelope, isBelow, ...(yield* spfOf(envelope)) }
    }),
    (found) => {
      const say = result("spf")
      if (found === undefined || bounceDomain === undefined) {
        return [say("UNKNOWN", [], "The installation has no bounce domain, so the return path is the From address.")]
      }
      const { envelope, includes, isBelow, lookups, records: policies } = found
      if (policies.length === 0) {
        return [
          say(
            "WARN",
            [],
            isBelow ? publish(record("SPF")) : `${envelope} has no SPF record. The operator publishes it.`
          )
        ]
      }
      if (policies.length > 1) {
        return [
          say(
            "FAIL",
            policies,
            `${envelope} has ${policies.length} SPF records. Receivers ignore all of them; keep one.`
          )
        ]
      }
      if (lookups > maxLookups) {
        return [
          say(
            "FAIL",
            policies,
            `The SPF record of ${envelope} needs more than ${maxLookups} DNS look-ups. Remove includes.`
          )
        ]
      }
      const isOurs = !isBelow || includes.has(bounceDomain.toLowerCase())
      const counted = [...policies, `${lookups} of ${maxLookups} DNS look-ups`]
      return [
        isOurs
          ? say("PASS", counted)
          : say("WARN", counted, `Add include:${bounceDomain} to the SPF record of ${envelope}.`)
      ]
    }
  )

  const dmarc = asking(["dmarc_record", "dmarc_policy", "dmarc_reports", "bimi"], lookUpDmarc(domain.domain), (found) =>
    Effect.gen(function* () {
      const { finding } = found
      const isValid = finding.status === "VERIFIED"
      const policy = policyOf(found)
      const uris = isValid ? reportAddresses(found) : []
      const ours = yield* Effect.forEach(uris, (uri) => reportedDomain(uri.replace(/^mailto:/i, "")))
      const proposed = publish(record("DMARC"))
      const reports = result("dmarc_reports")
      return [
        isValid
          ? result("dmarc_record")("PASS", finding.found)
          : result("dmarc_record")(
              "FAIL",
              finding.found,
              finding.status === "PENDING" ? proposed : `Keep exactly one valid DMARC record. ${proposed}`
            ),
        policy === undefined
          ? result("dmarc_policy")("UNKNOWN", [], "There is no valid DMARC record.")
          : isEnforced(policy)
            ? result("dmarc_policy")("PASS", [`p=${policy}`])
            : result("dmarc_policy")(
                "WARN",
                [`p=${policy}`],
                adviceOnPolicy || "Publish p=quarantine, as the reports allow it."
              ),
        ours.includes(domain.id)
          ? reports("PASS", uris)
          : uris.length > 0
            ? reports(
                "NONE",
                uris,
                dmarcReportAddress === null ? "" : `To see the reports here, add mailto:${dmarcReportAddress} to rua.`
              )
            : reports(
                "WARN",
                [],
                dmarcReportAddress === null ? "Add a rua to the DMARC record, and read the reports." : proposed
              ),
        ...(yield* bimi(policy))
      ]
    })
  )

  /** `default._bimi`, of the domain or else of its organisational domain. */
  const bimiTexts = Effect.gen(function* () {
    const isBimi = (text: string) => /^v[ \t]*=[ \t]*BIMI1\b/i.test(text)
    const own = (yield* txt(`default._bimi.${domain.domain}`)).values.filter(isBimi)
    const organisation = organisationalDomain(domain.domain)
    if (own.length > 0 || organisation === undefined || organisation === domain.domain) return own
    return (yield* txt(`default._bimi.${organisation}`)).values.filter(isBimi)
  })

  const bimi = (policy: string | undefined) =>
    Effect.match(bimiTexts, {
      onFailure: ({ message }) => [unanswered("bimi", message)],
      onSuccess: (texts) => {
        const [text] = texts
        if (text === undefined) return [result("bimi")("NONE", [])]
        const isValid = texts.length === 1 && /^(?:https:\/\/.*)?$/i.test(parseTagList(text).tags.get("l") ?? "-")
        if (!isValid) return [result("bimi")("WARN", texts, "Keep one BIMI record, with an https URL of an SVG in l.")]
        return [
          isEnforced(policy)
            ? result("bimi")("PASS", texts)
            : result("bimi")("WARN", texts, "Logos are shown only with a DMARC policy of quarantine or reject.")
        ]
      }
    })

  /** The PTR record of an address leads to a name that leads back to the address (RFC 1912 2.1). */
  const isConfirmed = Effect.fnUntraced(function* (ip: string) {
    const names = (yield* ptr(reverseName(ip) ?? "")).values.slice(0, 5)
    const back = yield* Effect.forEach(names, (name) => address(name))
    const wanted = reverseName(ip)
    const isRight = back.some(({ values }) => values.some((value) => reverseName(value) === wanted))
    return { text: `${ip} ${names.join(", ") || "has no PTR record"}`, isRight }
  })

  const reverseDns =
    sendingIps.length === 0
      ? Effect.succeed([
          result("reverse_dns")(
            "UNKNOWN",
            [],
            "The operator of the mail server that sends is responsible for its PTR record."
          )
        ])
      : asking(["reverse_dns"], Effect.forEach(sendingIps, isConfirmed, { concurrency: 5 }), (ips) => {
          const wrong = ips.filter(({ isRight }) => !isRight)
          const texts = (wrong.length === 0 ? ips : wrong).map(({ text }) => text)
          return [
            wrong.length === 0
              ? result("reverse_dns")("PASS", texts)
              : result("reverse_dns")(
                  "FAIL",
                  texts,
                  "Give each sending address a PTR record whose name leads back to it."
                )
          ]
        })

  const replies = asking(
    ["replies"],
    Effect.gen(function* () {
      const exchanges = (yield* mx(domain.domain)).values
      return { exchanges, addresses: exchanges.length > 0 ? [] : (yield* address(domain.domain)).values }
    }),
    ({ addresses, exchanges }) => {
      const names = exchanges.flatMap(({ exchange }) => (exchange === "" ? [] : [exchange]))
      return [
        names.length + addresses.length > 0
          ? result("replies")("PASS", [...names, ...addresses])
          : result("replies")(
              "WARN",
              [],
              `${domain.domain} takes no mail, so replies to its mail are lost. Give it an MX record.`
            )
      ]
    }
  )

  const all = yield* Effect.all([dkim, dkimKey, alignment, spf, dmarc, reverseDns, replies], {
    concurrency: "unbounded"
  })
  return all.flat()
})
