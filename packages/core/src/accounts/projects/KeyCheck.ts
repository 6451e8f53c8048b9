/** Checks a key for a caller outside of HTTP, such as an SMTP session. */
import type { ActorOf, Forbidden, InvalidApiKey } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { Via } from "./ApiKeyStore.ts"
import { keyRefusal } from "./KeyRules.ts"
import type { ProjectStanding } from "./ProjectStore.ts"
import { Projects } from "./Projects.ts"

export interface CheckedKey {
  /** Disabled and resetting projects too: the caller decides what they allow. */
  readonly project: ProjectStanding
  readonly actor: ActorOf
}

/**
 * The project of the secret key or of an API key that opens the operation, named by its id (`send`), from this client
 * address. Takes nothing from a rate limit. The result is at most one second old, so a caller that holds a connection
 * calls it again for each mail.
 */
export const checkKey = Effect.fn("KeyCheck.checkKey")(function* (
  key: string,
  { operation, address, via }: { readonly operation: string; readonly address: string | undefined; readonly via: Via }
): Effect.fn.Return<CheckedKey, Forbidden | InvalidApiKey, Projects> {
  const { authenticate } = yield* Projects
  const { apiKey, ...project } = yield* authenticate("secret", key, via)
  if (apiKey === undefined) return { project, actor: { kind: "key" } }
  const refused = keyRefusal(apiKey, operation, address)
  if (refused !== undefined) return yield* refused
  return { project, actor: { kind: "key", apiKey } }
})
