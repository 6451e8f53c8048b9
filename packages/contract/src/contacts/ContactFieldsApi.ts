/** Endpoints of lookup and fields (contract 12.7 to 12.11). */
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, ResourceInUse } from "../Errors.ts"
import { body } from "../Wire.ts"
import { ContactFields, DeletedField, FieldName, FieldUsage, FieldValues, FieldValuesQuery } from "./ContactField.ts"
import { ContactLookup, LookupContacts } from "./ContactLookup.ts"

const params = { field: FieldName }

export const fieldEndpoints = [
  HttpApiEndpoint.post("lookup", "/lookup", {
    payload: body(LookupContacts),
    success: ContactLookup
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Tell which addresses exist",
      description: "Up to 500 addresses in one call. A badly formed one is no error: it is not found, and named."
    })
  ),
  HttpApiEndpoint.get("fields", "/fields", { success: ContactFields }).annotateMerge(
    OpenApi.annotations({
      summary: "List the fields of contacts",
      description:
        "Standard fields and every custom one in use, with the type of its values and the share of contacts that have it; of more than 10,000 those that most contacts have. Answers may be up to 60 seconds old."
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
        "Different values with their JSON type, ordered as text. `subscribed` has two; other standard fields and unknown ones have none here."
    })
  ),
  HttpApiEndpoint.get("fieldUsage", "/fields/:field/usage", { params, success: FieldUsage }).annotateMerge(
    OpenApi.annotations({
      summary: "Tell where a field is referenced",
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
        "For good; no events are emitted. Refused while something refers to it, and for standard fields. Interrupted on the way, it may be repeated."
    })
  )
] as const
