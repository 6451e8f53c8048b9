/** The headers of a mail besides its address fields. Pure. */
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { isReservedHeader } from "@posthorn/contract/service/v1/ReservedHeaders"
import type { ClaimedEmail } from "./DeliveryQueue.ts"

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

const listLabel = ({ campaignId, workflowId }: ClaimedEmail) => campaignId ?? workflowId ?? "mail"

/** The phrase of a List-Id (RFC 2919), with the characters removed that would end it. */
const listId = (mail: ClaimedEmail): string => {
  const phrase = mail.projectName.replace(/[^\p{L}\p{N} ]+/gu, " ").trim()
  return `${phrase} <${listLabel(mail)}.${slug(mail.projectName)}.${domainOf(mail.from)}>`
}

/**
 * The headers of the caller replace those of the service, except the ones that identify the mail and, on mail that is not
 * transactional, the ones to unsubscribe (RFC 2369, RFC 8058).
 */
export const messageHeaders = (
  mail: ClaimedEmail,
  { unsubscribeUrl }: { readonly unsubscribeUrl: string }
): ReadonlyArray<Header> => {
  const bulk = mail.type !== "TRANSACTIONAL"
  const hasLeave = bulk || mail.test
  // A stored mail may be older than the reservation of a header.
  const custom = Object.entries(mail.headers).filter(
    ([name]) => !isReservedHeader(name) && !(hasLeave && /^list-unsubscribe/i.test(name))
  )
  const given = new Set(custom.map(([name]) => name.toLowerCase()))
  const unlessGiven = (headers: ReadonlyArray<Header>) => headers.filter(([name]) => !given.has(name.toLowerCase()))

  const leave: ReadonlyArray<Header> = [
    ["List-Unsubscribe", `<${unsubscribeUrl}>`],
    ...(unsubscribeUrl.startsWith("https:") && !mail.test
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
    ...(hasLeave ? leave : []),
    ...unlessGiven([
      ...(bulk ? [["List-ID", listId(mail)] as const] : []),
      ...(mail.test ? [] : automatic),
      ...((bulk || mail.sourceType === "CAMPAIGN") && !mail.test ? massMail : []),
      ["Feedback-ID", `${mail.campaignId ?? mail.type.toLowerCase()}:${slug(mail.projectName)}:posthorn`]
    ]),
    ["X-Posthorn-Email-Id", mail.id],
    ...(mail.test ? [["X-Posthorn-Test", "true"] as const] : [])
  ]
}
