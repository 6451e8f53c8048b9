/** The faulty rows of imports, with their cells, so that they can be corrected and imported again. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { canonicalAddress } from "@posthorn/contract/platform/Primitives"
import { Effect, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { JobId } from "../../../platform/jobs/Job.ts"
import { csvRow } from "./CsvWriter.ts"

/** A faulty row of a file. */
export interface ImportFault {
  /** The line in the file. The header is line 1. */
  readonly row: number
  readonly error: string
  /** The address in the file. */
  readonly email: string
  /** As given. Empty for a row that cannot be read. */
  readonly cells: ReadonlyArray<string>
}

/** Most faulty rows that are kept of one import. */
export const maxKeptFaults = 10_000

/** The header is kept as the first line, in front of the first faulty row. */
const headerRow = 1

const page = 1_000

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ row: Schema.Int, error: Schema.String, cells: Schema.Array(Schema.String) }))
)

export interface ImportFaults {
  /**
   * Keeps rows that were not kept yet, up to the limit of an import. `before` is the number of earlier faulty rows. Joins
   * the caller's transaction.
   */
  readonly keep: (
    project: ProjectId,
    job: JobId,
    header: ReadonlyArray<string>,
    before: number,
    faults: ReadonlyArray<ImportFault>
  ) => Effect.Effect<void>
  /** The rows as the text of a CSV file: `row`, `error`, and the columns of the import. */
  readonly text: (project: ProjectId, job: JobId) => Stream.Stream<string>
  /** Removes rows with the address in any of their cells. Joins the caller's transaction. */
  readonly forget: (project: ProjectId, email: string) => Effect.Effect<void>
}

export const make = Effect.map(
  SqlClient.SqlClient,
  (sql): ImportFaults => ({
    keep: Effect.fn("ImportFaults.keep")(function* (project, job, header, before, faults) {
      const kept = faults.slice(0, Math.max(0, maxKeptFaults - before))
      if (kept.length === 0) return
      const all = [{ row: headerRow, error: "", email: "", cells: header }, ...kept].map((fault) => ({
        ...fault,
        email: canonicalAddress(fault.email)
      }))
      yield* sql`
        insert into import_faults (project_id, job_id, row, email, error, cells)
        select ${project}::uuid, ${job}::uuid, row, email, error, cells
        from jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb) as fault(row integer, email text, error text, cells jsonb)
        on conflict do nothing`
    }, Effect.orDie),
    text: (project, job) => {
      const list = (after: number) =>
        sql`
          select row, error, cells from import_faults
          where project_id = ${project} and job_id = ${job} and row > ${after} order by row limit ${page}`.pipe(
          Effect.flatMap(rows),
          Effect.orDie
        )
      const line = ({ row, error, cells }: Pick<ImportFault, "row" | "error" | "cells">) =>
        csvRow([row, error, ...cells])
      return Stream.paginate(
        0,
        Effect.fnUntraced(function* (after) {
          const found = yield* list(after)
          const [first] = found
          const hasHeader = after === 0 && first?.row === headerRow
          const header = after === 0 ? csvRow(["row", "error", ...(hasHeader ? first.cells : [])]) : ""
          const text = header + (hasHeader ? found.slice(1) : found).map(line).join("")
          const last = found.length < page ? undefined : found.at(-1)?.row
          return [[text], Option.fromUndefinedOr(last)] as const
        })
      )
    },
    forget: (project, email) =>
      sql`
        delete from import_faults
        where project_id = ${project} and row > ${headerRow}
          and (email = ${email} or strpos(lower(cells::text), ${email}) > 0)`.pipe(Effect.asVoid, Effect.orDie)
  })
)
