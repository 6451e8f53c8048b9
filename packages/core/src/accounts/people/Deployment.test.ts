import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Posthorn from "../../Posthorn.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ServiceStatus from "../../service/ServiceStatus.ts"
import { browse, cookieOf, invite, newAddress, password, tokenFor } from "../../testing/Browser.ts"
import { pglite } from "../../testing/Databases.ts"
import { host, settings } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Accounts } from "./Accounts.ts"

/** Sign-ups are closed, and an account with an unconfirmed address can do nothing. */
const strict = Layer.mergeAll(Posthorn.layer, ServiceStatus.layer).pipe(
  Layer.provideMerge(Layer.merge(host, pglite)),
  Layer.provideMerge(Layer.succeed(Settings, { ...settings, signups: "invited", emailVerificationRequired: true }))
)

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

layer(wireOver(strict), { timeout: "60 seconds" })("A deployment with sign-up closed", (it) => {
  it.effect("creates accounts only for invited people, and requires a confirmed address", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const email = newAddress("operator")
      const { project, keys } = yield* Effect.orDie(
        accounts.create({ email, password: Redacted.make(password), projectName: "Shop" })
      )
      const login = yield* browse("", "POST", "/auth/login", { email, password })
      const owner = cookieOf(login.headers) ?? ""
      const signup = (address: string, invitationToken?: string) =>
        outcome("", "POST", "/auth/signup", { email: address, password, ...(invitationToken && { invitationToken }) })
      assert.strictEqual(yield* signup(newAddress("anybody")), "403 SIGNUPS_DISABLED")
      assert.strictEqual(yield* signup(newAddress("anybody"), "x".repeat(43)), "403 SIGNUPS_DISABLED")
      const invited = newAddress("invited")
      yield* invite(owner, project.id, invited, "MEMBER")
      const token = yield* tokenFor(invited)
      assert.strictEqual(yield* signup(newAddress("thief"), token), "403 SIGNUPS_DISABLED")
      assert.strictEqual(yield* signup(invited, token), "201 ok")
      assert.strictEqual(Option.isSome(yield* accounts.find(invited)), true)

      const key = { authorization: `Bearer ${Redacted.value(keys.secretKey)}` }
      const ofProject = { "x-project-id": project.id }
      const session = () => outcome(owner, "GET", "/contacts", undefined, ofProject)
      assert.strictEqual(yield* session(), "200 ok")
      yield* SqlClient.SqlClient.use((sql) => sql`update users set email_verified = false where email = ${email}`)
      assert.strictEqual(yield* session(), "403 EMAIL_VERIFICATION_REQUIRED")
      assert.strictEqual(
        yield* outcome(owner, "GET", `/projects/${project.id}/members`),
        "403 EMAIL_VERIFICATION_REQUIRED"
      )
      assert.strictEqual(
        yield* outcome(owner, "POST", "/users/@me/projects", { name: "Another" }),
        "403 EMAIL_VERIFICATION_REQUIRED"
      )
      assert.strictEqual(yield* outcome(owner, "GET", "/users/@me"), "200 ok")
      assert.strictEqual((yield* send("GET", "/contacts", undefined, key)).status, 200)
    })
  )
})
