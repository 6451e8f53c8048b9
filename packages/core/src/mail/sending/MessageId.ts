/** The identity of a mail on the wire. Pure. */
import { domainOf } from "@posthorn/contract/platform/Mailbox"

/** The Message-ID of a mail (RFC 5322 section 3.6.4), without angle brackets. Every try has the same one. */
export const messageId = ({ id, from }: { readonly id: string; readonly from: string }): string =>
  `${id}@${domainOf(from)}`
