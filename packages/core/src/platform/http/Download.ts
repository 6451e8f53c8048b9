/** Responses that are files. */
import { type ExportFormat, exportTypes } from "@posthorn/contract/platform/Export"
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** The file `<name>.<format>`. A database error aborts it. */
export const download = (
  text: Stream.Stream<string>,
  name: string,
  format: ExportFormat
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: exportTypes[format],
    headers: { "content-disposition": `attachment; filename="${name}.${format}"` }
  })
