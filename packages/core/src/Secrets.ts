/** The installation's secret, from which every signature and every sealing key is derived. */
import { Context, type Option, type Redacted } from "effect"

/** `current` signs and seals; `previous` is only still believed, so that a secret can be replaced without a break. */
export class Secrets extends Context.Service<
  Secrets,
  { readonly current: Redacted.Redacted<string>; readonly previous: Option.Option<Redacted.Redacted<string>> }
>()("@posthorn/core/Secrets") {}
