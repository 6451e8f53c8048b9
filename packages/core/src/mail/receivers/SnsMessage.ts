/** Messages of Amazon SNS over HTTP: their schema, the signed text, and the allowed hosts. Pure. */
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

/** Names and values in byte order, each on its own line, without absent fields. */
export const stringToSign = (message: SnsMessage): string =>
  (message.Type === "Notification" ? ofNotification : ofConfirmation)
    .flatMap((name) => {
      const value = message[name]
      return value === undefined || value === null ? [] : [`${name}\n${value}\n`]
    })
    .join("")

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** Accepts only https URLs of hosts of SNS, on the default port and without user information. */
const snsUrl = (text: string): URL | undefined => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== "https:" || url.port !== "" || !host.test(url.hostname)) return undefined
  return url.username === "" && url.password === "" && !text.includes("\\") ? url : undefined
}

/** SNS names signing certificates by their digest. Other files of the host are refused. */
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/

export const certificateUrl = (text: string): string | undefined => {
  const url = snsUrl(text)
  return url !== undefined && certificatePath.test(url.pathname) && url.search === "" && url.hash === ""
    ? url.href
    : undefined
}

export const subscribeUrl = (text: string): string | undefined => snsUrl(text)?.href
