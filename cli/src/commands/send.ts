import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { attachmentsOf } from "../options/Attachments.ts"
import { idempotencyKey } from "../options/IdempotencyKey.ts"
import { jsonObject } from "../options/JsonObject.ts"
import { optional } from "../options/Optional.ts"
import { text } from "../options/StandardInput.ts"
import * as Output from "../output/Output.ts"

export const send = Command.make(
  "send",
  {
    to: Flag.String("to").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Recipient, alone or as 'Ada <ada@example.com>'; may be repeated"),
      Flag.atLeast(1)
    ),
    from: Flag.String("from").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription(
        "Sender, at a verified domain, alone or with a name as --to; needed unless the template has one"
      ),
      optional
    ),
    subject: text("subject").pipe(Flag.withDescription("Subject; needed without a template"), optional),
    body: text("body").pipe(Flag.withDescription("HTML with {{variables}}; needed without a template"), optional),
    template: Flag.String("template").pipe(
      Flag.withMetavar("<id>"),
      Flag.withDescription("Template that supplies what is not given here"),
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
      Flag.withDescription("A header of your own; may be repeated"),
      optional
    ),
    attachments: Flag.String("attachments").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription("File to attach; may be repeated"),
      Flag.atLeast(0)
    ),
    tracking: Flag.Boolean("tracking").pipe(
      Flag.withDescription("Track opens and clicks, whatever the setting of the project; --no-tracking turns it off"),
      optional
    ),
    idempotencyKey,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ to, from, subject, body, template, data, subscribed, replyTo, headers, ...options }) {
    const { call } = yield* Api
    const { idempotencyKey, tracking } = options
    const attachments = yield* attachmentsOf(options.attachments)
    const mail = { subject, body, template, data, subscribed, replyTo, headers, tracking }
    const sent = yield* call(({ send }) =>
      send({ ...mail, to, from, attachments: attachments.length === 0 ? undefined : attachments }, { idempotencyKey })
    )
    yield* Output.one(sent, {
      head: ["id", "status", "to"],
      rows: sent.emails.map(({ email, status, contact }) => [email, status, contact.email])
    })
  })
).pipe(
  Command.withDescription("Send an email to one or more recipients; each gets a separate email"),
  Command.withExamples([
    {
      command: "posthorn send --to ada@example.com --from hi@posthorn.test --subject Hello --body '<p>It works.</p>'",
      description: "Against a running `posthorn dev` in this folder"
    },
    { command: "render | posthorn send --to ada@example.com --from hi@example.com --subject Hello --body -" },
    {
      command: `posthorn send --to ada@example.com --template 019a9f3c-0000-7000-8000-0000000000c1 --data '{"plan":"pro"}'`
    }
  ]),
  withApi
)
