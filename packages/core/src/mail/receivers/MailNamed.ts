/** The ids by which a notification can name its mail. Pure. */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Notification } from "@posthorn/contract/mail/receivers/Notification"
import { Option, Schema } from "effect"
import type { KnownMail, MailNames } from "../ledger/Ledger.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

/** Our own Message-ID is the id at the sender's domain; a provider may give the mail another one. */
const namesOf = ({ emailId, messageId }: Notification): MailNames => {
  const bare = (messageId ?? "").trim().replace(/^<|>$/g, "")
  const local = bare.split("@")[0] ?? ""
  const own = Option.getOrUndefined(decodeId(local))
  return {
    ids: [...(emailId ? [emailId] : []), ...(own ? [own] : [])],
    providerIds: own !== undefined || bare === "" ? [] : [...new Set([bare, local])].filter((name) => name !== "")
  }
}

/** The ids of many notifications, for one lookup. */
export const allNames = (notifications: ReadonlyArray<Notification>): MailNames => {
  const names = notifications.map(namesOf)
  return {
    ids: [...new Set(names.flatMap(({ ids }) => ids))],
    providerIds: [...new Set(names.flatMap(({ providerIds }) => providerIds))]
  }
}

/** The mail of the notification, if it was found. Our own id has precedence. */
export const mailOf = (notification: Notification, found: ReadonlyMap<string, KnownMail>): KnownMail | undefined => {
  const { ids, providerIds } = namesOf(notification)
  const name = [...ids, ...providerIds].find((name) => found.has(name))
  return name === undefined ? undefined : found.get(name)
}
