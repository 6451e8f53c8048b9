/** Disables and enables projects: cancels their mail, and notifies their administrators. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { type Cause, Suspensions } from "../../accounts/projects/Suspensions.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { cancelWaiting } from "../ledger/WaitingMail.ts"
import { projectDisabledEmail } from "./ReputationEmails.ts"
import * as SenderReputationSql from "./SenderReputationSql.ts"

/** Transactional mail that waited longer is cancelled, because an old code or receipt has no use. */
const staleAfter = Duration.hours(24)

/** Cancels the running campaigns of a project. A parameter, because this area cannot import `automation`. */
type CancelCampaigns = (sql: SqlClient.SqlClient, project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>

type Needs = Accounts | Projects | SecureRandom.SecureRandom | SqlClient.SqlClient | SystemMail | Transaction

export const layer = (cancelCampaigns: CancelCampaigns): Layer.Layer<Suspensions, never, Needs> =>
  Layer.effect(
    Suspensions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SenderReputationSql.make
      const projects = yield* Projects
      const accounts = yield* Accounts
      const mail = yield* SystemMail
      const random = yield* SecureRandom.SecureRandom
      const transaction = yield* Transaction

      const suspend = Effect.fn("Suspensions.suspend")(function* (project: ProjectId, { reason, measured }: Cause) {
        const { name } = yield* projects.get(project)
        const id = yield* random.uuidV7()
        const metric = measured?.metric ?? null
        const value = measured?.value ?? null
        // Stored before it takes effect. If the process dies in between, the next evaluation disables the project.
        yield* transaction.run(
          Effect.gen(function* () {
            const isNew = yield* store.open(project, { id, reason, metric, value }, yield* DateTime.now)
            if (!isNew) return
            yield* mail.post(
              (yield* accounts.administrators(project)).map(projectDisabledEmail(name, reason, measured))
            )
          })
        )
        yield* projects.disable(project, reason)
      })

      const lift = Effect.fn("Suspensions.lift")(function* (
        project: ProjectId,
        { cancelPending }: { readonly cancelPending: boolean }
      ) {
        yield* projects.get(project)
        const now = yield* DateTime.now
        // Before the project is enabled, so that no worker claims mail that is to be cancelled.
        const cancelled = yield* transaction.run(
          Effect.gen(function* () {
            const staleSince = DateTime.subtractDuration(now, staleAfter)
            if (cancelPending) yield* cancelCampaigns(sql, project, now)
            const count = yield* cancelWaiting(sql, project, cancelPending ? "all" : { staleSince }, now)
            yield* store.close(project, now)
            return count
          })
        )
        yield* projects.enable(project)
        return cancelled
      })

      return Suspensions.of({ suspend, lift })
    })
  )
