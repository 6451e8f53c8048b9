/** Records of consent: lists, files, erasure, and the end of their time. */
import {
  Consent,
  type ConsentExportQuery,
  type ConsentPage,
  type ConsentQuery
} from "@posthorn/contract/audience/consents/Consent"
import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { BadRequest, InvalidCursor } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors, type Position } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { csvRow } from "../contacts/files/CsvWriter.ts"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import * as ConsentStore from "./ConsentStore.ts"

/** Nothing else changes a record. */
export interface Consents {
  /** Newest first. */
  readonly list: (project: ProjectId, query: ConsentQuery) => Effect.Effect<ConsentPage, InvalidCursor | BadRequest>
  readonly ofContact: (
    project: ProjectId,
    contact: ContactId,
    query: Pick<ConsentQuery, "cursor" | "limit">
  ) => Effect.Effect<ConsentPage, ContactNotFound | InvalidCursor>
  /** The text of a file, as a stream that is read on demand. */
  readonly export: (project: ProjectId, query: ConsentExportQuery) => Effect.Effect<Stream.Stream<string>, BadRequest>
  /** All records of a contact, oldest first. */
  readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<ReadonlyArray<Consent>>
  /** Removes who the person is from the records, and returns their number. Joins the caller's transaction. */
  readonly erase: (project: ProjectId, contact: ContactId, email: string) => Effect.Effect<number>
  /** Deletes records of people without a contact whose time is over. */
  readonly sweep: Effect.Effect<void>
}

/** The number of records in memory at once. */
const page = 1_000

const columns = [
  "id",
  "contactId",
  "email",
  "at",
  "recordedAt",
  "action",
  "scope",
  "topicId",
  "topicKey",
  "topicName",
  "source",
  "actor",
  "actorUserId",
  "wordingHash",
  "wording",
  "language",
  "formVersion",
  "basis",
  "evidence",
  "ip",
  "userAgent",
  "emailId",
  "campaignId",
  "formId",
  "optInId",
  "jobId"
]

const encode = Schema.encodeSync(Consent)

const asJson = (consent: Consent): string => `${JSON.stringify(encode(consent))}\n`

const asRow = (consent: Consent): string => {
  const { topic, actor, wording, ...rest } = encode(consent)
  const cells: Readonly<Record<string, unknown>> = {
    ...rest,
    topicId: topic?.id,
    topicKey: topic?.key,
    topicName: topic?.name,
    actor: actor.type,
    actorUserId: actor.userId,
    wordingHash: wording?.hash,
    wording: wording?.text,
    language: wording?.language,
    formVersion: wording?.formVersion
  }
  return csvRow(columns.map((name) => cells[name] ?? undefined))
}

const positionOf = ({ id }: Consent): Position => ({ key: id, id })

export type Needs = Contacts | Cursors | Projects | SqlClient.SqlClient | SuppressedAddress

export const make: Effect.Effect<Consents, never, Needs> = Effect.gen(function* () {
  const store = yield* ConsentStore.make
  const contacts = yield* Contacts
  const cursors = yield* Cursors
  const projects = yield* Projects
  const audit = recorded(yield* SqlClient.SqlClient)

  const filterOf = Effect.fnUntraced(function* (
    project: ProjectId,
    { contactId, email, topic, action, source, formId, startDate, endDate }: ConsentExportQuery
  ): Effect.fn.Return<ConsentStore.ConsentFilter, BadRequest> {
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const filter = { contact: contactId, email, topic, action, source, formId }
    return { ...filter, ...(yield* dateRange({ startDate, endDate }, timezone)) }
  })

  const pageOf = (
    project: ProjectId,
    filter: ConsentStore.ConsentFilter,
    scope: ReadonlyArray<unknown>,
    query: Pick<ConsentQuery, "cursor" | "limit">
  ) =>
    cursorPage(
      cursors,
      { scope: JSON.stringify(scope), cursor: query.cursor, limit: pageSize(query) },
      {
        count: store.count(project, filter),
        list: (limit, after) => store.list(project, filter, limit, after),
        positionOf
      }
    )

  const list = Effect.fn("Consents.list")(function* (project: ProjectId, query: ConsentQuery) {
    const { cursor: _, limit: __, ...given } = query
    return yield* pageOf(project, yield* filterOf(project, query), ["consents", project, given], query)
  })

  const ofContact = Effect.fn("Consents.ofContact")(function* (
    project: ProjectId,
    contact: ContactId,
    query: Pick<ConsentQuery, "cursor" | "limit">
  ) {
    yield* contacts.get(project, contact)
    return yield* pageOf(project, { contact }, ["contact-consents", project, contact], query)
  })

  /** Page by page, each after the last record of the one before. */
  const all = (project: ProjectId, filter: ConsentStore.ConsentFilter) =>
    Stream.paginate(
      undefined as Position | undefined,
      Effect.fnUntraced(function* (after) {
        const found = yield* store.list(project, filter, page, after)
        const last = found.length < page ? undefined : found.at(-1)
        return [found.length === 0 ? [] : [found], Option.map(Option.fromUndefinedOr(last), positionOf)] as const
      })
    )

  const exported = Effect.fn("Consents.export")(function* (project: ProjectId, query: ConsentExportQuery) {
    const { format = "csv" } = query
    const filter = yield* filterOf(project, query)
    yield* audit({ project, action: "consents.exported", details: { format } })
    const lines = Stream.map(all(project, filter), (found) => found.map(format === "csv" ? asRow : asJson).join(""))
    return format === "csv" ? Stream.concat(Stream.succeed(csvRow(columns)), lines) : lines
  })

  const of = Effect.fn("Consents.of")(function* (project: ProjectId, contact: ContactId) {
    const pages = yield* Stream.runCollect(all(project, { contact }))
    return [...pages].flat().reverse()
  })

  const sweep = Effect.gen(function* () {
    const now = yield* DateTime.now
    while (yield* store.sweepSome(now));
  })

  return { list, ofContact, export: exported, of, erase: store.erase, sweep } satisfies Consents
})
