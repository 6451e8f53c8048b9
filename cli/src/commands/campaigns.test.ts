import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const patience = { timeout: 180_000 }

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn campaigns", (it) => {
  const connected = Effect.gen(function* () {
    const { url, secretKey, domain } = yield* DevServer.DevServer
    const ended = (...args: ReadonlyArray<string>) => posthorn(["campaigns", ...args, "--url", url, "--key", secretKey])
    const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const { code, stdout, stderr } = yield* ended(...args)
      assert.strictEqual(code, 0, stderr)
      return stdout
    })
    const json = (...args: ReadonlyArray<string>) =>
      Effect.map(run(...args, "--json"), (text) => lines(text).map((line) => JSON.parse(line)))
    const post = (path: string, body: object) =>
      Effect.promise(async () => {
        const response = await fetch(url + path, {
          method: "POST",
          headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
        return (await response.json()) as { readonly data?: { readonly id?: string } }
      })
    yield* post("/contacts", { email: "ada@example.com" })
    yield* post("/contacts", { email: "grace@example.com" })
    const from = `news@${domain}`
    const draft = { name: "Launch", subject: "Hello", body: "<p>It works.</p>", from, audienceType: "ALL" }
    const create = Effect.map(post("/campaigns", draft), ({ data }) => String(data?.id))
    return { ended, run, json, create, from }
  })

  it.effect(
    "creates a draft and schedules it; a time in the past needs a confirmation",
    () =>
      Effect.gen(function* () {
        const { ended, json, from } = yield* connected
        const texts = ["--from", from, "--subject", "Hello", "--body", "<p>It works.</p>"]
        const [draft] = yield* json("create", "--name", "Launch", ...texts)
        assert.deepInclude(draft, { name: "Launch", status: "DRAFT", audienceType: "ALL", estimatedRecipients: 2 })
        const [changed] = yield* json("update", draft.id, "--name", "Launch 2", ...texts)
        assert.strictEqual(changed.name, "Launch 2")
        const source =
          "<mjml><mj-body><mj-section><mj-column><mj-text>In MJML.</mj-text></mj-column></mj-section></mj-body></mjml>"
        const [compiled] = yield* json("create", "--name", "MJML", ...texts.slice(0, 4), "--source", source)
        assert.deepInclude(compiled, { format: "MJML", source })
        assert.include(compiled.body, "In MJML.")
        const [later] = yield* json("schedule", draft.id, "--scheduled-for", "2099-12-24T09:00:00+01:00")
        assert.deepInclude(later, { status: "SCHEDULED", scheduledFor: "2099-12-24T08:00:00.000Z" })
        const past = yield* ended("schedule", draft.id, "--scheduled-for", "1999-12-24")
        assert.strictEqual(past.code, 2)
        assert.include(past.stderr, "in the past")
      }),
    patience
  )

  it.effect(
    "sends a campaign, shows its progress until it ends, and shows the state of each email",
    () =>
      Effect.gen(function* () {
        const { run, json, create } = yield* connected
        const id = yield* create
        assert.strictEqual((yield* json("send", id))[0].status, "SENDING")
        const watched = yield* json("watch", id)
        assert.deepInclude(watched.at(-1), { status: "SENT", sentCount: 2, totalRecipients: 2, pendingCount: 0 })
        assert.include(yield* run("stats", id), "sent\t2")
        const [report] = yield* json("report", id, "--by", "hour")
        assert.strictEqual(
          report.rows.reduce((sum: number, { sent }: { sent: number }) => sum + sent, 0),
          2
        )
        assert.include(yield* run("report", id), "A\t2")
        const recipients = yield* json("recipients", id)
        assert.sameMembers(
          recipients.map(({ email }) => email),
          ["ada@example.com", "grace@example.com"]
        )
        assert.deepInclude((yield* json("retry-failed", id))[0], { retried: 0, status: "SENT" })
      }),
    patience
  )

  it.effect(
    "deletes only after a confirmation, and says which state does not allow a command",
    () =>
      Effect.gen(function* () {
        const { ended, run, json, create } = yield* connected
        const id = yield* create
        assert.isString((yield* json("test", id, "--email", "ada@example.com"))[0].email)
        const refused = yield* ended("pause", id)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "state")
        assert.strictEqual((yield* ended("delete", id)).code, 2)
        yield* run("delete", id, "--yes")
        assert.strictEqual((yield* ended("show", id)).code, 4)
      }),
    patience
  )
})
