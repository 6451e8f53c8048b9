/** Contacts as a file (contract 12.16). Memory does not grow with their number. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Contact, type ContactId } from "@posthorn/contract/contacts/Contact"
import type { ExportQuery } from "@posthorn/contract/contacts/ContactExport"
import { BadRequest } from "@posthorn/contract/Errors"
import { SegmentNotFound } from "@posthorn/contract/segments/Segment"
import { Context, DateTime, Effect, Layer, Option, Schema, Stream } from "effect"
import { SegmentMembers } from "../SegmentMembers.ts"
import { ContactScan, type ScanFilter } from "./ContactScan.ts"
import { csvRow } from "./CsvWriter.ts"

export class ContactExport extends Context.Service<
  ContactExport,
  {
    /** The text of the file, in pieces that are read as they are taken; each contact at most once, ordered by id. */
    readonly text: (
      project: ProjectId,
      query: ExportQuery
    ) => Effect.Effect<Stream.Stream<string>, BadRequest | SegmentNotFound>
  }
>()("@posthorn/core/contacts/files/ContactExport") {}

/** Contacts that are in memory at once. */
const page = 1_000
/** Contacts whose keys one look collects. */
const keyPage = 20_000
/** Of a CSV file. A project can have any number of keys, and no spreadsheet as many columns. */
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

export const layer: Layer.Layer<ContactExport, never, ContactScan | SegmentMembers> = Layer.effect(
  ContactExport,
  Effect.gen(function* () {
    const scan = yield* ContactScan
    const segments = yield* SegmentMembers

    const filterOf = Effect.fnUntraced(function* (project: ProjectId, { search, segmentId, subscribed }: ExportQuery) {
      if (segmentId === undefined) return { search, subscribed } satisfies ScanFilter
      const members = yield* segments.condition(project, segmentId)
      if (Option.isNone(members)) return yield* new SegmentNotFound({ id: segmentId })
      return { search, subscribed, members: members.value } satisfies ScanFilter
    })

    /** Every custom key of the contacts that are exported, sorted; there must not be too many for a file of columns. */
    const keysOf = Effect.fnUntraced(function* (project: ProjectId, filter: ScanFilter) {
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

    const pages = (project: ProjectId, filter: ScanFilter, line: (contact: Contact) => string) =>
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
      if (query.format === "ndjson") return pages(project, filter, asJson)
      const keys = yield* keysOf(project, filter)
      return Stream.concat(Stream.succeed(csvRow([...columns, ...keys])), pages(project, filter, asRow(keys)))
    })

    return ContactExport.of({ text })
  })
)
