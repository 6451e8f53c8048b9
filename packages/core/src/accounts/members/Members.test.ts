import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  addMember,
  browse,
  cookieOf,
  emailsTo,
  invite,
  newAddress,
  newProject,
  password,
  person,
  signUp,
  tokenFor
} from "../../testing/Browser.ts"
import { send, wire } from "../../testing/TestClient.ts"

const withProject = Effect.gen(function* () {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  return { owner, project, members: `/projects/${project.id}/members` }
})

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

/** Role and state of all members, in the order of the list. */
const roles = (cookie: string, members: string) =>
  Effect.map(browse(cookie, "GET", members), ({ body }) =>
    body.data.map(({ role, status }: { role: string; status: string }) => `${role} ${status}`)
  )

layer(wire, { timeout: "60 seconds" })("Members", (it) => {
  it.effect("an invited account is listed as pending, and as a member once it has accepted", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const someone = yield* person("confirmed")
      const added = yield* invite(owner.cookie, project.id, someone.email, "ADMIN")
      assert.strictEqual(added.status, 201)
      assert.deepInclude(added.body.data, { userId: null, email: someone.email, role: "ADMIN", status: "PENDING" })
      assert.include((yield* emailsTo(someone.email)).at(-1)?.subject, "invited to Shop")
      assert.deepStrictEqual(yield* roles(owner.cookie, members), ["OWNER ACTIVE", "ADMIN PENDING"])
      assert.deepStrictEqual((yield* browse(someone.cookie, "GET", "/users/@me/projects")).body, [])
      const { body: received } = yield* browse(someone.cookie, "GET", "/users/@me/invitations")
      assert.lengthOf(received, 1)
      const { createdAt, ...invitation } = received[0]
      assert.match(createdAt, /^\d{4}-/)
      assert.deepStrictEqual(invitation, {
        id: added.body.data.invitationId,
        kind: "MEMBERSHIP",
        projectId: project.id,
        projectName: "Shop",
        role: "ADMIN",
        invitedBy: owner.id
      })
      const path = `/users/@me/invitations/${invitation.id}`
      const thief = yield* person("thief")
      assert.strictEqual(yield* outcome(thief.cookie, "POST", `${path}/accept`), "404 RESOURCE_NOT_FOUND")
      assert.strictEqual(yield* outcome(thief.cookie, "POST", `${path}/decline`), "404 RESOURCE_NOT_FOUND")
      const accepted = yield* browse(someone.cookie, "POST", `${path}/accept`)
      assert.deepStrictEqual([accepted.status, accepted.body.data], [200, { projectId: project.id, role: "ADMIN" }])
      assert.deepStrictEqual(yield* roles(owner.cookie, members), ["OWNER ACTIVE", "ADMIN ACTIVE"])
      assert.strictEqual(yield* outcome(someone.cookie, "POST", `${path}/accept`), "404 RESOURCE_NOT_FOUND")
      const again = yield* invite(owner.cookie, project.id, someone.email.toUpperCase(), "MEMBER")
      assert.deepStrictEqual([again.status, again.body.error.details.reason], [409, "already_member"])
    })
  )

  it.effect("declining deletes the invitation and adds no member", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const someone = yield* person("declining")
      const { body } = yield* invite(owner.cookie, project.id, someone.email, "ADMIN")
      const token = yield* tokenFor(someone.email)
      const path = `/users/@me/invitations/${body.data.invitationId}`
      assert.strictEqual(yield* outcome(someone.cookie, "POST", `${path}/decline`), "200 ok")
      assert.strictEqual(yield* outcome(someone.cookie, "POST", `${path}/accept`), "404 RESOURCE_NOT_FOUND")
      assert.strictEqual(yield* outcome(someone.cookie, "POST", "/invitations/accept", { token }), "400 INVALID_TOKEN")
      assert.deepStrictEqual((yield* browse(someone.cookie, "GET", "/users/@me/invitations")).body, [])
      assert.deepStrictEqual(yield* roles(owner.cookie, members), ["OWNER ACTIVE"])
    })
  )

  it.effect("an account with an unconfirmed address neither sees nor answers invitations to that address", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const squatter = yield* signUp(newAddress("squatting"))
      const { body } = yield* invite(owner.cookie, project.id, squatter.email, "ADMIN")
      assert.deepStrictEqual((yield* browse(squatter.cookie, "GET", "/users/@me/invitations")).body, [])
      for (const answer of ["accept", "decline"]) {
        assert.strictEqual(
          yield* outcome(squatter.cookie, "POST", `/users/@me/invitations/${body.data.invitationId}/${answer}`),
          "403 EMAIL_VERIFICATION_REQUIRED"
        )
      }
    })
  )

  it.effect("inviting needs a confirmed address, also with the secret key", () =>
    Effect.gen(function* () {
      const owner = yield* signUp(newAddress("unconfirmed"))
      const project = yield* newProject(owner.cookie)
      const email = newAddress("unasked")
      const byCookie = yield* invite(owner.cookie, project.id, email, "MEMBER")
      assert.deepStrictEqual([byCookie.status, byCookie.body.error.code], [403, "EMAIL_VERIFICATION_REQUIRED"])
      const byKey = yield* send(
        "POST",
        `/projects/${project.id}/members`,
        { email },
        { authorization: `Bearer ${project.secret}` }
      )
      assert.deepStrictEqual([byKey.status, byKey.body.error.code], [403, "EMAIL_VERIFICATION_REQUIRED"])
      assert.lengthOf(yield* emailsTo(email), 0)
    })
  )

  it.effect(
    "an account sends at most a hundred invitations a day, including withdrawn ones and those sent with its key",
    () =>
      Effect.gen(function* () {
        const { owner, project } = yield* withProject
        const other = yield* newProject(owner.cookie, "Other")
        const byKey = { authorization: `Bearer ${project.secret}` }
        for (let n = 0; n < 100; n++) {
          const email = newAddress("looped")
          const { status, body } =
            n % 2 === 0
              ? yield* invite(owner.cookie, project.id, email, "MEMBER")
              : yield* send("POST", `/projects/${project.id}/members`, { email }, byKey)
          assert.strictEqual(status, 201)
          yield* browse(owner.cookie, "DELETE", `/projects/${project.id}/invitations/${body.data.invitationId}`)
        }
        const over = newAddress("over")
        const refused = yield* invite(owner.cookie, other.id, over, "MEMBER")
        assert.deepStrictEqual([refused.status, refused.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
        assert.strictEqual(refused.headers.get("retry-after"), "86400")
        assert.strictEqual((yield* send("POST", `/projects/${project.id}/members`, { email: over }, byKey)).status, 429)
        assert.lengthOf(yield* emailsTo(over), 0)
        yield* TestClock.adjust("1 day")
        assert.strictEqual((yield* invite(owner.cookie, other.id, over, "MEMBER")).status, 201)
      })
  )

  it.effect("an unconfirmed account is invited, not added: anyone could have created it", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("squatted")
      const squatter = yield* signUp(email)
      const invited = yield* invite(owner.cookie, project.id, email, "MEMBER")
      assert.deepInclude(invited.body.data, { userId: null, status: "PENDING", role: "MEMBER", email })
      assert.deepStrictEqual((yield* browse(squatter.cookie, "GET", "/users/@me/projects")).body, [])
    })
  )

  it.effect("an address gets at most three invitations an hour, including renewed and withdrawn ones", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("pestered")
      const mailed = (to = email) => invite(owner.cookie, project.id, to, "MEMBER")
      yield* mailed()
      const { body } = yield* mailed()
      yield* browse(owner.cookie, "DELETE", `/projects/${project.id}/invitations/${body.data.invitationId}`)
      yield* mailed()
      const token = yield* tokenFor(email)
      yield* TestClock.adjust("59 minutes")
      const refused = yield* mailed(email.toUpperCase())
      assert.deepStrictEqual([refused.status, refused.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
      assert.strictEqual(refused.headers.get("retry-after"), "60")
      assert.lengthOf(yield* emailsTo(email), 3)
      assert.strictEqual((yield* browse("", "GET", `/invitations/${token}`)).status, 200)
      assert.strictEqual((yield* mailed(newAddress("another"))).status, 201)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* mailed()).status, 201)
    })
  )

  it.effect("only the newest invitation works: once, for its address, for seven days", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const email = newAddress("invited")
      yield* invite(owner.cookie, project.id, email, "MEMBER")
      const old = yield* tokenFor(email)
      yield* TestClock.adjust("6 days")
      const renewed = yield* invite(owner.cookie, project.id, email, "ADMIN")
      assert.strictEqual(renewed.status, 201)
      assert.include((yield* emailsTo(email)).at(-1)?.body, "https://posthorn.example/account/invitation?token=")
      const token = yield* tokenFor(email)
      assert.strictEqual((yield* browse("", "GET", `/invitations/${old}`)).body.error.code, "INVALID_TOKEN")
      const { body: shown } = yield* browse("", "GET", `/invitations/${token}`)
      assert.deepInclude(shown.data, { projectName: "Shop", email, role: "ADMIN", hasAccount: false })
      assert.deepStrictEqual(Object.keys(shown.data), [
        "kind",
        "projectName",
        "email",
        "role",
        "expiresAt",
        "hasAccount"
      ])

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
      yield* invite(owner.cookie, project.id, late, "MEMBER")
      const lateToken = yield* tokenFor(late)
      yield* TestClock.adjust("7 days")
      assert.strictEqual(yield* outcome("", "GET", `/invitations/${lateToken}`), "400 INVALID_TOKEN")
    })
  )

  it.effect("signing up with an invitation confirms the address and adds the member", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("coming")
      yield* invite(owner.cookie, project.id, email, "MEMBER")
      const invitationToken = yield* tokenFor(email)
      const { status, body, headers } = yield* browse("", "POST", "/auth/signup", { email, password, invitationToken })
      assert.deepStrictEqual([status, body.data.emailVerified], [201, true])
      const { body: projects } = yield* browse(cookieOf(headers) ?? "", "GET", "/users/@me/projects")
      assert.deepStrictEqual([projects[0].id, projects[0].role], [project.id, "MEMBER"])
    })
  )

  it.effect("invitations are listed and withdrawn", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      const email = newAddress("withdrawn")
      const { body } = yield* invite(owner.cookie, project.id, email, "MEMBER")
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

  it.effect("members cannot change their own role or the OWNER's, and the OWNER can neither leave nor be removed", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const admin = yield* person("admin")
      const member = yield* person("member")
      yield* addMember(owner.cookie, project.id, admin, "ADMIN")
      yield* addMember(owner.cookie, project.id, member, "MEMBER")
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
      assert.include((yield* emailsTo(owner.email)).at(-1)?.body, `${admin.email} was removed`)
      const { body } = yield* browse(owner.cookie, "GET", members)
      assert.deepStrictEqual(
        body.data.map(({ role }: { role: string }) => role),
        ["OWNER"]
      )
    })
  )

  it.effect("the OWNER offers the project, and the member who accepts becomes OWNER", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const successor = yield* person("successor")
      yield* addMember(owner.cookie, project.id, successor, "MEMBER")
      const offered = yield* browse(owner.cookie, "PATCH", `${members}/${successor.id}`, { role: "OWNER" })
      assert.strictEqual(offered.status, 200)
      assert.include(offered.body.data, {
        userId: successor.id,
        role: "MEMBER",
        pendingRole: "OWNER",
        status: "ACTIVE"
      })
      assert.include((yield* emailsTo(successor.email)).at(-1)?.subject, "offered the project Shop")
      const { body: list } = yield* browse(owner.cookie, "GET", members)
      assert.deepStrictEqual(
        list.data.map(({ role, pendingRole }: { role: string; pendingRole?: string }) => [role, pendingRole]),
        [
          ["OWNER", undefined],
          ["MEMBER", "OWNER"]
        ]
      )
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", "/users/@me"), "409 CONFLICT")
      const { body: received } = yield* browse(successor.cookie, "GET", "/users/@me/invitations")
      assert.deepInclude(received[0], { kind: "OWNERSHIP", projectId: project.id, role: "OWNER", invitedBy: owner.id })
      const accepted = yield* browse(successor.cookie, "POST", `/users/@me/invitations/${received[0].id}/accept`)
      assert.deepStrictEqual(accepted.body.data, { projectId: project.id, role: "OWNER" })
      assert.deepStrictEqual(yield* roles(successor.cookie, members), ["ADMIN ACTIVE", "OWNER ACTIVE"])
      assert.include((yield* emailsTo(owner.email)).at(-1)?.body, `${successor.email} has accepted`)
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", "/users/@me"), "204 ok")
    })
  )

  it.effect("a newer offer, another role, removal of the member and deletion of the account each end an offer", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const offer = Effect.fnUntraced(function* () {
        const successor = yield* person("successor")
        yield* addMember(owner.cookie, project.id, successor, "ADMIN")
        yield* browse(owner.cookie, "PATCH", `${members}/${successor.id}`, { role: "OWNER" })
        const token = yield* tokenFor(successor.email)
        return { ...successor, accept: outcome(successor.cookie, "POST", "/invitations/accept", { token }), token }
      })
      const first = yield* offer()
      const second = yield* offer()
      assert.strictEqual(yield* first.accept, "400 INVALID_TOKEN")
      const { body: open } = yield* browse(owner.cookie, "GET", `/projects/${project.id}/invitations`)
      assert.deepStrictEqual(
        open.data.map(({ kind }: { kind: string }) => kind),
        ["OWNERSHIP"]
      )
      const withdraw = (cookie: string) =>
        outcome(cookie, "DELETE", `/projects/${project.id}/invitations/${open.data[0].id}`)
      assert.strictEqual(yield* withdraw(first.cookie), "403 FORBIDDEN")
      yield* browse(owner.cookie, "PATCH", `${members}/${second.id}`, { role: "ADMIN" })
      assert.strictEqual(yield* second.accept, "400 INVALID_TOKEN")
      const third = yield* offer()
      yield* browse(first.cookie, "DELETE", `${members}/${third.id}`)
      assert.strictEqual(yield* third.accept, "400 INVALID_TOKEN")
      const fourth = yield* offer()
      assert.strictEqual(yield* outcome(fourth.cookie, "DELETE", "/users/@me"), "204 ok")
      assert.strictEqual(yield* outcome("", "GET", `/invitations/${fourth.token}`), "400 INVALID_TOKEN")
      assert.strictEqual((yield* roles(owner.cookie, members))[0], "OWNER ACTIVE")
    })
  )

  it.effect("a disabled project keeps its owner, and the offer stays", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const successor = yield* person("successor")
      yield* addMember(owner.cookie, project.id, successor, "ADMIN")
      yield* browse(owner.cookie, "PATCH", `${members}/${successor.id}`, { role: "OWNER" })
      const token = yield* tokenFor(successor.email)
      const accept = outcome(successor.cookie, "POST", "/invitations/accept", { token })
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update projects set disabled_reason = 'EMAIL_REPUTATION', disabled_at = now() where id = ${project.id}`
      assert.strictEqual(yield* accept, "403 PROJECT_DISABLED")
      yield* sql`update projects set disabled_reason = null, disabled_at = null where id = ${project.id}`
      assert.strictEqual(yield* accept, "200 ok")
    })
  )

  it.effect("a member who owns the most projects allowed cannot accept another", () =>
    Effect.gen(function* () {
      const { owner, project, members } = yield* withProject
      const rich = yield* person("rich")
      yield* addMember(owner.cookie, project.id, rich, "ADMIN")
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        with made as (
          insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
          select gen_random_uuid(), 'Shop', 'pk' || n, 'hash' || n, 'hint', now(), now() from generate_series(1, 49) as n
          returning id
        )
        insert into members (project_id, user_id, role, created_at) select id, ${rich.id}, 'OWNER', now() from made`
      assert.strictEqual(yield* outcome(owner.cookie, "PATCH", `${members}/${rich.id}`, { role: "OWNER" }), "200 ok")
      yield* newProject(rich.cookie, "The fiftieth")
      const token = yield* tokenFor(rich.email)
      const accept = browse(rich.cookie, "POST", "/invitations/accept", { token })
      assert.deepInclude((yield* accept).body.error.errors[0], { field: "role", code: "too_big" })
      const offered = browse(owner.cookie, "PATCH", `${members}/${rich.id}`, { role: "OWNER" })
      assert.deepInclude((yield* offered).body.error.errors[0], { field: "role", code: "too_big" })
      yield* sql`delete from projects where public_key = 'pk49'`
      assert.strictEqual((yield* accept).body.data.role, "OWNER")
    })
  )

  it.effect("an invitation with the role OWNER or an unknown role is refused", () =>
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
      yield* invite(owner.cookie, project.id, first, "MEMBER")
      for (let n = 0; n < 98; n++) yield* invite(owner.cookie, project.id, newAddress("full"), "MEMBER")
      const over = yield* browse(owner.cookie, "POST", members, { email: newAddress("over") })
      assert.deepStrictEqual([over.status, over.body.error.errors[0].code], [422, "too_big"])
      assert.strictEqual((yield* invite(owner.cookie, project.id, first, "ADMIN")).status, 201)
    })
  )
})
