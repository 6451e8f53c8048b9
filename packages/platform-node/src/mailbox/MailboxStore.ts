/**
 * The emails of a development server, as files that it keeps for its next start: `<folder>/<id>.eml`.
 *
 * A file begins with the header line `X-Posthorn-Mailbox`, which contains the entry, so that a start reads only a few
 * hundred bytes of each file. The rest is the message, octet for octet.
 */
import type { Envelope } from "@posthorn/core/platform/Mailer"
import {
  Context,
  DateTime,
  Deferred,
  Effect,
  FileSystem,
  Layer,
  Option,
  Path,
  type PlatformError,
  Schema,
  Stream
} from "effect"
import { SecureRandom } from "effect/crypto"
import { readHead } from "./MailContent.ts"
import * as Tries from "./Tries.ts"

const Entry = Schema.Struct({
  /** Time-ordered, and safe as a file name: lower-case hexadecimal digits and hyphens. */
  id: Schema.String,
  emailId: Schema.NullOr(Schema.String),
  /** Envelope sender (return path); "" for the null sender. */
  returnPath: Schema.String,
  /** The address of the From header. */
  from: Schema.String,
  /** Envelope recipient. */
  to: Schema.String,
  subject: Schema.String,
  receivedAt: Schema.DateTimeUtcFromString,
  /** Octets of the message. */
  size: Schema.Int
})

/** The data of an email in lists, without its content. Address and subject are cut to 998 characters. */
export type Entry = typeof Entry.Type

export interface MailQuery {
  /** The exact recipient, case-insensitive. */
  readonly to?: string | undefined
  /** Part of the subject, case-insensitive. */
  readonly subject?: string | undefined
  /** The exact id of the email that it was sent as. */
  readonly emailId?: string | undefined
  /** Only emails that arrived after the one with this id. */
  readonly after?: string | undefined
  /** Part of recipient, sender or subject, case-insensitive. */
  readonly search?: string | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/** The storage of the mailbox. A service, because the server, the pages and the reports share it. */
export class MailboxStore extends Context.Service<
  MailboxStore,
  {
    /**
     * Stores an email; when it returns, the email is in its file and in the lists. Above the capacity, the oldest email
     * is deleted.
     */
    readonly keep: (envelope: Envelope, message: Uint8Array) => Effect.Effect<Entry, PlatformError.PlatformError>
    /** Newest first; `total` counts all matches. */
    readonly list: (
      query: MailQuery
    ) => Effect.Effect<{ readonly entries: ReadonlyArray<Entry>; readonly total: number }>
    readonly find: (id: string) => Effect.Effect<Option.Option<Entry>>
    /** The message as it was received. None also if its file is missing. */
    readonly read: (id: string) => Effect.Effect<Option.Option<Uint8Array>>
    /** The newest email of the query. Waits for one if there is none yet. */
    readonly await: (query: Omit<MailQuery, "limit" | "offset">) => Effect.Effect<Entry>
    readonly clear: Effect.Effect<void>
    /** The attempts for messages that are deferred. */
    readonly countTry: Tries.CountTry
  }
>()("@posthorn/platform-node/mailbox/MailboxStore") {}

export interface MailboxStoreOptions {
  /** Created if it is missing; only its owner can read it. */
  readonly folder: string
  /** Emails kept; 1,000 by default. */
  readonly capacity?: number | undefined
}

const Stamp = Schema.fromJsonString(Entry)
const stampName = "X-Posthorn-Mailbox: "
/** The maximum length of the header line: 4 x 998 characters, each at most 6 octets in JSON. */
const longestStamp = 32 * 1024

const encodeStamp = Schema.encodeSync(Stamp)
const decodeStamp = Schema.decodeUnknownOption(Stamp)

const make = Effect.fnUntraced(function* ({ folder, capacity = 1_000 }: MailboxStoreOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const fileOf = (id: string) => path.join(folder, `${id}.eml`)

  /** In order of arrival. */
  const index = new Map<string, Entry>()
  /** Completed and replaced when an email arrives. */
  let arrival = Deferred.makeUnsafe<void>()

  const forget = Effect.fnUntraced(function* (id: string) {
    index.delete(id)
    yield* fs.remove(fileOf(id), { force: true })
  })

  const forgetOldest = Effect.suspend(() =>
    Effect.forEach([...index.keys()].slice(0, Math.max(0, index.size - capacity)), forget, { discard: true })
  )

  const readEntry = Effect.fnUntraced(function* (name: string) {
    const head = yield* Stream.runCollect(fs.stream(path.join(folder, name), { bytesToRead: longestStamp }))
    const line = new TextDecoder().decode(Buffer.concat(head)).split("\r\n", 1)[0] ?? ""
    const entry = decodeStamp(line.startsWith(stampName) ? line.slice(stampName.length) : "")
    if (Option.isSome(entry) && name === `${entry.value.id}.eml`) return entry.value
    yield* Effect.logWarning(`${name} is not an email of this mailbox and is ignored.`)
    return undefined
  })

  const rebuild = Effect.gen(function* () {
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    const names = (yield* fs.readDirectory(folder)).sort()
    const unfinished = names.filter((name) => name.endsWith(".eml.tmp"))
    yield* Effect.forEach(unfinished, (name) => fs.remove(path.join(folder, name), { force: true }), { discard: true })
    const mails = names.filter((name) => name.endsWith(".eml"))
    for (const entry of yield* Effect.forEach(mails, readEntry, { concurrency: 8 })) {
      if (entry) index.set(entry.id, entry)
    }
    yield* forgetOldest
  })

  const keep = Effect.fn("MailboxStore.keep")(function* (envelope: Envelope, message: Uint8Array) {
    const content = yield* readHead(message)
    const entry: Entry = {
      id: yield* random.uuidV7(),
      emailId: content.emailId,
      returnPath: cut(envelope.from),
      from: cut(content.from),
      to: cut(envelope.to),
      subject: cut(content.subject),
      receivedAt: yield* DateTime.now,
      size: message.byteLength
    }
    const file = fileOf(entry.id)
    const stamp = new TextEncoder().encode(`${stampName}${encodeStamp(entry)}\r\n`)
    yield* fs.writeFile(`${file}.tmp`, Buffer.concat([stamp, message]), { mode: 0o600 })
    yield* fs.rename(`${file}.tmp`, file)
    index.set(entry.id, entry)
    yield* forgetOldest
    const arrived = arrival
    arrival = Deferred.makeUnsafe<void>()
    yield* Deferred.succeed(arrived, undefined)
    return entry
  }, Effect.uninterruptible)

  const list = Effect.fnUntraced(function* (query: MailQuery) {
    const matching = [...index.values()].reverse().filter(matches(query))
    const offset = query.offset ?? 0
    return { entries: matching.slice(offset, offset + query.limit), total: matching.length }
  })

  const awaited = Effect.fnUntraced(function* (query: Omit<MailQuery, "limit" | "offset">) {
    while (true) {
      const next = arrival
      const { entries } = yield* list({ ...query, limit: 1 })
      if (entries[0] !== undefined) return entries[0]
      yield* Deferred.await(next)
    }
  })

  const find = (id: string) => Effect.sync(() => Option.fromUndefinedOr(index.get(id)))

  const read = Effect.fn("MailboxStore.read")(function* (id: string) {
    // Only ids that this store has issued reach the file system.
    if (!index.has(id)) return Option.none()
    const file = yield* fs.readFile(fileOf(id)).pipe(
      Effect.map(Option.some),
      Effect.catchIf(isNotFound, () => Effect.succeed(Option.none<Uint8Array>())),
      Effect.orDie
    )
    return Option.map(file, (bytes) => bytes.subarray(bytes.indexOf(10) + 1))
  })

  const clear = Effect.suspend(() => Effect.forEach([...index.keys()], forget, { discard: true })).pipe(Effect.orDie)

  yield* rebuild
  return MailboxStore.of({ keep, list, await: awaited, find, read, clear, countTry: yield* Tries.make(folder) })
})

/** Loads the emails of earlier starts. */
export const layer = (
  options: MailboxStoreOptions
): Layer.Layer<
  MailboxStore,
  PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom
> => Layer.effect(MailboxStore, make(options))

const cut = (text: string): string => text.slice(0, 998)

const matches = ({ to, subject, emailId, after, search }: Omit<MailQuery, "limit">) => {
  const recipient = to?.trim().toLowerCase()
  const title = subject?.trim().toLowerCase() ?? ""
  const part = search?.trim().toLowerCase() ?? ""
  return (entry: Entry): boolean =>
    (recipient === undefined || entry.to.toLowerCase() === recipient) &&
    (emailId === undefined || entry.emailId === emailId) &&
    // Ids are ordered by time.
    (after === undefined || entry.id > after) &&
    entry.subject.toLowerCase().includes(title) &&
    [entry.to, entry.from, entry.subject].some((text) => text.toLowerCase().includes(part))
}

const isNotFound = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"
