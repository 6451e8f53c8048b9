/** Direct access to the database, for the operator of the service. */
import type { Domain } from "@posthorn/client"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Accounts } from "@posthorn/core/accounts/people/Accounts"
import type { Projects } from "@posthorn/core/accounts/projects/Projects"
import type { Suspensions } from "@posthorn/core/accounts/projects/Suspensions"
import type { MailboxProvider } from "@posthorn/core/mail/recipients/ProviderList"
import type { ProviderInput, ProviderRefused } from "@posthorn/core/mail/shaping/ProviderSettings"
import type { AuditRecord } from "@posthorn/core/platform/audit/AuditLog"
import { Context, type DateTime, type Duration, type Effect } from "effect"
import type { CommandFailure } from "../Failure.ts"

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
