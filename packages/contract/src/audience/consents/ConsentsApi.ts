/** Endpoints of records of consent. Nothing but erasure and the end of their time changes or deletes one. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, InvalidCursor } from "../../platform/Errors.ts"
import { ExportedRows } from "../../platform/Export.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { ConsentExportQuery, ConsentPage, ConsentQuery } from "./Consent.ts"

export class ConsentsApi extends HttpApiGroup.make("consents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: ConsentQuery,
      success: ConsentPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List records of consent",
        description:
          "Newest first. A contact that was created subscribed and did nothing since has one record, which follows from the contact."
      })
    ),
    HttpApiEndpoint.get("export", "/export", { query: ConsentExportQuery, success: ExportedRows }).annotateMerge(
      OpenApi.annotations({
        summary: "Export records of consent",
        description:
          "For OWNER and ADMIN. A file of all records, or of those that match the query, newest first. CSV has a column for each field; evidence is JSON, and a text that a spreadsheet would run as a formula starts with an apostrophe."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "What proves that contacts agreed to mail, or withdrew.")
  .prefix("/consents") {}
