/**
 * Counts and times requests by route, method and status.
 *
 * The route is a pattern such as `/contacts/:id`, so the number of series is bounded by the number of endpoints. A
 * request that matches no route has the route `none`.
 */
import { Clock, Context, Effect, Exit, type Layer, Metric } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

const requests = Metric.counter("posthorn_http_requests_total", {
  description: "Answered requests",
  incremental: true
})

const durations = Metric.histogram("posthorn_http_requests_duration_seconds", {
  description: "Time from the arrival of a request to the end of its response",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
})

/** Set by the route that takes the request. */
const Matched = Context.Reference<{ route: string }>("@posthorn/node/http/HttpMetrics/Matched", {
  defaultValue: () => ({ route: "none" })
})

interface Series {
  readonly requests: typeof requests
  readonly durations: typeof durations
}

/** Created once for each combination of route, method and status that occurs. */
const known = new Map<string, Series>()

const seriesOf = (route: string, method: string, status: string): Series => {
  const key = `${status} ${method} ${route}`
  const found = known.get(key)
  if (found !== undefined) return found
  const labelled = Metric.withAttributes({ route, method, status })
  const series = { requests: labelled(requests), durations: labelled(durations) }
  known.set(key, series)
  return series
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const nanosPerSecond = 1e9

/** Wraps the whole server, so it sees the final status and the time until the response was sent. */
export const measured = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const startedAt = yield* Clock.monotonicTimeNanos
    const matched = { route: "none" }
    return yield* Effect.onExit(Effect.provideService(app, Matched, matched), (exit) =>
      Effect.gen(function* () {
        const seconds = Number((yield* Clock.monotonicTimeNanos) - startedAt) / nanosPerSecond
        const status = Exit.isSuccess(exit) ? String(exit.value.status) : "aborted"
        const series = seriesOf(matched.route, methods.includes(method) ? method : "other", status)
        yield* Metric.update(series.requests, 1)
        yield* Metric.update(series.durations, seconds)
      })
    )
  })

/** Wraps each route of a router, and passes the name of the route to `measured`. */
export const namedRoutes: Layer.Layer<never> = HttpRouter.middleware<{ provides: never }>()(
  Effect.succeed((app) =>
    Effect.gen(function* () {
      const { route } = yield* HttpRouter.RouteContext
      const matched = yield* Matched
      matched.route = route.path
      return yield* app
    })
  )
).layer
