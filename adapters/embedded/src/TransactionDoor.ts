/**
 * Mail within a transaction of the application: on its connection, so that it is accepted exactly if the application
 * commits. Posthorn begins and ends nothing there but savepoints.
 */
import { Posthorn as Client } from "@posthorn/client"
import type { ProjectId } from "@posthorn/contract/Auth"
import * as NotifyCarrier from "@posthorn/node/nudges/NotifyCarrier"
import { Data, Effect, type ManagedRuntime, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { Services } from "./Doors.ts"
import type { HttpDoor } from "./HttpDoor.ts"
import type { Host } from "./host/Drivers.ts"
import { Joined } from "./host/JoinedSql.ts"
import { keys } from "./InProcess.ts"

/** A call that writes was refused inside of a transaction; committing now would keep the rest without it. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly code: string
  readonly message: string
  readonly status: number
}> {}

/** The transaction cannot be joined; the message says why, and what would work. */
export class CannotJoin extends Data.TaggedError("CannotJoin")<{ readonly message: string }> {}

class Undone extends Data.TaggedError("Undone")<{ readonly response: Response }> {}

/** Calls of one connection take turns: a savepoint within another's would be released with it. */
const turns = new WeakMap<object, Semaphore.Semaphore>()
const turnOf = (owner: object): Semaphore.Semaphore => {
  const known = turns.get(owner) ?? Semaphore.makeUnsafe(1)
  turns.set(owner, known)
  return known
}

const Refusal = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }))
)

/** Without a body where the call was given up: its time was over, or its signal ended it. */
const refused = (status: number, body: string): MailRefused => {
  const found = Refusal(body)
  if (found._tag === "Some") return new MailRefused({ status, ...found.value.error })
  return new MailRefused({ status, code: "UNKNOWN", message: body || "The call was given up before its end." })
}

const noTables =
  "This connection is to a database without Posthorn's tables: begin the transaction in the one that createPosthorn was given."

/** Asked once something went wrong; the savepoint is undone by then, so that the connection answers. */
const refuseWithoutTables = Effect.fnUntraced(function* (connection: Host["connection"], schema: string) {
  const [[isThere] = []] = yield* connection.executeValues(`select to_regclass('${schema}.emails') is not null`, [])
  if (isThere !== true) return yield* new CannotJoin({ message: noTables })
})

/** What PostgreSQL says to a savepoint outside of a transaction, and in one that has failed. */
const joinError = (code: unknown): string | undefined =>
  code === "25P01"
    ? "No transaction is open on this connection: begin one first, and pass the client that holds it, not the pool."
    : code === "25P02"
      ? "The transaction has already failed; it can only be rolled back."
      : undefined

/** PostgreSQL tells it to those who listen when the application commits, and to nobody where it does not. */
const nudge = "select pg_notify($1, $2)"

export interface Transaction<A> extends Host {
  /** Of Posthorn's tables. */
  readonly schema: string
  readonly project: ProjectId
  readonly work: (mail: Client) => Promise<A>
}

/** Runs the work and waits for all its calls, also those it did not wait for. */
export const within = async <A>(
  runtime: ManagedRuntime.ManagedRuntime<Services, unknown>,
  http: HttpDoor,
  { owner, connection, schema, project, work }: Transaction<A>
): Promise<A> => {
  let isOver = false
  let failure: MailRefused | CannotJoin | undefined
  const calls = new Set<Promise<unknown>>()
  const turn = turnOf(owner)

  /** The whole answer is read before the turn ends: none of it may come from the database later. */
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
      if (request.method !== "GET") yield* connection.execute(nudge, [schema, NotifyCarrier.everything], undefined)
      return response
    }).pipe(
      Effect.catchTag("Undone", ({ response }) =>
        Effect.as(response.status < 500 ? Effect.void : refuseWithoutTables(connection, schema), response)
      ),
      Effect.provideService(Joined, connection),
      turn.withPermit
    )

  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (isOver) throw new CannotJoin({ message: "The transaction is over: mail belongs inside of its callback." })
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
      // A call without an answer has written nothing, as after `close`.
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
