/** The SMTP peer of all rows, in a separate process, and the messages that it has accepted. */
import { open } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Child from "./Child.ts"

/** `at` is the time just before the reply 250, as a Unix time in milliseconds. */
const Arrival = Schema.Struct({ messageId: Schema.String, at: Schema.Finite })
export type Arrival = typeof Arrival.Type

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Arrival))

const program = fileURLToPath(new URL("./SmtpSink.ts", import.meta.resolve("@posthorn/mailer-smtp/testing")))

/** Between two readings of the log. */
const look = "20 millis"

let sinks = 0

/** `misbehaviour` holds arguments of `SmtpSink.ts`: `--delay dot=100`. */
const startWith = Effect.fnUntraced(function* (misbehaviour: ReadonlyArray<string>) {
  const { folder } = yield* Bench
  const log = join(folder, `sink-${++sinks}.ndjson`)
  const child = yield* Child.start({ name: "SMTP sink", argv: [program, "--log", log, ...misbehaviour] })
  const port = Number(yield* child.firstLine)
  const file = yield* Effect.acquireRelease(
    Effect.promise(() => open(log, "r")),
    (file) => Effect.promise(() => file.close())
  )
  const seen: Array<Arrival> = []
  let rest = ""

  const readOn = Effect.promise(async () => {
    rest += (await file.readFile("utf8")) ?? ""
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) seen.push(decode(line))
    return seen.length
  })

  const until = Effect.fnUntraced(function* (
    before: number,
    isThere: () => boolean,
    what: string,
    patienceSeconds: number
  ) {
    const deadline = performance.now() + patienceSeconds * 1000
    for (yield* readOn; !isThere(); yield* readOn) {
      if (performance.now() > deadline) {
        const message = `${seen.length - before} mails arrived within ${patienceSeconds} seconds, ${what}`
        return yield* new BenchFailure({ message })
      }
      yield* Effect.sleep(look)
    }
    return seen.slice(before)
  })

  return {
    port,
    url: `smtp://127.0.0.1:${port}?tls=none`,
    /** Messages accepted so far. */
    count: readOn,
    /** The accepted messages after the first `before`, once there are `wanted` of them. */
    arrivals: (before: number, wanted: number, patienceSeconds: number) =>
      until(before, () => seen.length >= before + wanted, `not ${wanted}`, patienceSeconds),
    /** The same, once each of these is among them. */
    arrivalsOf: (before: number, messageIds: ReadonlyArray<string>, patienceSeconds: number) => {
      const missing = new Set(messageIds)
      let next = before
      const isThere = () => {
        for (; next < seen.length; next++) missing.delete(seen[next]?.messageId ?? "")
        return missing.size === 0
      }
      return until(before, isThere, "not all that were waited for", patienceSeconds)
    }
  }
})
export const start = startWith([])
export type Sink = Effect.Success<typeof start>

/** A sink that delays its reply to the content of each message. */
export const startSlow = (delayMillis: number) => startWith(["--delay", `dot=${delayMillis}`])
