/** Two projects on one installation: neither sees, changes or finds out what the other has. */
import { assert, it } from "@effect/vitest"
import { type Sink, startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "../testing/Program.ts"
import { addDomain, type Caller, request } from "./testing/Caller.ts"
import { databaseName, install } from "./testing/Installation.ts"
import { type Operation, operations } from "./testing/Operations.ts"
import { filled, makers, prefixesOf } from "./testing/Resources.ts"

/** What a process writes by itself, and what counts requests. */
const notOfRequests = ["periodic_jobs", "rate_windows", "workers"]

const Names = Schema.Array(Schema.Struct({ name: Schema.String }))
const Rows = Schema.Array(Schema.Struct({ row: Schema.String }))

/** Every row of every table, as text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`select table_name as name from information_schema.tables where table_schema = 'posthorn'`
  const rowsOf = (table: string) =>
    sql`select t::text as row from ${sql(table)} t order by 1`.pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Rows)),
      Effect.map((rows) => [table, rows.map(({ row }) => row)] as const)
    )
  const names = (yield* Schema.decodeUnknownEffect(Names)(tables)).map(({ name }) => name)
  return Object.fromEntries(
    yield* Effect.forEach(
      names.filter((name) => !notOfRequests.includes(name)),
      rowsOf
    )
  )
})

/** Endpoints that name a resource of a project, with what is needed to get past the validation of their bodies. */
const naming = operations.filter(({ key, path }) => key !== undefined && path.includes("{"))
const validBodies: { readonly [operation: string]: unknown } = {}

/** What deletes comes last, so that there is something to find until then. */
const inOrder = (list: ReadonlyArray<Operation>) =>
  list.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))

const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.Struct({ resource: Schema.String, id: Schema.String })
  })
})

const nobodys = "019a0000-0000-7000-8000-00000000ffff"

const sinkIn = Effect.acquireRelease(
  Effect.promise(() => startSink()),
  (sink: Sink) => Effect.promise(() => sink.close())
)

it.live(`a project on ${databaseName} answers another one as if it were not there, and keeps every row as it is`, () =>
  Effect.gen(function* () {
    const { account, database, dns, serve } = yield* install
    const sink = yield* sinkIn
    const owner = yield* account("Owner")
    const other = yield* account("Other")
    const started = serve({ POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
    const contents = Effect.orDie(Effect.provide(everything, database))
    const from = "hello@mail.example.com"

    const ids = yield* Effect.scoped(
      Effect.gen(function* () {
        const { program, url } = yield* started
        const caller: Caller = { url, ...owner }
        yield* addDomain(caller, dns, "mail.example.com")
        const kinds = [...new Set(naming.flatMap(({ path }) => prefixesOf(path)))]
        const made = yield* Effect.forEach(kinds, (kind) => {
          const make = makers[kind]
          assert.isDefined(make, `nothing makes what ${kind}/ names: Resources.ts`)
          return Effect.map(make(caller, from, 1), (id) => [kind, id] as const)
        })
        yield* eventually(Effect.sync(sink.accepted), (count) => count === 1)
        assert.strictEqual(yield* program.end("SIGTERM"), 0)
        return Object.fromEntries(made)
      })
    )
    const nobodysIds = Object.fromEntries(Object.keys(ids).map((kind) => [kind, nobodys]))

    const before = yield* contents
    assert.includeMembers(Object.keys(before), ["contacts", "templates", "domains", "emails", "email_contents"])
    for (const table of ["contacts", "templates", "domains", "emails"]) assert.isNotEmpty(before[table], table)

    yield* Effect.scoped(
      Effect.gen(function* () {
        const { program, url } = yield* started
        const stranger: Caller = { url, ...other }
        const call = ({ id, method, path }: Operation, of: typeof ids) =>
          request(stranger, method, filled(path, of), method === "GET" ? undefined : (validBodies[id] ?? {}))

        for (const operation of naming) {
          const found = yield* call(operation, ids)
          assert.strictEqual(found.status, 404, `${operation.id}: ${found.text}`)
          const { error } = yield* Schema.decodeEffect(Schema.fromJsonString(Refusal))(found.text)
          assert.isTrue(Object.values(ids).includes(error.details.id), operation.id)
          const nothing = yield* Effect.flatMap(call(operation, nobodysIds), ({ text }) =>
            Schema.decodeEffect(Schema.fromJsonString(Refusal))(text)
          )
          const told = JSON.stringify(error).replaceAll(error.details.id, nobodys)
          assert.strictEqual(told, JSON.stringify(nothing.error), operation.id)
        }

        const mail = { from, to: "anna@example.org", subject: "Hello", body: "<p>Hello</p>" }
        const refusals = [
          ["POST", "/v1/send", { to: "anna@example.org", template: ids["/templates"] }, 404],
          ["POST", "/v1/send", mail, 403],
          ["POST", "/templates", { name: "Stolen", ...mail }, 403],
          ["POST", "/domains", { domain: "other.example.com", projectId: owner.projectId }, 404],
          ["POST", "/domains", { domain: "mail.example.com" }, 409]
        ] as const
        for (const [method, path, body, status] of refusals) {
          const refused = yield* request(stranger, method, path, body)
          assert.strictEqual(refused.status, status, refused.text)
          assert.notInclude(refused.text, owner.projectId.slice(0, 8) === "" ? "" : `"projectId":"${owner.projectId}`)
        }

        for (const { id, path } of operations.filter(({ id }) => id.endsWith(".list"))) {
          const listed = yield* request(stranger, "GET", filled(path, { "/domains/project": other.projectId }))
          assert.strictEqual(listed.status, 200, id)
          const text = JSON.stringify(JSON.parse(listed.text))
          for (const own of Object.values(ids)) assert.notInclude(text, own, id)
        }
        assert.strictEqual(yield* program.end("SIGTERM"), 0)
      })
    )
    assert.deepStrictEqual(yield* contents, before)

    const { url } = yield* started
    for (const { id, method, path } of inOrder(naming)) {
      const body = method === "GET" ? undefined : (validBodies[id] ?? {})
      const { status, text } = yield* request({ url, ...owner }, method, filled(path, ids), body)
      assert.notStrictEqual(status, 404, `${id}: ${text}`)
    }
  }).pipe(Effect.scoped)
)
