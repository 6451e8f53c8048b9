/** What proves a consent: who gave it, and what that person saw. */

import type { ConsentActor } from "@posthorn/contract/audience/consents/GivenConsent"
import type { ContactSource, SubscriptionReason } from "@posthorn/contract/audience/contacts/Contact"
import { Actor, PublicKeyCall } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Schema } from "effect"
import { acting } from "../../platform/audit/Audited.ts"

/** Why a consent changed. Ids are plain references. */
export interface ConsentCause {
  readonly reason: SubscriptionReason
  readonly emailId?: string
  readonly campaignId?: string
  readonly formId?: string
  readonly optInId?: string
  readonly jobId?: string
}

export interface ConsentProof {
  /** Who gave it. By default the person on public pages, else the caller of the request or the service. */
  readonly actor?: ConsentActor | undefined
  /** The text that the person saw. */
  readonly wording?:
    | {
        readonly text: string
        readonly language?: string | undefined
        readonly formVersion?: number | undefined
      }
    | undefined
  readonly basis?: string | undefined
  readonly evidence?: Schema.Json | undefined
  /** When it happened. By default now. */
  readonly at?: DateTime.Utc | undefined
  readonly ip?: string | undefined
  readonly userAgent?: string | undefined
  /** Whether a grant is recorded that changes nothing. */
  readonly recordsRepeats?: boolean | undefined
}

/** The proof as the statements take it, with the cause of the change. */
export interface StoredProof {
  readonly source: ContactSource
  readonly actor: ConsentActor["type"]
  readonly actorUser?: string | undefined
  readonly wording?: ConsentProof["wording"]
  readonly basis?: string | undefined
  readonly evidence?: Schema.Json | undefined
  readonly at?: string | undefined
  readonly ip?: string | undefined
  readonly userAgent?: string | undefined
  readonly repeats?: true
  readonly emailId?: string | undefined
  readonly campaignId?: string | undefined
  readonly formId?: string | undefined
  readonly optInId?: string | undefined
  readonly jobId?: string | undefined
}

/** Acts of the person alone. */
const ownActs: ReadonlySet<ContactSource> = new Set(["complaint", "double_opt_in", "form", "one_click", "page"])
/** What no caller does. */
const ownWork: ReadonlySet<ContactSource> = new Set(["bounce", "bulk", "import", "workflow"])

const actorOf = Effect.fnUntraced(function* (source: ContactSource): Effect.fn.Return<ConsentActor> {
  if (ownActs.has(source)) return { type: "recipient" }
  if (ownWork.has(source)) return { type: "service" }
  if ((yield* PublicKeyCall) !== undefined) return { type: "public_key" }
  const caller = yield* Actor
  if (caller.kind === "host") return { type: "member", userId: caller.user }
  const { actor, user } = yield* acting
  if (actor === "key") return { type: "key" }
  return user === null ? { type: "service" } : { type: "member", userId: user }
})

export const storedProof = Effect.fnUntraced(function* (
  { reason, emailId, campaignId, formId, optInId, jobId }: ConsentCause,
  { actor, wording, basis, evidence, at, ip, userAgent, recordsRepeats }: ConsentProof = {}
): Effect.fn.Return<StoredProof> {
  const { type, userId } = actor ?? (yield* actorOf(reason))
  return {
    source: reason,
    actor: type,
    actorUser: userId,
    wording,
    basis,
    evidence,
    at: at && DateTime.formatIso(at),
    ip,
    userAgent,
    ...(recordsRepeats && { repeats: true }),
    emailId,
    campaignId,
    formId,
    optInId,
    jobId
  }
})
