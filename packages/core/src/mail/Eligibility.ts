/** Who may receive which mail. */
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { SourceType } from "@posthorn/contract/mail/emails/Email"

/**
 * Whether only subscribed contacts get the mail. All MARKETING mail asks consent, and HEADLESS mail of campaigns and
 * workflows. For any other single send, the caller decides.
 */
export const asksConsent = (type: EmailType, sourceType: SourceType): boolean =>
  type === "MARKETING" || (type === "HEADLESS" && sourceType !== "TRANSACTIONAL")

/** The same rule in SQL, for a row of `emails`. */
export const asksConsentSql =
  "(emails.type = 'MARKETING' or emails.type = 'HEADLESS' and emails.source_type <> 'TRANSACTIONAL')"
