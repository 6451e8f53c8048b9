/** Delay of this process's event loop. A host that can measure it provides it. */
import { Context, Effect, Option } from "effect"

/** Over the last minute. */
export interface EventLoopDelay {
  /** Milliseconds, in the worst of its ten-second windows. */
  readonly p99: number
  /** Milliseconds. */
  readonly max: number
}

/** A delay at which the event loop holds up all requests. Both in milliseconds. */
const alarm: EventLoopDelay = { p99: 100, max: 1_000 }

export const isLate = ({ p99, max }: EventLoopDelay): boolean => p99 > alarm.p99 || max > alarm.max

/** None before the first window has ended, and where the host does not measure. */
export const EventLoop = Context.Reference<Effect.Effect<Option.Option<EventLoopDelay>>>(
  "@posthorn/core/service/EventLoop",
  { defaultValue: () => Effect.succeed(Option.none()) }
)
