/** Direct access to the database, for the operator of the service. */
import type { Domain } from "@posthorn/client"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Accounts } from "@posthorn/core/accounts/people/Accounts"
import type { StoredProject } from "@posthorn/core/accounts/projects/Project"
import type { Keys, Projects } from "@posthorn/core/accounts/projects/Projects"
import type { Suspensions } from "@posthorn/core/accounts/projects/Suspensions"
import type { MailboxProvider } from "@posthorn/core/mail/recipients/ProviderList"
import type { ProviderInput, ProviderRefused } from "@posthorn/core/mail/shaping/ProviderSettings"
import type { AuditRecord } from "@posthorn/core/platform/audit/AuditLog"
import { Array, Context, type DateTime, type Duration, Effect, Redacted } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import type { Block } from "../output/Table.ts"

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
