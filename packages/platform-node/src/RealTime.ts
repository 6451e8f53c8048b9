/** The clock of the machine, for programs whose own clock can be moved. */
import { Clock, Context, Effect } from "effect"

export const realClock: Clock.Clock = Context.get(Context.empty(), Clock.Clock)

/** For communication with the real world, which must not time out because the clock was moved. */
export const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Clock.Clock, realClock)
