/**
 * Holds hostile SMTP sessions with the submission service, and valid ones in between, which must succeed. Every reply is
 * well-formed, no session hangs, and every stored mail was confirmed to its client.
 */
import {
  acceptedIn,
  converse,
  deviationOf,
  drawSession,
  type Ending,
  generator,
  type Session
} from "@posthorn/node/endToEnd/testing/SmtpSessions"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../Postgres.ts"
import { submissionPort } from "../processes/SubmissionPort.ts"
import type { Sender } from "../Seed.ts"

export interface Options {
  readonly sessions: number
  readonly seed: number
  readonly concurrency: number
}

interface Target {
  readonly url: string
  readonly database: string
  /** The project of clients that read their replies to the end, and that of clients that do not. */
  readonly senders: readonly [reading: Sender, vanishing: Sender]
  /** Valid requests of the API, which must be answered as usual. */
  readonly good: Effect.Effect<void>
}

/** Places of all clients; the others stay free for valid sessions. */
const mostAtOnce = 40

/** Sessions between two valid ones. */
const checkEvery = 50

const endings: ReadonlyArray<Ending> = ["reads", "reads", "reads", "reads", "half closes", "vanishes"]

/** Each session has its own, so that failed logins of one block no other. */
const addressOf = (number: number) => `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255 || 1}`

const shown = ({ ending, packets }: Session) =>
  `(${ending}) ${JSON.stringify(Buffer.concat(packets).toString("latin1").slice(0, 2_000))}`

const Stored = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ first: Schema.String })))

/** The ids of the first mail of each message, which clients of the project got or should have got. */
const storedOf = (project: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select distinct coalesce(group_id, id) as first from emails where project_id = ${project}::uuid`
  ).pipe(Effect.flatMap(Stored), Effect.orDie)

export const hold = Effect.fn("fuzz.sessions")(function* (
  { concurrency, seed, sessions }: Options,
  { database, good, senders, url }: Target
) {
  const [reading, vanishing] = senders
  const port = yield* submissionPort(url)
  const next = generator(seed)
  const findings: Array<{ readonly what: string; readonly request: string }> = []
  const replies: Record<string, number> = {}
  const domainOf = ({ from }: Sender) => from.split("@")[1] ?? ""
  const told = new Set<string>()
  const login = `EHLO a\r\nAUTH PLAIN ${Buffer.from(`\0a\0${reading.key}`).toString("base64")}\r\n`
  const valid: Session = {
    packets: [
      `${login}MAIL FROM:<>\r\nRCPT TO:<good@example.com>\r\nDATA\r\n`,
      `From: ${reading.from}\r\nTo: good@example.com\r\n\r\nGood\r\n.\r\nQUIT\r\n`
    ].map((text) => Buffer.from(text)),
    ending: "reads"
  }

  const talk = (session: Session, localAddress?: string) =>
    Effect.promise(() =>
      converse(port, session, localAddress).catch((error: unknown) => {
        findings.push({ what: String(error), request: shown(session) })
        return ""
      })
    )

  /** Of a client that reads its replies. */
  const note = (heard: string) => {
    const ids = acceptedIn(heard)
    for (const id of ids) told.add(id)
    return ids
  }

  const check = Effect.gen(function* () {
    const heard = yield* talk(valid)
    if (note(heard).length !== 1) findings.push({ what: `a good session got ${heard}`, request: shown(valid) })
    yield* good
  })

  const once = Effect.fnUntraced(function* (number: number) {
    const ending = endings[number % endings.length] ?? "reads"
    const sender = ending === "reads" ? reading : vanishing
    const session = drawSession(next, { domain: domainOf(sender), key: sender.key }, ending)
    const heard = yield* talk(session, addressOf(number))
    if (ending === "reads") note(heard)
    const found = ending === "reads" ? deviationOf(heard) : undefined
    if (found !== undefined) findings.push({ what: found, request: shown(session) })
    for (const [code] of heard.matchAll(/^\d{3}(?= )/gm)) replies[code] = (replies[code] ?? 0) + 1
    if (number % checkEvery === 0) yield* check
  })

  const numbers = Array.from({ length: sessions }, (_, n) => n + 1)
  yield* Effect.forEach(numbers, once, { concurrency: Math.min(concurrency, mostAtOnce), discard: true })
  yield* check
  const stored = yield* Effect.provide(storedOf(reading.id), Postgres.layer(database))
  const known = new Set(stored.map(({ first }) => first))
  const untold = stored.filter(({ first }) => !told.has(first))
  const missing = [...told].filter((id) => !known.has(id))
  for (const { first } of untold) findings.push({ what: "a mail was stored without a 250", request: first })
  for (const id of missing) findings.push({ what: "a mail that got a 250 is not stored", request: id })
  return { findings, replies, accepted: told.size }
})
