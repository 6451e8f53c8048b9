/** How a command ends that is interrupted. */
import { Context, type Effect } from "effect"

/** Provided to every command by the process it runs in. */
export class Signals extends Context.Service<
  Signals,
  {
    /** From now on a first signal is the way to end this command, and no failure: the process exits with 0. */
    readonly endInOrder: Effect.Effect<void>
  }
>()("posthorn/Signals") {}
