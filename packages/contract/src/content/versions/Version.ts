/** Versions of what is written once and printed in many mails, and the draft of the next one. */
import { Schema } from "effect"
import { Fault } from "../../platform/Errors.ts"
import { described, Id, isLength, OffsetQuery, optional, Timestamp } from "../../platform/Primitives.ts"

/** The author of a version. */
export const VersionActor = Schema.Struct({
  type: Schema.Literals(["key", "member", "service"]).pipe(
    described(
      "`key`: a caller with a key. `member`: a member of the project, or a user of the application that embeds the service. `service`: the service itself."
    )
  ),
  userId: Schema.optionalKey(Id).pipe(described("Only for a member who has an account."))
}).annotate({ identifier: "VersionActor", description: "The author of a version." })
export type VersionActor = typeof VersionActor.Type

/** The fields of a version. */
export const versionFields = {
  version: Schema.Int,
  live: Schema.Boolean.pipe(described("Whether it is the version that is sent.")),
  createdAt: Timestamp,
  actor: VersionActor,
  restoredFrom: Schema.NullOr(Schema.Int).pipe(described("The version whose content it has, if it was restored."))
}

/** A version without its content. */
export type Version = Schema.Struct.Type<typeof versionFields>

export const VersionQuery = Schema.Struct(OffsetQuery)
export type VersionQuery = typeof VersionQuery.Type

/** The number of a version in a path. */
export const VersionNumber = Schema.String.check(isLength(0, 100)).pipe(described("Number of the version."))

/** The live version that the caller has read. */
export const ExpectedVersion = Schema.Int.pipe(
  described(
    "The live version that the change is based on. If another version is live: 409 with reason `version_changed`."
  )
)

/** Body of `POST .../versions/{n}/restore`. */
export const RestoreVersion = Schema.Struct({ expectedVersion: optional(ExpectedVersion) }).annotate({
  identifier: "RestoreVersion"
})
export type RestoreVersion = typeof RestoreVersion.Type

/** Body of `POST .../publish`. */
export const PublishDraft = Schema.Struct({
  force: optional(Schema.Boolean).pipe(
    described("Publish even if another version became live since the draft was stored.", "false")
  )
}).annotate({ identifier: "PublishDraft" })
export type PublishDraft = typeof PublishDraft.Type

const basedOn = Schema.Int.pipe(described("The version that was live when the draft was stored."))

/** The fields of a record that has versions. */
export const versionedState = {
  version: Schema.Int.pipe(described("The live version, which is sent.")),
  draft: Schema.NullOr(Schema.Struct({ basedOn, updatedAt: Timestamp })).pipe(described("The draft, if there is one."))
}

/** The fields of a draft beside its content. */
export const draftState = {
  basedOn,
  updatedAt: Timestamp,
  problems: Schema.Array(Fault).pipe(described("The faults that prevent its publication, at most 50."))
}
