/** The DNS for requests that wait. Its timeout is shorter than that of the checks of sender domains. */
import { Context } from "effect"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"

/** Two tries of two seconds each. */
export const timeouts = { timeout: "2 seconds", tries: 2 } as const

/** A port: the host provides the resolver. */
export class VerificationDns extends Context.Service<VerificationDns, DnsResolver["Service"]>()(
  "@posthorn/core/audience/verification/VerificationDns"
) {}
