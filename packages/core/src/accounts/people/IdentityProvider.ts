/** Port of identity providers that people sign in with: OAuth 2.0 (RFC 6749) with PKCE (RFC 7636). */
import { Context, Data, type Effect, type Option, type Redacted } from "effect"

export const identityProviders = ["github", "google", "oidc"] as const
export type ProviderName = (typeof identityProviders)[number]

/** The parameters of the provider's redirect, with the verifier that only this service has. */
export interface Grant {
  readonly code: Redacted.Redacted<string>
  readonly verifier: Redacted.Redacted<string>
  readonly redirectUri: string
  /** RFC 9207: the issuer that the redirect named. */
  readonly issuer: string | undefined
}

/** The provider did not answer in time, answered with something unexpected, or refused the code. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

export interface IdentityProvider {
  /** Display name. */
  readonly label: string
  /** The page to send the user to. The challenge is S256 of the verifier. */
  readonly authorizationUrl: (request: {
    readonly state: string
    readonly challenge: string
    readonly redirectUri: string
  }) => Effect.Effect<string, ProviderFailed>
  /** The user's address, in any spelling, if the provider has verified it. A code is valid for one call. */
  readonly verifiedEmail: (grant: Grant) => Effect.Effect<Option.Option<string>, ProviderFailed>
}

/** The providers that this deployment has configured. None by default. */
export const IdentityProviders = Context.Reference<{ readonly [P in ProviderName]?: IdentityProvider | undefined }>(
  "@posthorn/core/accounts/IdentityProviders",
  { defaultValue: () => ({}) }
)
