import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn campaigns", (it) => {
  it.effect("makes, tests, schedules, sends and watches a campaign, and tells what became of each mail", () =>
    Effect.gen(function* () {
      const { url, secretKey, domain } = yield* DevServer.DevServer
      const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const ended = yield* posthorn(["campaigns", ...args, "--url", url, "--key", secretKey])
        assert.strictEqual(ended.code, 0, ended.stderr)
        return ended.stdout
      })
      const json = (...args: ReadonlyArray<string>) =>
        Effect.map(run(...args, "--json"), (text) => lines(text).map((line) => JSON.parse(line)))
      for (const name of ["ada", "grace"]) {
        yield* Effect.promise(() =>
          fetch(`${url}/contacts`, {
            method: "POST",
            headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
            body: JSON.stringify({ email: `${name}@example.com` })
          })
        )
      }
      const texts = ["--from", `news@${domain}`, "--subject", "Hello", "--body", "<p>It works.</p>"]
      const [draft] = yield* json("create", "--name", "Launch", ...texts)
      assert.deepInclude(draft, { name: "Launch", status: "DRAFT", audienceType: "ALL", estimatedRecipients: 2 })
      const [changed] = yield* json("update", draft.id, "--name", "Launch 2", ...texts)
      assert.strictEqual(changed.name, "Launch 2")
      const [tested] = yield* json("test", draft.id, "--email", "ada@example.com")
      assert.isString(tested.email)
      const [later] = yield* json("schedule", draft.id, "--scheduled-for", "2099-12-24T09:00:00+01:00")
      assert.deepInclude(later, { status: "SCHEDULED", scheduledFor: "2099-12-24T08:00:00.000Z" })
      const past = yield* posthorn([
        ...["campaigns", "schedule", draft.id, "--scheduled-for", "1999-12-24", "--url", url, "--key", secretKey]
      ])
      assert.strictEqual(past.code, 2)
      assert.include(past.stderr, "in the past")
      const [begun] = yield* json("send", draft.id)
      assert.strictEqual(begun.status, "SENDING")
      const watched = yield* json("watch", draft.id)
      assert.deepInclude(watched.at(-1), { status: "SENT", sentCount: 2, totalRecipients: 2, pendingCount: 0 })
      assert.deepInclude((yield* json("stats", draft.id))[0], { sentCount: 2, failedCount: 0 })
      const recipients = yield* json("recipients", draft.id)
      assert.sameMembers(
        recipients.map(({ email }) => email),
        ["ada@example.com", "grace@example.com"]
      )
      const [copy] = yield* json("duplicate", draft.id)
      assert.strictEqual(copy.status, "DRAFT")
      assert.deepStrictEqual(
        (yield* json("list", "--status", "SENT")).map(({ id }) => id),
        [draft.id]
      )
      assert.include(yield* run("show", draft.id), "Launch 2")
      assert.include(yield* run("watch", draft.id), "SENT")
      const [none] = yield* json("retry-failed", draft.id)
      assert.deepInclude(none, { retried: 0, status: "SENT" })
      assert.strictEqual((yield* posthorn(["campaigns", "delete", copy.id, "--url", url, "--key", secretKey])).code, 2)
      yield* run("delete", copy.id, "--yes")
      const gone = yield* posthorn(["campaigns", "show", copy.id, "--url", url, "--key", secretKey])
      assert.strictEqual(gone.code, 4)
      const refused = yield* posthorn(["campaigns", "pause", draft.id, "--url", url, "--key", secretKey])
      assert.strictEqual(refused.code, 1)
    })
  )
})
