/**
 * Accepts the items of a batch in one transaction.
 *
 * Each check runs for all items before the next one. With `atomic`, the first check that refuses an item refuses the batch.
 * Otherwise the item is left out, and the next checks run for the others. An item with a key is the `POST /v1/send` with
 * that Idempotency-Key: it has the same fingerprint and the same stored response.
 */
import { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import { EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import {
  BatchDefaults,
  BatchItem,
  type BatchResult,
  IdempotencyKey,
  itemFields,
  maxBatch,
  type SendBatch,
  type SentBatch
} from "@posthorn/contract/mail/sending/Batch"
import { SentEmails } from "@posthorn/contract/mail/sending/Send"
import { type ApiKeyHolder, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  envelope,
  type Fault,
  PayloadTooLarge,
  type RateLimitExceeded,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { IdempotencyKeyReused } from "@posthorn/contract/platform/Request"
import { Array, DateTime, Effect, Predicate, Result, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Billing } from "../../accounts/billing/Billing.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import { fingerprint, reused } from "../../platform/http/Idempotency.ts"
import { IdempotencyKeys } from "../../platform/http/IdempotencyKeys.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type Acceptance, type DraftsRefused, type Placed, type SendRefusal, sizeOf } from "./Acceptance.ts"
import { type AddressedSend, addressedOf, copiesOf, namesOf, recipientsOf } from "./Draft.ts"
import { isTest } from "./TestMode.ts"

/** How the keys of items are used. */
export interface ItemKeys {
  /** Repeats the first result of an equal item whose key is in use, instead of refusing the item. */
  readonly replay: boolean
  /** The name under which a key is stored. */
  readonly stored: (key: string) => string
}

type ItemRefusal = IdempotencyKeyReused | SendRefusal

type Raw = { readonly [field: string]: unknown }

/** An item with the defaults, before it is decoded. */
interface Item {
  readonly index: number
  readonly merged: unknown
  /** As given. It is no part of the request that the item stands for. */
  readonly idempotencyKey: unknown
  /** Undefined without a valid one. */
  readonly key: string | undefined
}

const maxFaults = 50
const sendPath = "POST /v1/send"

const isRaw = (value: unknown): value is Raw => Predicate.isObject(value) && !Array.isArray(value)

const decodeItem = Schema.decodeUnknownEffect(BatchItem, { errors: "all", reportInput: true })
const decodeDefaults = Schema.decodeUnknownEffect(BatchDefaults, { errors: "all", reportInput: true })
const isKey = Schema.is(IdempotencyKey)

const encodeRefusal = Schema.encodeEffect(
  Schema.Union([
    envelope(BillingLimitExceeded),
    envelope(Conflict),
    envelope(EmailAlreadyExists),
    envelope(Forbidden),
    envelope(IdempotencyKeyReused),
    envelope(PayloadTooLarge),
    envelope(SenderDomainUnverified),
    envelope(TemplateNotFound),
    envelope(ValidationError)
  ])
)

const SentText = Schema.fromJsonString(SentEmails)
const encodeSent = Schema.encodeEffect(SentText)
const decodeSent = Schema.decodeUnknownEffect(SentText)

/** Objects of an item and of the defaults that are merged by key. Any other field of an item replaces the default. */
const mergedByKey = ["data", "headers", "tags"] as const

const mergeItem = (raw: unknown, defaults: Raw): unknown => {
  if (!isRaw(raw)) return raw
  const both = mergedByKey.flatMap((field) => {
    const [shared, own] = [defaults[field], raw[field]]
    return isRaw(shared) && isRaw(own) ? [[field, { ...shared, ...own }] as const] : []
  })
  const { idempotencyKey: _, ...merged } = { ...defaults, ...raw, ...Object.fromEntries(both) } as Raw
  return merged
}

const within = (prefix: string) => (fault: Fault) => ({
  ...fault,
  field: fault.field === "" ? prefix : `${prefix}.${fault.field}`
})

const invalid = (issue: Schema.SchemaError) => new ValidationError({ errors: faultsOf(issue.issue) })

const hasAddresses = (item: {
  readonly index: number
  readonly value: AddressedSend | undefined
}): item is { readonly index: number; readonly value: AddressedSend } => item.value !== undefined

const tooManyMails = () => ValidationError.one("emails", "too_big", `At most ${maxBatch} mails.`)

/** Names the item. */
const withIndex = (refusal: Exclude<ItemRefusal, ValidationError>, index: number): ItemRefusal => {
  switch (refusal._tag) {
    case "BILLING_LIMIT_EXCEEDED":
      return new BillingLimitExceeded({ ...refusal, index })
    case "CONFLICT":
      return new Conflict({ ...refusal, index })
    case "EMAIL_ALREADY_EXISTS":
      return new EmailAlreadyExists({ ...refusal, index })
    case "FORBIDDEN":
      return new Forbidden({ ...refusal, index })
    case "IDEMPOTENCY_KEY_REUSED":
      return new IdempotencyKeyReused({ ...refusal, index })
    case "PAYLOAD_TOO_LARGE":
      return new PayloadTooLarge({ limitBytes: refusal.limitBytes, index })
    case "SENDER_DOMAIN_UNVERIFIED":
      return new SenderDomainUnverified({ domain: refusal.domain, index })
    case "TEMPLATE_NOT_FOUND":
      return new TemplateNotFound({ id: refusal.id, index })
  }
}

/** The order of the checks of one request. Refusals of one check have the order of the items. */
const checkOf: { readonly [Tag in Exclude<ItemRefusal, ValidationError>["_tag"]]: number } = {
  IDEMPOTENCY_KEY_REUSED: 9,
  EMAIL_ALREADY_EXISTS: 11,
  TEMPLATE_NOT_FOUND: 12,
  CONFLICT: 12,
  SENDER_DOMAIN_UNVERIFIED: 13,
  FORBIDDEN: 13,
  BILLING_LIMIT_EXCEEDED: 14,
  PAYLOAD_TOO_LARGE: 15
}

/** Whether every item that takes the field from the defaults has this fault. */
const isOfDefaults = ({ field, code }: Fault, raw: unknown, defaults: Raw) =>
  code === "template_syntax" && defaults[field] != null && isRaw(raw) && !(field in raw)

/** The error of an atomic batch: all faulty fields, those of the defaults once, else the refusal of the first check. */
const ofBatch = (
  refused: ReadonlyMap<number, ItemRefusal>,
  { emails, defaults }: { readonly emails: SendBatch["emails"]; readonly defaults: Raw }
): ItemRefusal => {
  const faults = new Map<string, Fault>()
  for (const [index, refusal] of refused) {
    if (refusal._tag !== "VALIDATION_ERROR") continue
    for (const fault of refusal.errors) {
      const place = isOfDefaults(fault, emails[index], defaults) ? "defaults" : `emails.${index}`
      const placed = within(place)(fault)
      faults.set(JSON.stringify(placed), placed)
    }
  }
  if (faults.size > 0) return new ValidationError({ errors: [...faults.values()].slice(0, maxFaults) })
  const [first] = [...refused]
    .flatMap(([index, refusal]) => (refusal._tag === "VALIDATION_ERROR" ? [] : [{ index, refusal }]))
    .toSorted((a, b) => checkOf[a.refusal._tag] - checkOf[b.refusal._tag] || a.index - b.index)
  return first === undefined ? new ValidationError({ errors: [] }) : withIndex(first.refusal, first.index)
}

export const make = Effect.fnUntraced(function* (acceptance: Acceptance) {
  const billing = yield* Billing
  const digest = yield* Digest.Digest
  const keys = yield* IdempotencyKeys
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const { idempotencyLifetime } = yield* Settings

  const defaultsOf = Effect.fnUntraced(function* (given: unknown) {
    if (given == null) return {}
    yield* Effect.mapError(
      decodeDefaults(given),
      (error) => new ValidationError({ errors: invalid(error).errors.map(within("defaults")) })
    )
    const raw = isRaw(given) ? given : {}
    const misplaced = itemFields.flatMap((field): ReadonlyArray<Fault> => {
      if (raw[field] == null) return []
      return [{ field: `defaults.${field}`, code: "custom", message: `Only an item has \`${field}\`.` }]
    })
    if (misplaced.length > 0) return yield* new ValidationError({ errors: misplaced })
    return raw
  })

  const sendBatch = Effect.fn("Sending.sendBatch")(function* (
    project: ProjectId,
    input: SendBatch,
    { replay, stored }: ItemKeys,
    apiKey?: ApiKeyHolder
  ): Effect.fn.Return<SentBatch["data"], ItemRefusal | RateLimitExceeded> {
    const isLive = !isTest({ apiKey })
    const now = yield* DateTime.now
    const skip = input.atomic === false
    const defaults = yield* defaultsOf(input.defaults)
    const all = input.emails.map((raw, index): Item => {
      const idempotencyKey = isRaw(raw) ? raw["idempotencyKey"] : undefined
      const key = isKey(idempotencyKey) ? idempotencyKey : undefined
      return { index, merged: mergeItem(raw, defaults), idempotencyKey, key }
    })
    const results = new Map<number, Omit<BatchResult, "index">>()
    const refused = new Map<number, ItemRefusal>()

    /** Refuses the batch, or only these items. */
    const refuse = (found: Iterable<readonly [number, ItemRefusal]>): Effect.Effect<void, ItemRefusal> => {
      const given = new Map(found)
      if (given.size > 0 && !skip) return Effect.fail(ofBatch(given, { emails: input.emails, defaults }))
      for (const [index, refusal] of given) refused.set(index, refusal)
      return Effect.void
    }

    /** Runs a check for each item, and returns those that pass with their result. */
    const check = Effect.fnUntraced(function* <I extends { readonly index: number }, A>(
      items: ReadonlyArray<I>,
      run: (item: I) => Effect.Effect<A, ItemRefusal>
    ) {
      const made = yield* Effect.forEach(items, (item) =>
        Effect.map(Effect.result(run(item)), (result) => ({ item, result }))
      )
      yield* refuse(
        made.flatMap(({ item: { index }, result }) =>
          Result.isFailure(result) ? [[index, result.failure] as const] : []
        )
      )
      return made.flatMap(({ item, result }) => (Result.isSuccess(result) ? [{ ...item, value: result.success }] : []))
    })

    /** The first items whose sizes fit into the room. The next one and all after it are refused. */
    const fitting = Effect.fnUntraced(function* (
      drafts: ReadonlyArray<Placed>,
      room: number,
      counts: (item: Placed) => boolean,
      refusal: (item: Placed) => ItemRefusal
    ) {
      let used = 0
      let isFull = false
      const fits = drafts.filter((item) => {
        if (!counts(item)) return true
        used += sizeOf(item.draft)
        isFull ||= used > room
        return !isFull
      })
      const kept = new Set(fits)
      yield* refuse(drafts.flatMap((item) => (kept.has(item) ? [] : [[item.index, refusal(item)] as const])))
      return fits
    })

    /** The items whose keys are free. Other items are refused, or get the first result of their key. */
    const claimed = Effect.fnUntraced(function* (owner: string) {
      const named = yield* Effect.forEach(all, (item) =>
        item.key === undefined
          ? Effect.succeed({ ...item, print: "" })
          : Effect.map(fingerprint(digest, sendPath, JSON.stringify(item.merged)), (print) => ({ ...item, print }))
      )
      const firstOf = new Map<string, (typeof named)[number]>()
      const repeated: Array<{
        readonly index: number
        readonly print: string
        readonly first: (typeof named)[number]
      }> = []
      for (const item of named) {
        if (item.key === undefined) continue
        const first = firstOf.get(item.key)
        if (first === undefined) firstOf.set(item.key, item)
        else repeated.push({ index: item.index, print: item.print, first })
      }
      const expiresAt = DateTime.addDuration(now, idempotencyLifetime)
      const claims = [...firstOf.values()].map(({ key = "", print }) => ({ key: stored(key), fingerprint: print }))
      const used = yield* keys.claimAll(project, claims, { owner, request: sendPath, expiresAt }, now)
      const isRepeated = new Set(repeated.map(({ index }) => index))
      const free = yield* check(
        named.filter(({ index }) => !isRepeated.has(index)),
        Effect.fnUntraced(function* ({ index, key, print }) {
          const first = key === undefined ? undefined : used.get(stored(key))
          if (key === undefined || first === undefined) return true
          if (!replay || first.fingerprint !== print || first.body === null) return yield* reused(key, first)
          const { data } = yield* Effect.orDie(decodeSent(first.body))
          results.set(index, { emails: data.emails, ...(data.copies && { copies: data.copies }), replayed: true })
          return false
        })
      )
      return { free: free.filter(({ value }) => value), repeated }
    })

    /** Items with a key that an earlier item of this batch has. */
    const settleRepeated = (repeated: Effect.Success<ReturnType<typeof claimed>>["repeated"]) =>
      check(
        repeated,
        Effect.fnUntraced(function* ({ index, print, first }) {
          const result = results.get(first.index)
          if (replay && result !== undefined && first.print === print) {
            results.set(index, { ...result, replayed: true })
            return
          }
          const request = { request: sendPath, firstAt: now, status: null }
          return yield* reused(first.key ?? "", request)
        })
      )

    const accepted = Effect.fnUntraced(
      function* (items: ReadonlyArray<Item>) {
        const decoded = yield* check(items, ({ merged, idempotencyKey }) =>
          Effect.mapError(
            decodeItem(isRaw(merged) && idempotencyKey !== undefined ? { ...merged, idempotencyKey } : merged),
            invalid
          )
        )
        const named = decoded.reduce((sum, { value }) => sum + namesOf(value).length, 0)
        if (named > maxBatch) return yield* tooManyMails()
        const own = decoded.map(({ index, value }) => ({ index, value: addressedOf(value) }))
        if (own.every(hasAddresses)) return yield* acceptedAt(own)
        // A second try begins with what was decided before the first one.
        const before = { results: new Map(results), refused: new Map(refused) }
        const all = Effect.gen(function* () {
          for (const map of [results, refused]) map.clear()
          for (const [index, result] of before.results) results.set(index, result)
          for (const [index, refusal] of before.refused) refused.set(index, refusal)
          const inputs = decoded.map(({ value }) => value)
          const addressed = yield* acceptance.withAddresses(project, inputs)
          const items = decoded.map(({ index }, n) => ({ index, result: addressed[n] }))
          const named = yield* check(items, ({ result }) =>
            result === undefined ? Effect.die("each request has a result") : Effect.fromResult(result)
          )
          yield* acceptedAt(named)
        })
        yield* acceptance.identified(all)
      },
      Effect.catchTag("ExternalIdTaken", () => Effect.fail(new Conflict({ reason: "external_id_taken" })))
    )

    const acceptedAt = Effect.fnUntraced(function* (
      decoded: ReadonlyArray<{ readonly index: number; readonly value: AddressedSend }>
    ) {
      const mails = decoded.reduce((sum, { value }) => sum + recipientsOf(value).length + copiesOf(value).length, 0)
      if (mails > maxBatch) return yield* tooManyMails()
      const found = yield* acceptance.look(
        project,
        decoded.map(({ value }) => value)
      )
      const drafts = yield* check(decoded, ({ value }) => acceptance.draft(project, value, found, now, apiKey))
      const placed = drafts.map(({ index, value }) => ({ index, draft: value }))
      const isLater = ({ draft }: Placed) => draft.scheduledFor !== null
      const inRoom =
        isLive && placed.some(isLater)
          ? yield* fitting(placed, yield* acceptance.scheduledRoom(project), isLater, acceptance.noScheduledRoom)
          : placed

      const acceptAll = Effect.fnUntraced(function* (left: ReadonlyArray<Placed>) {
        const size = left.reduce((sum, { draft }) => sum + sizeOf(draft), 0)
        const affordable = yield* (isLive ? billing.requireRoom(project, "transactional", size) : Effect.void).pipe(
          Effect.as(left),
          Effect.catchTag("BILLING_LIMIT_EXCEEDED", (error) =>
            skip
              ? fitting(
                  left,
                  error.limit - error.used,
                  () => true,
                  ({ draft }) => new BillingLimitExceeded({ ...error, requested: sizeOf(draft) })
                )
              : Effect.fail(error)
          )
        )
        if (!Array.isReadonlyArrayNonEmpty(affordable)) return
        const outcome = yield* transaction
          .attempt(acceptance.accept(project, affordable, found.contacts, now, { skip }))
          .pipe(
            Effect.catchTag("DraftsRefused", ({ refused }: DraftsRefused) =>
              Effect.fail(ofBatch(refused, { emails: input.emails, defaults }))
            )
          )
        yield* refuse(outcome.refused)
        for (const [index, mails] of outcome.accepted) results.set(index, mails)
      })
      // Another request may take the room between the check and the charge.
      yield* acceptAll(inRoom).pipe(
        Effect.catchTag("BILLING_LIMIT_EXCEEDED", (error) => (skip ? acceptAll(inRoom) : Effect.fail(error)))
      )
    })

    const withKeys = Effect.gen(function* () {
      const owner = yield* random.uuidV7()
      const { free, repeated } = yield* claimed(owner)
      yield* accepted(free)
      yield* settleRepeated(repeated)
      const freed: Array<string> = []
      const answers: Array<{ readonly key: string; readonly body: string }> = []
      for (const { index, key } of free) {
        const mails = results.get(index)
        if (key === undefined) continue
        if (mails?.emails === undefined) {
          freed.push(stored(key))
          continue
        }
        const data = { emails: mails.emails, ...(mails.copies && { copies: mails.copies }), timestamp: now }
        answers.push({ key: stored(key), body: yield* Effect.orDie(encodeSent({ success: true, data })) })
      }
      yield* keys.keepAll(project, owner, freed, answers)
      return { owner, first: answers[0]?.key }
    })

    yield* all.some(({ key }) => key !== undefined)
      ? transaction.runOrFind(withKeys, ({ owner, first }) =>
          first === undefined ? Effect.succeed(true) : keys.isKept(project, first, owner)
        )
      : accepted(all)

    const errors = yield* Effect.forEach(
      refused,
      Effect.fnUntraced(function* ([index, refusal]) {
        const { requestId: _, ...error } = (yield* Effect.orDie(encodeRefusal(refusal))).error
        return [index, { error }] as const
      })
    )
    const outcomes = new Map<number, Omit<BatchResult, "index">>([...results, ...errors])
    return {
      accepted: all.length - errors.length,
      refused: errors.length,
      results: all.map(({ index }) => ({ index, ...outcomes.get(index) })),
      timestamp: now
    }
  })

  return { sendBatch }
})
