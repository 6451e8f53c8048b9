/**
 * The least that a request costs: the same rows in the same tables, each transaction durable, from a separate process,
 * without HTTP, validation or rendering.
 */
import { fileURLToPath } from "node:url"
import { NodeCrypto } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import * as Pglite from "@posthorn/pglite"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Letter from "../load/Letter.ts"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { latencyOf } from "../Statistics.ts"

/** NaN if nothing was timed. */
const Millis = Schema.Number

export const Question = Schema.Struct({
  /**
   * `send`: contact, content, email. `batch`: the same for each item, one statement for each table. `track`: contact,
   * event; the contact is new each time or the same. `contact new`: one statement, which is its own transaction.
   * `events`: several events in one statement, of the contact that has the id of the project.
   */
  transaction: Schema.Literals(["send", "batch", "track new", "track same", "contact new", "events"]),
  /** Of each transaction; 1 unless it is a batch. */
  items: Schema.optionalKey(Schema.Int),
  /** Default: 32. */
  connections: Schema.optionalKey(Schema.Int),
  /** Ids. */
  projects: Schema.NonEmptyArray(Schema.String),
  seconds: Schema.Finite
})
type Question = typeof Question.Type

export const Answer = Schema.Struct({
  transactions: Schema.Int,
  seconds: Schema.Finite,
  latency: Schema.Struct({ p50: Millis, p95: Millis, p99: Millis })
})

/** A URL of PostgreSQL, or a folder for an embedded database. */
export const start = (database: string) =>
  Child.start({ name: "raw transactions", argv: [fileURLToPath(import.meta.url), database], answers: true })

const mostConnections = 32

const subject = Letter.subject("Ada")
const html = Letter.html("Ada", "pro")
const text = Letter.text("Ada", "pro")

let begun = 0

const contact = Effect.fnUntraced(function* (project: string, email: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())
  const [row] = yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${id}, ${project}, ${email}, true, '{"name":"Ada","plan":"pro"}', ${now}, ${now})
    on conflict (project_id, email) do update set
      data = contacts.data || excluded.data, updated_at = excluded.updated_at
    returning id`
  return String(row?.["id"])
})

const send = Effect.fnUntraced(function* (project: string, email: string) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date()
  const id = yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())
  const contactId = yield* contact(project, email, now)
  yield* sql`
    insert into email_contents (id, project_id, html, text) values (${id}, ${project}, ${html}, ${text})`
  yield* sql`
    insert into emails (id, project_id, contact_id, content_id, to_email, from_email, subject, type, source_type,
      template_id, tracking, status, lane, due_at, ladder_since, created_at, updated_at)
    values (${id}, ${project}, ${contactId}, ${id}, ${email}, 'hello@example.com', ${subject},
      'TRANSACTIONAL', 'TRANSACTIONAL', ${project}, true, 'PENDING', 0, ${now}, ${now}, ${now}, ${now})`
})

const track = Effect.fnUntraced(function* (project: string, email: string) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date()
  const id = yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())
  const contactId = yield* contact(project, email, now)
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    values (${id}, ${project}, ${contactId}, 'order.placed', 'tracked', '{"total":42}', ${now})`
})

/** Events of the contact that has the id of its project, which need not be looked up. */
const events = Effect.fnUntraced(function* (project: string, items: number) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* SecureRandom.SecureRandom.use((random) => Effect.replicateEffect(random.uuidV7(), items))
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    select id, ${project}::uuid, ${project}::uuid, 'order.placed', 'tracked', '{"total":42}', ${new Date()}::timestamptz
    from unnest(${ids}::uuid[]) as id`
})

/** Contacts, contents and emails of a batch. */
const batch = Effect.fnUntraced(function* (project: string, items: number) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date()
  const uuids = SecureRandom.SecureRandom.use((random) => Effect.replicateEffect(random.uuidV7(), items))
  const [contacts, mails] = [yield* uuids, yield* uuids]
  const addresses = mails.map(() => `raw-${begun++}@example.com`)
  const rows = yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select id, ${project}, email, true, '{"name":"Ada","plan":"pro"}', ${now}, ${now}
    from unnest(${contacts}::uuid[], ${addresses}::text[]) as given (id, email)
    on conflict (project_id, email) do update set
      data = contacts.data || excluded.data, updated_at = excluded.updated_at
    returning id`
  yield* sql`
    insert into email_contents (id, project_id, html, text)
    select id, ${project}, ${html}, ${text} from unnest(${mails}::uuid[]) as id`
  yield* sql`
    insert into emails (id, project_id, contact_id, content_id, to_email, from_email, subject, type, source_type,
      template_id, tracking, status, lane, due_at, ladder_since, created_at, updated_at)
    select id, ${project}, contact_id, id, email, 'hello@example.com', ${subject},
      'TRANSACTIONAL', 'TRANSACTIONAL', ${project}, true, 'PENDING', 0, ${now}, ${now}, ${now}, ${now}
    from unnest(${mails}::uuid[], ${rows.map(({ id }) => String(id))}::uuid[], ${addresses}::text[])
      as given (id, contact_id, email)`
})

const transaction = ({ items = 1, transaction: kind }: Question, project: string) => {
  if (kind === "batch") return SqlClient.SqlClient.use((sql) => sql.withTransaction(batch(project, items)))
  if (kind === "events") return events(project, items)
  const email = kind === "track same" ? "raw@example.com" : `raw-${begun++}@example.com`
  if (kind === "contact new") return contact(project, email, new Date())
  const several = kind === "send" ? send(project, email) : track(project, email)
  return SqlClient.SqlClient.use((sql) => sql.withTransaction(several))
}

const run = Effect.fnUntraced(function* (question: Question) {
  const { connections = mostConnections, projects, seconds } = question
  const millis: Array<number> = []
  const begin = performance.now()
  const end = begin + seconds * 1000
  let turn = 0
  const one = Effect.gen(function* () {
    const started = performance.now()
    yield* transaction(question, projects[turn++ % projects.length] ?? projects[0])
    millis.push(performance.now() - started)
  })
  const loop = Effect.whileLoop({ while: () => performance.now() < end, body: () => one, step: () => {} })
  yield* Effect.replicateEffect(loop, connections, { concurrency: "unbounded", discard: true })
  const took = (performance.now() - begin) / 1000
  return { transactions: millis.length, seconds: took, latency: latencyOf(millis) } satisfies typeof Answer.Type
})

const main = (place: string) => {
  const database = place.startsWith("postgres")
    ? PgClient.layer({
        url: Redacted.make(place),
        maxConnections: mostConnections,
        startupParameters: { search_path: "posthorn" }
      })
    : Migrations.layer.pipe(Layer.provideMerge(Pglite.layer({ folder: place })))
  const runtime = ManagedRuntime.make(Layer.merge(Layer.orDie(database), NodeCrypto.layer))
  answer(Question, (question) => runtime.runPromise(run(question)))
}

if (import.meta.main) main(process.argv[2] ?? "")
