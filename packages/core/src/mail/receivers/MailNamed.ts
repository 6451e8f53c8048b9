/** Finds the mail that a notification names. Pure. */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Notification } from "@posthorn/contract/mail/receivers/Notification"
import { Option, Schema } from "effect"
import { type KnownMail, type MailNames, memberKey, messageKey } from "../ledger/Ledger.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

/**
 * The local part of a Message-ID of the service is the id of the mail. A provider may set another Message-ID, and a
 * submitted message has its own.
 */
const idsOf = ({ emailId, messageId }: Notification): MailNames => {
  const bare = (messageId ?? "").trim().replace(/^<|>$/g, "")
  const local = bare.split("@")[0] ?? ""
  const own = Option.getOrUndefined(decodeId(local))
  return {
    ids: [...(emailId ? [emailId] : []), ...(own ? [own] : [])],
    providerIds: own !== undefined || bare === "" ? [] : [...new Set([bare, local])].filter((id) => id !== ""),
    messageIds: bare === "" ? [] : [bare]
  }
}

/** The ids of all notifications, for one lookup. */
export const allIds = (notifications: ReadonlyArray<Notification>): MailNames => {
  const named = notifications.map(idsOf)
  return {
    ids: [...new Set(named.flatMap(({ ids }) => ids))],
    providerIds: [...new Set(named.flatMap(({ providerIds }) => providerIds))],
    messageIds: [...new Set(named.flatMap(({ messageIds }) => messageIds))]
  }
}

/**
 * The mail of the notification, if it was found. Ids of the ledger take precedence. The mails of a group share a
 * Message-ID, so a notification without the id of a mail names the one to its recipient.
 */
export const mailOf = (notification: Notification, found: ReadonlyMap<string, KnownMail>): KnownMail | undefined => {
  const { ids, providerIds, messageIds } = idsOf(notification)
  const name = [...ids, ...providerIds, ...messageIds.map(messageKey)].find((name) => found.has(name))
  const named = name === undefined ? undefined : found.get(name)
  const { emailId, recipient } = notification
  if (named === undefined || emailId || !recipient) return named
  return found.get(memberKey(named.groupId ?? named.id, recipient)) ?? named
}
