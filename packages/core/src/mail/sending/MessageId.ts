/** The identity of a mail on the wire. Pure. */
import { domainOf } from "@posthorn/contract/platform/Mailbox"

/**
 * The Message-ID of a mail (RFC 5322 section 3.6.4), without angle brackets. Every try has the same one, and so have all
 * mails of a group.
 */
export const messageId = ({
  id,
  groupId,
  messageId: submitted,
  from
}: {
  readonly id: string
  readonly groupId: string | null
  /** That of a submitted message. */
  readonly messageId: string | null
  readonly from: string
}): string => submitted ?? `${groupId ?? id}@${domainOf(from)}`
