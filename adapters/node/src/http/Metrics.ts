/** `GET /metrics`: every metric of this process, as text for Prometheus (contract-2 17). */
import { createHash, timingSafeEqual } from "node:crypto"
import { envelope, RouteNotFound } from "@posthorn/contract/Errors"
import { respond } from "@posthorn/core/http/Respond"
import { Backlog } from "@posthorn/core/service/Backlog"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { Config } from "../Config.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** The token as Bearer; in dev mode everybody, unless there is a token. */
const admits = ({ metricsToken, mode }: Pick<Config, "metricsToken" | "mode">, authorization = ""): boolean => {
  if (metricsToken === undefined) return mode === "dev"
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return timingSafeEqual(digest(token), digest(Redacted.value(metricsToken)))
}

/** Whoever has no token learns not even that there is something to see. */
const nothingHere = Schema.encodeEffect(envelope(RouteNotFound))(new RouteNotFound()).pipe(
  Effect.orDie,
  Effect.map(respond)
)

const text = Effect.map(PrometheusMetrics.format(), (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

/** Without the database there is still something to see. */
const measured = Effect.flatMap(Backlog, ({ measure }) =>
  Effect.catchDefect(measure, (defect) => Effect.logWarning("The backlog cannot be measured", defect))
)

export const layer = (
  config: Pick<Config, "metricsToken" | "mode">
): Layer.Layer<never, never, Backlog | HttpRouter.HttpRouter> =>
  Layer.unwrap(
    Effect.map(Effect.context<Backlog>(), (context) =>
      HttpRouter.add("GET", "/metrics", ({ headers }) =>
        admits(config, headers["authorization"])
          ? Effect.andThen(Effect.provideContext(measured, context), text)
          : nothingHere
      )
    )
  )
