/** The record of a project. */
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { DisabledReason, MemberRole, ProjectId } from "../../platform/Auth.ts"
import { described, isWithin, listOf, Name, Timestamp } from "../../platform/Primitives.ts"

export const TrackingMode = Schema.Literals(["ENABLED", "DISABLED", "MARKETING_ONLY"])
export const AmbiguousMode = Schema.Literals(["retry", "hold"])

/** The name cannot imitate other text: no invisible or direction-changing characters, no compatibility forms. */
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
export const Timezone = Schema.String.check(isWithin(100, "Not an IANA time zone."), isZone)
const Language = Schema.String.check(
  isWithin(5, "A language such as en or pt-BR."),
  Schema.isPattern(/^[a-z]{2}(?:-[A-Z]{2})?$/, { message: "A language such as en or pt-BR." })
)
const SendRate = Schema.NullOr(
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }),
    Schema.isLessThanOrEqualTo(100_000, { message: "Must be at most 100000." })
  )
)

const aboutAmbiguity = "For mail whose delivery is uncertain: `retry` sends it again, `hold` does not."

const aboutDmarc =
  "Whether inbound mail that fails DMARC is rejected. The mail listener answers it with 550 5.7.26; mail that a provider reports gets no `email.received` event."

const Origin = Schema.String.check(isWithin(300, "An origin, such as https://shop.example.")).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.makeFilter((text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text, {
        message: "An origin, such as https://shop.example."
      })
    ),
    SchemaTransformation.transform({
      decode: (given) => {
        const url = URL.parse(given.trim())
        // A value that is more than an origin stays unchanged, and the check refuses it.
        return url !== null && url.href === `${url.origin}/` ? url.origin : given
      },
      encode: (stored) => stored
    })
  )
)

/** The attempts whose SMTP dialogue is stored. */
export const DialogueMode = Schema.Literals(["FAILURES", "ALL", "NONE"]).annotate({
  description:
    "The attempts whose SMTP dialogue is stored: `FAILURES` (default) every attempt that was not accepted, `ALL` every attempt, `NONE` none."
})

const policy = {
  subscribe: Schema.Boolean.pipe(described("Whether it may subscribe contacts, including new ones.")),
  overwrite: Schema.Boolean.pipe(
    described(
      "Whether it may change the data and the subscription of existing contacts. If not, responses have the address of the contact instead of its id."
    )
  )
}
const aboutOrigins =
  "Origins of the pages that may use it, at most 50. Requests with another `Origin`, or without one, are refused. Empty: any origin."

/** What the public key may do. The key is visible in web pages, so anyone can have it. */
export const PublicKeyPolicy = Schema.Struct({
  ...policy,
  origins: Schema.Array(Schema.String).pipe(described(aboutOrigins))
}).annotate({ identifier: "PublicKeyPolicy", description: "What the public key of a project may do." })
export type PublicKeyPolicy = typeof PublicKeyPolicy.Type

const UpdatePublicKeyPolicy = Schema.Struct({
  subscribe: Schema.optionalKey(policy.subscribe),
  overwrite: Schema.optionalKey(policy.overwrite),
  origins: Schema.optionalKey(
    listOf(Origin, Schema.isMaxLength(50, { code: "too_big", message: "At most 50 origins." }))
  ).pipe(described(aboutOrigins))
})

const record = {
  id: ProjectId,
  name: Schema.String,
  public: Schema.String.pipe(described("The public key.")),
  secretHint: Schema.String.pipe(described("The last four characters of the secret key.")),
  role: MemberRole.pipe(described("The role of the user of the session.")),
  disabled: Schema.Boolean,
  disabledReason: Schema.NullOr(DisabledReason),
  disabledAt: Schema.NullOr(Timestamp),
  tracking: TrackingMode,
  language: Schema.String.pipe(described("Language of footers and pages if the contact has none.")),
  timezone: Schema.String.pipe(described("IANA name.")),
  ambiguousPolicy: Schema.Struct({ transactional: AmbiguousMode, bulk: AmbiguousMode }).pipe(described(aboutAmbiguity)),
  smtpDialogue: DialogueMode,
  publicKeyPolicy: PublicKeyPolicy,
  sendRatePerSecond: Schema.NullOr(Schema.Int).pipe(described("Emails a second. Null: the default of the server.")),
  requireTwoFactor: Schema.Boolean.pipe(
    described("Whether only members with two-factor authentication have access. Keys are not affected.")
  ),
  rejectDmarcFailures: Schema.Boolean.pipe(described(aboutDmarc)),
  resetting: Schema.Boolean.pipe(described("True while its data is being deleted.")),
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
  secret: Schema.String.pipe(described("The secret key. Shown only here."))
}).annotate({ identifier: "ProjectWithSecret", description: "A project and its secret key." })
export type ProjectWithSecret = typeof ProjectWithSecret.Type

/** Body of `PATCH /users/@me/projects/{id}`. Absent fields keep their values. Null is refused, except for the rate. */
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
  smtpDialogue: Schema.optionalKey(DialogueMode),
  publicKeyPolicy: Schema.optionalKey(UpdatePublicKeyPolicy).annotateKey({
    description: "What the public key may do. Absent fields keep their values."
  }),
  sendRatePerSecond: Schema.optionalKey(SendRate).pipe(
    described("Emails a second, 1 to 100000. Null: the default of the server.")
  ),
  requireTwoFactor: Schema.optionalKey(Schema.Boolean).pipe(
    described("Only an OWNER with two-factor authentication can set this. Members without it then get 403.")
  ),
  rejectDmarcFailures: Schema.optionalKey(Schema.Boolean).pipe(described(aboutDmarc))
}).annotate({ identifier: "UpdateProject" })
export type UpdateProject = typeof UpdateProject.Type

const reset = <const State extends string>(state: State) =>
  Schema.Struct({
    success: Schema.Literal(true),
    message: Schema.String,
    data: Schema.Struct({ state: Schema.Literal(state) })
  })

export const ResetAnswer = reset("completed").annotate({
  identifier: "ResetAnswer",
  description: "The data is deleted."
})
export const ResetRunning = reset("running")
  .annotate({ identifier: "ResetRunning", description: "The data is being deleted." })
  .pipe(HttpApiSchema.status(202))

const CredentialKey = Schema.Struct({
  kind: Schema.Literals(["secret", "api"]).pipe(
    described("`secret`: the secret key of the project. `api`: an API key.")
  ),
  mode: Schema.Literals(["LIVE", "TEST"]).pipe(described("`TEST` keys change nothing except test mail.")),
  scopes: Schema.Array(Schema.String).pipe(described("What the key may do; `*`: everything."))
})

export const CurrentProjectInfo = Schema.Struct({
  id: ProjectId,
  name: Schema.String,
  publicKey: Schema.String,
  disabled: Schema.Boolean,
  key: Schema.NullOr(CredentialKey).pipe(described("The key of the request; null with a session."))
}).annotate({ identifier: "CurrentProject", description: "The project and the kind of the credential." })
export type CurrentProjectInfo = typeof CurrentProjectInfo.Type

export const SetupState = Schema.Struct({
  hasSubscription: Schema.Boolean,
  hasVerifiedDomain: Schema.Boolean,
  domainCount: Schema.Int.pipe(described("Verified or not.")),
  contactCount: Schema.Int,
  memberCount: Schema.Int.pipe(described("With the OWNER, without open invitations.")),
  templateCount: Schema.Int,
  firstEmailSentAt: Schema.NullOr(Timestamp).pipe(described("Of all mail but tests. Null: none was sent.")),
  firstEventAt: Schema.NullOr(Timestamp).pipe(described("Of all events that callers tracked. Null: there is none.")),
  lastCampaignSentAt: Schema.NullOr(Timestamp),
  hasEnabledWorkflow: Schema.Boolean,
  hasWebhook: Schema.Boolean
}).annotate({ identifier: "SetupState", description: "The setup state of the project." })
export type SetupState = typeof SetupState.Type
