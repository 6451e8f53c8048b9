/** What an import takes from another service, in the terms of this one, and the requests to that service. */
import type { FilterTree } from "@posthorn/client"
import { Clock, Effect, Schema } from "effect"
import { CommandFailure } from "../Failure.ts"
import { userAgent } from "../session/Session.ts"

export interface SourceContact {
  readonly email: string
  /** False: the contact gets no marketing mail here. True: a new contact is subscribed, one that is here stays as it is. */
  readonly subscribed: boolean
  /** It must get no mail at all. */
  readonly isSuppressed?: boolean | undefined
  readonly data: { readonly [key: string]: Schema.Json }
  readonly locale?: string | undefined
  readonly timezone?: string | undefined
  /** When the person agreed, if the source knows it. */
  readonly agreedAt?: string | undefined
  /** Ids of segments that hold the contact. */
  readonly segments?: ReadonlyArray<string> | undefined
  /** What the contact said about topics, by their ids. A topic about which it said nothing is left out. */
  readonly topics?: { readonly [id: string]: "subscribed" | "unsubscribed" } | undefined
}

export interface SourceTopic {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  /** What a contact is that said nothing. */
  readonly defaultSubscription: "subscribed" | "unsubscribed"
  readonly visibility: "public" | "private"
}

export interface SourceSegment {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  /** Of a segment that is made of a condition. Without it, the segment has the members that it has now. */
  readonly condition?: FilterTree | undefined
}

export interface SourceTemplate {
  readonly id: string
  readonly name: string
  /** A frame around the texts of campaigns. It becomes a partial. */
  readonly isLayout?: boolean | undefined
  readonly subject: string
  readonly body: string
  readonly text?: string | undefined
  readonly from?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
  readonly type: "HEADLESS" | "MARKETING" | "TRANSACTIONAL"
  /** Placeholders that have no equal here, as they are written in the texts. */
  readonly unknown?: ReadonlyArray<string> | undefined
}

/** Some items, and where to read on. */
export interface SourcePage<A> {
  readonly items: ReadonlyArray<A>
  /** Null after the last page. */
  readonly next: string | null
  /** Of all pages, if the source says it. */
  readonly total?: number | undefined
}

/** Reads the page of a cursor; null: the first. */
export type SourcePages<A> = (cursor: string | null) => Effect.Effect<SourcePage<A>, CommandFailure>

/** What the source has and this service has not. */
export interface Gap {
  readonly what: string
  /** Null: not known. */
  readonly count: number | null
  readonly advice: string
}

/** The gap that every source has. `place`: where they stay. */
export const sentCampaigns = (count: number, place: string, what: "broadcasts" | "campaigns" = "campaigns"): Gap => ({
  what,
  count,
  advice:
    `${what[0]?.toUpperCase()}${what.slice(1)} that were sent, and their results, stay ${place}. ` +
    "Make new drafts with `posthorn campaigns create`."
})

export interface ImportSource {
  readonly name: string
  /** Names of domains, which still have to be verified here. */
  readonly domains: Effect.Effect<ReadonlyArray<string>, CommandFailure>
  /** Addresses that must get no mail at all. */
  readonly suppressions: SourcePages<string>
  readonly segments: Effect.Effect<ReadonlyArray<SourceSegment>, CommandFailure>
  /** Undefined if the source has no topics. */
  readonly topics?: Effect.Effect<ReadonlyArray<SourceTopic>, CommandFailure> | undefined
  readonly contacts: SourcePages<SourceContact>
  /** Addresses in a segment; undefined if the contacts name their segments. */
  readonly members?: ((segment: string) => SourcePages<string>) | undefined
  readonly templates: Effect.Effect<ReadonlyArray<SourceTemplate>, CommandFailure>
  readonly gaps: Effect.Effect<ReadonlyArray<Gap>, CommandFailure>
}

/** Of a source that has none. */
export const noPages: SourcePages<never> = () => Effect.succeed({ items: [], next: null })

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
