/** The SMTP peer of all rows, in a process of its own, and what it has accepted. */
import { open } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Child from "./Child.ts"

/** `at` is the moment before its 250 went out, as a Unix time in milliseconds. */
const Arrival = Schema.Struct({ messageId: Schema.String, at: Schema.Finite })
export type Arrival = typeof Arrival.Type

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Arrival))

const program = fileURLToPath(new URL("./SmtpSink.ts", import.meta.resolve("@posthorn/mailer-smtp/testing")))

/** Between two looks at what has arrived. */
const look = "20 millis"

let sinks = 0

export const start = Effect.gen(function* () {
  const { folder } = yield* Bench
  const log = join(folder, `sink-${++sinks}.ndjson`)
  const child = yield* Child.start({ name: "SMTP sink", argv: [program, "--log", log] })
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

  return {
    port,
    url: `smtp://127.0.0.1:${port}?tls=none`,
    /** Mails accepted so far. */
    count: readOn,
    /** The accepted ones behind the first `before`, once there are `wanted` of them. */
    arrivals: Effect.fnUntraced(function* (before: number, wanted: number, patienceSeconds: number) {
      const deadline = performance.now() + patienceSeconds * 1000
      while ((yield* readOn) < before + wanted) {
        if (performance.now() > deadline) {
          const message = `${seen.length - before} of ${wanted} mails arrived within ${patienceSeconds} seconds`
          return yield* new BenchFailure({ message })
        }
        yield* Effect.sleep(look)
      }
      return seen.slice(before)
    })
  }
})
export type Sink = Effect.Success<typeof start>
