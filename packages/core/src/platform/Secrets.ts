/** The installation's secret. Every signing and sealing key derives from it. */
import { Context, type Redacted } from "effect"

/**
 * A port: the host brings it. `current` signs and seals. The `previous` secrets, newest first, only verify and open.
 * What they signed and sealed stays valid until the operator removes them, so a secret can be replaced without an
 * interruption.
 */
export class Secrets extends Context.Service<
  Secrets,
  { readonly current: Redacted.Redacted<string>; readonly previous: ReadonlyArray<Redacted.Redacted<string>> }
>()("@posthorn/core/platform/Secrets") {}
