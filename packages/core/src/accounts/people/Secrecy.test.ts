import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import { browse, invite, newAddress, newProject, password, settled, signUp, tokenFor } from "../../testing/Browser.ts"
import { wire } from "../../testing/TestClient.ts"

/** Everything printed while the effect runs, with nested values. */
const printed = Effect.acquireRelease(
  Effect.sync(() => {
    const lines: Array<string> = []
    const keep = (...parts: ReadonlyArray<unknown>) => {
      lines.push(parts.map((part) => (typeof part === "string" ? part : inspect(part, { depth: 20 }))).join(" "))
    }
    const spies = (["debug", "error", "info", "log", "warn"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(keep)
    )
    return { lines, spies }
  }),
  ({ spies }) => Effect.sync(() => spies.forEach((spy) => void spy.mockRestore()))
)

layer(wire, { timeout: "60 seconds" })("Logs", (it) => {
  it.effect("hold no password, token, session or key, also after failures", () =>
    Effect.gen(function* () {
      const { lines } = yield* printed
      const someone = yield* signUp(newAddress("secretive"))
      const verification = yield* tokenFor(someone.email)
      const project = yield* newProject(someone.cookie)
      yield* browse("", "POST", "/auth/verify-email", { token: verification })
      yield* browse("", "POST", "/auth/login", { email: someone.email, password: "a wrong horse" })
      yield* browse("", "POST", "/auth/request-password-reset", { email: someone.email })
      const reset = yield* tokenFor(someone.email)
      const invited = newAddress("invited")
      yield* invite(someone.cookie, project.id, invited, "MEMBER")
      const invitation = yield* tokenFor(invited)

      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table users rename to users_away`
      const broken = [
        yield* browse("", "POST", "/auth/login", { email: someone.email, password }),
        yield* browse("", "POST", "/auth/signup", { email: newAddress("lost"), password }),
        yield* browse("", "POST", "/auth/reset-password", { token: reset, newPassword: "a new battery" }),
        yield* browse("", "GET", `/invitations/${invitation}`),
        yield* browse(someone.cookie, "POST", `/users/@me/projects/${project.id}/regenerate-keys`)
      ]
      yield* sql`alter table users_away rename to users`
      for (const { status, body } of broken) {
        assert.deepStrictEqual([status, body.error.code], [500, "INTERNAL_SERVER_ERROR"])
        assert.notMatch(JSON.stringify(body), /users|select|relation/)
      }
      const { body: keys } = yield* settled(
        browse(someone.cookie, "POST", `/users/@me/projects/${project.id}/regenerate-keys`)
      )
      assert.isAtLeast(lines.filter((line) => line.includes("Request failed")).length, broken.length)
      const secrets = [
        password,
        "a wrong horse",
        "a new battery",
        verification,
        reset,
        invitation,
        someone.cookie,
        project.secret,
        keys.secret
      ]
      for (const secret of secrets) {
        assert.isAbove(secret.length, 8)
        assert.notInclude(lines.join("\n"), secret)
      }
    })
  )
})
