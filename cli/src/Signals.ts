/** How a command ends when a signal interrupts it. */
import { Context, type Effect } from "effect"

/** Every command gets it from its process. */
export class Signals extends Context.Service<
  Signals,
  {
    /** From now on the first signal is the normal end of this command, so the process exits with 0. */
    readonly endInOrder: Effect.Effect<void>
  }
>()("posthorn/Signals") {}
