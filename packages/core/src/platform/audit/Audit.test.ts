import { assert, layer } from "@effect/vitest"
import { AccountId, Actor, CurrentProject, CurrentUser, ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as MemberStore from "../../accounts/members/MemberStore.ts"
import { SignIn } from "../../accounts/people/SignIn.ts"
import { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import * as OwnProjects from "../../service/projects/OwnProjects.ts"
import { browse, newAddress, newProject, person, settled, signUp, tokenFor } from "../../testing/Browser.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { Transaction } from "../Transaction.ts"
import { Background } from "./Audited.ts"
import { entriesOf } from "./AuditLog.ts"

const user = AccountId.make("019a0000-0000-7000-8000-00000000abcd")

layer(wire, { timeout: "60 seconds" })("the audit log", (it) => {
  const entries = (project: ProjectId) =>
    SqlClient.SqlClient.use((sql) => entriesOf(sql, project, 100)).pipe(
      Effect.map((found) => found.map(({ at: _, ...entry }) => entry).reverse())
    )

  it.effect("records who changed what: a user, a caller with the key, the operator, or the service", () =>
    Effect.gen(function* () {
      const { project } = yield* freshProject
      const store = yield* ProjectStore
      const now = yield* DateTime.now
      const inProject = Effect.provideService(CurrentProject, { id: project, disabled: null })
      const session = { id: user, email: "ada@example.com", emailVerified: true, session: "s" }
      yield* store.update(project, { name: "Shop" }, now).pipe(Effect.provideService(CurrentUser, session))
      yield* store.update(project, { language: "de" }, now).pipe(inProject)
      const member = { kind: "member", user, role: "ADMIN" } as const
      yield* store.disable(project, "MANUAL", now).pipe(Effect.provideService(Actor, member), inProject)
      yield* store.disable(project, null, now).pipe(Effect.provideService(Background, "operator"))
      yield* store.disable(project, "EMAIL_REPUTATION", now)
      // A value that stays the same is not a change.
      yield* store.disable(project, "EMAIL_REPUTATION", now)
      yield* store.update(project, { name: "Shop" }, DateTime.add(now, { seconds: 1 }))
      const [made, ...changes] = yield* entries(project)
      const apiKey = null
      assert.deepInclude(made, { action: "project.created", actor: "service", user: null })
      assert.deepStrictEqual(changes, [
        { action: "project.settings_changed", actor: "user", user, apiKey, details: { name: "Shop" } },
        { action: "project.settings_changed", actor: "key", user: null, apiKey, details: { language: "de" } },
        { action: "project.disabled", actor: "user", user, apiKey, details: { reason: "MANUAL" } },
        { action: "project.enabled", actor: "operator", user: null, apiKey, details: {} },
        { action: "project.disabled", actor: "service", user: null, apiKey, details: { reason: "EMAIL_REPUTATION" } }
      ])
    })
  )

  it.effect("records which API key made a change, also after the key is renamed and deleted", () =>
    Effect.gen(function* () {
      const owner = yield* person("key-audit")
      const { id, secret } = yield* newProject(owner.cookie)
      const inProject = { "x-project-id": id }
      const input = { name: "Deploy", scopes: ["domains:write"] }
      const { body: key } = yield* browse(owner.cookie, "POST", "/api-keys", input, inProject)
      const add = (domain: string, bearer: string) =>
        send("POST", "/domains", { domain }, { authorization: `Bearer ${bearer}` })
      assert.strictEqual((yield* add("by-api-key.test", key.key)).status, 201)
      assert.strictEqual((yield* add("by-secret-key.test", secret)).status, 201)
      const keyPath = `/api-keys/${key.id}`
      assert.strictEqual(
        (yield* settled(browse(owner.cookie, "PATCH", keyPath, { name: "Old" }, inProject))).status,
        200
      )
      assert.strictEqual((yield* settled(browse(owner.cookie, "DELETE", keyPath, undefined, inProject))).status, 204)
      const found = yield* entries(ProjectId.make(id))
      assert.deepStrictEqual(
        found.filter(({ action }) => action === "domain.added").map(({ actor, apiKey }) => ({ actor, apiKey })),
        [
          { actor: "key", apiKey: { id: key.id, name: "Deploy" } },
          { actor: "key", apiKey: null }
        ]
      )
      assert.notInclude(JSON.stringify(found), key.key)
    })
  )

  it.effect("records no change that is rolled back or has no effect", () =>
    Effect.gen(function* () {
      const { project } = yield* freshProject
      const store = yield* ProjectStore
      const transaction = yield* Transaction
      const now = yield* DateTime.now
      const undone = transaction.run(Effect.andThen(store.update(project, { name: "Gone" }, now), Effect.fail("no")))
      const before = yield* entries(project)
      assert.strictEqual(yield* Effect.flip(undone), "no")
      assert.deepStrictEqual(yield* entries(project), before)
    })
  )

  it.effect("records key changes, resets, logins of members and deletion of a project, and outlives the project", () =>
    Effect.gen(function* () {
      const { project } = yield* freshProject
      const store = yield* ProjectStore
      const own = yield* OwnProjects.make
      const keys = { publicKey: "pk_next", secretHash: "hash", secretHint: "abcd" }
      yield* store.replaceKeys(project, keys, yield* DateTime.now)
      yield* store.beginReset(project, yield* DateTime.now)
      yield* settled(own.wipeAll)
      yield* store.markDeleted(project, yield* DateTime.now)
      yield* settled(own.wipeAll)
      const found = yield* entries(project)
      assert.deepStrictEqual(
        found.map(({ action }) => action),
        ["project.created", "project.keys_replaced", "project.reset", "project.reset_finished", "project.deleted"]
      )
      assert.notInclude(JSON.stringify(found), "hash")

      const account = { email: "ada@example.com", password: "correct horse battery" }
      const { body } = yield* send("POST", "/auth/signup", account, { authorization: "" })
      yield* send("POST", "/auth/login", account, { authorization: "" })
      yield* send("POST", "/auth/login", { ...account, password: "wrong horse" }, { authorization: "" })
      const { project: another } = yield* freshProject
      yield* (yield* MemberStore.make).add(another, AccountId.make(body.data.id), "MEMBER", yield* DateTime.now)
      assert.deepStrictEqual(
        (yield* entries(another)).map(({ action, user }) => [action, user]),
        [
          ["user.created", body.data.id],
          ["user.login", body.data.id],
          ["project.created", null],
          ["member.added", null]
        ]
      )
    })
  )

  it.effect("records how a session was opened that no credential has opened", () =>
    Effect.gen(function* () {
      const owner = yield* person("dev-audit")
      const { id } = yield* newProject(owner.cookie)
      const account = AccountId.make(owner.id)
      const token = yield* SignIn.use(({ openAs }) => openAs(account, "dev"))
      assert.strictEqual((yield* browse(Redacted.value(token), "GET", "/users/@me")).body.id, owner.id)
      const logins = (yield* entries(ProjectId.make(id))).filter(({ action }) => action === "user.login")
      assert.deepStrictEqual(logins, [
        { action: "user.login", actor: "user", user: account, apiKey: null, details: { via: "dev" } }
      ])
    })
  )

  it.effect("records changes of accounts, domains, caps and invitations", () =>
    Effect.gen(function* () {
      const owner = yield* person("audited")
      const { id, secret } = yield* newProject(owner.cookie)
      const path = `/projects/${id}`
      const { body: invited } = yield* browse(owner.cookie, "POST", `${path}/members`, { email: newAddress("invited") })
      yield* browse(owner.cookie, "DELETE", `${path}/invitations/${invited.data.invitationId}`)
      yield* settled(browse(owner.cookie, "PUT", `/users/@me/projects/${id}/billing-limits`, { campaigns: 5 }))
      const authorization = `Bearer ${secret}`
      const { body: domain } = yield* send("POST", "/domains", { domain: "audited.test" }, { authorization })
      yield* send("DELETE", `/domains/${domain.id}`, undefined, { authorization })
      yield* browse("", "POST", "/auth/request-password-reset", { email: owner.email })
      const token = yield* tokenFor(owner.email)
      yield* browse("", "POST", "/auth/reset-password", { token, newPassword: "another battery" })
      const found = yield* entries(ProjectId.make(id))
      assert.deepStrictEqual(
        found.map(({ action, actor }) => [action, actor]),
        [
          ["user.created", "user"],
          ["user.email_verified", "user"],
          ["project.created", "user"],
          ["member.invited", "user"],
          ["member.uninvited", "user"],
          ["billing.limits_changed", "user"],
          ["domain.added", "key"],
          ["domain.removed", "key"],
          ["user.password_set", "user"]
        ]
      )
      assert.deepInclude(found[5], { user: owner.id, details: { campaigns: 5 } })
      assert.notInclude(JSON.stringify(found), "@example.com")

      const leaver = yield* signUp(newAddress("leaver"))
      yield* browse(leaver.cookie, "DELETE", "/users/@me")
      const sql = yield* SqlClient.SqlClient
      const left = yield* sql`select action from audit_log where user_id = ${leaver.id} order by id`
      assert.deepStrictEqual(left, [{ action: "user.created" }, { action: "user.removed" }])
    })
  )
})
