/** Reads evidence of consent from requests, and keeps of it what the settings of the audience allow. */
import type { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect } from "effect"
import { clientOf } from "../../platform/http/ClientLimit.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { ConsentProof } from "./ConsentProof.ts"

const oldest = { years: 20 }

/** What the public key may say. */
const fromPages: ReadonlySet<string> = new Set(["wording", "language"])

/** The network of an address: 24 bits of IPv4, 48 bits of IPv6. An IPv4-mapped IPv6 address counts as IPv4. */
export const truncatedIp = (ip: string): string => {
  const client = clientOf(ip)
  if (!client.includes(":")) return `${client.split(".", 3).join(".")}.0`
  return `${client.split(":", 3).join(":")}::`.replace(/(?::0)+::$/, "::").replace(/^0::$/, "::")
}

export const make = Effect.gen(function* () {
  const rules = yield* AudienceRules

  /** The proof without what the settings exclude. */
  const kept = Effect.fnUntraced(function* (project: ProjectId, proof: ConsentProof) {
    const { ip, userAgent, ...others } = proof
    if (ip === undefined && userAgent === undefined) return proof
    const { consent } = yield* rules.getCached(project)
    return {
      ...others,
      ...(ip !== undefined && consent.ip !== "off" && { ip: consent.ip === "full" ? ip : truncatedIp(ip) }),
      ...(userAgent !== undefined && consent.userAgent && { userAgent: userAgent.slice(0, 512) })
    } satisfies ConsentProof
  })

  /** The `consent` of a request. With the public key, only what a page may know. */
  const read = Effect.fnUntraced(function* (
    project: ProjectId,
    given: GivenConsent | null | undefined,
    isPublic = false
  ): Effect.fn.Return<ConsentProof | undefined, ValidationError> {
    if (given == null) return undefined
    const { basis, wording, language, at, ip, userAgent, evidence } = given
    const hidden = Object.entries(given).find(([name, value]) => value != null && isPublic && !fromPages.has(name))
    if (hidden !== undefined) {
      return yield* ValidationError.one(
        `consent.${hidden[0]}`,
        "custom",
        "With the public key: wording and language only."
      )
    }
    const now = yield* DateTime.now
    if (at != null && DateTime.isGreaterThan(at, now)) {
      return yield* ValidationError.one("consent.at", "too_big", "Must not be later than now.")
    }
    if (at != null && DateTime.isLessThan(at, DateTime.subtract(now, oldest))) {
      return yield* ValidationError.one("consent.at", "too_small", "At most 20 years ago.")
    }
    return yield* kept(project, {
      basis: basis ?? undefined,
      wording: wording == null ? undefined : { text: wording, language: language ?? undefined },
      at: at ?? undefined,
      ip: ip ?? undefined,
      userAgent: userAgent ?? undefined,
      evidence: evidence ?? undefined,
      recordsRepeats: true
    })
  })

  return { kept, read }
})
