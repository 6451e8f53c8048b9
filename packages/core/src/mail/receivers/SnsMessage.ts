/** Messages of Amazon SNS as they come over HTTP: their form, what their signature covers, whose they may be. Pure. */
import { Timestamp } from "@posthorn/contract/platform/Primitives"
import { Schema } from "effect"

export const SnsMessage = Schema.Struct({
  Type: Schema.Literals(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: Schema.String.check(Schema.isMaxLength(200)),
  TopicArn: Schema.String,
  Message: Schema.String,
  Timestamp: Schema.String,
  SignatureVersion: Schema.Literals(["1", "2"]),
  Signature: Schema.String,
  SigningCertURL: Schema.String,
  Subject: Schema.optionalKey(Schema.NullOr(Schema.String)),
  SubscribeURL: Schema.optionalKey(Schema.String),
  Token: Schema.optionalKey(Schema.String)
})
export type SnsMessage = typeof SnsMessage.Type

export const decodeMessage = Schema.decodeUnknownOption(Schema.fromJsonString(SnsMessage))
export const decodeTime = Schema.decodeUnknownOption(Timestamp)

const ofNotification = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const
const ofConfirmation = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const

/** Names and values in byte order, each on a line of its own; a field that is not there has none. */
export const stringToSign = (message: SnsMessage): string =>
  (message.Type === "Notification" ? ofNotification : ofConfirmation)
    .flatMap((name) => {
      const value = message[name]
      return value === undefined || value === null ? [] : [`${name}\n${value}\n`]
    })
    .join("")

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** Hosts of SNS over https at the usual port, and no tricks before or after the name. */
const snsUrl = (text: string): URL | undefined => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== "https:" || url.port !== "" || !host.test(url.hostname)) return undefined
  return url.username === "" && url.password === "" && !text.includes("\\") ? url : undefined
}

/** SNS names its certificates by their digest; other files of the host are not its signing certificates. */
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/

export const certificateUrl = (text: string): string | undefined => {
  const url = snsUrl(text)
  return url !== undefined && certificatePath.test(url.pathname) && url.search === "" && url.hash === ""
    ? url.href
    : undefined
}

export const subscribeUrl = (text: string): string | undefined => snsUrl(text)?.href
