/**
 * Messages by SMTP as fast as a number of connections can submit them, from a separate process. Each connection has one
 * login and sends one command at a time, as most clients do.
 */
import { connect, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { type Effect, Schema } from "effect"
import { createTransport } from "nodemailer"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { latencyOf } from "../Statistics.ts"
import * as Letter from "./Letter.ts"

/** NaN if nothing was timed. */
const Millis = Schema.Number

export const Question = Schema.Struct({
  port: Schema.Int,
  /** The connections log in as these projects in turn. */
  projects: Schema.NonEmptyArray(Schema.Struct({ key: Schema.String, from: Schema.String })),
  connections: Schema.Int,
  seconds: Schema.Finite
})
type Question = typeof Question.Type

export const Answer = Schema.Struct({
  /** Messages that were accepted. */
  requests: Schema.Int,
  seconds: Schema.Finite,
  /** From MAIL to the 250 for the message. */
  latency: Schema.Struct({ p50: Millis, p95: Millis, p99: Millis })
})

/** Writes, and waits for one whole reply with this code. */
const dialogue = (socket: Socket) => {
  let heard = ""
  let found: (reply: string) => void = () => {}
  let failed: (error: Error) => void = () => {}
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1")
    if (!/^\d{3} .*\r\n/m.test(heard)) return
    const reply = heard
    heard = ""
    found(reply)
  })
  socket.on("error", (error) => failed(error))
  socket.on("close", () => failed(new Error("the connection was closed")))
  return (code: number, text?: string) =>
    new Promise<void>((resolve, reject) => {
      failed = reject
      found = (reply) => (reply.startsWith(String(code)) ? resolve() : reject(new Error(reply)))
      if (text !== undefined) socket.write(text)
    })
}

/** The message as nodemailer writes it; `$n` stands for a number. */
const letterOf = async (from: string) => {
  const { message } = await createTransport({ streamTransport: true, buffer: true, newline: "windows" }).sendMail({
    from: { address: from, name: "Bench" },
    to: "reader-$n@example.com",
    messageId: "<$n@client.bench.test>",
    subject: Letter.subject("Ada"),
    html: Letter.html("Ada", "pro"),
    text: Letter.text("Ada", "pro")
  })
  return message.toString()
}

let sent = 0

const run = async ({ connections, port, projects, seconds }: Question) => {
  const millis: Array<number> = []
  let begin = 0
  let end = Number.POSITIVE_INFINITY
  let ready = 0
  const submit = async (number: number) => {
    const { from, key } = projects[number % projects.length] ?? projects[0]
    const letter = await letterOf(from)
    const socket = connect(port, "127.0.0.1").setNoDelay()
    const say = dialogue(socket)
    await say(220)
    await say(250, "EHLO client.bench.test\r\n")
    await say(235, `AUTH PLAIN ${Buffer.from(`\0bench\0${key}`).toString("base64")}\r\n`)
    if (++ready === connections) {
      begin = performance.now()
      end = begin + seconds * 1000
    }
    while (performance.now() < end) {
      const n = `${process.pid}-${sent++}`
      const started = performance.now()
      await say(250, `MAIL FROM:<${from}>\r\n`)
      await say(250, `RCPT TO:<reader-${n}@example.com>\r\n`)
      await say(354, "DATA\r\n")
      await say(250, `${letter.replaceAll("$n", n)}\r\n.\r\n`)
      if (started >= begin && begin > 0) millis.push(performance.now() - started)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => submit(number)))
  const took = (performance.now() - begin) / 1000
  return { requests: millis.length, seconds: took, latency: latencyOf(millis) } satisfies typeof Answer.Type
}

export const start = Child.start({ name: "submissions", argv: [fileURLToPath(import.meta.url)], answers: true })
export type Submissions = Effect.Success<typeof start>

if (import.meta.main) answer(Question, run)
