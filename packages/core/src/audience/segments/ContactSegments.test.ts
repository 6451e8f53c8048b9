import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"
import { filter, freshProject, isIn, plan, type TestProject } from "./SegmentsFixture.ts"

const create = ({ ask }: TestProject, body: object) => Effect.map(ask("POST", "/segments", body), ({ body }) => body)

const contact = ({ ask }: TestProject, email: string, data: object = {}) =>
  Effect.map(ask("POST", "/contacts", { email, data }), ({ body }) => String(body.id))

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`The segments of a contact on ${name}`, (it) => {
    it.effect("are those that contain it now, newest first, with the time of a recorded join", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 9))
        const mine = yield* freshProject
        const id = yield* contact(mine, "ada@example.com", { plan: "pro" })
        const step = TestClock.adjust("1 minute")
        const pro = yield* create(mine, { name: "Pro", condition: plan("pro") })
        yield* step
        yield* create(mine, { name: "Free", condition: plan("free") })
        yield* step
        const tracked = yield* create(mine, { name: "Tracked", condition: plan("pro"), trackMembership: true })
        yield* step
        const hand = yield* create(mine, { name: "By hand", type: "STATIC" })
        yield* create(mine, { name: "Nobody", type: "STATIC" })
        yield* step
        const both = yield* create(mine, {
          name: "Both",
          condition: { groups: [...isIn(hand.id).groups, ...isIn(pro.id).groups] }
        })
        yield* step
        const silent = { name: "Silent", condition: plan("pro"), trackMembership: true, silentStart: true }
        const { id: silentId } = yield* create(mine, silent)
        yield* step
        yield* mine.ask("POST", `/segments/${tracked.id}/compute`)
        yield* step
        yield* mine.ask("POST", `/segments/${hand.id}/members`, { emails: ["ada@example.com"] })
        const path = `/contacts/${id}/segments`
        const { body, status } = yield* mine.ask("GET", path)
        assert.strictEqual(status, 200)
        const dynamic = { type: "DYNAMIC", since: null }
        assert.deepStrictEqual(body, [
          { id: silentId, name: "Silent", ...dynamic, since: "2026-11-20T09:05:00.000Z" },
          { id: both.id, name: "Both", ...dynamic },
          { id: hand.id, name: "By hand", type: "STATIC", since: "2026-11-20T09:07:00.000Z" },
          { id: tracked.id, name: "Tracked", ...dynamic, since: "2026-11-20T09:06:00.000Z" },
          { id: pro.id, name: "Pro", ...dynamic }
        ])

        // The stored membership of a tracked segment ends later; the condition decides now.
        yield* mine.ask("PATCH", `/contacts/${id}`, { data: { plan: "free" } })
        const after = yield* mine.ask("GET", path)
        assert.deepStrictEqual(
          after.body.map(({ name }: { name: string }) => name),
          ["By hand", "Free"]
        )
      })
    )

    it.effect("are evaluated in several statements if they are many", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const id = yield* contact(mine, "ada@example.com", { n: 60 })
        for (let n = 0; n < 120; n++) {
          yield* create(mine, { name: `Below ${n}`, condition: filter("data.n", "lessThan", n) })
        }
        const { body } = yield* mine.ask("GET", `/contacts/${id}/segments`)
        assert.deepStrictEqual(
          body.map(({ name }: { name: string }) => name),
          Array.from({ length: 59 }, (_, n) => `Below ${119 - n}`)
        )
        assert.deepStrictEqual(
          (yield* mine.ask("GET", `/contacts/${yield* contact(mine, "b@x.co")}/segments`)).body,
          []
        )
      })
    )

    it.effect("are open to keys with a scope of either, to members of each role, and to nobody else", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const theirs = yield* freshProject
        const foreign = yield* contact(theirs, "theirs@example.com")
        for (const id of [foreign, randomUUID(), "x"]) {
          assert.strictEqual(yield* mine.outcome("GET", `/contacts/${id}/segments`), "404 CONTACT_NOT_FOUND")
        }
        const { body: own } = yield* send("POST", "/contacts", { email: "own@example.com" })
        for (const [scope, answer] of [
          ["contacts:read", "200 ok"],
          ["segments:read", "200 ok"],
          ["workflows:read", "403 FORBIDDEN"]
        ] as const) {
          const { body } = yield* send("POST", "/api-keys", { name: scope, scopes: [scope] })
          const headers = { authorization: `Bearer ${body.key}` }
          assert.strictEqual(yield* outcome("GET", `/contacts/${own.id}/segments`, undefined, headers), answer)
        }
        const owner = yield* person("owner")
        const member = yield* person("member")
        const outsider = yield* person("outsider")
        const { id } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const headers = { "x-project-id": id }
        const made = yield* settled(browse(owner.cookie, "POST", "/contacts", { email: "a@example.com" }, headers))
        const asked = (cookie: string) =>
          Effect.map(
            settled(browse(cookie, "GET", `/contacts/${made.body.id}/segments`, undefined, headers)),
            ({ body, status }) => body.error?.code ?? status
          )
        assert.deepStrictEqual(
          [yield* asked(owner.cookie), yield* asked(member.cookie), yield* asked(outsider.cookie)],
          [200, 200, "PROJECT_ACCESS_DENIED"]
        )
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
