/** The headers of a mail besides its address fields. Pure. */

import { isReservedHeader } from "@posthorn/contract/mail/sending/ReservedHeaders"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import type { ClaimedEmail } from "./DeliveryQueue.ts"

/** What the headers of a mail are made from. */
export type HeadedMail = Pick<
  ClaimedEmail,
  | "campaignId"
  | "from"
  | "headers"
  | "id"
  | "mode"
  | "projectName"
  | "sourceType"
  | "test"
  | "topic"
  | "type"
  | "workflowId"
>

type Header = readonly [name: string, value: string]

/** A DNS label made from a name: `Café & Co` gives `cafe-co`. */
export const slug = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40) || "project"

const listLabel = ({ campaignId, topic, workflowId }: HeadedMail) => topic?.key ?? campaignId ?? workflowId ?? "mail"

/**
 * The List-ID (RFC 2919). Its phrase has no characters that would end it. Mail of a topic is one list over all its
 * campaigns.
 */
const listId = (mail: HeadedMail): string => {
  const phrase = (mail.topic?.name ?? mail.projectName).replace(/[^\p{L}\p{N} ]+/gu, " ").trim()
  return `${phrase} <${listLabel(mail)}.${slug(mail.projectName)}.${domainOf(mail.from)}>`
}

/**
 * The caller's headers replace those of the service. The caller cannot replace the headers that identify the mail or,
 * unless it is transactional, those to unsubscribe (RFC 2369, RFC 8058).
 */
export const messageHeaders = (
  mail: HeadedMail,
  { unsubscribeUrl }: { readonly unsubscribeUrl: string }
): ReadonlyArray<Header> => {
  const bulk = mail.type !== "TRANSACTIONAL"
  // The test of a campaign is read by a person. Mail of test mode has the headers of other mail.
  const isTrial = mail.test && mail.mode === "LIVE"
  const hasUnsubscribe = bulk || isTrial
  // A stored mail may have a header that was reserved later.
  const custom = Object.entries(mail.headers).filter(
    ([name]) => !isReservedHeader(name) && !(hasUnsubscribe && /^list-unsubscribe/i.test(name))
  )
  const given = new Set(custom.map(([name]) => name.toLowerCase()))
  const unlessGiven = (headers: ReadonlyArray<Header>) => headers.filter(([name]) => !given.has(name.toLowerCase()))

  const unsubscribe: ReadonlyArray<Header> = [
    ["List-Unsubscribe", `<${unsubscribeUrl}>`],
    ...(unsubscribeUrl.startsWith("https:") && !isTrial
      ? [["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"] as const]
      : [])
  ]
  const automatic: ReadonlyArray<Header> = [["Auto-Submitted", "auto-generated"]]
  const massMail: ReadonlyArray<Header> = [
    ["Precedence", "bulk"],
    ["X-Auto-Response-Suppress", "All"]
  ]
  return [
    ...custom,
    ...(hasUnsubscribe ? unsubscribe : []),
    ...unlessGiven([
      ...(bulk ? [["List-ID", listId(mail)] as const] : []),
      ...(isTrial ? [] : automatic),
      ...((bulk || mail.sourceType === "CAMPAIGN") && !isTrial ? massMail : []),
      ["Feedback-ID", `${mail.campaignId ?? mail.type.toLowerCase()}:${slug(mail.projectName)}:posthorn`]
    ]),
    ["X-Posthorn-Email-Id", mail.id],
    ...(mail.test ? [["X-Posthorn-Test", "true"] as const] : [])
  ]
}
