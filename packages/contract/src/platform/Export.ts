/** Files of rows: CSV, or one JSON object on each line. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

export const ExportFormat = Schema.Literals(["csv", "ndjson"])
export type ExportFormat = typeof ExportFormat.Type

/** Media type of each format. */
export const exportTypes = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson" } as const

export const ExportedRows = HttpApiSchema.StreamUint8Array({ contentType: ["text/csv", exportTypes.ndjson] })
