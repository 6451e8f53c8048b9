/** Handlers of ServiceApi. */
import { Api } from "@posthorn/contract/Api"
import type { Checks, NotReady, Ready } from "@posthorn/contract/service/ServiceApi"
import { DateTime, Duration, Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Settings } from "../Settings.ts"
import { ServiceStatus } from "./ServiceStatus.ts"

/** The encoder picks 200 or 503 by `status`. */
const verdict = (checks: Checks, isDraining: boolean): typeof Ready.Type | typeof NotReady.Type =>
  isDraining || Object.values(checks).includes("failed") ? { status: "not_ready", checks } : { status: "ready", checks }

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "service">,
  never,
  ServiceStatus
> = HttpApiBuilder.group(
  Api,
  "service",
  Effect.fnUntraced(function* (handlers) {
    const service = yield* ServiceStatus
    const { version } = yield* Settings

    const health = Effect.gen(function* () {
      const uptime = Math.floor(Duration.toSeconds(yield* service.uptime))
      return { status: "ok", time: yield* DateTime.now, uptime, version } as const
    })
    const ready = Effect.gen(function* () {
      return verdict(yield* service.checks, yield* service.isDraining)
    })
    return handlers.handleAll({ health: () => health, ready: () => ready })
  })
)
