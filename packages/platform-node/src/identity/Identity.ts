/** The providers that the operator has configured. */
import { IdentityProviders } from "@posthorn/core/accounts/people/IdentityProvider"
import { Layer } from "effect"
import * as GitHub from "./GitHub.ts"
import * as Google from "./Google.ts"
import type { Client } from "./OauthClient.ts"
import * as Oidc from "./Oidc.ts"

/** A provider that is undefined is not offered. */
export interface Clients {
  readonly github: Client | undefined
  readonly google: Client | undefined
  readonly oidc: Oidc.OidcClient | undefined
}

export const layer = ({ github, google, oidc }: Clients): Layer.Layer<never> =>
  Layer.succeed(IdentityProviders, {
    github: github && GitHub.make(github),
    google: google && Google.make(google),
    oidc: oidc && Oidc.make(oidc)
  })
