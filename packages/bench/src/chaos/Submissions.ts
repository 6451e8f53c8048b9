/** Clients that submit mail by SMTP, and repeat a message until they have read its 250. */
import { connect } from "node:net"
import { Effect, Schema } from "effect"
import { submissionPort } from "../processes/SubmissionPort.ts"
import type * as Load from "./Load.ts"

/** Milliseconds after which a server without a reply counts as hanging. */
const usualPatience = 10_000

const Mail = Schema.decodeUnknownEffect(
  Schema.Struct({
    from: Schema.String,
    to: Schema.Array(Schema.String),
    subject: Schema.String,
    body: Schema.String,
    scheduledFor: Schema.optionalKey(Schema.String)
  })
)

/** Every other message has an Idempotency-Key in place of a Message-ID. Each repetition has another trace. */
const messageOf = Effect.fnUntraced(function* ({ body, key = "" }: Load.Request, number: number, tries: number) {
  const { body: html, from, scheduledFor, subject, to } = yield* Effect.orDie(Mail(body))
  const identity = number % 2 === 0 ? `Message-ID: <${key}@client.test>` : `X-Posthorn-Idempotency-Key: ${key}`
  const head = [
    `Received: by relay.test; try ${tries}`,
    `From: ${from}`,
    `To: ${to.join(", ")}`,
    `Subject: ${subject}`,
    identity,
    ...(scheduledFor === undefined ? [] : [`X-Posthorn-Scheduled-For: ${scheduledFor}`]),
    "Content-Type: text/html; charset=utf-8"
  ]
  const lines = html.match(/.{1,900}/gs) ?? []
  return { from, to, text: `${[...head, "", ...lines].join("\r\n")}\r\n.\r\n` }
})

/** The last reply; undefined if the connection ended before it. */
const submit = (port: number, key: string, message: Effect.Success<ReturnType<typeof messageOf>>, patience: number) =>
  Effect.callback<string | undefined>((resume) => {
    const socket = connect(port, "127.0.0.1").setNoDelay()
    const commands = [
      "EHLO client.test",
      `AUTH PLAIN ${Buffer.from(`\0any\0${key}`).toString("base64")}`,
      `MAIL FROM:<${message.from}>`,
      ...message.to.map((to) => `RCPT TO:<${to}>`),
      "DATA"
    ].map((command) => `${command}\r\n`)
    const steps = [...commands, message.text]
    let heard = ""
    const end = (reply: string | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resume(Effect.succeed(reply))
    }
    const timer = setTimeout(() => {
      socket.destroy()
      resume(Effect.die(new Error(`The submission service on port ${port} hangs`)))
    }, patience)
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1")
      const reply = /^\d{3} .*(?=\r\n)/m.exec(heard)?.[0]
      if (reply === undefined) return
      heard = ""
      const next = steps.shift()
      if (next === undefined || !/^[23]/.test(reply)) end(reply)
      else socket.write(next)
    })
    socket.on("error", () => end(undefined))
    socket.on("close", () => end(undefined))
  })

/**
 * `accepted` grows with the addresses of the recipients: a reply names the first mail alone. A message that was accepted
 * twice must have one id.
 */
export const accept: Load.Accept = (url, requests, accepted, { patience = usualPatience } = {}) =>
  Effect.forEach(
    requests,
    Effect.fnUntraced(function* (request, number) {
      for (let tries = 0; ; tries++) {
        const message = yield* messageOf(request, number, tries)
        // A server that has just died has no port.
        const port = yield* Effect.catchCause(submissionPort(url()), () => Effect.succeed(undefined))
        const reply = port === undefined ? undefined : yield* submit(port, request.project.key, message, patience)
        if (reply?.startsWith("250 2.0.0 Ok: queued as ") === true) {
          for (const to of message.to) accepted.add(to)
          return
        }
        if (reply?.startsWith("5") === true) {
          return yield* Effect.die(new Error(`A message was answered ${reply}`))
        }
        yield* Effect.sleep("250 millis")
      }
    }),
    { concurrency: 8, discard: true }
  )
