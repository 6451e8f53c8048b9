/** The database itself, for whoever runs the service. */
import type { Domain } from "@posthorn/client"
import type { Accounts } from "@posthorn/core/accounts/Accounts"
import type { AuditLog } from "@posthorn/core/audit/AuditLog"
import type { Projects } from "@posthorn/core/projects/Projects"
import type { Suspensions } from "@posthorn/core/security/Suspensions"
import { Context, type Effect } from "effect"
import type { CommandFailure } from "../Failure.ts"

export class Operator extends Context.Service<
  Operator,
  {
    readonly accounts: Accounts["Service"]
    readonly audit: Pick<AuditLog["Service"], "ofProject">
    readonly projects: Omit<Projects["Service"], "create" | "disable" | "enable">
    readonly suspensions: Suspensions["Service"]
    /** The name as somebody typed it. */
    readonly createProject: (
      name: string
    ) => Effect.Effect<Effect.Success<ReturnType<Projects["Service"]["create"]>>, CommandFailure>
    /** The operator's word for a domain, or no longer; the project as its id. Answers what the API would. */
    readonly setTrust: (
      name: string,
      project: string | undefined,
      trusted: boolean
    ) => Effect.Effect<Domain, CommandFailure>
  }
>()("posthorn/operator/Operator") {}
