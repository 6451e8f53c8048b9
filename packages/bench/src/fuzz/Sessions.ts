/** Holds hostile SMTP sessions with the submission service, and valid ones in between, which must succeed. */
import { converse, deviationOf, drawSession, generator } from "@posthorn/node/endToEnd/testing/SmtpSessions"
import { Effect, Schema } from "effect"

export interface Options {
  readonly sessions: number
  readonly seed: number
  readonly concurrency: number
}

interface Target {
  readonly url: string
  readonly key: string
  /** The verified domain of senders. */
  readonly domain: string
}

const Deployment = Schema.Struct({
  features: Schema.Struct({ smtp: Schema.Struct({ ports: Schema.Struct({ starttls: Schema.Int }) }) })
})

/** The service allows 50 connections of one address. */
const mostAtOnce = 40

/** Sessions between two valid ones. */
const checkEvery = 50

const shown = (packets: ReadonlyArray<Buffer>) =>
  JSON.stringify(Buffer.concat(packets).toString("latin1").slice(0, 2_000))

export const hold = Effect.fn("fuzz.sessions")(function* (
  { concurrency, seed, sessions }: Options,
  { domain, key, url }: Target
) {
  const config = yield* Effect.promise(() => fetch(`${url}/config`).then((response) => response.json()))
  const { starttls: port } = (yield* Effect.orDie(Schema.decodeUnknownEffect(Deployment)(config))).features.smtp.ports
  const next = generator(seed)
  const findings: Array<{ readonly what: string; readonly request: string }> = []
  const replies: Record<string, number> = {}
  const login = `EHLO a\r\nAUTH PLAIN ${Buffer.from(`\0a\0${key}`).toString("base64")}\r\n`
  const good = [
    `${login}MAIL FROM:<>\r\nRCPT TO:<good@example.com>\r\nDATA\r\n`,
    `From: a@${domain}\r\nTo: good@example.com\r\n\r\nGood\r\n.\r\nQUIT\r\n`
  ].map((text) => Buffer.from(text))

  const check = Effect.gen(function* () {
    const heard = yield* Effect.promise(() => converse(port, good, 5_000))
    if (!/^250 2\.0\.0 Ok: queued as /m.test(heard))
      findings.push({ what: `a good session got ${heard}`, request: shown(good) })
  })

  const once = Effect.fnUntraced(function* (number: number) {
    const packets = drawSession(next, { domain, key })
    const heard = yield* Effect.promise(() => converse(port, packets))
    const found = deviationOf(heard)
    if (found !== undefined) findings.push({ what: found, request: shown(packets) })
    for (const [code] of heard.matchAll(/^\d{3}(?= )/gm)) replies[code] = (replies[code] ?? 0) + 1
    if (number % checkEvery === 0) yield* check
  })

  const numbers = Array.from({ length: sessions }, (_, n) => n + 1)
  yield* Effect.forEach(numbers, once, { concurrency: Math.min(concurrency, mostAtOnce), discard: true })
  yield* check
  return { findings, replies }
})
