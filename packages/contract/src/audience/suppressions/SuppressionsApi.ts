/** Endpoints of the suppression list. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, InvalidCursor, ResourceNotFound, ValidationError } from "../../platform/Errors.ts"
import { ExportedRows } from "../../platform/Export.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { AddressInPath } from "./AddressInPath.ts"
import {
  AddedSuppressions,
  AddSuppressions,
  Suppression,
  SuppressionExportQuery,
  SuppressionPage,
  SuppressionQuery
} from "./Suppression.ts"

const notFound = envelope(ResourceNotFound)
const malformed = envelope(ValidationError)
const params = { email: AddressInPath }

export class SuppressionsApi extends HttpApiGroup.make("suppressions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: SuppressionQuery,
      success: SuppressionPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List suppressions",
        description: "Addresses that get no mail of any type, newest first."
      })
    ),
    HttpApiEndpoint.post("add", "/", {
      payload: body(AddSuppressions),
      success: [
        Suppression.pipe(HttpApiSchema.status(201)),
        AddedSuppressions.pipe(HttpApiSchema.status(201)),
        Suppression
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Suppress addresses",
        description:
          "With `email`: 201 and the record, or 200 and the unchanged record when the address is already on the list. With `emails`: 201 and the counts. The reason is `MANUAL`. Subscriptions do not change, and waiting mail becomes `SUPPRESSED` when it is due."
      })
    ),
    HttpApiEndpoint.get("export", "/export", { query: SuppressionExportQuery, success: ExportedRows }).annotateMerge(
      OpenApi.annotations({
        summary: "Export suppressions",
        description:
          "For OWNER and ADMIN. A file of all suppressed addresses, or of those that match the query, newest first, each at most once. Erased addresses are left out. CSV has the columns id, email, reason, emailId, note and createdAt; a text that a spreadsheet would run as a formula starts with an apostrophe."
      })
    ),
    HttpApiEndpoint.get("get", "/:email", { params, success: Suppression, error: [notFound, malformed] }).annotateMerge(
      OpenApi.annotations({
        summary: "Look up an address",
        description: "The record of the address; 404 when it is not suppressed."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:email", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, malformed]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Lift a suppression",
        description:
          "For OWNER and ADMIN. The address may get mail again. A contact that was unsubscribed by a bounce or complaint stays unsubscribed, and suppressed mail is not sent."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Addresses that get no mail of any type.")
  .prefix("/suppressions") {}
