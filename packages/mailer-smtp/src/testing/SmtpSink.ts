/**
 * An SMTP peer on a raw socket that misbehaves on demand. Tests use it as the record of deliveries: it records each
 * message before it sends the accepting reply, so every listed message was delivered, whatever the sender assumes.
 *
 * It also runs as its own process: `node SmtpSink.ts --port 0 --log mails.ndjson` prints its port as its first line and
 * appends a line of JSON for each accepted message. `--drop STAGE`, `--reply "STAGE=451 4.7.1 later"` and `--delay
 * STAGE=MILLISECONDS` can be repeated and make it misbehave. With `--every N`, only each Nth occurrence of a stage is
 * affected.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { parseArgs } from "node:util"
import type { Certificate } from "./Certificate.ts"
import { converse, type Dialogue, type Misbehaviour, type Moment, type Stage, stages } from "./SinkDialogue.ts"

export type { Misbehaviour, Moment, Stage }
export { stages }

export type Misbehave = (moment: Moment) => Misbehaviour | undefined

export interface SinkOptions {
  /** Default: any free port. */
  readonly port?: number | undefined
  /** Lines of the EHLO reply, after the name. */
  readonly extensions?: ReadonlyArray<string> | undefined
  readonly misbehave?: Misbehave | undefined
  /** A file to which each accepted message is appended as a line of JSON, without its content. */
  readonly log?: string | undefined
  /** Whether `mails` and `commands` are kept. Default true. */
  readonly keep?: boolean | undefined
  /** Whether `mails` have their content. Default true. */
  readonly keepContent?: boolean | undefined
}

export interface SinkMail {
  readonly messageId: string
  readonly from: string
  readonly rcpt: string
  /** Unix time in milliseconds. */
  readonly at: number
  readonly bytes: number
  readonly isEncrypted: boolean
  /** The content as received, without stuffed dots; empty if content is not kept. */
  readonly raw: Buffer
}

export interface Sink {
  readonly port: number
  /** The accepted messages, in order. */
  readonly mails: ReadonlyArray<SinkMail>
  /** Every command line, in the order of arrival. */
  readonly commands: ReadonlyArray<string>
  readonly accepted: () => number
  /** The number of connections so far, and of those open now. */
  readonly connections: () => number
  readonly openConnections: () => number
  /** Replaces the misbehaviour of the options from now on. */
  readonly misbehave: (misbehave: Misbehave | undefined) => void
  /** Offers STARTTLS to new connections; off by default. */
  readonly secure: (certificate: Certificate | undefined) => void
  readonly close: () => Promise<void>
}

const usualExtensions = ["PIPELINING", "SIZE 52428800", "8BITMIME", "ENHANCEDSTATUSCODES", "SMTPUTF8"]

const messageId = (raw: Buffer) => /^message-id:\s*<([^>]*)>/im.exec(raw.toString("latin1", 0, 16_384))?.[1] ?? ""

/** Listens on loopback. */
export const startSink = async (options: SinkOptions = {}): Promise<Sink> => {
  const { extensions = usualExtensions, keep = true, keepContent = true } = options
  const log = options.log === undefined ? undefined : openSync(options.log, "a")
  const mails: Array<SinkMail> = []
  const commands: Array<string> = []
  const open = new Set<Socket>()
  let misbehave = options.misbehave
  let certificate: Certificate | undefined
  let connections = 0
  let started = 0
  let accepted = 0

  const onAccepted: Dialogue["onAccepted"] = (mail, raw) => {
    const line = { messageId: messageId(raw), ...mail, at: Date.now(), bytes: raw.length }
    accepted++
    if (log !== undefined) writeSync(log, `${JSON.stringify(line)}\n`)
    if (keep) mails.push({ ...line, raw: keepContent ? raw : Buffer.alloc(0) })
  }

  const serve = (socket: Socket) => {
    const connection = ++connections
    open.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => open.delete(socket))
    const conversation = converse(socket, {
      extensions,
      certificate,
      misbehaviour: (moment) => misbehave?.({ ...moment, connection }) ?? {},
      onCommand: (command) => keep && commands.push(command),
      onMail: () => ++started,
      onAccepted
    })
    conversation.catch(() => socket.destroy())
  }

  const server = createServer({ noDelay: true }, serve)
  const port = await new Promise<number>((listening, failed) => {
    server.once("error", failed)
    server.listen(options.port ?? 0, "127.0.0.1", () => {
      const bound = server.address()
      listening(typeof bound === "object" && bound !== null ? bound.port : 0)
    })
  })

  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => {
        if (log !== undefined) closeSync(log)
        closed()
      })
      for (const socket of open) socket.destroy()
    })

  return {
    port,
    mails,
    commands,
    accepted: () => accepted,
    connections: () => connections,
    openConnections: () => open.size,
    misbehave: (next) => {
      misbehave = next
    },
    secure: (next) => {
      certificate = next
    },
    close
  }
}

const isStage = (text: string): text is Stage => stages.some((stage) => stage === text)

/** `STAGE=VALUE` or `STAGE`. */
const stageAndValue = (text: string): readonly [Stage, string] => {
  const [stage = "", ...value] = text.split("=")
  if (!isStage(stage)) throw new Error(`${stage} is none of the stages ${stages.join(", ")}`)
  return [stage, value.join("=")]
}

const main = async () => {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      log: { type: "string" },
      every: { type: "string", default: "1" },
      drop: { type: "string", multiple: true, default: [] },
      reply: { type: "string", multiple: true, default: [] },
      delay: { type: "string", multiple: true, default: [] }
    }
  })
  const at = new Map<Stage, Misbehaviour>()
  const add = (stage: Stage, misbehaviour: Misbehaviour) => at.set(stage, { ...at.get(stage), ...misbehaviour })
  for (const [stage] of values.drop.map(stageAndValue)) add(stage, { drop: true })
  for (const [stage, reply] of values.reply.map(stageAndValue)) add(stage, { reply })
  for (const [stage, delay] of values.delay.map(stageAndValue)) add(stage, { delay: Number(delay) })

  const seen = new Map<Stage, number>()
  const misbehave: Misbehave = ({ stage }) => {
    const count = (seen.get(stage) ?? 0) + 1
    seen.set(stage, count)
    return count % Number(values.every) === 0 ? at.get(stage) : undefined
  }
  const sink = await startSink({ port: Number(values.port), log: values.log, keep: false, misbehave })
  console.log(sink.port)
  const stop = () => void sink.close()
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
}

if (import.meta.main) await main()
