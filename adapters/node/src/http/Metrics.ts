/** `GET /metrics`: every metric of this process, as text for Prometheus. */
import { createHash, timingSafeEqual } from "node:crypto"
import { envelope, RouteNotFound } from "@posthorn/contract/platform/Errors"
import { respond } from "@posthorn/core/platform/http/Respond"
import { Settings } from "@posthorn/core/platform/Settings"
import * as Backlog from "@posthorn/core/service/Backlog"
import { refuseForeign } from "@posthorn/platform-node/mailbox/DevOnly"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { SqlClient } from "effect/sql"
import type { Config } from "../Config.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Needs the token as Bearer. In dev mode without a token, this machine needs no token. */
const admits = ({ metricsToken, mode }: Pick<Config, "metricsToken" | "mode">, authorization = ""): boolean => {
  if (metricsToken === undefined) return mode === "dev"
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return timingSafeEqual(digest(token), digest(Redacted.value(metricsToken)))
}

/** Without the token, the answer is the 404 of an unknown route. */
const nothingHere = Schema.encodeEffect(envelope(RouteNotFound))(new RouteNotFound()).pipe(
  Effect.orDie,
  Effect.map(respond)
)

const text = Effect.map(PrometheusMetrics.format(), (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

export const layer = (
  config: Pick<Config, "metricsToken" | "mode" | "open">
): Layer.Layer<never, never, HttpRouter.HttpRouter | SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const measure = yield* Backlog.make
      // The other metrics are available even without the database.
      const measured = Effect.catchDefect(measure, (defect) =>
        Effect.logWarning("The backlog cannot be measured", defect)
      )
      const { publicUrl } = yield* Settings
      const answer = Effect.andThen(measured, text)
      const shown = config.metricsToken === undefined ? refuseForeign({ publicUrl, open: config.open })(answer) : answer
      return HttpRouter.add("GET", "/metrics", ({ headers }) =>
        admits(config, headers["authorization"]) ? shown : nothingHere
      )
    })
  )
