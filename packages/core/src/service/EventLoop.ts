/** Delay of this process's event loop. A host that can measure it provides it. */
import { Context, Effect, Option } from "effect"

/** Over the last minute. */
export interface EventLoopDelay {
  /** Milliseconds, in the worst of its ten-second windows. */
  readonly p99: number
  /** Milliseconds. */
  readonly max: number
}

/** Above one of these limits, in milliseconds, the event loop delays all requests. */
const limits: EventLoopDelay = { p99: 100, max: 1_000 }

export const isLate = ({ p99, max }: EventLoopDelay): boolean => p99 > limits.p99 || max > limits.max

/** None until the first window has ended, and if the host does not measure the delay. */
export const EventLoop = Context.Reference<Effect.Effect<Option.Option<EventLoopDelay>>>(
  "@posthorn/core/service/EventLoop",
  { defaultValue: () => Effect.succeed(Option.none()) }
)
