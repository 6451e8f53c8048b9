import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { crypto } from "../../testing/Services.ts"
import * as ApiKeyStoreSql from "./ApiKeyStoreSql.ts"
import * as ProjectStoreSql from "./ProjectStoreSql.ts"
import * as Projects from "./Projects.ts"

/** A process with its own cache over the shared store. */
const boot = Effect.flatMap(Layer.build(Layer.fresh(Projects.layer)), (process) =>
  Effect.provideContext(Projects.Projects, process)
)

const accepts = (projects: Projects.Projects["Service"], key: string) =>
  projects.authenticate("secret", key).pipe(
    Effect.as("yes"),
    Effect.catch(({ reason }) => Effect.succeed(reason))
  )

/** Advances the clock until the change is done: a settled change waits for the caches of all processes. */
const settled = Effect.fnUntraced(function* <A, E>(change: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(change)
  yield* eventually(
    Effect.andThen(
      TestClock.adjust("200 millis"),
      Effect.sync(() => fiber.pollUnsafe())
    ),
    (exit) => exit !== undefined
  )
  return yield* Fiber.join(fiber)
})

for (const [name, database] of databases()) {
  const shared = Layer.provideMerge(
    Layer.merge(ApiKeyStoreSql.layer, ProjectStoreSql.layer),
    Layer.merge(database, crypto)
  )
  layer(shared, { timeout: "60 seconds" })(`Keys on ${name}`, (it) => {
    it.effect("after key rotation is answered, no process accepts the old keys", () =>
      Effect.gen(function* () {
        const [a, b] = [yield* boot, yield* boot]
        const { project, keys } = yield* a.create("Shop")
        const old = Redacted.value(keys.secretKey)
        assert.deepStrictEqual([yield* accepts(a, old), yield* accepts(b, old)], ["yes", "yes"])
        const next = yield* settled(a.rotateKeys(project.id))
        assert.deepStrictEqual([yield* accepts(a, old), yield* accepts(b, old)], ["unknown", "unknown"])
        assert.strictEqual(yield* accepts(b, Redacted.value(next.secretKey)), "yes")
        const refused = yield* Effect.flip(b.authenticate("public", keys.publicKey))
        assert.strictEqual(refused.reason, "unknown")
      })
    )

    it.effect("after disabling is answered, it applies in every process", () =>
      Effect.gen(function* () {
        const [a, b] = [yield* boot, yield* boot]
        const { project, keys } = yield* a.create("Shop")
        const key = Redacted.value(keys.secretKey)
        assert.isNull((yield* b.authenticate("secret", key)).disabled)
        yield* settled(a.disable(project.id, "MANUAL"))
        assert.strictEqual((yield* b.authenticate("secret", key)).disabled, "MANUAL")
        assert.strictEqual((yield* a.get(project.id)).disabled, "MANUAL")
        yield* settled(a.enable(project.id))
        assert.isNull((yield* b.authenticate("secret", key)).disabled)
      })
    )

    it.effect("a busy key costs one lookup a second", () =>
      Effect.gen(function* () {
        const projects = yield* boot
        const { project, keys } = yield* projects.create("Shop")
        const key = Redacted.value(keys.secretKey)
        yield* projects.authenticate("secret", key)
        yield* SqlClient.SqlClient.use((sql) => sql`delete from projects where id = ${project.id}`)
        yield* TestClock.adjust("999 millis")
        assert.strictEqual(yield* accepts(projects, key), "yes")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* accepts(projects, key), "unknown")
      })
    )

    it.effect("only a hash and four characters of the secret key are stored", () =>
      Effect.gen(function* () {
        const { project, keys } = yield* (yield* boot).create("Shop")
        const secret = Redacted.value(keys.secretKey)
        const [row] = yield* SqlClient.SqlClient.use(
          (sql) => sql`select projects::text from projects where id = ${project.id}`
        )
        assert.notInclude(JSON.stringify(row), secret.slice(3, 30))
        assert.strictEqual(project.secretHint, secret.slice(-4))
        assert.match(secret, /^sk_[\w-]{43}$/)
        assert.match(keys.publicKey, /^pk_[\w-]{43}$/)
      })
    )

    it.effect("an unknown project is reported as not found", () =>
      Effect.gen(function* () {
        const projects = yield* boot
        const missing = ProjectId.make("019a0000-0000-7000-8000-00000000dead")
        for (const action of [projects.get(missing), projects.rotateKeys(missing), projects.enable(missing)]) {
          assert.strictEqual(
            (yield* Effect.flip<unknown, { readonly _tag: string }, never>(action))._tag,
            "RESOURCE_NOT_FOUND"
          )
        }
        assert.isArray(yield* projects.list)
      })
    )
  })
}
