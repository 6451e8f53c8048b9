/** `POST /dev/clock`: moves the clock of the service forward. */
import { envelope, InvalidJson, ValidationError } from "@posthorn/contract/platform/Errors"
import { Timestamp } from "@posthorn/contract/platform/Primitives"
import { faultsOf } from "@posthorn/core/platform/http/Faults"
import { respond } from "@posthorn/core/platform/http/Respond"
import { type DevPages, devOnly } from "@posthorn/platform-node/mailbox/DevOnly"
import { ByteSize, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { DevClock } from "./DevClock.ts"
import { DevStateFile } from "./DevState.ts"

/** The clock of the whole service. A service, because the clock is started before all layers. */
export class ServiceClock extends Context.Service<ServiceClock, DevClock>()(
  "@posthorn/node/dev/ClockHttp/ServiceClock"
) {}

const form = /^\s*(\d{1,9}(?:\.\d{1,6})?)\s*(second|minute|hour|day|week)s?\s*$/i

const units: { readonly [unit: string]: (count: number) => Duration.Duration } = {
  second: Duration.seconds,
  minute: Duration.minutes,
  hour: Duration.hours,
  day: Duration.days,
  week: Duration.weeks
}

const durationOf = (text: string): Duration.Duration => {
  const [, count = "", unit = ""] = form.exec(text) ?? []
  return units[unit.toLowerCase()]?.(Number(count)) ?? Duration.zero
}

/** About 100 years, so that dates stay readable. */
const farthest = Duration.days(36_500)

const Advance = Schema.Struct({
  advance: Schema.String.check(
    Schema.isPattern(form, {
      message:
        'Must be a number with seconds, minutes, hours, days or weeks, such as "3 days"; the clock only moves forward.'
    }).abort(),
    Schema.makeFilter(
      (text) => Duration.isLessThanOrEqualTo(durationOf(text), farthest) || "At most 36500 days at once."
    )
  )
})

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownEffect(Advance, { errors: "all", reportInput: true })
const encodeTime = Schema.encodeSync(Timestamp)

const largestBody = ByteSize.kibibytes(64)

const refuse = (error: InvalidJson | ValidationError) =>
  (error._tag === "INVALID_JSON"
    ? Schema.encodeEffect(envelope(InvalidJson))(error)
    : Schema.encodeEffect(envelope(ValidationError))(error)
  ).pipe(Effect.orDie, Effect.map(respond))

const readAdvance = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* Effect.mapError(Effect.flatMap(request.text, parse), () => new InvalidJson())
  const { advance } = yield* Effect.mapError(
    decode(body),
    ({ issue }) => new ValidationError({ errors: faultsOf(issue) })
  )
  return durationOf(advance)
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, largestBody))

const routes = Effect.gen(function* () {
  const clock = yield* ServiceClock
  const file = yield* DevStateFile

  /** The offset is saved before any code sees the new time, so that a later start is never behind stored times. */
  const advanceBy = Effect.fn("ClockHttp.advance")(function* (by: Duration.Duration) {
    const state = yield* file.current
    const clockOffsetMillis = Duration.toMillis(Duration.sum(clock.offset(), by))
    if (Option.isSome(state)) yield* file.save({ ...state.value, clockOffsetMillis })
    yield* clock.advance(by)
    return HttpServerResponse.jsonUnsafe({ now: encodeTime(yield* DateTime.now) })
  })

  return [
    HttpRouter.route(
      "POST",
      "/dev/clock",
      Effect.flatMap(readAdvance, advanceBy).pipe(Effect.catchTag(["INVALID_JSON", "VALIDATION_ERROR"], refuse))
    )
  ]
})

/** Answers only requests of this machine, to its own names or the host of the public URL. */
export const layer = (
  pages: DevPages
): Layer.Layer<never, never, DevStateFile | HttpRouter.HttpRouter | ServiceClock> =>
  HttpRouter.addAll(routes).pipe(Layer.provide(devOnly(pages)))
