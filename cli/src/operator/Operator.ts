/** Direct access to the database, for the operator of the service. Its modules are loaded only when a command needs them. */
import type { Domain } from "@posthorn/client"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Accounts } from "@posthorn/core/accounts/people/Accounts"
import type { StoredProject } from "@posthorn/core/accounts/projects/Project"
import type { Keys, Projects } from "@posthorn/core/accounts/projects/Projects"
import type { Suspensions } from "@posthorn/core/accounts/projects/Suspensions"
import type { MailboxProvider } from "@posthorn/core/mail/recipients/ProviderList"
import type { ProviderInput, ProviderRefused } from "@posthorn/core/mail/shaping/ProviderSettings"
import type { AuditRecord } from "@posthorn/core/platform/audit/AuditLog"
import { Array, Context, type DateTime, type Duration, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { addressOf } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import { databaseFolderOption, dataDirOf, orVariable } from "../options/Server.ts"
import type { Block } from "../output/Table.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

/** A service, because its modules are loaded only when a command needs the database. */
export class Operator extends Context.Service<
  Operator,
  {
    readonly accounts: Accounts["Service"]
    /** `action` may end with `.*`. */
    readonly audit: (
      project: ProjectId,
      limit: number,
      action: string | undefined
    ) => Effect.Effect<ReadonlyArray<AuditRecord>>
    readonly projects: Omit<Projects["Service"], "create" | "disable" | "enable">
    readonly suspensions: Suspensions["Service"]
    /** Finds the name exactly as typed. */
    readonly createProject: (
      name: string
    ) => Effect.Effect<Effect.Success<ReturnType<Projects["Service"]["create"]>>, CommandFailure>
    /** Turns off two-factor authentication and emails the user. False if it was already off. */
    readonly switchTwoFactorsOff: (email: string) => Effect.Effect<boolean, CommandFailure>
    /** The mailbox providers of the installation. */
    readonly providers: {
      readonly list: Effect.Effect<ReadonlyArray<MailboxProvider>>
      readonly set: (input: ProviderInput) => Effect.Effect<MailboxProvider, ProviderRefused>
      /** Undefined: it was added, and is removed. */
      readonly reset: (provider: string) => Effect.Effect<MailboxProvider | undefined, ProviderRefused>
      readonly suspend: (provider: string, duration: Duration.Duration) => Effect.Effect<DateTime.Utc, ProviderRefused>
      /** False if nothing slowed it down. */
      readonly resume: (provider: string) => Effect.Effect<boolean, ProviderRefused>
    }
    /** Sets or removes the operator's trust in a domain. The project is its id. Returns what the API would return. */
    readonly setTrust: (
      name: string,
      project: string | undefined,
      trusted: boolean
    ) => Effect.Effect<Domain, CommandFailure>
  }
>()("posthorn/operator/Operator") {}

/** For programs: the record of the API. The keys have the same field names as in `posthorn dev`. */
export const projectRecord = ({ disabled, ...project }: StoredProject) => ({
  ...project,
  disabled: disabled !== null,
  disabledReason: disabled
})

export const keysRecord = ({ publicKey, secretKey }: Keys) => ({ publicKey, secretKey: Redacted.value(secretKey) })

export const projectBlock = ({ id, name, disabled }: Pick<StoredProject, "id" | "name" | "disabled">): Block => ({
  rows: [
    ["project", name],
    ["project id", id],
    ["state", disabled === null ? "enabled" : `disabled: ${disabled}`]
  ]
})

export const keysBlock = (keys: Keys): Block => ({
  rows: [
    ["public key", keys.publicKey],
    ["secret key", Redacted.value(keys.secretKey)]
  ]
})

/** For commands on a resource of a project. */
export const operatorProjectOption = Flag.String("project").pipe(
  Flag.withMetavar("<name>"),
  Flag.withDescription("Id or name of the project; the id if several have the same name"),
  optional
)

export const projectArgument = Argument.String("project").pipe(Argument.withDescription("Id or name of the project"))

/** Fails if several projects have the name. */
export const operatorProject = Effect.fnUntraced(function* (
  nameOrId: string
): Effect.fn.Return<StoredProject, CommandFailure, Operator> {
  const { projects } = yield* Operator
  const all = yield* projects.list
  const found = all.filter(({ id, name }) => id === nameOrId || name === nameOrId)
  if (Array.isReadonlyArrayNonEmpty(found) && found.length === 1) return found[0]
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ")
    return yield* wrongUsage(
      `${found.length} projects have the name ${nameOrId}.`,
      `Use the id of one of them: ${ids}.`
    )
  }
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `There is no project ${nameOrId}.`,
    suggestion: "`posthorn projects list` shows all of them."
  })
})

/** Options of commands that need the database: the one of POSTHORN_DATABASE_URL, otherwise the embedded one. */
export const databaseOptions = { dataDir: databaseFolderOption }

export interface DatabaseInput {
  readonly dataDir: string | undefined
}

const inUse = "FOLDER_IN_USE"
const byLogin = "Or log in to the running service with `posthorn login`; this command then needs no database."

const layer = (input: DatabaseInput) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./OperatorServices.ts")),
      (services) => services.layer(input.dataDir)
    )
  ).pipe(
    Layer.catchTag("FolderInUse", ({ message }) =>
      Layer.effectContext(
        Effect.fail(new CommandFailure({ exit: "failed", code: inUse, message, suggestion: byLogin }))
      )
    )
  )

/** For a command with `databaseOptions`. */
export const withOperator = <const Name extends string, Input extends DatabaseInput, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, layer)

/** For the part of a command that needs the database. */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>, input: DatabaseInput) =>
  Effect.provide(effect, layer(input))

/** Whether a database is configured. With neither a database nor a login, the command reports the missing database. */
const isAtHand = Effect.fnUntraced(function* ({ dataDir }: DatabaseInput) {
  const fs = yield* FileSystem.FileSystem
  const url = yield* orVariable(undefined, "POSTHORN_DATABASE_URL")
  if (url !== undefined || dataDir !== undefined) return true
  const hasFolder = yield* Effect.orElseSucceed(fs.exists(yield* dataDirOf(undefined)), () => false)
  return hasFolder || Option.isNone(yield* Profiles.find(undefined))
})

/** The current login, if it is for the development server of the folder. For any other login, the folder is used. */
const loginThere = Effect.fnUntraced(function* ({ dataDir }: DatabaseInput) {
  const url = yield* addressOf(undefined, dataDir)
  return Option.filter(yield* Profiles.find(undefined), ({ profile }) => profile.url === url)
})

/** Uses the database. Uses the login instead if there is no database, or if the server of the login has it open. */
export const asOperatorOr = <E, R, E2, R2>(
  operator: Effect.Effect<void, E, R>,
  withLogin: (named: Profiles.Named) => Effect.Effect<void, E2, R2>,
  { profile, ...input }: DatabaseInput & { readonly profile: string | undefined }
) =>
  Effect.gen(function* () {
    if (profile !== undefined || !(yield* isAtHand(input))) return yield* withLogin(yield* Session.required(profile))
    yield* asOperator(operator, input).pipe(
      Effect.catchIf(
        (error) => error instanceof CommandFailure && error.code === inUse,
        Effect.fnUntraced(function* (failure) {
          const login = yield* loginThere(input)
          if (Option.isNone(login)) return yield* Effect.fail(failure)
          yield* withLogin(login.value)
        })
      )
    )
  })
