/** Others with whom people have an account: who they say somebody is, by OAuth 2.0 (RFC 6749) with PKCE (RFC 7636). */
import { Context, Data, type Effect, type Option, type Redacted } from "effect"

export const identityProviders = ["github", "google"] as const
export type ProviderName = (typeof identityProviders)[number]

/** What the provider's redirect brought back, with what only we know. */
export interface Grant {
  readonly code: Redacted.Redacted<string>
  readonly verifier: Redacted.Redacted<string>
  readonly redirectUri: string
}

/** It did not answer in time, or not as it should; or it refused the code. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

export interface IdentityProvider {
  /** Where the person is sent. The challenge is S256 of the verifier. */
  readonly authorizationUrl: (request: {
    readonly state: string
    readonly challenge: string
    readonly redirectUri: string
  }) => string
  /** The person's address, in any spelling, if the provider has verified it. A code is good for one call. */
  readonly verifiedEmail: (grant: Grant) => Effect.Effect<Option.Option<string>, ProviderFailed>
}

/** Those that this deployment has; none by default. */
export const IdentityProviders = Context.Reference<{ readonly [P in ProviderName]?: IdentityProvider | undefined }>(
  "@posthorn/core/accounts/IdentityProviders",
  { defaultValue: () => ({}) }
)
