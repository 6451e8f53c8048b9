/** Exports contacts as a file. Memory use does not grow with the number of contacts. */

import { Contact, type ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ExportQuery } from "@posthorn/contract/audience/contacts/ContactExport"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { BadRequest } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import { conditionSql } from "../../filters/FilterSql.ts"
import { Audiences, membersOf } from "../../segments/Audiences.ts"
import { Segments } from "../../segments/Segments.ts"
import * as ContactScan from "./ContactScan.ts"
import { csvRow } from "./CsvWriter.ts"

export interface ContactExport {
  /** The text of the file, as a stream that is read on demand. Each contact appears at most once, ordered by id. */
  readonly text: (
    project: ProjectId,
    query: ExportQuery
  ) => Effect.Effect<Stream.Stream<string>, BadRequest | SegmentNotFound>
}

/** The number of contacts in memory at once. */
const page = 1_000
/** The number of contacts whose keys one query collects. */
const keyPage = 20_000
/** The maximum number of custom columns in a CSV file. A project can have more keys than a spreadsheet has columns. */
const maxKeys = 10_000

const encode = Schema.encodeSync(Contact)

const columns = ["id", "email", "subscribed", "createdAt", "updatedAt"]

const tooManyKeys = {
  field: "format",
  code: "custom",
  message: `The contacts have more than ${maxKeys} custom fields, too many for CSV. Ask for ndjson.`
} as const

const asJson = (contact: Contact): string => `${JSON.stringify(encode(contact))}\n`

const asRow =
  (keys: ReadonlyArray<string>) =>
  ({ id, email, subscribed, createdAt, updatedAt, data }: Contact): string =>
    csvRow([
      id,
      email,
      subscribed,
      DateTime.formatIso(createdAt),
      DateTime.formatIso(updatedAt),
      ...keys.map((key) => (Object.hasOwn(data, key) ? data[key] : undefined))
    ])

export const make = Effect.gen(function* (): Effect.fn.Return<
  ContactExport,
  never,
  Audiences | Segments | SqlClient.SqlClient
> {
  const scan = yield* ContactScan.make
  const sql = yield* SqlClient.SqlClient
  const audit = recorded(sql)
  const audiences = yield* Audiences
  const segments = yield* Segments

  const filterOf = Effect.fnUntraced(function* (project: ProjectId, { search, segmentId, subscribed }: ExportQuery) {
    if (segmentId === undefined) return { search, subscribed }
    const { id } = yield* segments.get(project, SegmentId.make(segmentId))
    const { condition, scope } = yield* audiences.of(project, membersOf(id), yield* DateTime.now)
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

  const text = Effect.fn("ContactExport.text")(function* (project: ProjectId, query: ExportQuery) {
    const filter = yield* filterOf(project, query)
    const { format = "csv", segmentId } = query
    const keys = format === "ndjson" ? [] : yield* keysOf(project, filter)
    yield* audit({ project, action: "contacts.exported", details: { format, ...(segmentId && { segmentId }) } })
    if (format === "ndjson") return pages(project, filter, asJson)
    return Stream.concat(Stream.succeed(csvRow([...columns, ...keys])), pages(project, filter, asRow(keys)))
  })

  return { text }
})
