/** The suppression list as the text of a file. Memory use does not grow with the number of addresses. */
import { Suppression } from "@posthorn/contract/audience/suppressions/Suppression"
import type { ExportFormat } from "@posthorn/contract/platform/Export"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { byCreation } from "../../platform/CursorPages.ts"
import type { Position } from "../../platform/Cursors.ts"
import { csvRow } from "../contacts/files/CsvWriter.ts"

/** The number of suppressions in memory at once. */
const page = 1_000

const columns = ["id", "email", "reason", "emailId", "note", "createdAt"]

const encode = Schema.encodeSync(Suppression)

const asJson = (suppression: Suppression): string => `${JSON.stringify(encode(suppression))}\n`

const asRow = ({ id, email, reason, emailId, note, createdAt }: Suppression): string =>
  csvRow([id, email ?? undefined, reason, emailId ?? undefined, note ?? undefined, DateTime.formatIso(createdAt)])

/** Reads the list page by page, each after the last record of the one before. */
export const suppressionFile = (
  format: ExportFormat,
  list: (limit: number, after?: Position) => Effect.Effect<ReadonlyArray<Suppression>>
): Stream.Stream<string> => {
  const line = format === "csv" ? asRow : asJson
  const rows = Stream.paginate(
    undefined as Position | undefined,
    Effect.fnUntraced(function* (after) {
      const found = yield* list(page, after)
      const last = found.length < page ? undefined : found.at(-1)
      const pieces = found.length === 0 ? [] : [found.map(line).join("")]
      return [pieces, Option.map(Option.fromUndefinedOr(last), byCreation)] as const
    })
  )
  return format === "csv" ? Stream.concat(Stream.succeed(csvRow(columns)), rows) : rows
}
