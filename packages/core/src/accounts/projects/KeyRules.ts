/** What an API key allows: operations, and client addresses. Pure. */
import { Forbidden } from "@posthorn/contract/platform/Auth"
import { missingScope } from "@posthorn/contract/platform/Scopes"
import { isInBlocks } from "../../platform/outbound/PublicAddress.ts"
import type { HeldKey } from "./ApiKeyStore.ts"

/**
 * Undefined if the key allows the operation, named by its id, from this client address. An unknown address is in no
 * range.
 */
export const keyRefusal = (
  { ipRanges, scopes }: Pick<HeldKey, "ipRanges" | "scopes">,
  operation: string,
  address: string | undefined
): Forbidden | undefined => {
  if (ipRanges.length > 0 && (address === undefined || !isInBlocks(ipRanges, address))) {
    return new Forbidden({ reason: "ip_not_allowed" })
  }
  const requiredScope = missingScope(scopes, operation)
  return requiredScope === undefined ? undefined : new Forbidden({ reason: "scope", requiredScope })
}
