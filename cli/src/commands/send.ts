/** Commands that take an address: `send` and `verify`. */

import { createHash } from "node:crypto"
import type { Attachment, BatchDefaults, BatchItem, SentBatch } from "@posthorn/client"
import { Effect, FileSystem, Path, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Base64 } from "effect/encoding"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { confirmPast, idempotencyKey, jsonObject, optional, text, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

/** The most lines of one batch. */
const step = 500

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** A line of the file, from 1. */
interface Line {
  readonly number: number
  readonly text: string
}

/** The result of a line. */
export interface LineResult {
  readonly line: number
  readonly result: SentBatch["data"]["results"][number]
}

const unreadable = (file: string) => (error: { readonly reason: { readonly _tag: string } }) =>
  wrongUsage(`The file ${file} cannot be read (${error.reason._tag}).`)

/** Derived from the file name and the line, so that a second run sends only what the first one did not. */
const keyOf = (name: string, { number, text }: Line): string => {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return `${name.replace(/[^\x20-\x7e]/g, "_").slice(-200)}:${number}:${hash}`
}

/** The results in the order of the lines. Without `atomic`, a faulty line does not stop the others. */
export const sendFile = (
  file: string,
  defaults: BatchDefaults,
  atomic: boolean
): Stream.Stream<LineResult, CommandFailure, Api | FileSystem.FileSystem | Path.Path> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { basename } = yield* Path.Path
      const { call } = yield* Api
      const name = basename(file)

      const itemOf = (line: Line): Effect.Effect<BatchItem, CommandFailure> => {
        const item = decode(line.text)
        if (item._tag === "None") {
          return Effect.fail(wrongUsage(`Line ${line.number} of ${file} is not a JSON object.`))
        }
        // The service checks the fields.
        return Effect.succeed({ idempotencyKey: keyOf(name, line), ...item.value } as BatchItem)
      }

      /** Replaces positions in the batch with lines of the file. */
      const inFile = (lines: ReadonlyArray<Line>) => (failure: CommandFailure) =>
        new CommandFailure({
          ...failure,
          errors: failure.errors?.map(({ field, message }) => ({
            field: field.replace(/^emails\.(\d+)/, (_, index) => `line ${lines[Number(index)]?.number}`),
            message
          }))
        })

      const sendLines = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
        const emails = yield* Effect.forEach(lines, itemOf)
        const { results } = yield* call(({ batch }) =>
          batch({ emails, defaults, atomic }, { idempotencyMode: "replay" })
        ).pipe(Effect.mapError(inFile(lines)))
        return results.map((result, n): LineResult => ({ line: lines[n]?.number ?? 0, result }))
      })

      return fs.stream(file).pipe(
        Stream.mapError(unreadable(file)),
        Stream.decodeText(),
        Stream.splitLines,
        Stream.zipWithIndex,
        Stream.map(([text, index]): Line => ({ number: index + 1, text })),
        Stream.filter(({ text }) => text.trim() !== ""),
        Stream.grouped(step),
        Stream.mapEffect(sendLines),
        Stream.flattenIterable
      )
    })
  )

/** Each file has its own name, which determines its type. */
const attachmentsOf = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* Effect.forEach(files, (file) =>
    fs.readFile(file).pipe(
      Effect.map((bytes): Attachment => ({ filename: path.basename(file), content: Base64.encode(bytes) })),
      Effect.mapError(({ reason }) => wrongUsage(`The attachment ${file} cannot be read (${reason._tag}).`))
    )
  )
})

const unlessEmpty = <A>(items: ReadonlyArray<A>) => (items.length === 0 ? undefined : items)

/** Prints each line once it is accepted. Fails at the end if some lines were refused. */
const printResults = Effect.fnUntraced(function* <R>(results: Stream.Stream<LineResult, CommandFailure, R>) {
  let refused = 0
  const counted = Stream.tap(results, ({ result }) =>
    Effect.sync(() => {
      if (result.error !== undefined) refused++
    })
  )
  yield* Output.list(counted, {
    head: ["line", "status", "id", "error"],
    row: ({ line, result: { emails, error, replayed } }) => [
      line,
      error === undefined ? (replayed ? "sent before" : emails?.[0]?.status) : "refused",
      emails?.[0]?.email,
      error === undefined ? undefined : [error.message, ...(error.errors ?? []).map(({ message }) => message)].join(" ")
    ],
    none: "The file has no mails."
  })
  if (refused > 0) {
    return yield* new CommandFailure({
      exit: "failed",
      code: "LINES_REFUSED",
      message: `${refused} ${refused === 1 ? "line was" : "lines were"} refused; the others were sent.`,
      suggestion: "Correct these lines and run the command again: it sends only what is missing."
    })
  }
})

export const send = Command.make(
  "send",
  {
    recipients: Flag.String("file").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription(
        "Send the mails of this file, which has one JSON object with fields of the API on each line; other options apply to all of them. A second run sends only what is missing"
      ),
      Flag.map((file) => ({ file, to: [] as ReadonlyArray<string> })),
      Flag.orElse(() =>
        Flag.String("to").pipe(
          Flag.withMetavar("<address>"),
          Flag.withDescription(
            "Recipient, as an address or as 'Ada <ada@example.com>'; may be repeated; required without --file"
          ),
          Flag.atLeast(1),
          Flag.map((to) => ({ file: undefined, to }))
        )
      )
    ),
    atomic: Flag.Boolean("atomic").pipe(
      Flag.withDescription(
        "With --file: send all lines or none; --no-atomic sends the valid lines even if others are faulty"
      ),
      optional
    ),
    cc: Flag.String("cc").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Recipient of a visible copy, in the form of --to; may be repeated; needs a single --to"),
      Flag.atLeast(0)
    ),
    bcc: Flag.String("bcc").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Recipient of a blind copy; may be repeated"),
      Flag.atLeast(0)
    ),
    from: Flag.String("from").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Sender at a verified domain, in the form of --to; required unless the template has one"),
      optional
    ),
    subject: text("subject").pipe(Flag.withDescription("Subject; required without a template"), optional),
    body: text("body").pipe(
      Flag.withDescription("HTML with {{variables}}; required without a template, unless there is --text"),
      optional
    ),
    text: text("text").pipe(
      Flag.withDescription("Plain text part; default: derived from the HTML. Without --body, the mail has no HTML"),
      optional
    ),
    template: Flag.String("template").pipe(
      Flag.withMetavar("<id>"),
      Flag.withDescription("Template for all values that are not given here"),
      optional
    ),
    templateAlias: Flag.String("template-alias").pipe(
      Flag.withMetavar("<alias>"),
      Flag.withDescription("Alias of the template, instead of --template"),
      optional
    ),
    topic: Flag.String("topic").pipe(
      Flag.withMetavar("<id or key>"),
      Flag.withDescription("Topic of the mail, which each recipient must take; default: the template's"),
      optional
    ),
    locale: Flag.String("locale").pipe(
      Flag.withMetavar("<tag>"),
      Flag.withDescription("Language of the mail, such as de or pt-BR; default: the language of each contact"),
      optional
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Variables, also stored on the contacts"), optional),
    subscribed: Flag.Boolean("subscribed").pipe(
      Flag.withDescription("Subscribe the recipients to marketing mail, or unsubscribe them with --no-subscribed"),
      optional
    ),
    replyTo: Flag.String("reply-to").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Address for replies"),
      optional
    ),
    headers: Flag.KeyValuePair("headers").pipe(
      Flag.withMetavar("<name=value>"),
      Flag.withDescription("An additional header; may be repeated"),
      optional
    ),
    attachments: Flag.String("attachments").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription("File to attach; may be repeated"),
      Flag.atLeast(0)
    ),
    tags: Flag.KeyValuePair("tags").pipe(
      Flag.withMetavar("<key=value>"),
      Flag.withDescription("A tag to find the mail by; may be repeated"),
      optional
    ),
    scheduledFor: Flag.String("scheduled-for").pipe(
      Flag.withMetavar("<time>"),
      Flag.withDescription("When to send, in ISO 8601, UTC unless it has a zone; asks if that is in the past"),
      optional
    ),
    strict: Flag.Boolean("strict").pipe(
      Flag.withDescription("Refuse the mail if a variable has no value; default: the setting of the template"),
      optional
    ),
    interpolate: Flag.Boolean("interpolate").pipe(
      Flag.withDescription("Replace variables; --no-interpolate sends the texts as written"),
      optional
    ),
    tracking: Flag.Boolean("tracking").pipe(
      Flag.withDescription(
        "Track opens and clicks, or with --no-tracking do not; overrides the setting of the project"
      ),
      optional
    ),
    idempotencyKey,
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({
    attachments: files,
    recipients: { file, to },
    atomic,
    cc,
    bcc,
    idempotencyKey,
    url,
    key,
    project,
    dataDir,
    yes,
    ...mail
  }) {
    const { call } = yield* Api
    const attachments = unlessEmpty(yield* attachmentsOf(files))
    if (file !== undefined) {
      if (cc.length + bcc.length > 0 || idempotencyKey !== undefined) {
        return yield* wrongUsage("With --file, recipients and idempotency keys are fields of the lines.")
      }
      yield* confirmPast(mail.scheduledFor, "all mails without a time of their own would be sent at once", yes)
      return yield* printResults(sendFile(file, { ...mail, attachments }, atomic ?? true))
    }
    yield* confirmPast(mail.scheduledFor, "the mail would be sent at once", yes)
    const sent = yield* call(({ send }) =>
      send(
        {
          ...mail,
          to,
          cc: unlessEmpty(cc),
          bcc: unlessEmpty(bcc),
          attachments
        },
        { idempotencyKey }
      )
    )
    yield* Output.one(sent, {
      head: ["id", "status", "to"],
      rows: [
        ...sent.emails.map(({ email, status, contact }) => [email, status, contact.email]),
        ...(sent.copies ?? []).map(({ email, status, to }) => [email, status, to])
      ]
    })
  })
).pipe(
  Command.withDescription("Send an email to one or more recipients; each gets a separate email"),
  Command.withExamples([
    {
      command: "posthorn send --to ada@example.com --from hi@posthorn.test --subject Hello --body '<p>It works.</p>'",
      description: "With a running `posthorn dev` in this folder"
    },
    { command: "posthorn send --file receipts.ndjson --from hi@example.com --subject 'Your receipt' --no-atomic" },
    { command: "render | posthorn send --to ada@example.com --from hi@example.com --subject Hello --body -" },
    {
      command:
        "posthorn send --to ada@example.com --from hi@example.com --subject Reminder --text 'See you.' --tags order=4711 --scheduled-for 2026-12-24T09:00:00Z"
    },
    {
      command: `posthorn send --to ada@example.com --template 019a9f3c-0000-7000-8000-0000000000c1 --data '{"plan":"pro"}'`
    },
    { command: "posthorn send --to ada@example.com --template-alias welcome --locale de" }
  ]),
  withApi
)

export const verify = Command.make(
  "verify",
  { email: Argument.String("email").pipe(Argument.withDescription("Address to check")), ...connectionOptions },
  Effect.fnUntraced(function* ({ email }) {
    const { call } = yield* Api
    const verdict = yield* call((posthorn) => posthorn.verify({ email }))
    yield* Output.one(verdict, {
      rows: [
        ["email", verdict.email],
        ["valid", verdict.valid ? "yes" : "no"],
        ["reasons", verdict.reasons.join(" ")]
      ]
    })
  })
).pipe(
  Command.withDescription("Check an address without sending email to it: its syntax, its domain, likely typos"),
  Command.withExamples([{ command: "posthorn verify ada@gnail.com" }]),
  withApi
)
