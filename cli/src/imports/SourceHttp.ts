/** Requests to the service that is imported from. It says how fast it may be asked. */
import { Clock, Effect, Schema } from "effect"
import { CommandFailure } from "../Failure.ts"
import { userAgent } from "../session/Session.ts"

const timeoutMs = 60_000

/** Characters of one answer. */
const longestAnswer = 64_000_000

/** Tries of one request. */
const mostTries = 8

/** Seconds of the longest pause. A source that wants a longer one ends the import, which can go on later. */
const longestPause = 600

export interface SourceServer {
  /** As people call it. */
  readonly title: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const failed = (message: string, suggestion: string, exit: CommandFailure["exit"] = "failed") =>
  new CommandFailure({ exit, code: "SOURCE_FAILED", message, suggestion })

const again = "Run the same command again: it goes on where it stopped."

/** Seconds to wait before a repetition: what the source asks for (RFC 9110 10.2.3), otherwise 1, 2, 4 and so on. */
export const pauseBefore = (tries: number, retryAfter: string | null, now: number): number => {
  if (retryAfter !== null) {
    const seconds = /^\d{1,9}$/.test(retryAfter.trim())
      ? Number(retryAfter)
      : Math.ceil((Date.parse(retryAfter) - now) / 1_000)
    if (!Number.isNaN(seconds)) return Math.max(0, seconds)
  }
  return Math.min(60, 2 ** (tries - 1))
}

type Query = Readonly<Record<string, number | string | undefined>>

const addressOf = (url: string, path: string, query: Query): string => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )
  return `${url.replace(/\/+$/, "")}${path}${search.size === 0 ? "" : `?${search}`}`
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

/** Status 0: no answer came. */
const once = ({ headers }: SourceServer, address: string): Effect.Effect<Answer> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(address, {
        headers: { accept: "application/json", "user-agent": userAgent, ...headers },
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      })
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() }
    },
    catch: reasonOf
  }).pipe(Effect.catch((reason) => Effect.succeed({ status: 0, retryAfter: null, text: reason })))

const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500

/** GET of a path, whose JSON has this form. Waits and repeats as long as that can help. */
export const getFrom =
  (server: SourceServer) =>
  <A>(path: string, schema: Schema.ConstraintDecoder<A>, query: Query = {}): Effect.Effect<A, CommandFailure> =>
    Effect.gen(function* () {
      const { title, url } = server
      const address = addressOf(url, path, query)
      for (let tries = 1; ; tries++) {
        const { status, retryAfter, text } = yield* once(server, address)
        if (status >= 200 && status < 300) {
          if (text.length > longestAnswer) return yield* failed(`The answer of ${title} to ${path} is too long.`, again)
          return yield* Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text), () =>
            failed(`${title} answered ${path} with something else than expected.`, "Check --source-url.")
          )
        }
        if (status === 401 || status === 403) {
          return yield* failed(
            `${title} refused the key (status ${status} for ${path}).`,
            "Pass a key that may read everything, with --source-key or POSTHORN_IMPORT_KEY.",
            "notAuthorised"
          )
        }
        if (!isPassing(status)) {
          return yield* failed(`${title} answered ${path} with status ${status}.`, "Check --source-url.")
        }
        const seconds = pauseBefore(tries, retryAfter, yield* Clock.currentTimeMillis)
        if (tries === mostTries || seconds > longestPause) {
          return status === 0
            ? yield* failed(`${title} at ${url} cannot be reached: ${text}`, again, "unreachable")
            : yield* failed(`${title} answered ${path} with status ${status}, ${tries} times.`, again)
        }
        yield* Effect.sleep(`${seconds} seconds`)
      }
    })

/** Whether there is such a path: none for a status 404, which older versions of a source give. */
export const orNone = <A>(found: Effect.Effect<A, CommandFailure>, none: A): Effect.Effect<A, CommandFailure> =>
  Effect.catchIf(
    found,
    ({ message }) => message.endsWith("with status 404."),
    () => Effect.succeed(none)
  )
