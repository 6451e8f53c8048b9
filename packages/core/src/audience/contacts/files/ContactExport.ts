/** Exports contacts as a file. Memory use does not grow with the number of contacts. */

import type { ExportContacts } from "@posthorn/contract/audience/contacts/BulkChange"
import { Contact, type ContactId, type TopicState } from "@posthorn/contract/audience/contacts/Contact"
import type { ExportQuery } from "@posthorn/contract/audience/contacts/ContactExport"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { BadRequest, ValidationError } from "@posthorn/contract/platform/Errors"
import { Clock, DateTime, Effect, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import { reading } from "../../../platform/ReadSqlClient.ts"
import { conditionSql } from "../../filters/FilterSql.ts"
import * as Audiences from "../../segments/Audiences.ts"
import { Segments } from "../../segments/Segments.ts"
import { Topics } from "../../topics/Topics.ts"
import * as ContactScan from "./ContactScan.ts"
import { csvRow } from "./CsvWriter.ts"

export interface ContactExport {
  /** The text of the file, as a stream that is read on demand. Each contact appears at most once, ordered by id. */
  readonly text: (
    project: ProjectId,
    query: ExportQuery
  ) => Effect.Effect<Stream.Stream<string>, BadRequest | SegmentNotFound>
  /** The same for selected contacts. */
  readonly selected: (
    project: ProjectId,
    selection: ExportContacts
  ) => Effect.Effect<Stream.Stream<string>, BadRequest | SegmentNotFound | ValidationError>
}

/** The number of contacts in memory at once. */
const page = 1_000
/** The number of contacts whose keys one query collects. */
const keyPage = 20_000
/** The maximum number of custom columns in a CSV file. A project can have more keys than a spreadsheet has columns. */
const maxKeys = 10_000

const encode = Schema.encodeSync(Contact)

const columns = ["id", "email", "subscribed", "createdAt", "updatedAt", "externalId", "subscription", "snoozedUntil"]

const tooManyKeys = {
  field: "format",
  code: "custom",
  message: `The contacts have more than ${maxKeys} custom fields, too many for CSV. Ask for ndjson.`
} as const

const asJson = (contact: Contact): string => `${JSON.stringify(encode(contact))}\n`

/** A state that an import can take. What the contact is asked for leaves its cell empty. */
const cellOf = (state: TopicState | undefined) => (state === "pending" ? undefined : state)

const asRow =
  (topicKeys: ReadonlyArray<string>, keys: ReadonlyArray<string>) =>
  ({ id, email, subscribed, createdAt, updatedAt, externalId, subscription, snoozedUntil, topics, data }: Contact) =>
    csvRow([
      id,
      email,
      subscribed,
      DateTime.formatIso(createdAt),
      DateTime.formatIso(updatedAt),
      externalId ?? undefined,
      subscription,
      snoozedUntil === null ? undefined : DateTime.formatIso(snoozedUntil),
      ...topicKeys.map((key) => cellOf(topics[key])),
      ...keys.map((key) => (Object.hasOwn(data, key) ? data[key] : undefined))
    ])

export const make = Effect.gen(function* (): Effect.fn.Return<
  ContactExport,
  never,
  Audiences.Needs | Segments | SqlClient.SqlClient | Topics
> {
  const scan = yield* reading(ContactScan.make)
  const sql = yield* SqlClient.SqlClient
  const audit = recorded(sql)
  const audiences = yield* Audiences.make
  const segments = yield* Segments
  const allTopics = yield* Topics

  const filterOf = Effect.fnUntraced(function* (project: ProjectId, { search, segmentId, subscribed }: ExportQuery) {
    if (segmentId === undefined) return { search, subscribed }
    const { id } = yield* segments.get(project, SegmentId.make(segmentId))
    const { condition, scope } = yield* audiences.of(project, Audiences.membersOf(id), yield* DateTime.now)
    return { search, subscribed, members: conditionSql(sql, condition, scope) }
  })

  /** Every custom key of the exported contacts, sorted. Fails if there are more than a CSV file can have. */
  const keysOf = Effect.fnUntraced(function* (project: ProjectId, filter: ContactScan.ScanFilter) {
    const all = new Set<string>()
    let after: ContactId | undefined
    do {
      const found: { readonly keys: ReadonlyArray<string>; readonly last: ContactId | undefined } = yield* scan.keys(
        project,
        filter,
        after,
        keyPage,
        maxKeys + 1
      )
      for (const key of found.keys) all.add(key)
      if (all.size > maxKeys) return yield* new BadRequest({ errors: [tooManyKeys] })
      after = found.last
    } while (after !== undefined)
    return [...all].sort()
  })

  const pages = (project: ProjectId, filter: ContactScan.ScanFilter, line: (contact: Contact) => string) =>
    Stream.paginate(
      undefined as ContactId | undefined,
      Effect.fnUntraced(function* (after) {
        const contacts = yield* scan.page(project, filter, after, page)
        const last = contacts.length < page ? undefined : contacts.at(-1)
        const pieces = contacts.length === 0 ? [] : [contacts.map(line).join("")]
        return [pieces, Option.fromUndefinedOr(last?.id)] as const
      })
    )

  const file = Effect.fnUntraced(function* (
    project: ProjectId,
    filter: ContactScan.ScanFilter,
    format: "csv" | "ndjson",
    details: { readonly [name: string]: string | number }
  ) {
    const topics = format === "ndjson" ? [] : (yield* allTopics.all(project)).map(({ key }) => key)
    const head = [...columns, ...topics.map((key) => `topic.${key}`)]
    // A key of the data that has the name of another column has none.
    const keys = format === "ndjson" ? [] : (yield* keysOf(project, filter)).filter((key) => !head.includes(key))
    yield* audit({ project, action: "contacts.exported", details: { format, ...details } })
    const text =
      format === "ndjson"
        ? pages(project, filter, asJson)
        : Stream.concat(Stream.succeed(csvRow([...head, ...keys])), pages(project, filter, asRow(topics, keys)))
    // The host reads the stream after the request, without the clock of the service.
    return Stream.provideService(text, Clock.Clock, yield* Clock.Clock)
  })

  const text = Effect.fn("ContactExport.text")(function* (project: ProjectId, query: ExportQuery) {
    const { format = "csv", segmentId } = query
    return yield* file(project, yield* filterOf(project, query), format, segmentId ? { segmentId } : {})
  })

  const selected = Effect.fn("ContactExport.selected")(function* (
    project: ProjectId,
    { condition, segmentId, contactIds, format }: ExportContacts
  ) {
    if ([condition, segmentId, contactIds].filter((given) => given != null).length > 1) {
      const message = "Give one of `condition`, `segmentId` and `contactIds`."
      return yield* ValidationError.one("condition", "custom", message)
    }
    if (contactIds != null) {
      const members = sql`id = any(${contactIds}::uuid[])`
      return yield* file(project, { members }, format ?? "csv", { contacts: contactIds.length })
    }
    if (condition == null) return yield* text(project, { format: format ?? "csv", ...(segmentId && { segmentId }) })
    yield* audiences.requireSound(project, condition, "condition")
    const { condition: parsed, scope } = yield* audiences.of(project, condition, yield* DateTime.now)
    const members = conditionSql(sql, parsed, scope)
    return yield* file(project, { members }, format ?? "csv", { condition: JSON.stringify(condition) })
  })

  return { text, selected }
})
