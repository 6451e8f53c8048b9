/** Compiles MJML to HTML where the host has a compiler. */
import { Context, Data, Effect } from "effect"
import type { MjmlFault } from "../rendering/Mjml.ts"

/** The source cannot be compiled. */
export class MjmlRefused extends Data.TaggedError("MjmlRefused")<{ readonly fault: MjmlFault }> {}

/** The host has no compiler. */
export class NoMjmlCompiler extends Data.TaggedError("NoMjmlCompiler") {}

/** Too many other sources wait. */
export class MjmlBusy extends Data.TaggedError("MjmlBusy") {}

export interface Compiler {
  /**
   * The HTML of a source, with the same placeholders. Waits while other sources are compiled, of which at most 10 wait.
   * From its start it has 2 seconds.
   */
  readonly compile: (source: string) => Effect.Effect<string, MjmlRefused | MjmlBusy | NoMjmlCompiler>
}

/** By default there is none, for hosts without threads. */
export const MjmlCompiler = Context.Reference<Compiler>("@posthorn/core/content/templates/MjmlCompiler", {
  defaultValue: () => ({ compile: () => Effect.fail(new NoMjmlCompiler()) })
})
