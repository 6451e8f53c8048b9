/**
 * Mail within a transaction of the application. Posthorn uses the application's connection and creates only savepoints
 * there, so the mail is accepted if and only if the application commits.
 */
import { Posthorn as Client } from "@posthorn/client"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ErrorEnvelope, type Fault } from "@posthorn/contract/platform/Errors"
import * as NotifyWakeups from "@posthorn/platform-node/wakeups/NotifyWakeups"
import { Data, Effect, type ManagedRuntime, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { FetchHandler } from "./FetchHandler.ts"
import type { Host } from "./host/Drivers.ts"
import { Joined } from "./host/JoinedSql.ts"
import { keys } from "./InProcess.ts"
import type { EmbeddedServices } from "./Layers.ts"

/** A write within the transaction was refused. A commit would keep the other writes without it. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly code: string
  readonly message: string
  readonly status: number
  /** The faults of the call by field, for `VALIDATION_ERROR` and `BAD_REQUEST`; otherwise empty. */
  readonly errors: ReadonlyArray<Fault>
  /** Extra data, by error code. */
  readonly details: { readonly [key: string]: unknown }
  /** What to do about it. */
  readonly suggestion: string | undefined
}> {}

/** The transaction cannot be joined. The message says why, and what to do instead. */
export class CannotJoin extends Data.TaggedError("CannotJoin")<{ readonly message: string }> {}

class Undone extends Data.TaggedError("Undone")<{ readonly response: Response }> {}

/** Calls on one connection run one after another, because a savepoint inside another one is released with it. */
const turns = new WeakMap<object, Semaphore.Semaphore>()
const turnOf = (owner: object): Semaphore.Semaphore => {
  const known = turns.get(owner) ?? Semaphore.makeUnsafe(1)
  turns.set(owner, known)
  return known
}

const Refusal = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ error: ErrorEnvelope.fields.error })))

/** The body is empty if the call was stopped by its timeout or its signal. */
const refused = (status: number, body: string): MailRefused => {
  const found = Refusal(body)
  if (found._tag === "None") {
    const message = body || "The call was aborted before it ended."
    return new MailRefused({ status, code: "UNKNOWN", message, errors: [], details: {}, suggestion: undefined })
  }
  const { code, errors = [], details = {}, suggestion, ...error } = found.value.error
  const faults = errors.map(({ field, message }) => ` ${field}: ${message}`)
  const name = details["reason"] === "sender_domain_unverified" ? "SENDER_DOMAIN_UNVERIFIED" : code
  const message = error.message + faults.join("")
  return new MailRefused({ status, code: name, message, errors, details, suggestion })
}

const noTables =
  "This connection is to a database without Posthorn's tables. Begin the transaction in the database that was passed to createPosthorn."

/** Runs after a failure. The savepoint is already rolled back, so the connection can run statements. */
const refuseWithoutTables = Effect.fnUntraced(function* (connection: Host["connection"], schema: string) {
  const [[isThere] = []] = yield* connection.executeValues(`select to_regclass('${schema}.emails') is not null`, [])
  if (isThere !== true) return yield* new CannotJoin({ message: noTables })
})

/** Why a savepoint fails: outside of a transaction, or in a failed one. */
const joinError = (code: unknown): string | undefined =>
  code === "25P01"
    ? "No transaction is open on this connection. Begin one first, and pass its client, not the pool."
    : code === "25P02"
      ? "The transaction has already failed; it can only be rolled back."
      : undefined

/** PostgreSQL delivers the notification when the application commits, and drops it otherwise. */
const notify = "select pg_notify($1, $2)"

interface Transaction<A> extends Host {
  /** The schema of Posthorn's tables. */
  readonly schema: string
  readonly project: ProjectId
  readonly work: (mail: Client) => Promise<A>
}

/** Runs the work and waits for all its calls, including those that it did not await. */
export const within = async <A>(
  runtime: ManagedRuntime.ManagedRuntime<EmbeddedServices, unknown>,
  http: FetchHandler,
  { owner, connection, schema, project, work }: Transaction<A>
): Promise<A> => {
  let isOver = false
  let failure: MailRefused | CannotJoin | undefined
  const calls = new Set<Promise<unknown>>()
  const turn = turnOf(owner)

  /** Reads the whole response before the next call starts, because a stream could read the database later. */
  const ask = (request: Request) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const answered = Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const response = yield* Effect.promise(async () => {
          const { status, headers, body } = await http.answer(request, { project, context })
          return new Response(body && (await new Response(body).arrayBuffer()), { status, headers })
        })
        return response.ok ? response : yield* new Undone({ response })
      })
      const response = yield* sql.withTransaction(answered)
      if (request.method !== "GET") yield* connection.execute(notify, [schema, NotifyWakeups.everything], undefined)
      return response
    }).pipe(
      Effect.catchTag("Undone", ({ response }) =>
        Effect.as(response.status < 500 ? Effect.void : refuseWithoutTables(connection, schema), response)
      ),
      Effect.provideService(Joined, connection),
      turn.withPermit
    )

  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (isOver) throw new CannotJoin({ message: "The transaction has ended. Use mail only within the callback." })
    const response = await runtime.runPromise(
      Effect.catchTag(ask(new Request(url, init)), "SqlError", ({ reason }) => {
        const { cause } = reason
        const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
        return Effect.fail(new CannotJoin({ message: joinError(code) ?? reason.message ?? reason._tag }))
      })
    )
    if (init.method !== "GET" && !response.ok) failure ??= refused(response.status, await response.clone().text())
    return response
  }

  const mail = new Client({
    ...keys,
    retries: 0,
    fetch: (url, init) => {
      // A call without a response has written nothing, for example after `close`.
      const call = fetch(url, init).catch((error) => {
        failure ??= error instanceof CannotJoin ? error : new CannotJoin({ message: `A call has failed: ${error}` })
        throw error
      })
      calls.add(call.catch(() => undefined))
      return call
    }
  })

  try {
    const result = await work(mail)
    await Promise.all(calls)
    if (failure !== undefined) throw failure
    return result
  } finally {
    isOver = true
    await Promise.all(calls)
  }
}
