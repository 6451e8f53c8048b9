/** Finds the mail that a notification names. Pure. */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Notification } from "@posthorn/contract/mail/receivers/Notification"
import { Option, Schema } from "effect"
import { type KnownMail, type MailNames, memberKey } from "../ledger/Ledger.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

/** The local part of a Message-ID of the service is the id of the mail. A provider may set another Message-ID. */
const idsOf = ({ emailId, messageId }: Notification): MailNames => {
  const bare = (messageId ?? "").trim().replace(/^<|>$/g, "")
  const local = bare.split("@")[0] ?? ""
  const own = Option.getOrUndefined(decodeId(local))
  return {
    ids: [...(emailId ? [emailId] : []), ...(own ? [own] : [])],
    providerIds: own !== undefined || bare === "" ? [] : [...new Set([bare, local])].filter((id) => id !== "")
  }
}

/** The ids of all notifications, for one lookup. */
export const allIds = (notifications: ReadonlyArray<Notification>): MailNames => {
  const named = notifications.map(idsOf)
  return {
    ids: [...new Set(named.flatMap(({ ids }) => ids))],
    providerIds: [...new Set(named.flatMap(({ providerIds }) => providerIds))]
  }
}

/**
 * The mail of the notification, if it was found. Ids of the ledger take precedence. The mails of a group share a
 * Message-ID, so a notification without the id of a mail names the one to its recipient.
 */
export const mailOf = (notification: Notification, found: ReadonlyMap<string, KnownMail>): KnownMail | undefined => {
  const { ids, providerIds } = idsOf(notification)
  const id = [...ids, ...providerIds].find((id) => found.has(id))
  if (id === undefined) return undefined
  const { emailId, recipient } = notification
  const member = emailId || !recipient ? undefined : found.get(memberKey(id, recipient))
  return member ?? found.get(id)
}
