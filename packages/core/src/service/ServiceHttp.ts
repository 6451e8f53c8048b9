/** Handlers of ServiceApi. */
import { Api } from "@posthorn/contract/Api"
import type { Checks, NotReady, Ready, UnfinishedMigration } from "@posthorn/contract/service/ServiceApi"
import { DateTime, Duration, Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { Billing } from "../accounts/billing/Billing.ts"
import { Oauth } from "../accounts/people/Oauth.ts"
import { SignIn } from "../accounts/people/SignIn.ts"
import { Images } from "../content/uploads/Images.ts"
import { Submission } from "../mail/submission/Submission.ts"
import { group } from "../platform/http/RequestContext.ts"
import type { UnfinishedStep } from "../platform/migrations/index.ts"
import { Settings } from "../platform/Settings.ts"
import { deploymentOf } from "./Deployment.ts"
import { ServiceStatus } from "./ServiceStatus.ts"

/** A share, and no number of rows: anybody may read it. */
const unfinishedMigration = ({
  migration,
  rowsAbout,
  rowsDone,
  since,
  step
}: UnfinishedStep): typeof UnfinishedMigration.Type => ({
  name: `${migration}: ${step}`,
  percent: rowsAbout === null ? null : Math.min(99, Math.floor((100 * rowsDone) / Math.max(1, rowsAbout))),
  since
})

/** The encoder chooses 200 or 503 by `status`. */
const readiness = (
  checks: Checks,
  unfinished: ReadonlyArray<UnfinishedStep>,
  isDraining: boolean
): typeof Ready.Type | typeof NotReady.Type => {
  const found = {
    checks,
    ...(unfinished.length > 0 && { unfinishedMigrations: unfinished.map(unfinishedMigration) })
  }
  return isDraining || Object.values(checks).includes("failed")
    ? { status: "not_ready", ...found }
    : { status: "ready", ...found }
}

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "service">,
  never,
  Billing | Images | Oauth | ServiceStatus | SignIn | Submission
> = group(
  Api,
  "service",
  Effect.fnUntraced(function* (handlers) {
    const service = yield* ServiceStatus
    const settings = yield* Settings
    const { version } = settings
    const { isOpen } = yield* SignIn
    const equipment = {
      sells: (yield* Billing).sells,
      storage: (yield* Images).storage,
      authProviders: (yield* Oauth).configured
    }
    const { listening } = yield* Submission
    const config = Effect.map(Effect.all([isOpen, listening]), ([signupsOpen, submission]) =>
      deploymentOf(settings, { ...equipment, signupsOpen, submission })
    )

    const health = Effect.gen(function* () {
      const uptime = Math.floor(Duration.toSeconds(yield* service.uptime))
      return { status: "ok", time: yield* DateTime.now, uptime, version } as const
    })
    const ready = Effect.gen(function* () {
      const checks = yield* service.checks
      return readiness(checks, yield* service.unfinished, yield* service.isDraining)
    })
    return handlers.handleAll({ health: () => health, ready: () => ready, config: () => config })
  })
)
