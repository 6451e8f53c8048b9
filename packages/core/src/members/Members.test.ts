import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  browse,
  cookieOf,
  join,
  lettersTo,
  newAddress,
  newProject,
  password,
  person,
  signUp,
  tokenFor
} from "../testing/Browser.ts"
import { send, wire } from "../testing/Wire.ts"

const withProject = Effect.gen(function* () {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  return { owner, project, members: `/projects/${project.id}/members` }
})

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

layer(wire, { timeout: "60 seconds" })("Members", (it) => {
  it.effect("an address with a confirmed account is a member at once, and is told", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const someone = yield* person("confirmed")
      const added = yield* join(owner.cookie, project.id, someone.email, "ADMIN")
      assert.strictEqual(added.status, 201)
      assert.include(added.body.data, { userId: someone.id, email: someone.email, role: "ADMIN", status: "ACTIVE" })
      assert.include((yield* lettersTo(someone.email)).at(-1)?.subject, "member of Shop")
      const list = yield* browse(someone.cookie, "GET", members)
      assert.deepStrictEqual(
        list.body.data.map(({ email, role }: { email: string; role: string }) => [email, role]),
        [
          [owner.email, "OWNER"],
          [someone.email, "ADMIN"]
        ]
      )
      const again = yield* join(owner.cookie, project.id, someone.email.toUpperCase(), "MEMBER")
      assert.deepStrictEqual([again.status, again.body.error.details.reason], [409, "already_member"])
      const own = yield* browse(someone.cookie, "GET", "/users/@me/projects")
      assert.deepInclude(own.body[0], { id: project.id, role: "ADMIN" })
    })
  )

  it.effect("an unconfirmed account is invited and not added: anybody could have made it", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("squatted")
      const squatter = yield* signUp(email)
      const invited = yield* join(owner.cookie, project.id, email, "MEMBER")
      assert.deepInclude(invited.body.data, { userId: null, status: "PENDING", role: "MEMBER", email })
      assert.deepStrictEqual((yield* browse(squatter.cookie, "GET", "/users/@me/projects")).body, [])
    })
  )

  it.effect("an address is mailed three times an hour at most, whether its invitation is renewed or taken back", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("pestered")
      const invite = (to = email) => join(owner.cookie, project.id, to, "MEMBER")
      yield* invite()
      const { body } = yield* invite()
      yield* browse(owner.cookie, "DELETE", `/projects/${project.id}/invitations/${body.data.invitationId}`)
      yield* invite()
      const token = yield* tokenFor(email)
      yield* TestClock.adjust("59 minutes")
      const refused = yield* invite(email.toUpperCase())
      assert.deepStrictEqual([refused.status, refused.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
      assert.strictEqual(refused.headers.get("retry-after"), "60")
      assert.lengthOf(yield* lettersTo(email), 3)
      assert.strictEqual((yield* browse("", "GET", `/invitations/${token}`)).status, 200)
      assert.strictEqual((yield* invite(newAddress("another"))).status, 201)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* invite()).status, 201)
    })
  )

  it.effect("an invitation works once, for its address alone, for seven days, and only the newest", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const email = newAddress("invited")
      yield* join(owner.cookie, project.id, email, "MEMBER")
      const old = yield* tokenFor(email)
      yield* TestClock.adjust("6 days")
      const renewed = yield* join(owner.cookie, project.id, email, "ADMIN")
      assert.strictEqual(renewed.status, 201)
      assert.include((yield* lettersTo(email)).at(-1)?.body, "https://posthorn.example/account/invitation?token=")
      const token = yield* tokenFor(email)
      assert.strictEqual((yield* browse("", "GET", `/invitations/${old}`)).body.error.code, "INVALID_TOKEN")
      const { body: shown } = yield* browse("", "GET", `/invitations/${token}`)
      assert.deepInclude(shown.data, { projectName: "Shop", email, role: "ADMIN", hasAccount: false })
      assert.deepStrictEqual(Object.keys(shown.data), ["projectName", "email", "role", "expiresAt", "hasAccount"])

      const thief = yield* person("thief")
      const accept = (cookie: string) => outcome(cookie, "POST", "/invitations/accept", { token })
      assert.strictEqual(yield* accept(thief.cookie), "403 FORBIDDEN")
      assert.strictEqual(
        yield* outcome("", "POST", "/auth/signup", { email: newAddress("thief"), password, invitationToken: token }),
        "400 INVALID_TOKEN"
      )
      const someone = yield* signUp(email)
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => accept(someone.cookie)),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(answers.toSorted(), ["200 ok", ...Array(4).fill("400 INVALID_TOKEN")])
      assert.isTrue((yield* browse(someone.cookie, "GET", "/users/@me")).body.emailVerified)
      const list = yield* browse(owner.cookie, "GET", members)
      assert.deepStrictEqual(
        list.body.data.map(({ role }: { role: string }) => role),
        ["OWNER", "ADMIN"]
      )

      const late = newAddress("late")
      yield* join(owner.cookie, project.id, late, "MEMBER")
      const lateToken = yield* tokenFor(late)
      yield* TestClock.adjust("7 days")
      assert.strictEqual(yield* outcome("", "GET", `/invitations/${lateToken}`), "400 INVALID_TOKEN")
    })
  )

  it.effect("signing up with an invitation confirms the address and makes the membership", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("coming")
      yield* join(owner.cookie, project.id, email, "MEMBER")
      const invitationToken = yield* tokenFor(email)
      const { status, body, headers } = yield* browse("", "POST", "/auth/signup", { email, password, invitationToken })
      assert.deepStrictEqual([status, body.data.emailVerified], [201, true])
      const { body: projects } = yield* browse(cookieOf(headers) ?? "", "GET", "/users/@me/projects")
      assert.deepStrictEqual([projects[0].id, projects[0].role], [project.id, "MEMBER"])
    })
  )

  it.effect("invitations are listed, and taken back", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("withdrawn")
      const { body } = yield* join(owner.cookie, project.id, email, "MEMBER")
      const path = `/projects/${project.id}/invitations`
      const { body: list } = yield* browse(owner.cookie, "GET", path)
      assert.deepInclude(list.data[0], { id: body.data.invitationId, email, role: "MEMBER", invitedBy: owner.id })
      const token = yield* tokenFor(email)
      assert.notInclude(JSON.stringify(list), token)
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", `${path}/${body.data.invitationId}`), "204 ok")
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", `${path}/no-uuid`), "404 RESOURCE_NOT_FOUND")
      assert.strictEqual(yield* outcome("", "GET", `/invitations/${token}`), "400 INVALID_TOKEN")
    })
  )

  it.effect("nobody changes their own role, nor the OWNER, who can neither leave nor be removed", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const admin = yield* person("admin")
      const member = yield* person("member")
      yield* join(owner.cookie, project.id, admin.email, "ADMIN")
      yield* join(owner.cookie, project.id, member.email, "MEMBER")
      const of = (user: { id: string }) => `${members}/${user.id}`
      const rows = [
        [admin, "PATCH", admin, { role: "MEMBER" }, "403 FORBIDDEN"],
        [admin, "PATCH", admin, { role: "OWNER" }, "403 FORBIDDEN"],
        [admin, "PATCH", owner, { role: "MEMBER" }, "403 FORBIDDEN"],
        [admin, "PATCH", member, { role: "OWNER" }, "403 FORBIDDEN"],
        [admin, "PATCH", member, { role: "KING" }, "422 VALIDATION_ERROR"],
        [admin, "PATCH", { id: "no-uuid" }, { role: "ADMIN" }, "404 RESOURCE_NOT_FOUND"],
        [owner, "PATCH", owner, { role: "MEMBER" }, "403 FORBIDDEN"],
        [owner, "PATCH", owner, { role: "OWNER" }, "403 FORBIDDEN"],
        [admin, "DELETE", owner, undefined, "403 FORBIDDEN"],
        [owner, "DELETE", owner, undefined, "403 FORBIDDEN"],
        [member, "DELETE", admin, undefined, "403 FORBIDDEN"],
        [member, "PATCH", member, { role: "ADMIN" }, "403 FORBIDDEN"],
        [admin, "PATCH", member, { role: "ADMIN" }, "200 ok"],
        [admin, "PATCH", member, { role: "MEMBER" }, "200 ok"],
        [member, "DELETE", member, undefined, "204 ok"],
        [member, "GET", member, undefined, "404 ROUTE_NOT_FOUND"]
      ] as const
      for (const [who, method, whom, body, expected] of rows) {
        assert.strictEqual(yield* outcome(who.cookie, method, of(whom), body), expected, `${method} ${expected}`)
      }
      const byKey = { authorization: `Bearer ${project.secret}` }
      for (const [method, whom, body, status] of [
        ["PATCH", owner, { role: "MEMBER" }, 403],
        ["PATCH", admin, { role: "OWNER" }, 403],
        ["DELETE", owner, undefined, 403],
        ["DELETE", admin, undefined, 204]
      ] as const) {
        assert.strictEqual((yield* send(method, of(whom), body, byKey)).status, status, `${method} by key`)
      }
      assert.include((yield* lettersTo(owner.email)).at(-1)?.body, `${admin.email} was removed`)
      const { body } = yield* browse(owner.cookie, "GET", members)
      assert.deepStrictEqual(
        body.data.map(({ role }: { role: string }) => role),
        ["OWNER"]
      )
    })
  )

  it.effect("handing over makes one OWNER of the other, whoever asks at the same moment", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const heirs = [yield* person("heir"), yield* person("heir")]
      for (const { email } of heirs) yield* join(owner.cookie, project.id, email, "MEMBER")
      const answers = yield* Effect.all(
        heirs.map(({ id }) => outcome(owner.cookie, "PATCH", `${members}/${id}`, { role: "OWNER" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.toSorted(), ["200 ok", "403 FORBIDDEN"])
      const { body } = yield* browse(owner.cookie, "GET", members)
      const roles = body.data.map(({ role }: { role: string }) => role)
      assert.deepStrictEqual(roles.toSorted(), ["ADMIN", "MEMBER", "OWNER"])
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", "/users/@me"), "204 ok")
    })
  )

  it.effect("nobody is handed more projects than an owner may have", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const rich = yield* person("rich")
      yield* join(owner.cookie, project.id, rich.email, "ADMIN")
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        with made as (
          insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
          select gen_random_uuid(), 'Shop', 'pk' || n, 'hash' || n, 'hint', now(), now() from generate_series(1, 50) as n
          returning id
        )
        insert into members (project_id, user_id, role, created_at) select id, ${rich.id}, 'OWNER', now() from made`
      const handOver = browse(owner.cookie, "PATCH", `${members}/${rich.id}`, { role: "OWNER" })
      assert.deepInclude((yield* handOver).body.error.errors[0], { field: "role", code: "too_big" })
      yield* sql`delete from projects where public_key = 'pk50'`
      assert.strictEqual((yield* handOver).body.data.role, "OWNER")
    })
  )

  it.effect("an OWNER cannot be invited, and what is no role is refused", () =>
    Effect.gen(function* () {
      const { owner, members } = yield* withProject
      const invite = (role: unknown) => browse(owner.cookie, "POST", members, { email: newAddress("role"), role })
      const refused = yield* invite("OWNER")
      assert.deepStrictEqual([refused.status, refused.body.error.errors[0].code], [422, "invalid_enum"])
      assert.strictEqual((yield* invite(null)).body.data.role, "MEMBER")
    })
  )

  it.effect("a project has at most a hundred members and invitations", () =>
    Effect.gen(function* () {
      const { owner, members, project } = yield* withProject
      const first = newAddress("full")
      yield* join(owner.cookie, project.id, first, "MEMBER")
      for (let n = 0; n < 98; n++) yield* join(owner.cookie, project.id, newAddress("full"), "MEMBER")
      const over = yield* browse(owner.cookie, "POST", members, { email: newAddress("over") })
      assert.deepStrictEqual([over.status, over.body.error.errors[0].code], [422, "too_big"])
      assert.strictEqual((yield* join(owner.cookie, project.id, first, "ADMIN")).status, 201)
    })
  )
})
