/** The record of a project (contract-2 10.1). */
import { DateTime, Option, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { DisabledReason, MemberRole, ProjectId } from "../Auth.ts"
import { described, Name, Timestamp } from "../Wire.ts"

export const TrackingMode = Schema.Literals(["ENABLED", "DISABLED", "MARKETING_ONLY"])
export const AmbiguousMode = Schema.Literals(["retry", "hold"])

/** Nothing in it looks like something else: no invisible or direction-changing characters, no compatibility forms. */
export const ProjectName = Name(100).check(
  Schema.isPattern(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cn}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]*$/u, {
    message: "Must not contain invisible characters."
  }),
  Schema.makeFilter((name: string) => name.normalize("NFC") === name.normalize("NFKC"), {
    message: "Must not contain compatibility forms of characters."
  })
)

const isZone = Schema.makeFilter(
  (name: string) => /^[A-Za-z]/.test(name) && name.length <= 100 && Option.isSome(DateTime.zoneMakeNamed(name)),
  { message: "Not an IANA time zone." }
)
export const Timezone = Schema.String.check(isZone)
const Language = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}(?:-[A-Z]{2})?$/, { message: "A language such as en or pt-BR." })
)
const SendRate = Schema.NullOr(
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }),
    Schema.isLessThanOrEqualTo(100_000, { message: "Must be at most 100000." })
  )
)

const aboutAmbiguity =
  "What happens to mail of which nobody knows whether it arrived: `retry` sends it again, `hold` leaves it."

const record = {
  id: ProjectId,
  name: Schema.String,
  public: Schema.String.pipe(described("The public key.")),
  secretHint: Schema.String.pipe(described("The last four characters of the secret key.")),
  role: MemberRole.pipe(described("The role of the user who asks.")),
  disabled: Schema.Boolean,
  disabledReason: Schema.NullOr(DisabledReason),
  disabledAt: Schema.NullOr(Timestamp),
  tracking: TrackingMode,
  language: Schema.String.pipe(described("Language of footers and pages where the contact has none.")),
  timezone: Schema.String.pipe(described("IANA name.")),
  ambiguousPolicy: Schema.Struct({ transactional: AmbiguousMode, bulk: AmbiguousMode }).pipe(described(aboutAmbiguity)),
  sendRatePerSecond: Schema.NullOr(Schema.Int).pipe(described("Mails a second; null is the default of the server.")),
  resetting: Schema.Boolean.pipe(described("True while its data is being wiped.")),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Project = Schema.Struct(record).annotate({
  identifier: "Project",
  description: "A project and its settings."
})
export type Project = typeof Project.Type

export const ProjectWithSecret = Schema.Struct({
  ...record,
  secret: Schema.String.pipe(described("The secret key, for the only time."))
}).annotate({ identifier: "ProjectWithSecret", description: "A project and its secret key." })
export type ProjectWithSecret = typeof ProjectWithSecret.Type

/** Body of `PATCH /users/@me/projects/{id}`: absent stays; null is refused but for the rate. */
export const UpdateProject = Schema.Struct({
  name: Schema.optionalKey(ProjectName).pipe(described("1 to 100 characters on one line.")),
  tracking: Schema.optionalKey(TrackingMode),
  language: Schema.optionalKey(Language),
  timezone: Schema.optionalKey(Timezone).pipe(described("IANA name, such as Europe/Berlin.")),
  ambiguousPolicy: Schema.optionalKey(
    Schema.Struct({
      transactional: Schema.optionalKey(AmbiguousMode),
      bulk: Schema.optionalKey(AmbiguousMode)
    })
  ).pipe(described(aboutAmbiguity)),
  sendRatePerSecond: Schema.optionalKey(SendRate).pipe(
    described("Mails a second, 1 to 100000; null for the default of the server.")
  )
}).annotate({ identifier: "UpdateProject" })
export type UpdateProject = typeof UpdateProject.Type

const reset = <const State extends string>(state: State) =>
  Schema.Struct({
    success: Schema.Literal(true),
    message: Schema.String,
    data: Schema.Struct({ state: Schema.Literal(state) })
  })

export const ResetAnswer = reset("completed").annotate({ identifier: "ResetAnswer", description: "The data is gone." })
export const ResetRunning = reset("running")
  .annotate({ identifier: "ResetRunning", description: "The data is going." })
  .pipe(HttpApiSchema.status(202))

export const SetupState = Schema.Struct({
  hasSubscription: Schema.Boolean,
  hasVerifiedDomain: Schema.Boolean,
  contactCount: Schema.Int,
  lastCampaignSentAt: Schema.NullOr(Timestamp),
  hasEnabledWorkflow: Schema.Boolean
}).annotate({ identifier: "SetupState", description: "How far the project has come." })
export type SetupState = typeof SetupState.Type
