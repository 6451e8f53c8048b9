import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import {
  asOperatorOr,
  databaseOptions,
  keysBlock,
  keysRecord,
  Operator,
  operatorProject,
  projectArgument,
  projectBlock,
  projectRecord,
  withOperator
} from "../operator/Operator.ts"
import { confirm, optional, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"
import * as Members from "../session/Members.ts"
import * as Profiles from "../session/Profiles.ts"
import type { UserProject, UserProjectWithSecret } from "../session/Session.ts"
import * as Session from "../session/Session.ts"

const ownProjectArgument = Argument.String("project").pipe(
  Argument.withDescription("Id or name of a project of the user; default: the current project"),
  Argument.optional,
  Argument.map(Option.getOrUndefined)
)

const ownProjectBlock = ({ id, name, role, disabledReason }: UserProject): Block => ({
  rows: [
    ["project", name],
    ["project id", id],
    ["role", role],
    ["state", disabledReason === null ? "enabled" : `disabled: ${disabledReason}`]
  ]
})

const ownKeysBlock = ({ public: publicKey, secret }: UserProjectWithSecret): Block => ({
  rows: [
    ["public key", publicKey],
    ["secret key", secret]
  ]
})

const accept = Command.make(
  "accept",
  { id: Members.invitationArgument, yes, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ id, yes, profile }) {
    const named = yield* Session.required(profile)
    const { kind, projectName } = yield* Members.receivedAs(named, id)
    if (kind === "OWNERSHIP") yield* confirm(`Become the owner of ${projectName}?`, yes)
    const path = `/users/@me/invitations/${id}/accept`
    const { data } = yield* Session.ask(named, "POST", path, Members.InvitationAnswer)
    yield* Output.one(data, {
      rows: [
        ["project", projectName],
        ["project id", data.projectId],
        ["role", data.role]
      ]
    })
  })
).pipe(
  Command.withDescription(
    "Accept an invitation to a project; needs a login. Asks first if the invitation offers ownership."
  ),
  Command.withShortDescription("Accept an invitation"),
  Command.withExamples([{ command: "posthorn projects accept 0192c8a4-7b3e-7c60-a9d4-5f1e2d3c4b5a" }])
)

interface AuditOptions {
  readonly action: string | undefined
  readonly limit: number
}

const auditHead = ["at", "action", "by", "details"]
const noEntries = "The project has no audit entries."

const auditInDatabase = Effect.fnUntraced(function* (nameOrId: string, { action, limit }: AuditOptions) {
  const { audit } = yield* Operator
  const { id } = yield* operatorProject(nameOrId)
  const entries = (yield* audit(id, Math.max(1, limit), action)).map(({ at, ...entry }) => ({
    at: DateTime.formatIso(at),
    ...entry
  }))
  yield* Output.list(Stream.fromIterable(entries), {
    head: auditHead,
    row: ({ at, action, actor, user, details }) => [at, action, user ?? actor, JSON.stringify(details)],
    none: noEntries
  })
})

const AuditPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      at: Schema.String,
      action: Schema.String,
      actor: Schema.String,
      user: Schema.NullOr(Schema.Struct({ id: Schema.String, email: Schema.NullOr(Schema.String) })),
      apiKey: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
      details: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  cursor: Schema.optionalKey(Schema.String)
})

const auditWithLogin = Effect.fnUntraced(function* (
  named: Profiles.Named,
  nameOrId: string,
  { action, limit }: AuditOptions
) {
  const { id } = yield* Session.projectOf(named, nameOrId)
  const entries = Stream.paginate(
    undefined as string | undefined,
    Effect.fnUntraced(function* (cursor) {
      const query = new URLSearchParams({
        limit: String(Math.min(100, Math.max(1, limit))),
        ...(action !== undefined && { action }),
        ...(cursor !== undefined && { cursor })
      })
      const page = yield* Session.ask(named, "GET", `/projects/${id}/audit?${query}`, AuditPage)
      return [page.data, Option.fromUndefinedOr(page.cursor)] as const
    })
  )
  yield* Output.list(Stream.take(entries, Math.max(1, limit)), {
    head: auditHead,
    row: ({ at, action, actor, user, apiKey, details }) => [
      at,
      action,
      user?.email ?? user?.id ?? apiKey?.name ?? actor,
      JSON.stringify(details)
    ],
    none: noEntries
  })
})

const audit = Command.make(
  "audit",
  {
    project: projectArgument,
    action: Flag.String("action").pipe(
      Flag.withDescription("Only this action, or every action that starts with a prefix: campaign.*"),
      optional
    ),
    limit: Flag.Int("limit").pipe(Flag.withDefault(100), Flag.withDescription("Maximum number of entries")),
    profile: Profiles.profileOption,
    ...databaseOptions
  },
  ({ project, action, limit, ...input }) =>
    asOperatorOr(
      auditInDatabase(project, { action, limit }),
      (named) => auditWithLogin(named, project, { action, limit }),
      input
    )
).pipe(
  Command.withDescription(
    "Show who changed what in a project, newest first. With the database, also the account events of its members; " +
      "without it, requires the login of an OWNER or ADMIN."
  ),
  Command.withShortDescription("Show who changed what in a project"),
  Command.withExamples([{ command: "posthorn projects audit Shop --action 'campaign.*' --limit 20" }])
)

const inDatabase = Effect.fnUntraced(function* (name: string) {
  const { createProject } = yield* Operator
  const { project, keys } = yield* createProject(name)
  yield* Output.one({ ...projectRecord(project), ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
})

const withLogin = Effect.fnUntraced(function* (named: Profiles.Named, name: string) {
  const project = yield* Session.ask(named, "POST", "/users/@me/projects", Session.UserProjectWithSecret, { name })
  const { public: publicKey, secret: secretKey, ...others } = project
  yield* Output.one({ ...others, publicKey, secretKey }, ownProjectBlock(project), ownKeysBlock(project))
})

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the project, 1 to 100 characters")),
    profile: Profiles.profileOption,
    ...databaseOptions
  },
  ({ name, ...input }) => asOperatorOr(inDatabase(name), (named) => withLogin(named, name), input)
).pipe(
  Command.withDescription(
    "Create a project and show its keys. The secret key is shown only once. Uses the database, or without one the login, " +
      "whose user becomes the OWNER."
  ),
  Command.withShortDescription("Create a project and show its keys"),
  Command.withExamples([{ command: "posthorn projects create Shop" }])
)

const decline = Command.make(
  "decline",
  { id: Members.invitationArgument, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ id, profile }) {
    const named = yield* Session.required(profile)
    const { projectId, projectName } = yield* Members.receivedAs(named, id)
    yield* Session.ask(named, "POST", `/users/@me/invitations/${id}/decline`, Schema.Unknown)
    yield* Output.one({ projectId, declined: true }, { rows: [["declined", projectName]] })
  })
).pipe(
  Command.withDescription("Decline an invitation to a project; needs a login."),
  Command.withShortDescription("Decline an invitation"),
  Command.withExamples([{ command: "posthorn projects decline 0192c8a4-7b3e-7c60-a9d4-5f1e2d3c4b5a" }])
)

/** The project is a required argument, so that a forgotten word cannot delete the current project. */
const remove = Command.make(
  "delete",
  {
    project: Argument.String("project").pipe(Argument.withDescription("Id or name of a project of the user")),
    yes,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, yes, profile }) {
    const named = yield* Session.required(profile)
    const { id, name } = yield* Session.projectOf(named, given)
    yield* confirm(`Delete the project ${name} with all its data? Its keys stop working at once.`, yes)
    yield* Session.ask(named, "DELETE", `/users/@me/projects/${id}`, Schema.Null)
    if (named.profile.project?.id === id) yield* Session.useNone(named)
    yield* Output.one({ id, name, deleted: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete a project; only its OWNER may. Asks first; needs a login"),
  Command.withExamples([{ command: "posthorn projects delete Shop --yes" }])
)

const disable = Command.make(
  "disable",
  {
    project: projectArgument,
    reason: Flag.Literals("reason", ["MANUAL", "PAYMENT_FAILED", "EMAIL_REPUTATION", "PHISHING_DETECTED"]).pipe(
      Flag.withDefault("MANUAL"),
      Flag.withDescription("Reason that the members see; default: MANUAL")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ project: nameOrId, reason }) {
    const { projects, suspensions } = yield* Operator
    const { id } = yield* operatorProject(nameOrId)
    yield* suspensions.suspend(id, { reason })
    const project = yield* projects.get(id)
    yield* Output.one(projectRecord(project), projectBlock(project))
  })
).pipe(
  Command.withDescription("Disable a project: it can be read but not changed, and sends no mail"),
  Command.withExamples([{ command: "posthorn projects disable Shop --reason PHISHING_DETECTED" }]),
  withOperator
)

const enable = Command.make(
  "enable",
  {
    project: projectArgument,
    cancelPending: Flag.Boolean("cancel-pending").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Cancel waiting mail and running campaigns instead of sending them")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ project: nameOrId, cancelPending }) {
    const { projects, suspensions } = yield* Operator
    const { id } = yield* operatorProject(nameOrId)
    const cancelledEmails = yield* suspensions.lift(id, { cancelPending })
    const project = yield* projects.get(id)
    const cancelled = { rows: [["cancelled mail", cancelledEmails] as const] }
    yield* Output.one({ ...projectRecord(project), cancelledEmails }, projectBlock(project), cancelled)
  })
).pipe(
  Command.withDescription(
    "Enable a project again and send its waiting mail, except transactional mail that is more than 24 hours old"
  ),
  Command.withExamples([
    { command: "posthorn projects enable Shop" },
    { command: "posthorn projects enable Shop --cancel-pending", description: "Also cancel all waiting mail" }
  ]),
  withOperator
)

const Answer = Schema.Struct({ id: Schema.String, name: Schema.String, rejectDmarcFailures: Schema.Boolean })

const inboundMail = Command.make(
  "inbound-mail",
  {
    project: ownProjectArgument,
    rejectDmarcFailures: Flag.Boolean("reject-dmarc-failures").pipe(
      Flag.withDescription("Reject mail that fails DMARC; --no-reject-dmarc-failures accepts it"),
      optional
    ),
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, rejectDmarcFailures, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    const settings = rejectDmarcFailures === undefined ? {} : { rejectDmarcFailures }
    const answer = yield* Session.ask(named, "PATCH", `/users/@me/projects/${id}`, Answer, settings)
    yield* Output.one(answer, {
      rows: [
        ["project", answer.name],
        ["rejects mail that fails DMARC", answer.rejectDmarcFailures ? "yes" : "no"]
      ]
    })
  })
).pipe(
  Command.withDescription("Show or change how inbound mail is handled; needs a login as OWNER or ADMIN"),
  Command.withExamples([{ command: "posthorn projects inbound-mail Shop --reject-dmarc-failures" }])
)

const invitations = Command.make(
  "invitations",
  { profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ profile }) {
    const named = yield* Session.required(profile)
    yield* Output.list(Stream.fromIterable(yield* Members.received(named)), {
      head: ["id", "project", "kind", "role", "at"],
      row: ({ id, projectName, kind, role, createdAt }) => [id, projectName, kind, role, createdAt],
      none: "No open invitations."
    })
  })
).pipe(
  Command.withDescription(
    "List your invitations to projects, and offers of ownership; needs a login. Answer with `posthorn projects accept` " +
      "or `decline`."
  ),
  Command.withShortDescription("List your invitations"),
  Command.withExamples([{ command: "posthorn projects invitations --json" }])
)

const invite = Command.make(
  "invite",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the new member")),
    role: Flag.Literals("role", ["ADMIN", "MEMBER"]).pipe(
      Flag.withDefault("MEMBER"),
      Flag.withDescription("Role of the member; an ADMIN may also change settings, domains and members")
    ),
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, role, project: given, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    const path = `/projects/${id}/members`
    const { data } = yield* Session.ask(named, "POST", path, Members.ChangedMember, { email, role })
    yield* Output.one(data, Members.memberBlock(data))
  })
).pipe(
  Command.withDescription(
    "Invite a person to a project; needs a login. The person gets an email with a link, and becomes a member on " +
      "accepting. A second invitation replaces the first."
  ),
  Command.withShortDescription("Invite a person to a project"),
  Command.withExamples([{ command: "posthorn projects invite bob@example.com --role ADMIN" }])
)

const listInDatabase = Effect.gen(function* () {
  const { projects } = yield* Operator
  yield* Output.list(Stream.fromIterable((yield* projects.list).map(projectRecord)), {
    head: ["name", "state", "id", "public key"],
    row: ({ name, disabledReason, id, publicKey }) => [name, disabledReason ?? "enabled", id, publicKey],
    none: "There are no projects yet. `posthorn accounts create` creates an account with its first project."
  })
})

const listWithLogin = Effect.fnUntraced(function* (named: Profiles.Named) {
  yield* Output.list(Stream.fromIterable(yield* Session.projects(named)), {
    head: ["name", "state", "id", "public key"],
    row: ({ name, disabledReason, id, public: publicKey }) => [name, disabledReason ?? "enabled", id, publicKey],
    none: "You have no projects yet."
  })
})

const list = Command.make("list", { profile: Profiles.profileOption, ...databaseOptions }, (input) =>
  asOperatorOr(listInDatabase, listWithLogin, input)
).pipe(
  Command.withDescription(
    "List the projects of the installation from its database; without a database, the projects of the logged-in user"
  ),
  Command.withExamples([{ command: "posthorn projects list --json" }])
)

const members = Command.make(
  "members",
  { project: ownProjectArgument, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ project: given, profile }) {
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    yield* Output.list(Stream.fromIterable(yield* Members.all(named, id)), {
      head: ["email", "role", "status", "id"],
      row: ({ email, role, status, userId, invitationId }) => [email, role, status, userId ?? invitationId ?? ""],
      none: "Nobody."
    })
  })
).pipe(
  Command.withDescription(
    "List the members and invitations of a project; needs a login. `posthorn projects invite`, `set-role` and " +
      "`remove-member` change them."
  ),
  Command.withShortDescription("List the members of a project"),
  Command.withExamples([{ command: "posthorn projects members Shop --json" }])
)

const Policy = Schema.Struct({
  subscribe: Schema.Boolean,
  overwrite: Schema.Boolean,
  origins: Schema.Array(Schema.String)
})
const publicKeyAnswer = Schema.Struct({ id: Schema.String, name: Schema.String, publicKeyPolicy: Policy })

const publicKey = Command.make(
  "public-key",
  {
    project: ownProjectArgument,
    subscribe: Flag.Boolean("subscribe").pipe(
      Flag.withDescription("Allow the key to subscribe contacts; --no-subscribe forbids it"),
      optional
    ),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Allow the key to change existing contacts; --no-overwrite forbids it"),
      optional
    ),
    origins: Flag.String("origins").pipe(
      Flag.withMetavar("<origin>"),
      Flag.withDescription("Origin of a page that may use the key, such as https://shop.example; may be repeated"),
      Flag.atLeast(0)
    ),
    anyOrigin: Flag.Boolean("any-origin").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Allow every page to use the key")
    ),
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, subscribe, overwrite, origins, anyOrigin, profile }) {
    if (anyOrigin && origins.length > 0) {
      return yield* wrongUsage("Pass either --origins or --any-origin, not both.")
    }
    const publicKeyPolicy = {
      ...(subscribe !== undefined && { subscribe }),
      ...(overwrite !== undefined && { overwrite }),
      ...((anyOrigin || origins.length > 0) && { origins })
    }
    const named = yield* Session.required(profile)
    const { id } = yield* Session.projectOf(named, given)
    const answer = yield* Session.ask(named, "PATCH", `/users/@me/projects/${id}`, publicKeyAnswer, { publicKeyPolicy })
    const { publicKeyPolicy: policy, name } = answer
    yield* Output.one(answer, {
      rows: [
        ["project", name],
        ["subscribes", policy.subscribe ? "yes" : "no"],
        ["overwrites", policy.overwrite ? "yes" : "no"],
        ["origins", policy.origins.length === 0 ? "any" : policy.origins.join(", ")]
      ]
    })
  })
).pipe(
  Command.withDescription("Show or change what the public key of a project may do; needs a login as OWNER or ADMIN"),
  Command.withExamples([
    { command: "posthorn projects public-key Shop --no-subscribe --no-overwrite --origins https://shop.example" }
  ])
)

const removeMember = Command.make(
  "remove-member",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of a member or an invited person")),
    yes,
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, yes, project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    const member = yield* Members.find(named, project, email)
    yield* confirm(`Remove ${member.email} from ${project.name}?`, yes)
    const place = member.userId === null ? `invitations/${member.invitationId}` : `members/${member.userId}`
    yield* Session.ask(named, "DELETE", `/projects/${project.id}/${place}`, Schema.Unknown)
    yield* Output.one({ email: member.email, removed: true }, { rows: [["removed", member.email]] })
  })
).pipe(
  Command.withDescription(
    "Remove a member, leave a project yourself, or revoke an invitation; needs a login. Asks first."
  ),
  Command.withShortDescription("Remove a member from a project"),
  Command.withExamples([{ command: "posthorn projects remove-member bob@example.com --yes" }])
)

const Reset = Schema.Struct({ data: Schema.Struct({ state: Schema.Literals(["completed", "running"]) }) })

const reset = Command.make(
  "reset",
  { project: ownProjectArgument, yes, profile: Profiles.profileOption },
  Effect.fnUntraced(function* ({ project: given, yes, profile }) {
    const named = yield* Session.required(profile)
    const { id, name } = yield* Session.projectOf(named, given)
    yield* confirm(
      `Delete all data of ${name}, except its settings, keys, members and domains? This cannot be undone.`,
      yes
    )
    const { data } = yield* Session.ask(named, "POST", `/users/@me/projects/${id}/reset`, Reset)
    yield* Output.one(
      { id, name, state: data.state },
      {
        rows: [
          ["project", name],
          ["deletion", data.state]
        ]
      }
    )
  })
).pipe(
  Command.withDescription(
    "Delete the data of a project, except settings, keys, members and domains; only its OWNER may. Asks first; needs a login"
  ),
  Command.withExamples([{ command: "posthorn projects reset Shop --yes" }])
)

const question = (name: string) => `Replace both keys of ${name}? The old ones stop working at once.`

const rotateKeysInDatabase = Effect.fnUntraced(function* (nameOrId: string, yes: boolean) {
  const { projects } = yield* Operator
  const project = yield* operatorProject(nameOrId)
  yield* confirm(question(project.name), yes)
  const keys = yield* projects.rotateKeys(project.id)
  const { id, name } = project
  yield* Output.one({ id, name, ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
})

const rotateKeysWithLogin = Effect.fnUntraced(function* (named: Profiles.Named, nameOrId: string, yes: boolean) {
  const { id, name } = yield* Session.projectOf(named, nameOrId)
  yield* confirm(question(name), yes)
  const project = yield* Session.ask(
    named,
    "POST",
    `/users/@me/projects/${id}/regenerate-keys`,
    Session.UserProjectWithSecret
  )
  if (named.profile.project?.id === id) yield* Session.use(named, project)
  const { public: publicKey, secret: secretKey } = project
  yield* Output.one({ id, name, publicKey, secretKey }, ownProjectBlock(project), ownKeysBlock(project))
})

const rotateKeys = Command.make(
  "rotate-keys",
  { project: projectArgument, yes, profile: Profiles.profileOption, ...databaseOptions },
  ({ project, yes, ...input }) =>
    asOperatorOr(rotateKeysInDatabase(project, yes), (named) => rotateKeysWithLogin(named, project, yes), input)
).pipe(
  Command.withDescription(
    "Replace both keys of a project; the old ones stop working at once. Asks first. Uses the database, or without one " +
      "the login."
  ),
  Command.withShortDescription("Replace both keys of a project; the old ones stop working at once"),
  Command.withExamples([{ command: "posthorn projects rotate-keys Shop --yes" }])
)

const setRole = Command.make(
  "set-role",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of a member")),
    role: Flag.Literals("role", ["OWNER", "ADMIN", "MEMBER"]).pipe(
      Flag.withDescription("New role; OWNER offers ownership to the member")
    ),
    yes,
    project: Members.projectOption,
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ email, role, yes, project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    const { userId } = yield* Members.find(named, project, email)
    if (userId === null) {
      return yield* wrongUsage(
        `${email} has not accepted the invitation yet.`,
        "Send a new invitation with another --role."
      )
    }
    if (role === "OWNER")
      yield* confirm(`Offer ownership of ${project.name} to ${email}? You become an ADMIN when they accept.`, yes)
    const path = `/projects/${project.id}/members/${userId}`
    const { data } = yield* Session.ask(named, "PATCH", path, Members.ChangedMember, { role })
    yield* Output.one(data, Members.memberBlock(data))
  })
).pipe(
  Command.withDescription(
    "Change the role of a member; needs a login. OWNER offers ownership of the project, after a confirmation; the " +
      "member becomes the owner on accepting."
  ),
  Command.withShortDescription("Change the role of a member"),
  Command.withExamples([{ command: "posthorn projects set-role bob@example.com --role ADMIN" }])
)

const use = Command.make(
  "use",
  {
    project: Argument.String("project").pipe(Argument.withDescription("Id or name of a project of the user")),
    profile: Profiles.profileOption
  },
  Effect.fnUntraced(function* ({ project: given, profile }) {
    const named = yield* Session.required(profile)
    const project = yield* Session.projectOf(named, given)
    yield* Session.use(named, project)
    yield* Output.one(project, ownProjectBlock(project))
  })
).pipe(
  Command.withDescription("Choose the project for commands without a key; needs a login"),
  Command.withExamples([{ command: "posthorn projects use Shop" }])
)

export const projects = Command.make("projects").pipe(
  Command.withDescription("Projects, their keys and members; operators use the database, all others a login"),
  Command.withExamples([{ command: "posthorn projects list" }]),
  Command.withSubcommands([
    list,
    create,
    use,
    members,
    invite,
    setRole,
    removeMember,
    publicKey,
    inboundMail,
    invitations,
    accept,
    decline,
    rotateKeys,
    reset,
    remove,
    enable,
    disable,
    audit
  ])
)
