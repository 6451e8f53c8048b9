/**
 * Reads messages in the form of the Segment protocol (https://segment.com/docs/connections/spec/common). Pure. What a
 * message has beside the fields of `IngestMessage` is ignored and never stored.
 */
import { ContactData, ExternalId } from "@posthorn/contract/audience/contacts/Contact"
import { EventName, isReservedEvent } from "@posthorn/contract/events/EventName"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { DateTime, Option, Predicate, Result, Schema } from "effect"
import { unstorableText } from "../../platform/http/JsonText.ts"

export const messageTypes = ["identify", "track", "page", "screen", "group", "alias"] as const
export type MessageType = (typeof messageTypes)[number]

/** Why a message is ignored. */
export type IgnoredCode = "conflict" | "invalid" | "no_contact" | "reserved_event" | "too_big" | "unsupported"

export interface Ignored {
  readonly code: IgnoredCode
  readonly message: string
}

export interface IngestMessage {
  readonly type: MessageType
  readonly messageId: string | undefined
  readonly userId: string | undefined
  readonly anonymousId: string | undefined
  /** Of an alias: the id that becomes a further one. */
  readonly previousId: string | undefined
  readonly groupId: string | undefined
  /** The address in the traits of the message or of its context. */
  readonly email: string | undefined
  /** The address in the properties, which only says who it is about. */
  readonly propertyEmail: string | undefined
  readonly locale: string | undefined
  readonly timezone: string | undefined
  /** Of an identify and a group. */
  readonly traits: ContactData
  /** The event of a track, page or screen. */
  readonly event: { readonly name: string; readonly data: ContactData } | undefined
  /** When it was made, by the clock of the sender. */
  readonly madeAt: DateTime.Utc | undefined
  /** When it happened, by the clock of the sender. */
  readonly timestamp: DateTime.Utc | undefined
  readonly sentAt: DateTime.Utc | undefined
}

/** Bytes of one message, and characters of an id. */
const maxBytes = 32 * 1024
const maxMessageId = 200

type Json = { readonly [key: string]: unknown }

const isRecord = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)
const recordIn = (value: unknown): Json => (isRecord(value) ? value : {})

const isId = Schema.is(ExternalId)
const isData = Schema.is(ContactData)
const decodeEmail = Schema.decodeUnknownOption(EmailAddress)
const decodeName = Schema.decodeUnknownOption(EventName)

const textOf = (value: unknown): string | undefined =>
  Predicate.isString(value) ? value : Predicate.isNumber(value) ? String(value) : undefined

/** Texts and numbers are ids. Null and an empty text are none. */
const idIn = (value: unknown): Result.Result<string | undefined, string> => {
  if (value == null || value === "") return Result.succeed(undefined)
  const text = textOf(value)
  return text !== undefined && isId(text) ? Result.succeed(text) : Result.fail("An id has 1 to 200 characters.")
}

const emailIn = (...values: ReadonlyArray<unknown>) => {
  for (const value of values) {
    const email = Predicate.isString(value) ? Option.getOrUndefined(decodeEmail(value)) : undefined
    if (email !== undefined) return email
  }
  return undefined
}

/** An instant that UUIDs and the database can hold. */
export const instantIn = (value: unknown): DateTime.Utc | undefined => {
  if (!Predicate.isString(value) || value.length > 64) return undefined
  const at = Option.getOrUndefined(DateTime.make(value))
  if (at === undefined) return undefined
  const millis = DateTime.toEpochMillis(at)
  return millis >= 0 && millis < 2 ** 43 ? DateTime.toUtc(at) : undefined
}

const short = (value: unknown) => (Predicate.isString(value) && value.length <= 100 ? value : undefined)

const ignored = (code: IgnoredCode, message: string) => Result.fail<Ignored>({ code, message })

const pageData = ({ name, category, properties }: Json): Json => ({
  ...(Predicate.isString(name) && { name }),
  ...(Predicate.isString(category) && { category }),
  ...recordIn(properties)
})

const eventOf = (type: MessageType, raw: Json): Result.Result<IngestMessage["event"], Ignored> => {
  if (type !== "track" && type !== "page" && type !== "screen") return Result.succeed(undefined)
  const data = type === "track" ? recordIn(raw["properties"]) : pageData(raw)
  if (!isData(data)) return ignored("invalid", "The properties are not data that can be stored.")
  if (type !== "track") return Result.succeed({ name: type, data })
  const name = Option.getOrUndefined(decodeName(raw["event"]))
  if (name === undefined) return ignored("invalid", "The event has no name of 1 to 255 characters.")
  return isReservedEvent(name)
    ? ignored("reserved_event", "This name is reserved for events of the service.")
    : Result.succeed({ name, data })
}

/** A message, whose type the path of the request or else the message itself names. */
export const readMessage = (given: unknown, named: MessageType | undefined): Result.Result<IngestMessage, Ignored> => {
  if (!isRecord(given)) return ignored("invalid", "A message is an object.")
  const text = JSON.stringify(given)
  // At most 4 bytes for each UTF-16 unit are not counted one by one.
  if (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes) {
    return ignored("too_big", `A message has at most ${maxBytes} bytes.`)
  }
  if (unstorableText(text).length > 0) return ignored("invalid", "The message has characters that cannot be stored.")
  const type = named ?? messageTypes.find((each) => each === given["type"])
  if (type === undefined) {
    return Predicate.isString(given["type"])
      ? ignored("unsupported", "Messages of this type are not supported.")
      : ignored("invalid", "The message has no type.")
  }
  const context = recordIn(given["context"])
  const traits = recordIn(given["traits"])
  const contextTraits = recordIn(context["traits"])
  const ids = [given["userId"], given["anonymousId"], given["previousId"], given["groupId"]].map(idIn)
  const wrong = ids.find(Result.isFailure)
  if (wrong !== undefined) return ignored("invalid", wrong.failure)
  const [userId, anonymousId, previousId, groupId] = ids.map((id) => Result.getOrElse(id, () => undefined))
  if (!isData(traits)) return ignored("invalid", "The traits are not data that can be stored.")
  if (type === "group" && groupId === undefined) return ignored("invalid", "A group has a `groupId`.")
  if (type === "alias" && (userId === undefined || previousId === undefined)) {
    return ignored("invalid", "An alias has a `userId` and a `previousId`.")
  }
  const hasEmail = type === "identify" && traits["email"] != null && traits["email"] !== ""
  const email = emailIn(...(type === "group" ? [] : [traits["email"]]), contextTraits["email"])
  if (hasEmail && emailIn(traits["email"]) === undefined) {
    return ignored("invalid", "`traits.email` is not a valid email address.")
  }
  const messageId = textOf(given["messageId"])
  return Result.map(eventOf(type, given), (event) => ({
    type,
    messageId: messageId !== undefined && messageId !== "" && messageId.length <= maxMessageId ? messageId : undefined,
    userId,
    anonymousId,
    previousId,
    groupId,
    email,
    propertyEmail: emailIn(recordIn(given["properties"])["email"]),
    locale: short(context["locale"]),
    timezone: short(context["timezone"]),
    traits,
    event,
    madeAt: instantIn(given["originalTimestamp"]) ?? instantIn(given["timestamp"]),
    timestamp: instantIn(given["timestamp"]) ?? instantIn(given["originalTimestamp"]),
    sentAt: instantIn(given["sentAt"])
  }))
}
