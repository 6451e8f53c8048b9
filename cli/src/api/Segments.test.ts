import { assert, layer } from "@effect/vitest"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect } from "effect"
import { lines, posthorn, type Surroundings } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const run = (args: ReadonlyArray<string>, { input, env }: Surroundings = {}) =>
  Effect.flatMap(DevServer.DevServer, ({ url, secretKey }) =>
    posthorn(["segments", ...args], { input, env: { POSTHORN_URL: url, POSTHORN_KEY: secretKey, ...env } })
  )

const json = (args: ReadonlyArray<string>, surroundings?: Surroundings) =>
  Effect.map(run([...args, "--json"], surroundings), ({ code, stdout, stderr }) => {
    assert.deepStrictEqual([code, stderr], [0, ""])
    return JSON.parse(stdout)
  })

const condition = (plan: string) =>
  JSON.stringify({ groups: [{ filters: [{ field: "data.plan", operator: "equals", value: plan }] }] })

const track = (email: string, plan: string) =>
  Effect.flatMap(DevServer.DevServer, ({ url, publicKey }) =>
    posthorn(["track", email, "--event", "seen", "--data", JSON.stringify({ plan })], {
      env: { POSTHORN_URL: url, POSTHORN_KEY: publicKey }
    })
  )

layer(DevServer.layer, { timeout: "60 seconds" })("segments", (it) => {
  it.effect("a project without segments prints nothing in a pipe", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* run(["list"]), { code: 0, stdout: "", stderr: "" })
    })
  )

  it.effect("are created, listed, shown, changed and deleted", () =>
    Effect.gen(function* () {
      yield* track("ada@example.com", "pro")
      const created = yield* json(["create", "Pro users", "--condition", "-", "--description", "Paying"], {
        input: condition("pro")
      })
      assert.deepInclude(created, { name: "Pro users", slug: "pro-users", type: "DYNAMIC", memberCount: 1 })
      const listed = yield* run(["list"])
      assert.match(listed.stdout, /^pro-users\tDYNAMIC\t1\tno\t\S+\tPro users$/m)
      for (const name of ["pro-users", "Pro users", created.id]) {
        assert.deepStrictEqual(yield* json(["show", name]), created)
      }
      const shown = yield* run(["show", "pro-users"])
      assert.match(shown.stdout, /^condition\t\{"groups":/m)
      const members = yield* run(["members", "pro-users"])
      assert.deepStrictEqual(
        lines(members.stdout).map((line) => line.split("\t").slice(0, 2)),
        [["ada@example.com", "yes"]]
      )
      const updated = yield* json(["update", "pro-users", "--name", "Free", "--condition", condition("free")])
      assert.deepInclude(updated, { name: "Free", slug: "pro-users", description: "Paying", memberCount: 0 })
      const late = yield* run(["update", "pro-users", "--name", "Late", "--if-updated-at", created.updatedAt])
      assert.include(late.stderr, "The record was changed since it was read.")
      assert.notStrictEqual(late.code, 0)
      const again = yield* json(["update", "pro-users", "--name", "Free", "--if-updated-at", updated.updatedAt])
      assert.deepStrictEqual(again, updated)
      assert.deepStrictEqual(yield* json(["refresh", "pro-users"]), { memberCount: 0 })

      const refused = yield* run(["delete", "pro-users"])
      assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
      const deleted = yield* json(["delete", "pro-users", "--yes"])
      assert.deepInclude(deleted, { slug: "pro-users", deleted: true })
      assert.strictEqual((yield* run(["show", "pro-users"])).code, 4)
    })
  )

  it.effect("contacts are added to and removed from static ones, in any number", () =>
    Effect.gen(function* () {
      yield* json(["create", "Press", "--type", "STATIC"])
      const added = yield* json(["add", "press", "--emails", "ada@example.com", "--emails", "nobody@example.com"])
      assert.deepStrictEqual(added, { added: 1, created: 0, alreadyMembers: 0, notFound: ["nobody@example.com"] })
      const many = Array.from({ length: 2300 }, (_, n) => `press-${n}@example.com`)
      const all = yield* json(["add", "press", "--emails", "-", "--create-missing", "--no-subscribed"], {
        input: `${many.join("\r\n")}\n\n`
      })
      assert.deepStrictEqual(all, { added: 2300, created: 2300, alreadyMembers: 0, notFound: [] })
      const { stdout } = yield* run(["members", "press", "--all"])
      assert.lengthOf(lines(stdout), 2301)
      assert.match(stdout, /^press-7@example\.com\tno\t/m)
      const removed = yield* run(["remove", "press", "--emails", "-"], { input: `${many.join("\n")}\nx@example.com` })
      assert.deepStrictEqual(lines(removed.stdout), ["removed\t2300", "not found\tx@example.com"])
      assert.strictEqual((yield* json(["show", "press"])).memberCount, 1)
      assert.strictEqual((yield* run(["add", "press", "--emails", "-"], { input: "\n" })).code, 2)
    })
  )

  it.effect("tracked ones are computed, and follow changes of contacts", () =>
    Effect.gen(function* () {
      yield* track("old@example.com", "gold")
      const args = ["create", "Gold", "--condition", condition("gold"), "--track-membership"]
      assert.deepInclude(yield* json(args), { trackMembership: true, memberCount: 1 })
      assert.deepStrictEqual(yield* json(["compute", "gold"]), { added: 1, removed: 0, total: 1 })
      const text = yield* run(["compute", "gold"])
      assert.deepStrictEqual([text.code, lines(text.stdout)], [0, ["joined\t0", "left\t0", "members\t1"]])
      yield* track("new@example.com", "gold")
      yield* eventually(json(["show", "gold"]), ({ memberCount }) => memberCount === 2)
      const untracked = yield* json(["update", "gold", "--no-track-membership"])
      assert.isFalse(untracked.trackMembership)
      assert.strictEqual((yield* run(["compute", "gold"])).code, 1)
    })
  )

  it.effect("with the same name are distinguished by their slugs", () =>
    Effect.gen(function* () {
      yield* json(["create", "Twin", "--type", "STATIC"])
      yield* json(["create", "Twin", "--type", "STATIC"])
      const { code, stderr } = yield* run(["show", "Twin"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /2 segments have the name Twin\.\n {2}Use the slug of one of them: twin-2, twin\./)
      assert.strictEqual((yield* json(["show", "twin-2"])).slug, "twin-2")
    })
  )

  it.effect("an invalid condition is refused with all its faults", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run(["create", "Bad", "--condition", '{"groups":[{}]}'])
      assert.strictEqual(code, 1)
      assert.match(stderr, /condition\.groups\.0/)
      for (const none of ["[]", "{}", '{"groups":1}']) {
        assert.strictEqual((yield* run(["create", "Bad", "--condition", none])).code, 2)
      }
      const without = yield* run(["create", "Bad"])
      assert.strictEqual(without.code, 1)
      assert.match(without.stderr, /A dynamic segment needs a condition/)
    })
  )
})
