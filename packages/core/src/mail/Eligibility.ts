/** Who may receive which mail. */
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { SourceType } from "@posthorn/contract/mail/emails/Email"

/**
 * Whether only contacts that take the mail get it (`audience/contacts/MailConsent.ts`). All MARKETING mail asks consent,
 * and HEADLESS mail of campaigns and workflows, or with a topic. For any other single send, the caller decides.
 */
export const asksConsent = (type: EmailType, sourceType: SourceType, topic: string | null): boolean =>
  type === "MARKETING" || (type === "HEADLESS" && (sourceType !== "TRANSACTIONAL" || topic !== null))

/** The same rule in SQL, for a row of `emails`. */
export const asksConsentSql =
  "(emails.type = 'MARKETING' or emails.type = 'HEADLESS' and (emails.source_type <> 'TRANSACTIONAL' or emails.topic_id is not null))"

/** What the sending policy of a project looks at. */
interface PolicyMail {
  readonly type: EmailType
  readonly sourceType: SourceType
  readonly test: boolean
}

/** Whether the mail counts for frequency caps. */
export const countsForCaps = ({ type, test }: PolicyMail): boolean => type !== "TRANSACTIONAL" && !test

/**
 * Whether quiet hours and frequency caps act on the mail, unless its campaign or its step bypasses them. Never on
 * transactional mail and single sends.
 */
export const isUnderPolicy = (mail: PolicyMail): boolean => countsForCaps(mail) && mail.sourceType !== "TRANSACTIONAL"
