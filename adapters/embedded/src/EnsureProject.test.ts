/** The project that an application makes for itself, on both kinds of database. */
import { Accounts } from "@posthorn/core/accounts/people/Accounts"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Effect, Exit, Option, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { createPosthorn, InvalidOption, type Posthorn, type PosthornOptions } from "./index.ts"

const server = inject("postgres")
const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const options = (database: PosthornOptions["database"]): PosthornOptions => ({
  database,
  mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
  publicUrl: "https://app.example",
  secret: "0123456789abcdef0123456789abcdef",
  workers: false
})

const onServer = (server: Parameters<typeof freshDatabase>[0]) =>
  Effect.runPromise(Scope.provide(freshDatabase(server), scope))

describe.each([
  { place: "PGlite", database: async () => ({ dataDir: dataFolder() }) },
  ...(server === undefined ? [] : [{ place: "PostgreSQL", database: () => onServer(server) }])
])("ensureProject on $place", ({ database }) => {
  let own: PosthornOptions
  let posthorn: Posthorn
  beforeAll(async () => {
    own = options(await database())
    posthorn = await createPosthorn(own)
  })
  afterAll(() => posthorn.close())

  const names = async () => (await posthorn.run(Projects.use(({ list }) => list))).map(({ name }) => name)
  const statusOf = async (key: string | null) =>
    (await posthorn.fetch(new Request("http://localhost/contacts", { headers: { authorization: `Bearer ${key}` } })))
      .status

  it("creates one project and one owner, even for twenty concurrent calls", async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => posthorn.ensureProject("Shop")))
    assert.strictEqual(new Set(found.map((project) => JSON.stringify(project))).size, 1)
    assert.deepStrictEqual(await names(), ["Shop"])
    const [{ id, publicKey, secretKey } = assert.fail()] = found
    assert.match(publicKey, /^pk_[\w-]{43}$/)
    assert.strictEqual(await statusOf(secretKey), 200)
    assert.strictEqual((await posthorn.client(id).contacts.upsert({ email: "a@example.com" })).error, null)
    const owner = await posthorn.run(Accounts.use(({ find }) => find("owner@posthorn.invalid")))
    const owned = await posthorn.run(Accounts.use(({ ownedProjects }) => ownedProjects(Option.getOrThrow(owner).id)))
    assert.deepStrictEqual(owned.map(String), [id])
  })

  it("creates each name once for an owner who has other projects", async () => {
    const [one, two] = await Promise.all(
      ["News", "News", "Alerts"].map((name) => posthorn.ensureProject(name, { owner: "anna@example.com" }))
    )
    assert.strictEqual(one?.id, two?.id)
    assert.deepStrictEqual((await names()).sort(), ["Alerts", "News", "Shop"])
  })

  it("does not return a project of another owner with the same name", async () => {
    const hers = await posthorn.ensureProject("News", { owner: "anna@example.com" })
    const ours = await posthorn.ensureProject("News")
    assert.notStrictEqual(ours.id, hers.id)
  })

  it("returns the same keys after a restart, and with a new secret if the old one is in previousSecrets", async () => {
    const before = await posthorn.ensureProject("Shop")
    await posthorn.close()
    posthorn = await createPosthorn({
      ...own,
      secret: "another secret of thirty-two bytes or more",
      previousSecrets: [own.secret]
    })
    assert.deepStrictEqual(await posthorn.ensureProject("Shop"), before)
    assert.strictEqual(await statusOf(before.secretKey), 200)
  })

  it("returns no secret key after the keys were replaced, and does not restore the old one", async () => {
    const { id, secretKey } = await posthorn.ensureProject("Replaced")
    const project = (await posthorn.run(Projects.use(({ list }) => list))).find((one) => one.id === id)
    await posthorn.run(Effect.orDie(Projects.use(({ rotateKeys }) => rotateKeys(project?.id ?? assert.fail()))))
    const after = await posthorn.ensureProject("Replaced")
    assert.deepInclude(after, { id, secretKey: null })
    assert.strictEqual(await statusOf(secretKey), 401)
  })

  it("rejects an invalid name or owner with a clear message", async () => {
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => assert.fail("accepted"),
        (error) => {
          assert.instanceOf(error, InvalidOption)
          return error.message
        }
      )
    assert.match(await refused(posthorn.ensureProject("")), /^The name of the project must have 1 to 100 characters/)
    assert.match(await refused(posthorn.ensureProject("x".repeat(101))), /1 to 100 characters/)
    assert.match(await refused(posthorn.ensureProject("Shop", { owner: "nobody" })), /^The email address is not valid/)
  })
})
