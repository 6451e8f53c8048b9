/** The DNS for a request that waits: it gives up earlier than the one that checks sender domains (contract 11). */
import { Context } from "effect"
import type { DnsResolver } from "../dns/DnsResolver.ts"

/** Two seconds for a try, and two tries. */
export const patience = { timeout: "2 seconds", tries: 2 } as const

export class VerificationDns extends Context.Service<VerificationDns, DnsResolver["Service"]>()(
  "@posthorn/core/verification/VerificationDns"
) {}
