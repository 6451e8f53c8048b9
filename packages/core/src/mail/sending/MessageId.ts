/** The identity of a mail on the wire. Pure. */
import { domainOf } from "@posthorn/contract/platform/Mailbox"

/**
 * The Message-ID of a mail (RFC 5322 section 3.6.4), without angle brackets. Every try has the same one, and so have all
 * mails of a group.
 */
export const messageId = ({
  id,
  groupId,
  from
}: {
  readonly id: string
  readonly groupId: string | null
  readonly from: string
}): string => `${groupId ?? id}@${domainOf(from)}`
