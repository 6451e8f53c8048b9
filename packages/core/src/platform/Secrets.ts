/** The installation's secret. Every signing and sealing key derives from it. */
import { Context, type Redacted } from "effect"

/**
 * A port. `current` signs and seals. The `previous` secrets, newest first, only verify and open: their signatures and
 * sealed texts stay valid until the operator removes them, so a secret can be replaced without an interruption.
 */
export class Secrets extends Context.Service<
  Secrets,
  { readonly current: Redacted.Redacted<string>; readonly previous: ReadonlyArray<Redacted.Redacted<string>> }
>()("@posthorn/core/platform/Secrets") {}
