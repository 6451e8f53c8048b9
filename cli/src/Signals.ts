/** How a command ends when a signal interrupts it. */
import { Context, type Effect } from "effect"

/** A service, because the process implements it and tests replace it. */
export class Signals extends Context.Service<
  Signals,
  {
    /** From now on the first signal is the normal end of this command, so the process exits with 0. */
    readonly endInOrder: Effect.Effect<void>
  }
>()("posthorn/Signals") {}
