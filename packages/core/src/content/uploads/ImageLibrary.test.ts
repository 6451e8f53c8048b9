/** The images of a project, listed and deleted. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { key as ownKey, project as ownProject, servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Images } from "./Images.ts"
import { ObjectStorage, StorageFailed } from "./ObjectStorage.ts"
import { png } from "./SampleImages.ts"

for (const [name, database] of databases()) {
  const objects = new Set<string>()
  const state = { isDown: false, afterPut: Effect.void as Effect.Effect<void> }
  const whileUp = <A>(value: () => A) =>
    Effect.suspend(() => (state.isDown ? Effect.fail(new StorageFailed({ cause: "down" })) : Effect.sync(value)))
  const storage = ObjectStorage.of({
    kind: "folder",
    put: (key) =>
      Effect.andThen(
        whileUp(() => void objects.add(key)),
        Effect.suspend(() => state.afterPut)
      ),
    get: (key) =>
      whileUp(() => (objects.has(key) ? Option.some({ size: undefined, content: Stream.empty }) : Option.none())),
    look: (key) => whileUp(() => (objects.has(key) ? Option.some({ size: undefined }) : Option.none())),
    delete: (key) => whileUp(() => void objects.delete(key)),
    check: whileUp(() => undefined),
    publicUrl: (key) => `https://cdn.example.com/${key}`
  })
  const services = wireOver(servicesOn(database).pipe(Layer.provide(Layer.succeed(ObjectStorage, storage))))

  layer(services, { timeout: "60 seconds" })(`The images of a project, on ${name}`, (it) => {
    const upload = (project: typeof ownProject, n: number) =>
      Images.use((images) => images.upload(project, { bytes: png(n, 1), filename: "logo.png" }))
    const nameOf = ({ key }: { readonly key: string }) => key.split("/")[1] ?? ""
    const opened = Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      const ask = (method: string, path: string) => send(method, path, undefined, { authorization: `Bearer ${secret}` })
      return { project: id as typeof ownProject, owner, ask }
    })
    const code = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } | null }) =>
      `${status} ${body?.error?.code ?? "ok"}`

    it.effect("are listed newest first, page by page, without those that are being stored", () =>
      Effect.gen(function* () {
        const { project, ask } = yield* opened
        const keys: Array<string> = []
        for (const n of [1, 2, 3]) {
          keys.unshift((yield* upload(project, n)).key)
          yield* TestClock.adjust("1 second")
        }
        yield* upload(project, 1)
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into images (project_id, name, size, stored, created_at)
          values (${project}, ${`${"a".repeat(64)}.png`}, 1, false, now())`
        const first = (yield* ask("GET", "/uploads/images?limit=2")).body
        assert.deepStrictEqual([first.total, first.hasMore], [3, true])
        const second = (yield* ask("GET", `/uploads/images?limit=2&cursor=${first.cursor}`)).body
        assert.isFalse(second.hasMore)
        const listed = [...first.data, ...second.data]
        assert.deepStrictEqual(
          listed.map(({ key }) => key),
          keys
        )
        assert.deepInclude(listed[0], {
          url: `https://cdn.example.com/${keys[0]}`,
          contentType: "image/png",
          size: 33
        })
        assert.match(listed[0].createdAt, /^\d{4}-.*Z$/)
        assert.strictEqual(code(yield* ask("GET", "/uploads/images?cursor=nonsense")), "400 INVALID_CURSOR")
        // A cursor of one project is none of another.
        const other = yield* opened
        assert.strictEqual(
          code(yield* other.ask("GET", `/uploads/images?cursor=${first.cursor}`)),
          "400 INVALID_CURSOR"
        )
        assert.deepStrictEqual((yield* other.ask("GET", "/uploads/images")).body.data, [])
      })
    )

    it.effect("are deleted with their content, once, by admins of their project only", () =>
      Effect.gen(function* () {
        const { project, owner, ask } = yield* opened
        const image = yield* upload(project, 1)
        const path = `/uploads/images/${nameOf(image)}`
        assert.strictEqual(code(yield* (yield* opened).ask("DELETE", path)), "404 RESOURCE_NOT_FOUND")
        const helper = yield* person("helper")
        yield* addMember(owner.cookie, project, helper, "MEMBER")
        const asMember = (method: string, path: string) =>
          browse(helper.cookie, method, path, undefined, { "x-project-id": project })
        assert.strictEqual((yield* asMember("GET", "/uploads/images")).body.data.length, 1)
        assert.strictEqual(code(yield* asMember("DELETE", path)), "403 FORBIDDEN")
        assert.isTrue(objects.has(image.key))
        assert.strictEqual(code(yield* ask("DELETE", path)), "204 ok")
        assert.isFalse(objects.has(image.key))
        assert.strictEqual(code(yield* ask("DELETE", path)), "404 RESOURCE_NOT_FOUND")
        assert.deepStrictEqual((yield* ask("GET", "/uploads/images")).body.data, [])
        for (const wrong of ["x", "..", "..%2F..%2Fetc", `${"A".repeat(64)}.png`, `${"a".repeat(64)}.svg`]) {
          assert.match(code(yield* ask("DELETE", `/uploads/images/${wrong}`)), /^404 /, wrong)
        }
      })
    )

    it.effect("stay while the storage is down", () =>
      Effect.gen(function* () {
        const { project, ask } = yield* opened
        const image = yield* upload(project, 1)
        state.isDown = true
        const refused = yield* ask("DELETE", `/uploads/images/${nameOf(image)}`)
        state.isDown = false
        assert.strictEqual(code(refused), "503 SERVICE_UNAVAILABLE")
        assert.strictEqual((yield* ask("GET", "/uploads/images")).body.total, 1)
      })
    )

    it.effect("are there after an upload that a deletion came between, or whose content was lost", () =>
      Effect.gen(function* () {
        const { project, ask } = yield* opened
        // The first upload has stored the content, and waits. Another one finishes, and its image is deleted.
        const [stored, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        state.afterPut = Effect.andThen(Deferred.succeed(stored, undefined), Deferred.await(goOn))
        const first = yield* Effect.forkChild(upload(project, 9))
        yield* Deferred.await(stored)
        state.afterPut = Effect.void
        const { key } = yield* upload(project, 9)
        assert.strictEqual(code(yield* ask("DELETE", `/uploads/images/${nameOf({ key })}`)), "204 ok")
        yield* Deferred.succeed(goOn, undefined)
        assert.strictEqual((yield* Fiber.join(first)).key, key)
        assert.isTrue(objects.has(key))
        assert.strictEqual((yield* ask("GET", "/uploads/images")).body.total, 1)
        // A process that dies in a deletion leaves the record.
        objects.delete(key)
        yield* upload(project, 9)
        assert.isTrue(objects.has(key))
        objects.delete(key)
        assert.strictEqual(code(yield* ask("DELETE", `/uploads/images/${nameOf({ key })}`)), "204 ok")
      })
    )

    it.effect("are found by an index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into images (project_id, name, size, stored, created_at)
          select ${ownProject}::uuid, md5(n::text), 1, true, now() - make_interval(secs => n) from generate_series(1, 20000) as n`
        yield* sql`analyze images`
        const plan = yield* sql`
          explain select name from images where project_id = ${ownProject}::uuid and stored
          order by created_at desc, name desc limit 20`
        assert.include(JSON.stringify(plan), "images_created_at")
        yield* sql`delete from images where project_id = ${ownProject}::uuid`
        assert.strictEqual(
          (yield* send("GET", "/uploads/images", undefined, { authorization: `Bearer ${ownKey}` })).status,
          200
        )
      })
    )
  })
}
