/** Endpoints of lookup and fields. */
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, ResourceInUse } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { ContactFieldList, DeletedField, FieldName, FieldUsage, FieldValues, FieldValuesQuery } from "./ContactField.ts"
import { ContactLookup, LookupContacts } from "./ContactLookup.ts"

const params = { field: FieldName }

export const fieldEndpoints = [
  HttpApiEndpoint.post("lookup", "/lookup", {
    payload: body(LookupContacts),
    success: ContactLookup
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Look up which addresses exist",
      description:
        "Up to 500 addresses in one call. A malformed address is not an error: it counts as not found and is listed in `invalid`."
    })
  ),
  HttpApiEndpoint.get("fields", "/fields", { success: ContactFieldList }).annotateMerge(
    OpenApi.annotations({
      summary: "List the fields of contacts",
      description:
        "Standard fields and custom fields in use, with the type of their values and the share of contacts that have them; at most the 10,000 most frequent ones. The response may be up to 60 seconds old."
    })
  ),
  HttpApiEndpoint.get("fieldValues", "/fields/:field/values", {
    params,
    query: FieldValuesQuery,
    success: FieldValues
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List the values of a custom field",
      description:
        "Distinct values with their JSON type, ordered as text. `subscribed` has two. Other standard fields and unknown fields have none."
    })
  ),
  HttpApiEndpoint.get("fieldUsage", "/fields/:field/usage", { params, success: FieldUsage }).annotateMerge(
    OpenApi.annotations({
      summary: "List the references to a field",
      description: "Segments, campaigns that are not sent yet and workflows that name the field or a path below it."
    })
  ),
  HttpApiEndpoint.delete("deleteField", "/fields/:field", {
    params,
    success: DeletedField,
    error: envelope(ResourceInUse)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a custom field from all contacts",
      description:
        "Cannot be undone; no events are emitted. Refused while something uses the field, and for standard fields. If the request is interrupted, repeat it."
    })
  )
] as const
