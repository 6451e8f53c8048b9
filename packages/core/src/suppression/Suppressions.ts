/** Addresses that get no mail of any type (contract-2 5). */
import type { ProjectId } from "@posthorn/contract/Auth"
import { type BadRequest, type InvalidCursor, ResourceNotFound, ValidationError } from "@posthorn/contract/Errors"
import type { EmailId } from "@posthorn/contract/emails/Email"
import type {
  AddedSuppressions,
  AddSuppressions,
  Suppression,
  SuppressionCause,
  SuppressionPage,
  SuppressionQuery
} from "@posthorn/contract/suppressions/Suppression"
import { Email, pageSize } from "@posthorn/contract/Wire"
import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { byCreation, cursorPage } from "../CursorPages.ts"
import { Cursors } from "../Cursors.ts"
import { dateRange } from "../DateRange.ts"
import { Projects } from "../projects/Projects.ts"
import { SuppressionStore } from "./SuppressionStore.ts"

/** Five mails that meet a full mailbox within seven days end the address (rulings 14). */
const softBounceLimit = 5
const softBounceWindow = Duration.days(7)

/** What adding told: one record, new or as it was; or numbers. */
export type Added =
  | { readonly kind: "one"; readonly suppression: Suppression; readonly isNew: boolean }
  | { readonly kind: "many"; readonly counts: AddedSuppressions }

export class Suppressions extends Context.Service<
  Suppressions,
  {
    /** One page, newest first. */
    readonly list: (
      project: ProjectId,
      query: SuppressionQuery
    ) => Effect.Effect<SuppressionPage, BadRequest | InvalidCursor>
    /** Puts addresses on the list by hand; what is on it stays as it was. */
    readonly addByHand: (project: ProjectId, input: AddSuppressions) => Effect.Effect<Added, ValidationError>
    /** The address may be spelt in any way. */
    readonly get: (project: ProjectId, email: string) => Effect.Effect<Suppression, ResourceNotFound | ValidationError>
    readonly lift: (project: ProjectId, email: string) => Effect.Effect<void, ResourceNotFound | ValidationError>
    /** One record for each address; a complaint replaces another reason, never the reverse. Joins a transaction. */
    readonly add: (
      project: ProjectId,
      email: string,
      reason: SuppressionCause,
      cause: EmailId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Counts a mail that met a full mailbox or the like; the fifth in seven days suppresses. Joins a transaction. */
    readonly softBounce: (project: ProjectId, email: string, mail: EmailId, at: DateTime.Utc) => Effect.Effect<void>
    /** By the stored form of the address, also when no more than its hash is kept. */
    readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<Suppression>>
    /** Those of the addresses whose owners complained, also before they were erased. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Keeps the suppression of an address, and of the address no more than a keyed hash. Joins a transaction. */
    readonly erase: (project: ProjectId, email: string) => Effect.Effect<void>
    /** Forgets soft bounces that count no more. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/suppression/Suppressions") {}

const decodeAddress = Schema.decodeUnknownEffect(Email)

/** The stored form of an address in a path. */
const canonical = (given: string): Effect.Effect<string, ValidationError> =>
  Effect.mapError(decodeAddress(given), () =>
    ValidationError.one("email", "invalid_string", "Not a valid email address.", {
      received: [...given].slice(0, 100).join("")
    })
  )

const notFound = (id: string) => new ResourceNotFound({ resource: "suppression", id })

export const layer: Layer.Layer<
  Suppressions,
  never,
  Cursors | Projects | SecureRandom.SecureRandom | SuppressionStore
> = Layer.effect(
  Suppressions,
  Effect.gen(function* () {
    const store = yield* SuppressionStore
    const cursors = yield* Cursors
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom

    const list = Effect.fn("Suppressions.list")(function* (project: ProjectId, query: SuppressionQuery) {
      const { reason, search } = query
      const { timezone } = yield* Effect.orDie(projects.recall(project))
      const filter = { reason, search, ...(yield* dateRange(query, timezone)) }
      const scope = JSON.stringify(["suppressions", project, reason, search, query.startDate, query.endDate])
      return yield* cursorPage(
        cursors,
        { scope, cursor: query.cursor, limit: pageSize(query) },
        {
          count: store.count(project, filter),
          list: (limit, after) => store.list(project, filter, limit, after),
          positionOf: byCreation
        }
      )
    })

    const addAll = Effect.fnUntraced(function* (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<string>,
      note: string | null
    ) {
      const rows = yield* Effect.forEach(emails, (email) => Effect.map(random.uuidV7(), (id) => ({ id, email })))
      return yield* store.addAll(project, rows, note, yield* DateTime.now)
    })

    const addByHand = Effect.fn("Suppressions.addByHand")(function* (
      project: ProjectId,
      { email = null, emails = null, note = null }: AddSuppressions
    ): Effect.fn.Return<Added, ValidationError> {
      if ((email === null) === (emails === null)) {
        const code = email === null ? "required" : "custom"
        return yield* ValidationError.one("email", code, "Exactly one of 'email' and 'emails' is needed.")
      }
      if (email !== null) {
        const [added] = yield* addAll(project, [email], note)
        if (added !== undefined) return { kind: "one", suppression: added, isNew: true }
        const held = yield* store.find(project, email)
        // Lifted between the two: then it is new after all.
        return Option.isSome(held)
          ? { kind: "one", suppression: held.value, isNew: false }
          : yield* addByHand(project, { email, note })
      }
      const distinct = [...new Set(emails)]
      const added = Array.isReadonlyArrayNonEmpty(distinct) ? yield* addAll(project, distinct, note) : []
      return { kind: "many", counts: { added: added.length, existing: distinct.length - added.length } }
    })

    const get = Effect.fn("Suppressions.get")(function* (project: ProjectId, given: string) {
      const email = yield* canonical(given)
      const found = yield* store.find(project, email)
      if (Option.isNone(found)) return yield* notFound(email)
      return found.value
    })

    const lift = Effect.fn("Suppressions.lift")(function* (project: ProjectId, given: string) {
      const email = yield* canonical(given)
      const lifted = yield* store.remove(project, email)
      if (!lifted) return yield* notFound(email)
    })

    const add: Suppressions["Service"]["add"] = Effect.fn("Suppressions.add")(
      function* (project, email, reason, emailId, now) {
        // The record of a mail whose recipient was erased names nobody.
        if (email === "") return
        yield* store.put(project, { id: yield* random.uuidV7(), email, reason, emailId }, now)
      }
    )

    const softBounce: Suppressions["Service"]["softBounce"] = Effect.fn("Suppressions.softBounce")(
      function* (project, email, mail, at) {
        if (email === "") return
        const now = yield* DateTime.now
        const count = yield* store.softBounce(
          project,
          email,
          mail,
          at,
          DateTime.subtractDuration(now, softBounceWindow)
        )
        if (count >= softBounceLimit) yield* add(project, email, "HARD_BOUNCE", mail, now)
      }
    )

    const sweep = Effect.flatMap(DateTime.now, (now) =>
      store.sweepSoftBounces(DateTime.subtractDuration(now, softBounceWindow))
    )

    return Suppressions.of({
      list,
      addByHand,
      get,
      lift,
      add,
      softBounce,
      find: store.find,
      complained: store.complained,
      erase: store.erase,
      sweep
    })
  })
)
