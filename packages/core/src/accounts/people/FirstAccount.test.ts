import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Posthorn from "../../Posthorn.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ServiceStatus from "../../service/ServiceStatus.ts"
import { browse, cookieOf, invite, newAddress, newProject, password, tokenFor } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { host, settings } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Accounts } from "./Accounts.ts"

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const signUp = (email: string, invitationToken?: string) =>
  outcome("", "POST", "/auth/signup", { email, password, ...(invitationToken && { invitationToken }) })

const isOpen = Effect.map(browse("", "GET", "/config"), ({ body }) => body.features.signups.enabled)

const deleteUsers = SqlClient.SqlClient.use((sql) => Effect.orDie(sql`delete from users`))

for (const [name, database] of databases()) {
  const services = Layer.mergeAll(Posthorn.layer, ServiceStatus.layer).pipe(
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, { ...settings, signups: "first" }))
  )
  layer(wireOver(services), { timeout: "90 seconds" })(`A server without accounts on ${name}`, (it) => {
    it.effect("allows the first sign-up, then only invited people, and reports it", () =>
      Effect.gen(function* () {
        yield* deleteUsers
        assert.isTrue(yield* isOpen)
        const email = newAddress("first")
        assert.strictEqual(yield* signUp(email), "201 ok")
        assert.isFalse(yield* isOpen)
        assert.strictEqual(yield* signUp(newAddress("second")), "403 SIGNUPS_DISABLED")
        assert.strictEqual(yield* signUp(email), "403 SIGNUPS_DISABLED")

        yield* browse("", "POST", "/auth/verify-email", { token: yield* tokenFor(email) })
        const owner = cookieOf((yield* browse("", "POST", "/auth/login", { email, password })).headers) ?? ""
        const project = yield* newProject(owner)
        const invited = newAddress("invited")
        yield* invite(owner, project.id, invited, "MEMBER")
        assert.strictEqual(yield* signUp(invited, yield* tokenFor(invited)), "201 ok")
      })
    )

    it.effect("creates one first account, however many sign up at once", () =>
      Effect.gen(function* () {
        yield* deleteUsers
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => signUp(newAddress("racing"))),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.toSorted(), ["201 ok", ...Array(7).fill("403 SIGNUPS_DISABLED")])
        const [row] = yield* SqlClient.SqlClient.use((sql) => sql`select count(*)::int as count from users`)
        assert.deepStrictEqual(row, { count: 1 })
      })
    )

    it.effect("closes sign-up once the operator has created an account; the operator can always create more", () =>
      Effect.gen(function* () {
        yield* deleteUsers
        const { create } = yield* Accounts
        const account = () =>
          create({ email: newAddress("operator"), password: Redacted.make(password), projectName: "Shop" })
        yield* account()
        assert.strictEqual(yield* signUp(newAddress("late")), "403 SIGNUPS_DISABLED")
        yield* account()
      })
    )
  })
}
