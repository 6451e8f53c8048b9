/** The list of addresses that receive no mail of any type. */

import type {
  AddedSuppressions,
  AddSuppressions,
  Suppression,
  SuppressionCause,
  SuppressionExportQuery,
  SuppressionPage,
  SuppressionQuery
} from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type BadRequest,
  type InvalidCursor,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { EmailAddress, pageSize } from "@posthorn/contract/platform/Primitives"
import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema, type Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { audited } from "../../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"
import type { SuppressedAddress } from "./SuppressedAddress.ts"
import { suppressionFile } from "./SuppressionFile.ts"
import * as SuppressionStore from "./SuppressionStore.ts"

/** Five mails that bounce because of a full mailbox within seven days suppress the address. */
const softBounceLimit = 5
const softBounceWindow = Duration.days(7)

/** The result of an addition: one record, new or existing, or the counts of a batch. */
export type Added =
  | { readonly kind: "one"; readonly suppression: Suppression; readonly isNew: boolean }
  | { readonly kind: "many"; readonly counts: AddedSuppressions }

/** A service, because HTTP handlers and other areas call it. */
export class Suppressions extends Context.Service<
  Suppressions,
  {
    /** One page, newest first. */
    readonly list: (
      project: ProjectId,
      query: SuppressionQuery
    ) => Effect.Effect<SuppressionPage, BadRequest | InvalidCursor>
    /** The text of a file, as a stream that is read on demand. Each address appears at most once, newest first. */
    readonly export: (
      project: ProjectId,
      query: SuppressionExportQuery
    ) => Effect.Effect<Stream.Stream<string>, BadRequest>
    /** Adds addresses to the list by hand. Existing entries stay unchanged. */
    readonly addByHand: (project: ProjectId, input: AddSuppressions) => Effect.Effect<Added, ValidationError>
    /** Accepts the address in any spelling. */
    readonly get: (project: ProjectId, email: string) => Effect.Effect<Suppression, ResourceNotFound | ValidationError>
    readonly lift: (project: ProjectId, email: string) => Effect.Effect<void, ResourceNotFound | ValidationError>
    /**
     * Adds one record for each address. A complaint replaces another reason, never the reverse. Joins a transaction.
     */
    readonly add: (
      project: ProjectId,
      email: string,
      reason: SuppressionCause,
      cause: EmailId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Counts a soft bounce, such as a full mailbox. The fifth in seven days suppresses the address. Joins a
     * transaction.
     */
    readonly softBounce: (project: ProjectId, email: string, mail: EmailId, at: DateTime.Utc) => Effect.Effect<void>
    /** By the stored form of the address, even if only its hash is stored. */
    readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<Suppression>>
    /** The given addresses whose owners complained, even if the address was erased. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Replaces the address with a keyed hash. The suppression stays in force. Joins a transaction. */
    readonly erase: (project: ProjectId, email: string) => Effect.Effect<void>
    /** Deletes soft bounces that no longer count. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/audience/suppression/Suppressions") {}

const decodeAddress = Schema.decodeUnknownEffect(EmailAddress)

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
  Cursors | Projects | SecureRandom.SecureRandom | SqlClient.SqlClient | SuppressedAddress
> = Layer.effect(
  Suppressions,
  Effect.gen(function* () {
    const store = yield* SuppressionStore.make
    const cursors = yield* Cursors
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const audit = audited(yield* SqlClient.SqlClient)

    const filterOf = Effect.fnUntraced(function* (project: ProjectId, query: SuppressionExportQuery) {
      const { timezone } = yield* Effect.orDie(projects.getCached(project))
      return { reason: query.reason, search: query.search, ...(yield* dateRange(query, timezone)) }
    })

    const list = Effect.fn("Suppressions.list")(function* (project: ProjectId, query: SuppressionQuery) {
      const { reason, search } = query
      const filter = yield* filterOf(project, query)
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

    const exportAll = Effect.fn("Suppressions.export")(function* (project: ProjectId, query: SuppressionExportQuery) {
      const filter = { ...(yield* filterOf(project, query)), isReadable: true } as const
      return suppressionFile(query.format ?? "csv", (limit, after) => store.list(project, filter, limit, after))
    })

    const addAll = Effect.fnUntraced(function* (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<string>,
      note: string | null
    ) {
      const rows = yield* Effect.forEach(emails, (email) => Effect.map(random.uuidV7(), (id) => ({ id, email })))
      return yield* audit(store.addAll(project, rows, note, yield* DateTime.now), (added) =>
        added.length === 0
          ? undefined
          : {
              project,
              action: "suppression.added",
              details: added.length === 1 && added[0] ? { suppressionId: added[0].id } : { suppressions: added.length }
            }
      )
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
        // The suppression may have been removed between the two statements. Then the record is new.
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
      const lifted = yield* audit(
        store.remove(project, email),
        Option.match({
          onNone: () => undefined,
          onSome: (suppressionId) => ({ project, action: "suppression.removed", details: { suppressionId } })
        })
      )
      if (Option.isNone(lifted)) return yield* notFound(email)
    })

    const add: Suppressions["Service"]["add"] = Effect.fn("Suppressions.add")(
      function* (project, email, reason, emailId, now) {
        // The record of a mail whose recipient was erased has no address.
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
      export: exportAll,
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
