/** Checks whether an address can receive mail, without sending mail to it. */
import type { Verdict } from "@posthorn/contract/audience/verification/Verify"
import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import { aliasServices } from "./AliasServices.ts"
import { domainLists, OwnDomains } from "./DomainLists.ts"
import { suggestedDomain } from "./Typos.ts"
import { VerificationDns } from "./VerificationDns.ts"

/** Caches DNS answers. A service, because HTTP handlers of another area call it. */
export class Verification extends Context.Service<
  Verification,
  {
    /**
     * Checks a canonical address by its form, the shipped lists and the DNS, in at most 5 seconds. Without a usable DNS
     * answer the result says so and is not valid. Stores nothing and sends no mail.
     */
    readonly verify: (email: string) => Effect.Effect<Verdict>
  }
>()("@posthorn/core/audience/verification/Verification") {}

interface Findings {
  readonly domainExists: boolean
  readonly hasMxRecords: boolean
  readonly hasWebsite: boolean
  readonly dnsStatus: Verdict["dnsStatus"]
}

const unanswered: Findings = {
  domainExists: false,
  hasMxRecords: false,
  hasWebsite: false,
  dnsStatus: "unavailable"
}

const longest = Duration.seconds(5)

/** Node's resolver returns no TTL for MX records, so answers are cached for less than any usual TTL. */
const kept = Duration.seconds(30)
const maxKept = 10_000

const reasonsFor = ({ email: _, ...found }: Omit<Verdict, "reasons">): ReadonlyArray<string> => {
  const reasons = [
    found.dnsStatus === "unavailable" && "DNS gave no usable answer, so the check is incomplete.",
    found.dnsStatus === "ok" && !found.domainExists && "The domain does not exist.",
    found.domainExists && !found.hasMxRecords && "The domain has no mail servers.",
    found.suggestedEmail !== undefined && `Did you mean ${found.suggestedEmail}?`,
    found.isDisposable && "The domain offers disposable addresses.",
    found.isAlias && "The address only forwards to another mailbox.",
    found.isPlusAddressed && "The address has a tag behind a plus sign."
  ].filter((reason) => reason !== false)
  return reasons.length > 0 ? reasons : ["The address looks valid."]
}

export const layer: Layer.Layer<Verification, never, VerificationDns> = Layer.effect(
  Verification,
  Effect.gen(function* () {
    const dns = yield* VerificationDns
    const lists = domainLists(yield* OwnDomains)

    const hasAddress = (name: string) =>
      dns.address(name).pipe(
        Effect.map(({ values }) => values.length > 0),
        Effect.timeout(longest),
        Effect.orElseSucceed(() => false)
      )

    const ask = Effect.fnUntraced(function* (domain: string) {
      const [mail, plain, www] = yield* Effect.all(
        [Effect.timeout(dns.mx(domain), longest), hasAddress(domain), hasAddress(`www.${domain}`)],
        { concurrency: 3 }
      )
      return {
        domainExists: mail.nameExists,
        // An empty exchange is a null MX record: the domain receives no mail (RFC 7505).
        hasMxRecords: mail.values.some(({ exchange }) => exchange !== "" && exchange !== "."),
        hasWebsite: plain || www,
        dnsStatus: "ok"
      } satisfies Findings
    })

    const answers = yield* Cache.makeWith(ask, {
      capacity: maxKept,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? kept : Duration.zero)
    })

    const verify = Effect.fn("Verification.verify")(function* (email: string) {
      const at = email.lastIndexOf("@")
      const domain = email.slice(at + 1)
      const isPersonalEmail = lists.isPersonal(domain)
      const suggestion = isPersonalEmail ? undefined : suggestedDomain(domain)
      const found = yield* Effect.orElseSucceed(Cache.get(answers, domain), () => unanswered)
      const verdict = {
        email,
        valid: found.domainExists && found.hasMxRecords,
        isDisposable: lists.isDisposable(domain),
        isAlias: aliasServices.has(domain),
        isTypo: suggestion !== undefined,
        isPlusAddressed: email.slice(0, at).includes("+"),
        isPersonalEmail,
        ...found,
        ...(suggestion !== undefined && { suggestedEmail: `${email.slice(0, at)}@${suggestion}` })
      }
      return { ...verdict, reasons: reasonsFor(verdict) }
    })

    return Verification.of({ verify })
  })
)
