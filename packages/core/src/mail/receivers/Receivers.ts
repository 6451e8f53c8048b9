/** Authenticates reports of relays and providers, and applies their events. */

import { Notification, Notifications, type Tally } from "@posthorn/contract/mail/receivers/Notification"
import { InvalidSignature, ReceiverNotConfigured } from "@posthorn/contract/mail/receivers/ReceiversApi"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { InvalidJson, ValidationError } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Result, Schema } from "effect"
import { Digest, type Mac, type Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { TextWork } from "../../content/text/TextWork.ts"
import { type FaultWithAllowed, faultsOf } from "../../platform/http/Faults.ts"
import { excessOf, unstorableText } from "../../platform/http/JsonText.ts"
import { SafeFetch } from "../../platform/outbound/SafeFetch.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ReportIntake from "../dmarc/ReportIntake.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import * as TransportNotifications from "../transports/TransportNotifications.ts"
import * as Inbound from "./Inbound.ts"
import { MailAuthentication, type SmtpClient, UnauthenticatedMail } from "./MailAuthentication.ts"
import * as MailReport from "./MailReport.ts"
import * as NotificationProcessor from "./NotificationProcessor.ts"
import { readMail } from "./ReportedMail.ts"
import { notificationsOf } from "./SesEvents.ts"
import { decodeMessage, decodeTime, type SnsMessage, subscribeUrl } from "./SnsMessage.ts"
import * as SnsSignature from "./SnsSignature.ts"
import { type SignedHeaders, verify } from "./WebhookSignature.ts"

export type Refusal = InvalidJson | InvalidSignature | ReceiverNotConfigured | ValidationError

/**
 * Takes reports and inbound mail. With the id of a transport, its secret and topics are the proof, and the report acts on
 * mail of its project alone. A service, because HTTP handlers, hosts and scheduled jobs call it.
 */
export class Receivers extends Context.Service<
  Receivers,
  {
    /** Signed JSON in the format of the service: one event or a list. If one event is invalid, none is applied. */
    readonly takeJson: (headers: SignedHeaders, body: Uint8Array, transport?: string) => Effect.Effect<Tally, Refusal>
    /** A message of Amazon SNS. Confirms the subscription of a topic of the installation or of a transport. */
    readonly takeSns: (body: Uint8Array, transport?: string) => Effect.Effect<Tally, Refusal>
    /** A raw mail, signed. */
    readonly takeSignedMail: (
      headers: SignedHeaders,
      body: Uint8Array,
      transport?: string
    ) => Effect.Effect<Tally, Refusal>
    /**
     * A raw mail with its envelope, from a public listener. A report in it counts only with the signed token of its return
     * path. With `peer`, inbound mail is authenticated. Fails if every project that would get the mail rejects it.
     */
    readonly takeMail: (
      body: Uint8Array,
      recipients: ReadonlyArray<string>,
      peer?: SmtpClient
    ) => Effect.Effect<Tally, UnauthenticatedMail>
    /** Tries parked events again, and deletes those that were parked for a day. */
    readonly retryParked: Effect.Effect<void>
    /** Deletes receipts after 30 days. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/mail/receivers/Receivers") {}

const nothing: Tally = { accepted: 0, duplicates: 0, parked: 0, ignored: 0 }
/** How the result of a DMARC report counts. */
const tallied = {
  stored: "accepted",
  duplicate: "duplicates",
  bad: "ignored",
  limited: "ignored",
  unknown: "ignored"
} as const satisfies { readonly [Result in ReportIntake.Result]: keyof Tally }
const ascii = new TextDecoder("latin1")
const headBytes = 64 * 1024
const oneIgnored: Tally = { ...nothing, ignored: 1 }
const maxNesting = 100

/** Maximum age of a message of SNS. Older ones are refused. */
const maxAges = {
  Notification: Duration.days(14),
  SubscriptionConfirmation: Duration.hours(1),
  UnsubscribeConfirmation: Duration.hours(1)
} as const
/** How far the time of a message of SNS may be in the future. */
const maxAhead = Duration.minutes(15)

const options = { errors: "all", reportInput: true } as const
const decodeMany = Schema.decodeUnknownEffect(Notifications, options)
const decodeOne = Schema.decodeUnknownEffect(Notification, options)

const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))
const decodeUtf8 = Option.liftThrowable((bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))

const invalid = (faults: ReadonlyArray<FaultWithAllowed>) =>
  new ValidationError({ errors: faults.slice(0, 50).map(({ allowed: _, ...fault }) => fault) })

/** The required fields that depend on the type of the event. */
const missing = (event: Notification, path: string): ReadonlyArray<FaultWithAllowed> => {
  const required = (field: string) => ({ field: `${path}${field}`, code: "required" as const, message: "Required." })
  if (event.type === "inbound") return event.mail ? [] : [required("mail")]
  return event.emailId || event.messageId ? [] : [required("emailId")]
}

const decodeEvents = Effect.fnUntraced(function* (
  body: Uint8Array
): Effect.fn.Return<ReadonlyArray<Notification>, InvalidJson | ValidationError> {
  const text = decodeUtf8(body)
  const excess = excessOf(body, { nesting: maxNesting, values: Number.POSITIVE_INFINITY })
  if (Option.isNone(text) || excess !== undefined) return yield* new InvalidJson()
  const json = parseJson(text.value)
  if (Option.isNone(json)) return yield* new InvalidJson()
  const unstorable = unstorableText(text.value)
  if (unstorable.length > 0) return yield* new ValidationError({ errors: unstorable.slice(0, 50) })
  const isMany = typeof json.value === "object" && json.value !== null && "events" in json.value
  const events = yield* (
    isMany
      ? Effect.map(decodeMany(json.value), ({ events }) => events)
      : Effect.map(decodeOne(json.value), (one) => [one])
  ).pipe(Effect.mapError(({ issue }) => invalid(faultsOf(issue))))
  const faults = events.flatMap((event, n) => missing(event, isMany ? `events.${n}.` : ""))
  return faults.length > 0 ? yield* invalid(faults) : events
})

export const layer: Layer.Layer<
  Receivers,
  never,
  | Digest.Digest
  | Inbound.Needs
  | Mac.Mac
  | NotificationProcessor.Needs
  | ReturnPath
  | SafeFetch
  | SecretBox
  | Signature.Signature
  | SqlClient.SqlClient
> = Layer.effect(
  Receivers,
  Effect.gen(function* () {
    const inbound = yield* Inbound.make
    const processor = yield* NotificationProcessor.make(inbound)
    const { check } = yield* MailAuthentication
    const mailReport = yield* MailReport.make
    const sns = yield* SnsSignature.make
    const { request } = yield* SafeFetch
    const digest = yield* Digest.Digest
    const mac = yield* Effect.context<Mac.Mac>()
    const { reportedDomain } = yield* ReturnPath
    const dmarc = yield* ReportIntake.make
    const work = yield* TextWork
    const { notificationSecret, snsTopics } = yield* Settings

    const { kindFor } = TransportNotifications
    const transports = yield* TransportNotifications.make

    const notifierOf = Effect.fnUntraced(function* (transport: string | undefined) {
      if (transport === undefined) return undefined
      const notifier = yield* transports.notifier(transport)
      return notifier === undefined ? yield* new InvalidSignature() : notifier
    })

    /** The project whose transport sent the report. Undefined for the installation. */
    const authenticate = Effect.fnUntraced(function* (
      headers: SignedHeaders,
      body: Uint8Array,
      transport: string | undefined
    ) {
      const notifier = yield* notifierOf(transport)
      const secret: Redacted.Redacted<string> | undefined =
        notifier === undefined ? notificationSecret : notifier.secret
      if (secret === undefined) return yield* new ReceiverNotConfigured()
      const isRight = yield* Effect.provideContext(verify(secret, headers, body), mac)
      if (!isRight) return yield* new InvalidSignature()
      return notifier?.project
    })

    const takeJson = Effect.fn("Receivers.takeJson")(function* (
      headers: SignedHeaders,
      body: Uint8Array,
      transport?: string
    ) {
      const project = yield* authenticate(headers, body, transport)
      return yield* processor.apply(kindFor("neutral", project), yield* decodeEvents(body))
    })

    /** The projects on whose mail a topic acts. Undefined stands for all: a topic of the installation. */
    const ownersOf = Effect.fnUntraced(function* (topic: string, transport: string | undefined) {
      const notifier = yield* notifierOf(transport)
      if (notifier !== undefined) return notifier.topics.includes(topic) ? [notifier.project] : []
      return snsTopics.includes(topic) ? [undefined] : yield* transports.ownersOf(topic)
    })

    /** The time of the message. Undefined if it is too old or in the future. */
    const madeAt = (message: SnsMessage) =>
      Effect.map(DateTime.now, (now) => {
        const at = Option.getOrUndefined(decodeTime(message.Timestamp))
        if (at === undefined || DateTime.isGreaterThan(at, DateTime.addDuration(now, maxAhead))) return undefined
        return DateTime.isLessThan(at, DateTime.subtractDuration(now, maxAges[message.Type])) ? undefined : at
      })

    const confirm = Effect.fnUntraced(function* (message: SnsMessage) {
      const url = subscribeUrl(message.SubscribeURL ?? "")
      if (url === undefined) return yield* new InvalidSignature()
      const answer = yield* Effect.result(request({ method: "GET", url, timeout: Duration.seconds(10) }))
      const confirmed = Result.isSuccess(answer) && answer.success.status < 300
      if (!confirmed) {
        // After an error, SNS sends the message again.
        return yield* Effect.die(new Error("A subscription of SNS could not be confirmed."))
      }
      yield* Effect.logInfo("A subscription of SNS is confirmed", { topic: message.TopicArn })
      return { ...nothing, accepted: 1 }
    })

    const takeSns = Effect.fn("Receivers.takeSns")(function* (body: Uint8Array, transport?: string) {
      const message = Option.getOrUndefined(Option.flatMap(decodeUtf8(body), decodeMessage))
      const owners = message === undefined ? [] : yield* ownersOf(message.TopicArn, transport)
      if (snsTopics.length === 0 && owners.length === 0) return yield* new ReceiverNotConfigured()
      // Checked first, so that nothing is fetched for an unknown topic or an old message.
      if (message === undefined || owners.length === 0) return yield* new InvalidSignature()
      const at = yield* madeAt(message)
      if (at === undefined || !(yield* sns.isRight(message))) return yield* new InvalidSignature()
      switch (message.Type) {
        case "SubscriptionConfirmation":
          return yield* confirm(message)
        case "UnsubscribeConfirmation":
          yield* Effect.logWarning("A subscription of SNS has ended", { topic: message.TopicArn })
          return oneIgnored
        case "Notification": {
          const events = notificationsOf(message.MessageId, message.Message, at)
          if (events === undefined) {
            return yield* ValidationError.one("Message", "custom", "Not a notification of SES.")
          }
          if (events.length === 0) return oneIgnored
          const tallies = yield* Effect.forEach(owners, (project) => processor.apply(kindFor("sns", project), events))
          return tallies.reduce((sum, tally) => ({
            accepted: sum.accepted + tally.accepted,
            duplicates: sum.duplicates + tally.duplicates,
            parked: sum.parked + tally.parked,
            ignored: sum.ignored + tally.ignored
          }))
        }
      }
    })

    const applyMail = (events: ReadonlyArray<Notification>, project?: ProjectId) =>
      events.length === 0 ? Effect.succeed(oneIgnored) : processor.apply(kindFor("mail", project), events)

    /** Takes DMARC reports, and returns the recipients that are no addresses for them. A forged address takes nothing. */
    const takeReports = Effect.fnUntraced(function* (
      body: Uint8Array,
      recipients: ReadonlyArray<string>,
      project?: ProjectId
    ) {
      let tally: Tally = nothing
      const others: Array<string> = []
      for (const address of recipients) {
        const domain = yield* reportedDomain(address)
        if (domain === "other") others.push(address)
        else if (domain === "forged") tally = { ...tally, ignored: tally.ignored + 1 }
        else {
          const result = tallied[yield* dmarc.take(body, domain, project)]
          tally = { ...tally, [result]: tally[result] + 1 }
        }
      }
      return { tally, others }
    })

    /** The recipients in the header fields, if one of them may be an address for DMARC reports. */
    const namedRecipients = Effect.fnUntraced(function* (body: Uint8Array) {
      if (!/dmarc\+/i.test(ascii.decode(body.subarray(0, headBytes)))) return []
      return yield* Effect.match(readMail(body, work), {
        onFailure: () => [],
        onSuccess: ({ recipients }) => recipients
      })
    })

    const takeSignedMail = Effect.fn("Receivers.takeSignedMail")(function* (
      headers: SignedHeaders,
      body: Uint8Array,
      transport?: string
    ) {
      const project = yield* authenticate(headers, body, transport)
      const named = yield* namedRecipients(body)
      const { others, tally } = yield* takeReports(body, named, project)
      if (others.length < named.length) return tally
      const events = yield* Effect.mapError(
        mailReport.read({ bytes: body, id: headers.id ?? "", isSigned: true }),
        () => ValidationError.one("", "custom", "The mail cannot be read.")
      )
      return yield* applyMail(events, project)
    })

    /** Adds the results of SPF, DKIM and DMARC. */
    const authenticated = Effect.fnUntraced(function* (event: Notification, bytes: Uint8Array, peer: SmtpClient) {
      if (!event.mail) return event
      const results = yield* check({ ...peer, bytes, from: event.mail.from })
      return { ...event, mail: { ...event.mail, ...results } }
    })

    const takeMail = Effect.fn("Receivers.takeMail")(function* (
      body: Uint8Array,
      recipients: ReadonlyArray<string>,
      peer?: SmtpClient
    ) {
      const { others, tally } = yield* takeReports(body, recipients)
      if (others.length === 0 && recipients.length > 0) return tally
      const id = yield* Effect.orDie(digest.digestHex(Digest.sha256, body))
      const read = yield* Effect.option(mailReport.read({ bytes: body, id, recipients: others, isSigned: false }))
      if (Option.isNone(read)) return oneIgnored
      const events =
        peer === undefined ? read.value : yield* Effect.forEach(read.value, (event) => authenticated(event, body, peer))
      const rejected = yield* Effect.forEach(events, inbound.isRejected)
      if (events.length > 0 && rejected.every(Boolean)) return yield* new UnauthenticatedMail()
      return yield* applyMail(events)
    })

    return Receivers.of({
      takeJson,
      takeSns,
      takeSignedMail,
      takeMail,
      retryParked: processor.retryParked,
      sweep: processor.sweep
    })
  })
)
