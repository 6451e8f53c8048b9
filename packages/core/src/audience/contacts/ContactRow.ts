/** The row format shared by all statements on contacts. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Schema } from "effect"

/** A row of `contactColumns`. */
export const ContactRow = Schema.Struct({
  id: ContactId,
  projectId: ProjectId,
  email: Schema.String,
  subscribed: Schema.Boolean,
  data: Schema.JsonObject,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})

export const contactColumns = `id, project_id as "projectId", email, subscribed, data, created_at as "createdAt",
  updated_at as "updatedAt"`

export const contactRows = Schema.decodeUnknownEffect(Schema.Array(ContactRow))
