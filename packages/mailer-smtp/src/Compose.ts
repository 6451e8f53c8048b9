/**
 * Builds the bytes of a message: header fields, MIME tree and DKIM signatures. Only the signatures are asynchronous.
 */
import { CannotCompose, Composer, type Message } from "@posthorn/core/platform/Mailer"
import { DateTime, Effect, Layer } from "effect"
import * as Dkim from "./Dkim.ts"
import { makeCache } from "./DkimKeys.ts"
import { custom, type Field, field, mailbox, mailboxes, text } from "./HeaderField.ts"
import { faultOf } from "./MessageFaults.ts"
import { tree } from "./Mime.ts"

const keyCapacity = 1000

const lineLimit = 998

/** Characters of a text that takes milliseconds for each step. Others have a turn in between. */
const long = 100_000

/** RFC 5322 section 2.1.1. Encoded fields are always shorter; only fields that cannot be encoded can be too long. */
const isTooLong = ({ wire }: Field) =>
  wire.length > lineLimit && wire.split("\r\n").some((line) => Buffer.byteLength(line) > lineLimit)

const rfc5322Date = (date: DateTime.Utc) => DateTime.toDateUtc(date).toUTCString().replace("GMT", "+0000")

const header = (message: Message, content: ReadonlyArray<Field>): ReadonlyArray<Field> => [
  mailbox("From", message.from),
  mailboxes("To", message.to),
  ...(message.cc.length === 0 ? [] : [mailboxes("Cc", message.cc)]),
  ...(message.replyTo === undefined ? [] : [mailbox("Reply-To", message.replyTo)]),
  text("Subject", message.subject),
  field("Date", rfc5322Date(message.date)),
  field("Message-ID", `<${message.messageId}>`),
  ...message.headers.map(([name, value]) => custom(name, value)),
  field("MIME-Version", "1.0"),
  ...content
]

export const layer: Layer.Layer<Composer> = Layer.sync(Composer, () => {
  const secretOf = makeCache(keyCapacity)

  const compose = Effect.fn("Composer.compose")(function* (message: Message) {
    const fault = faultOf(message)
    if (fault !== undefined) return yield* new CannotCompose({ message: fault })

    const turn = message.html.length + message.text.length > long ? Effect.yieldNow : Effect.void
    const content = tree(message)
    yield* turn
    const fields = header(message, content.fields)
    const tooLong = fields.find(isTooLong)
    if (tooLong)
      return yield* new CannotCompose({ message: `The header ${tooLong.name} has a word that is too long for a line` })

    const body = content.body.endsWith("\r\n") ? content.body : `${content.body}\r\n`
    const signers = yield* Effect.forEach(message.dkim, (key) =>
      Effect.map(secretOf(key), (secret) => ({ key, secret }))
    )
    const seconds = Math.floor(DateTime.toEpochMillis(message.date) / 1000)
    const signatures = signers.length === 0 ? [] : yield* Dkim.signatures(fields, body, signers, seconds)
    yield* turn
    return Buffer.from(`${signatures.join("")}${fields.map(({ wire }) => wire).join("")}\r\n${body}`)
  })

  return Composer.of({ compose })
})
