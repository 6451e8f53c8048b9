/** The fields that contacts have: the standard ones, and every top-level key of their data. */
import { Schema } from "effect"
import { AtLeastOne, described } from "../../platform/Primitives.ts"

/** `date`: every text is an ISO date. `mixed`: values of different kinds. */
export const FieldType = Schema.Literals(["string", "number", "boolean", "date", "object", "array", "mixed"])
export type FieldType = typeof FieldType.Type

export const ContactField = Schema.Struct({
  field: Schema.String.pipe(described("A standard name, or `data.` and the key.")),
  type: FieldType.pipe(
    described(
      "For a custom field, determined by up to 1,000 of the newest contacts that have it: `date` when all values are ISO dates, `mixed` when their types differ."
    )
  ),
  coverage: Schema.Int.pipe(
    described("Percentage of all contacts that have a value; at least 1 if any contact has one.")
  )
}).annotate({ identifier: "ContactField", description: "A field, its type and its coverage." })
export type ContactField = typeof ContactField.Type

export const ContactFieldList = Schema.Struct({
  fields: Schema.Array(ContactField).pipe(described("Sorted by field.")),
  count: Schema.Int
}).annotate({ identifier: "ContactFields", description: "May be up to 60 seconds old." })
export type ContactFieldList = typeof ContactFieldList.Type

export const FieldName = Schema.String.pipe(
  described(
    "Name of a field, URL-encoded: `data.plan` or `plan`. A standard name without `data.` is the standard field."
  )
)

export const FieldValuesQuery = Schema.Struct({ limit: Schema.optionalKey(AtLeastOne) })
export type FieldValuesQuery = typeof FieldValuesQuery.Type

export const FieldValues = Schema.Struct({
  field: Schema.String,
  values: Schema.Array(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])).pipe(
    described("Distinct values, ordered as text: non-empty texts, numbers and booleans.")
  ),
  count: Schema.Int,
  limit: Schema.Int.pipe(described("The limit that was applied: by default 100, at most 200."))
}).annotate({ identifier: "FieldValues", description: "Distinct values of a field." })
export type FieldValues = typeof FieldValues.Type

const Named = Schema.Struct({ id: Schema.String, name: Schema.String }).annotate({
  identifier: "NamedResource",
  description: "A resource by id and name."
})
const NamedCampaign = Schema.Struct({ ...Named.fields, status: Schema.String }).annotate({
  identifier: "NamedCampaign",
  description: "A campaign by id and name, and its state."
})

/** The uses of a field, or of a path below it. */
export const FieldReferences = {
  usedInSegments: Schema.Array(Named).pipe(described("Segments whose condition names it.")),
  usedInCampaigns: Schema.Array(NamedCampaign).pipe(
    described("Campaigns in DRAFT, SCHEDULED or SENDING whose audience condition names it.")
  ),
  usedInWorkflows: Schema.Array(Named).pipe(
    described("Workflows with a CONDITION, DELAY or UPDATE_CONTACT step that names it.")
  )
}

export const FieldUsage = Schema.Struct({
  field: Schema.String,
  ...FieldReferences,
  contactCount: Schema.Int.pipe(described("Contacts that have it.")),
  canDelete: Schema.Boolean.pipe(described("True if nothing uses the field. Always false for a standard field."))
}).annotate({ identifier: "FieldUsage", description: "The uses of a field, or of a path below it." })
export type FieldUsage = typeof FieldUsage.Type

export const DeletedField = Schema.Struct({
  deletedFrom: Schema.Int.pipe(described("Contacts that had it."))
}).annotate({
  identifier: "DeletedField",
  description: "The result of deleting a field."
})
