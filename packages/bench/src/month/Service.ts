/** `posthorn dev` in a separate process on PostgreSQL, its API, and its clock. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Child from "../processes/Child.ts"

const Welcome = Schema.Struct({
  url: Schema.String,
  publicKey: Schema.String,
  secretKey: Schema.String,
  projectId: Schema.String,
  domain: Schema.String
})
const readWelcome = Schema.decodeUnknownEffect(Schema.fromJsonString(Welcome))
const Now = Schema.Struct({ now: Schema.DateTimeUtcFromString })

/** Requests to the API at one moment. */
const concurrency = 8

export interface Request {
  readonly method?: string
  readonly path: string
  readonly body?: object | FormData
}

/** Starts on an empty database. Mail goes to the SMTP server at `smtp`. */
export const start = Effect.fnUntraced(function* (options: { readonly database: string; readonly smtp: string }) {
  const { folder, profiles, program } = yield* Bench
  const child = yield* Child.start({
    name: "posthorn dev",
    argv: [
      ...(profiles === undefined
        ? []
        : ["--cpu-prof", `--cpu-prof-dir=${profiles}`, "--cpu-prof-name=month.cpuprofile"]),
      ...[yield* program, "dev", "--json", "--database", options.database]
    ],
    environment: {
      POSTHORN_PORT: "0",
      POSTHORN_DATA_DIR: join(folder, "month"),
      POSTHORN_SMTP_URL: options.smtp,
      POSTHORN_LOG_LEVEL: "error",
      // The list of providers is that of the program.
      POSTHORN_PROVIDER_LOOKUP: "false",
      // The peer sends no delivery reports, so no mail waits for one.
      POSTHORN_EVIDENCE_WAIT_SECONDS: "0",
      // A provider refuses a tenth of the mail.
      POSTHORN_AUTO_SUSPEND: "false",
      POSTHORN_RATE_LIMIT_PER_MINUTE: "0"
    }
  })
  const welcome = yield* Effect.orDie(readWelcome(yield* child.firstLine))
  const { projectId, publicKey, secretKey, url } = welcome
  let offset = 0

  const fetched = Effect.fnUntraced(function* ({ body, method, path }: Request) {
    const isForm = body instanceof FormData
    const answer = yield* Effect.tryPromise({
      try: async () => {
        const response = await fetch(`${url}${path}`, {
          method: method ?? (body === undefined ? "GET" : "POST"),
          headers: {
            authorization: `Bearer ${path === "/v1/track" ? publicKey : secretKey}`,
            ...(isForm || body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) })
        })
        return { ok: response.ok, status: response.status, text: await response.text() }
      },
      catch: (cause) => new BenchFailure({ message: `${path}: ${String(cause)}` })
    })
    if (!answer.ok) return yield* new BenchFailure({ message: `${path}: ${answer.status} ${answer.text}` })
    return answer.text === "" ? {} : (JSON.parse(answer.text) as unknown)
  })

  const ask = <A>(request: Request, answer: Schema.ConstraintDecoder<A>): Effect.Effect<A, BenchFailure> =>
    Effect.flatMap(fetched(request), (given) => Effect.orDie(Schema.decodeUnknownEffect(answer)(given)))

  return {
    pid: child.pid,
    url,
    projectId,
    from: `news@${welcome.domain}`,
    ask,
    /** Any success will do. */
    tell: (request: Request) => Effect.asVoid(fetched(request)),
    tellAll: (requests: ReadonlyArray<Request>) =>
      Effect.forEach(requests, (request) => Effect.asVoid(fetched(request)), { concurrency, discard: true }),
    /** The time of the service, in milliseconds since 1970. */
    now: () => Date.now() + offset,
    /** Moves the clock of the service to this time. Returns at once if it has passed. */
    moveTo: Effect.fnUntraced(function* (instant: number) {
      const seconds = Math.ceil((instant - Date.now() - offset) / 1000)
      if (seconds <= 0) return
      const { now } = yield* ask({ path: "/dev/clock", body: { advance: `${seconds} seconds` } }, Now)
      offset = now.epochMilliseconds - Date.now()
    })
  }
})
export type Service = Effect.Success<ReturnType<typeof start>>
