/** Posthorn's tables in a schema that the application chooses. */
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { createPosthorn, InvalidOption, type PosthornOptions } from "./index.ts"

const server = inject("postgres")
const scope = Scope.makeUnsafe()

const options = (database: PosthornOptions["database"], schema?: string): PosthornOptions => ({
  database,
  schema,
  mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
  publicUrl: "https://app.example",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { devMode: true },
  workers: false
})

const started = async (database: PosthornOptions["database"], schema?: string) => {
  const posthorn = await createPosthorn(options(database, schema))
  const { project } = await posthorn.run(Projects.use(({ create }) => create("App")))
  const client = posthorn.client(project.id)
  await client.domains.add({ domain: "app.test" }).orThrow()
  return { posthorn, client }
}

const mail = { to: "anna@example.com", from: "hi@app.test", subject: "Hi", body: "<p>Hi</p>" }

describe.skipIf(server === undefined)("A schema of the application's choice", () => {
  let url = ""
  let pool: pg.Pool
  beforeAll(async () => {
    if (server === undefined) return
    url = await Effect.runPromise(Scope.provide(freshDatabase(server), scope))
    pool = new pg.Pool({ connectionString: url, max: 8 })
  })
  afterAll(async () => {
    await pool?.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("has all tables, so that several installations in one database are independent", async () => {
    const first = await started({ pool }, "mail_1")
    const second = await started(url, "mail_2")
    const { rows } = await pool.query(
      `select table_schema as name, count(*) as tables from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema !~ '^(pg_|information_)' group by 1 order by 1`
    )
    assert.deepStrictEqual(
      rows.map(({ name }) => name),
      ["mail_1", "mail_2", "posthorn"]
    )
    assert.lengthOf(new Set(rows.map(({ tables }) => tables)), 1)

    const connection = await pool.connect()
    await connection.query("begin")
    await first.posthorn.transaction(connection, (mails) => mails.send(mail))
    await connection.query("commit")
    connection.release()
    await second.client.contacts.upsert({ email: "bert@example.com" }).orThrow()
    const emailsOf = async ({ client }: typeof first) => (await client.emails.list().page().orThrow()).data.length
    assert.deepStrictEqual([await emailsOf(first), await emailsOf(second)], [1, 0])
    const found = async ({ client }: typeof first) => {
      const search = await client.contacts.list({ search: "@example" }).page().orThrow()
      return search.data.map(({ email }) => email)
    }
    assert.deepStrictEqual([await found(first), await found(second)], [["anna@example.com"], ["bert@example.com"]])
    await Promise.all([first.posthorn.close(), second.posthorn.close()])
  })
})

describe("The schema", () => {
  it("can be chosen for an embedded database too", async () => {
    const dataDir = newFolder()
    const { posthorn, client } = await started({ dataDir }, "mail")
    await client.send(mail).orThrow()
    await posthorn.close()
    const elsewhere = await createPosthorn(options({ dataDir }))
    assert.deepStrictEqual(await elsewhere.run(Projects.use(({ list }) => list)), [])
    await elsewhere.close()
  })

  it("must have a name that needs no quotes", async () => {
    for (const schema of ["", "Mail", "my mail", "pg_mail", 'a"b', "a".repeat(64)]) {
      const refused = await createPosthorn(options({ dataDir: newFolder() }, schema)).catch((error) => error)
      assert.instanceOf(refused, InvalidOption, schema)
    }
  })
})
