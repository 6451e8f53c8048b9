/** The audit log of a project: who changed what, and when. */
import { Schema } from "effect"
import { AccountId } from "../../platform/Auth.ts"
import { DateQuery, described, Id, isWithin, Page, PageQuery, Timestamp } from "../../platform/Primitives.ts"

/** Entries that the first page of a list counts. */
export const maxCountedEntries = 10_000

const notAnAction = "The name of an action, or the beginning of one followed by `.*`."

export const AuditQuery = Schema.Struct({
  ...PageQuery,
  action: Schema.optionalKey(
    Schema.String.check(
      isWithin(100, notAnAction),
      Schema.isPattern(/^[a-z_][a-z_.]*(?:\.\*)?$/, { message: notAnAction })
    )
  ).pipe(described("Only this action, such as `campaign.sent`; or with `.*` all that begin so, such as `campaign.*`.")),
  userId: Schema.optionalKey(AccountId).pipe(described("Only changes that this user made.")),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("At or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(described("Before this date-time, or until the end of this date."))
})
export type AuditQuery = typeof AuditQuery.Type

export const ProjectAuditEntry = Schema.Struct({
  id: Schema.String.pipe(described("Opaque, and unique in the list.")),
  at: Timestamp,
  action: Schema.String.pipe(described("What happened, such as `member.added`. More actions may follow.")),
  actor: Schema.Literals(["user", "key", "host", "operator", "service"]).pipe(
    described(
      "`user`: a member with a session. `key`: a caller with the secret key or an API key. `host`: a user of the application that embeds the service, with the id in `details.user`. `operator`: who runs the installation. `service`: the service itself."
    )
  ),
  user: Schema.NullOr(
    Schema.Struct({
      id: AccountId,
      email: Schema.NullOr(Schema.String).pipe(described("`null` once the account is deleted."))
    })
  ).pipe(described("The member who made the change. `null` for other actors.")),
  apiKey: Schema.NullOr(Schema.Struct({ id: Id, name: Schema.String })).pipe(
    described("The API key of the caller, with the name that it had then. `null` for the secret key.")
  ),
  details: Schema.JsonObject.pipe(
    described("Ids, names and settings that the change is about. Never an address or the text of a mail.")
  )
}).annotate({ identifier: "ProjectAuditEntry", description: "A change of the project, and who made it." })
export type ProjectAuditEntry = typeof ProjectAuditEntry.Type

export const ProjectAuditPage = Schema.Struct({
  ...Page("ProjectAuditPage", ProjectAuditEntry).fields,
  total: Schema.Int.pipe(
    described(`On the first page the number of entries, at most ${maxCountedEntries}; 0 on later ones.`)
  )
}).annotate({ identifier: "ProjectAuditPage", description: "One page of a cursor list." })
export type ProjectAuditPage = typeof ProjectAuditPage.Type
