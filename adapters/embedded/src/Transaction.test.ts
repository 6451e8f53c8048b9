/** Emails within the application's transactions, with each supported driver. */
import { PgClient } from "@effect/sql-pg"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, ManagedRuntime, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import postgres from "postgres"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { CannotJoin, createPosthorn, type HostTransaction, MailRefused, type Posthorn } from "./index.ts"
import { until } from "./testing/Until.ts"

/** The application's table has the same name as one of Posthorn's. */
const schema = "create table contacts (id text primary key, note text not null)"
const insert = (id: string) => `insert into contacts values ('${id}', 'mine')`

interface Attempt {
  readonly id: string
  readonly end: "commit" | "rollback"
  readonly work: (host: HostTransaction) => Promise<unknown>
}

/** How an application writes a row, does its work and ends the transaction with one driver. */
interface Driver {
  readonly name: string
  readonly attempt: (attempt: Attempt) => Promise<void>
}

const server = inject("postgres")
const scope = Scope.makeUnsafe()
let sink: Awaited<ReturnType<typeof startSink>>
let pool: pg.Pool
let porsager: postgres.Sql
let effects: ManagedRuntime.ManagedRuntime<SqlClient.SqlClient, unknown>
let posthorn: Posthorn
let project: string

const drivers: ReadonlyArray<Driver> = [
  {
    name: "pg",
    attempt: async ({ id, end, work }) => {
      const client = await pool.connect()
      try {
        await client.query("begin")
        await client.query(insert(id))
        await work(client)
        await client.query(`update contacts set note = 'still mine' where id = '${id}'`)
        await client.query(end)
      } catch (error) {
        await client.query("rollback")
        throw error
      } finally {
        client.release()
      }
    }
  },
  {
    name: "postgres",
    attempt: async ({ id, end, work }) => {
      const given = new Error("given up")
      await porsager
        .begin(async (sql) => {
          await sql.unsafe(insert(id))
          await work(sql)
          await sql`update contacts set note = 'still mine' where id = ${id}`
          if (end === "rollback") throw given
        })
        .catch((error) => {
          if (error !== given) throw error
        })
    }
  },
  {
    name: "Effect's SqlClient",
    attempt: ({ id, end, work }) =>
      effects.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const all = Effect.gen(function* () {
            yield* sql.unsafe(insert(id))
            yield* Effect.tryPromise({ try: () => work(sql), catch: (error) => error })
            yield* sql`update contacts set note = 'still mine' where id = ${id}`
            if (end === "rollback") yield* Effect.fail("given up")
          })
          yield* Effect.catchIf(
            sql.withTransaction(all),
            (error) => error === "given up",
            () => Effect.void
          )
        })
      )
  }
]

const mailTo = (id: string) => ({ to: `${id}@example.com`, from: "hi@app.test", subject: id, body: "<p>Hi</p>" })

/** Three mails with other subjects, so that they are not counted with the mail of this id. */
const batchOf = (id: string) => ({
  emails: [0, 1, 2].map((n) => ({ ...mailTo(`${id}-${n}`), subject: `Batch ${id}`, idempotencyKey: `${id}-${n}` }))
})

const rowsOf = async (id: string) => (await pool.query("select note from contacts where id = $1", [id])).rows
const contactOf = async (id: string) =>
  (
    await posthorn
      .client(project)
      .contacts.lookup({ emails: [`${id}@example.com`] })
      .orThrow()
  ).found.length
const eventsOf = async (name: string) =>
  (await posthorn.client(project).events.list({ eventName: name }).page().orThrow()).data.length
const copiesOf = (id: string) => sink.mails.filter(({ raw }) => String(raw).includes(`Subject: ${id}`)).length

describe.skipIf(server === undefined)("Mail in a transaction of the application", () => {
  beforeAll(async () => {
    if (server === undefined) return
    sink = await startSink({})
    const url = await Effect.runPromise(Scope.provide(freshDatabase(server), scope))
    pool = new pg.Pool({ connectionString: url, max: 6 })
    porsager = postgres(url, { max: 2, onnotice: () => undefined })
    effects = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url), maxConnections: 2 }))
    await pool.query(schema)
    posthorn = await createPosthorn({
      database: { pool },
      mailer: { smtp: `smtp://127.0.0.1:${sink.port}?tls=none` },
      publicUrl: "https://app.example",
      secret: "0123456789abcdef0123456789abcdef",
      settings: { devMode: true }
    })
    project = (await posthorn.run(Projects.use(({ create }) => create("App")))).project.id
    await posthorn.client(project).domains.add({ domain: "app.test", projectId: project }).orThrow()
  })
  afterAll(async () => {
    if (server === undefined) return
    await posthorn.close()
    await effects.dispose()
    await porsager.end()
    await pool.end()
    await sink.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  for (const { name, attempt } of drivers) {
    const tag = name.replace(/\W/g, "").toLowerCase()

    it(`${name}: a commit keeps one mail, its contact, its event and the rows of the application`, async () => {
      const id = `${tag}-kept`
      await attempt({
        id,
        end: "commit",
        work: (host) =>
          posthorn.transaction(host, async (mail) => {
            const sent = await mail.send(mailTo(id), { idempotencyKey: id })
            assert.isNull(sent.error)
            await mail.track({ event: id, email: `${id}@example.com`, data: { amount: 3.5, list: ["a", 'b"\\'] } })
            await mail.batch(batchOf(id)).orThrow()
            const read = await mail.emails.get(sent.data?.emails[0]?.email ?? "")
            assert.strictEqual(read.data?.status, "PENDING", "it is to be read where it was written")
            assert.strictEqual((await posthorn.client(project).emails.get(read.data?.id ?? "")).error?.statusCode, 404)
          })
      })
      assert.deepStrictEqual(await rowsOf(id), [{ note: "still mine" }])
      assert.strictEqual(await contactOf(id), 1)
      assert.strictEqual(await eventsOf(id), 1)
      await until(() => copiesOf(id) > 0)
      await until(() => copiesOf(`Batch ${id}`) === 3)
      const again = await posthorn.client(project).send(mailTo(id), { idempotencyKey: id })
      assert.strictEqual(again.error?.code, "IDEMPOTENCY_KEY_REUSED")
      assert.strictEqual(copiesOf(id), 1)
    })

    it(`${name}: a rollback leaves no mail, no contact, no event and an unused Idempotency-Key`, async () => {
      const id = `${tag}-undone`
      await attempt({
        id,
        end: "rollback",
        work: (host) =>
          posthorn.transaction(host, async (mail) => {
            await mail.send(mailTo(id), { idempotencyKey: id }).orThrow()
            await mail.track({ event: id, email: `${id}@example.com` }).orThrow()
            await mail.batch(batchOf(id)).orThrow()
          })
      })
      assert.deepStrictEqual(await rowsOf(id), [])
      assert.strictEqual(await contactOf(id), 0)
      assert.strictEqual(await contactOf(`${id}-0`), 0)
      const batch = await posthorn.client(project).batch(batchOf(id)).orThrow()
      assert.deepStrictEqual(
        batch.results.map(({ emails, replayed }) => [emails?.length, replayed]),
        Array.from({ length: 3 }, () => [1, undefined]),
        "the keys of the items are unused"
      )
      assert.strictEqual(await eventsOf(id), 0)
      await posthorn.client(project).send(mailTo(id), { idempotencyKey: id }).orThrow()
      await until(() => copiesOf(id) > 0)
      assert.strictEqual(copiesOf(id), 1, "only the one that was sent afterwards")
    })

    it(`${name}: a refused call is rolled back, and the transaction rejects`, async () => {
      const id = `${tag}-refused`
      const strange = { ...mailTo(id), from: "hi@stranger.example" }
      const told = await attempt({
        id,
        end: "commit",
        work: (host) => posthorn.transaction(host, (mail) => mail.send(strange))
      }).catch((error) => error)
      assert.instanceOf(told, MailRefused)
      assert.deepInclude(
        { ...told },
        {
          code: "SENDER_DOMAIN_UNVERIFIED",
          status: 403,
          errors: [],
          details: { reason: "sender_domain_unverified", domain: "stranger.example" }
        }
      )
      assert.match(told.message, /POST \/domains or `posthorn domains add stranger\.example`/)
      const faulty = { ...mailTo(id), to: "nobody" }
      const fault = await attempt({
        id,
        end: "commit",
        work: (host) => posthorn.transaction(host, (mail) => mail.send(faulty))
      }).catch((error) => error)
      assert.deepStrictEqual(
        [fault.code, fault.errors.map(({ field }: { readonly field: string }) => field)],
        ["VALIDATION_ERROR", ["to"]]
      )
      assert.deepStrictEqual(await rowsOf(id), [])
      assert.strictEqual(await contactOf(id), 0)
    })
  }

  it("wakes the workers of all processes on commit, and none on rollback", async () => {
    const told: Array<string | undefined> = []
    const listener = await pool.connect()
    listener.on("notification", ({ payload }) => told.push(payload))
    await listener.query("listen posthorn")
    const work = (host: HostTransaction) => posthorn.transaction(host, (mail) => mail.send(mailTo("woken")).orThrow())
    const [{ attempt } = assert.fail("there is a driver")] = drivers
    await attempt({ id: "woken-undone", end: "rollback", work })
    await attempt({ id: "woken-kept", end: "commit", work })
    await until(() => told.length > 0)
    await listener.query("unlisten posthorn")
    listener.release(true)
    assert.deepStrictEqual(told, [""], "one that says that something of Posthorn's has changed")
  })

  it("an application that catches the refusal keeps its own rows, and none of the refused call", async () => {
    const work = (host: HostTransaction) =>
      posthorn
        .transaction(host, (mail) => mail.send({ ...mailTo("half"), from: "hi@stranger.example" }))
        .catch(() => "known")
    for (const { name, attempt } of drivers) await attempt({ id: `on-${name.length}`, end: "commit", work })
    assert.lengthOf((await pool.query("select from contacts where id like 'on-%'")).rows, 3)
    assert.strictEqual(await contactOf("half"), 0)
  })

  it("waits for calls that were not awaited, and refuses calls after its end", async () => {
    let late: () => Promise<unknown> = () => Promise.resolve()
    await drivers[0]?.attempt({
      id: "loose",
      end: "commit",
      work: (host) =>
        posthorn.transaction(host, async (mail) => {
          void mail.send(mailTo("loose-1"))
          void mail.send(mailTo("loose-2"))
          late = () => mail.send(mailTo("loose-3")).orThrow()
        })
    })
    await until(() => copiesOf("loose-1") + copiesOf("loose-2") === 2)
    assert.match(String(await late().catch((error) => error.message)), /The transaction has ended/)
  })

  it("says why a transaction cannot be joined", async () => {
    const join = (host: HostTransaction, id?: string) =>
      posthorn.transaction(host, (mail) => mail.send(mailTo("nobody")), id).catch((error) => error)
    const client = await pool.connect()
    for (const [error, sentence] of [
      [await join(client), /No transaction is open/],
      [await effects.runPromise(SqlClient.SqlClient.use((sql) => Effect.promise(() => join(sql)))), /withTransaction/],
      [
        await client
          .query("begin")
          .then(() => client.query("select 1/0"))
          .catch(() => join(client)),
        /already failed/
      ]
    ] as const) {
      assert.instanceOf(error, CannotJoin)
      assert.match(error.message, sentence)
    }
    await client.query("rollback")
    client.release()

    const elsewhere = new pg.Client(server?.url)
    await elsewhere.connect()
    await elsewhere.query("begin")
    const strange = await join(elsewhere)
    assert.instanceOf(strange, CannotJoin)
    assert.match(strange.message, /database without Posthorn's tables\. Begin the transaction in the database/)
    assert.lengthOf((await elsewhere.query("select 1")).rows, 1, "the transaction goes on")
    await elsewhere.end()
  })

  it("rejects if a call is aborted, so that no row is kept without its mail", async () => {
    const given = { signal: AbortSignal.abort() }
    const work = (host: HostTransaction) =>
      posthorn.transaction(host, (mail) => mail.send(mailTo("given-up"), given), project)
    const told = await drivers[0]?.attempt({ id: "given-up", end: "commit", work }).catch((error) => error)
    assert.instanceOf(told, MailRefused)
    assert.match(told.message, /aborted/)
    assert.deepStrictEqual(await rowsOf("given-up"), [])
    assert.strictEqual(await contactOf("given-up"), 0)
  })

  it("rejects if Posthorn is closed before the mail is stored, so that no row is kept without its mail", async () => {
    const closing = await createPosthorn({
      database: { pool },
      mailer: { smtp: `smtp://127.0.0.1:${sink.port}?tls=none` },
      publicUrl: "https://app.example",
      secret: "0123456789abcdef0123456789abcdef",
      workers: false
    })
    const work = (host: HostTransaction) =>
      closing.transaction(
        host,
        async (mail) => {
          await closing.close()
          assert.isNotNull((await mail.send(mailTo("closing"))).error)
        },
        project
      )
    const told = await drivers[0]?.attempt({ id: "closing", end: "commit", work }).catch((error) => error)
    assert.instanceOf(told, CannotJoin)
    assert.deepStrictEqual(await rowsOf("closing"), [])
  })

  it("takes no connection from the pool and changes no setting of its connections", async () => {
    const paths = await Promise.all(Array.from({ length: 6 }, () => pool.query("show search_path")))
    for (const { rows } of paths) assert.deepStrictEqual(rows, [{ search_path: '"$user", public' }])
  })
})
