/** How an interrupted command ends. */
import { Context, type Effect } from "effect"

/** Every command gets it from its process. */
export class Signals extends Context.Service<
  Signals,
  {
    /** From now on the first signal is the normal end of this command: the process exits with 0. */
    readonly endInOrder: Effect.Effect<void>
  }
>()("posthorn/Signals") {}
