import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addMember, browse, invite, newProject, person, settled, tokenFor } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

const withInvited = Effect.gen(function* () {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  const guest = yield* person("guest")
  const { body } = yield* invite(owner.cookie, project.id, guest.email, "MEMBER")
  const id = String(body.data.invitationId)
  const token = yield* tokenFor(guest.email)
  const accept = outcome(guest.cookie, "POST", "/invitations/accept", { token })
  return { owner, project, guest, id, accept }
})

const withOffered = Effect.gen(function* () {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  const successor = yield* person("successor")
  yield* addMember(owner.cookie, project.id, successor, "ADMIN")
  yield* browse(owner.cookie, "PATCH", `/projects/${project.id}/members/${successor.id}`, { role: "OWNER" })
  const token = yield* tokenFor(successor.email)
  const accept = outcome(successor.cookie, "POST", "/invitations/accept", { token })
  return { owner, project, successor, accept }
})

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const atOnce = <A, E, R>(...calls: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(calls, { concurrency: "unbounded" })

/** All stored rows of a project, as text. */
const stored = (project: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`
        select (select count(*)::int from invitations where project_id = ${project}) as invitations,
               (select string_agg(role, ' ' order by role) from members where project_id = ${project}) as roles`,
      ([row]) => ({ invitations: row?.["invitations"], roles: row?.["roles"] })
    )
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Races for an invitation on ${name}`, (it) => {
    it.effect("of many concurrent answers, one counts", () =>
      Effect.gen(function* () {
        const { guest, project, id, accept } = yield* withInvited
        const own = (answer: string) => outcome(guest.cookie, "POST", `/users/@me/invitations/${id}/${answer}`)
        const answers = yield* atOnce(accept, own("accept"), own("decline"), accept, own("accept"))
        assert.lengthOf(
          answers.filter((answer) => answer === "200 ok"),
          1
        )
        const { invitations, roles } = yield* stored(project.id)
        assert.strictEqual(invitations, 0)
        assert.strictEqual(roles, answers[2] === "200 ok" ? "OWNER" : "MEMBER OWNER")
      })
    )

    it.effect("an invitation is accepted or withdrawn, never both", () =>
      Effect.gen(function* () {
        for (let n = 0; n < 5; n++) {
          const { owner, project, id, accept } = yield* withInvited
          const withdraw = outcome(owner.cookie, "DELETE", `/projects/${project.id}/invitations/${id}`)
          const answers = yield* n % 2 === 0 ? atOnce(accept, withdraw) : atOnce(withdraw, accept)
          const isMember = answers.includes("200 ok")
          assert.include(
            [["200 ok", "404 RESOURCE_NOT_FOUND"].toSorted().join(), ["204 ok", "400 INVALID_TOKEN"].toSorted().join()],
            answers.toSorted().join()
          )
          assert.deepStrictEqual(yield* stored(project.id), {
            invitations: 0,
            roles: isMember ? "MEMBER OWNER" : "OWNER"
          })
        }
      })
    )

    it.effect("deleting the account at the same time leaves no member, and no project without an owner", () =>
      Effect.gen(function* () {
        for (let n = 0; n < 5; n++) {
          const invited = yield* withInvited
          const leave = outcome(invited.guest.cookie, "DELETE", "/users/@me")
          const [accepted, left] = yield* atOnce(invited.accept, leave)
          assert.include(["200 ok", "400 INVALID_TOKEN", "401 UNAUTHORIZED"], accepted)
          assert.strictEqual(left, "204 ok")
          assert.strictEqual((yield* stored(invited.project.id)).roles, "OWNER")

          const offered = yield* withOffered
          const answers = yield* atOnce(offered.accept, outcome(offered.successor.cookie, "DELETE", "/users/@me"))
          const { roles } = yield* stored(offered.project.id)
          assert.strictEqual(roles, answers[0] === "200 ok" && answers[1] === "409 CONFLICT" ? "ADMIN OWNER" : "OWNER")
        }
      })
    )

    it.effect("deleting the project at the same time leaves no members", () =>
      Effect.gen(function* () {
        for (let n = 0; n < 3; n++) {
          const { owner, project, accept } = yield* withInvited
          const remove = settled(outcome(owner.cookie, "DELETE", `/users/@me/projects/${project.id}`))
          const answers = yield* atOnce(accept, remove)
          assert.include(["200 ok", "400 INVALID_TOKEN"], answers[0])
          assert.strictEqual(answers[1], "204 ok")
          assert.deepStrictEqual(yield* stored(project.id), { invitations: 0, roles: null })
        }
      })
    )

    it.effect("a failure between the steps keeps the invitation and adds no member", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { project, accept } = yield* withInvited
        yield* sql`alter table members add constraint down check (role <> 'MEMBER') not valid`
        assert.strictEqual(yield* accept, "500 INTERNAL_SERVER_ERROR")
        assert.deepStrictEqual(yield* stored(project.id), { invitations: 1, roles: "OWNER" })
        yield* sql`alter table members drop constraint down`
        assert.strictEqual(yield* accept, "200 ok")
        assert.deepStrictEqual(yield* stored(project.id), { invitations: 0, roles: "MEMBER OWNER" })

        const offered = yield* withOffered
        yield* sql`
          create function refuse_owner() returns trigger language plpgsql as $$
          begin
            if new.role = 'OWNER' then raise exception 'down'; end if;
            return new;
          end $$`
        yield* sql`create trigger down before update on members for each row execute function refuse_owner()`
        assert.strictEqual(yield* offered.accept, "500 INTERNAL_SERVER_ERROR")
        assert.deepStrictEqual(yield* stored(offered.project.id), { invitations: 1, roles: "ADMIN OWNER" })
        yield* sql`drop trigger down on members`
        assert.strictEqual(yield* offered.accept, "200 ok")
      })
    )
  })
}
