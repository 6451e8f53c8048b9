import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, newFolder, posthorn } from "../testing/CommandLine.ts"
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
    const create = (more: object = {}) =>
      Effect.map(post("/campaigns", { ...draft, ...more }), ({ data }) => String(data?.id))
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
        const id = yield* create()
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
        const id = yield* create()
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

  it.effect(
    "shows an experiment and gives the rest its winner, reports the results, and follows up",
    () =>
      Effect.gen(function* () {
        const { ended, run, json, create } = yield* connected
        const experiment = { variants: [{ key: "A" }, { key: "B", subject: "Hi" }], testShare: 0.5, winner: "MANUAL" }
        const id = yield* create({ experiment })
        assert.strictEqual((yield* ended("experiment", id, "--winner", "B")).code, 1)
        yield* run("send", id)
        const [asked] = yield* json("experiment", id)
        assert.deepInclude(asked, { state: "TESTING", winner: null, final: false })
        const [decided] = yield* json("experiment", id, "--winner", "B")
        assert.deepInclude(decided, { state: "DECIDED", winner: "B" })
        assert.deepInclude((yield* json("watch", id)).at(-1), { status: "SENT", sentCount: 2 })
        for (const by of ["variant", "hour", "provider"]) {
          const [report] = yield* json("report", id, "--by", by, "--variant", "B")
          assert.strictEqual(report.by, by)
        }
        const [followUp] = yield* json("follow-up", id, "--who", "NOT_OPENED", "--subject", "Once more")
        assert.deepInclude(followUp, {
          status: "DRAFT",
          subject: "Once more",
          recipientsOf: { campaignId: id, who: "NOT_OPENED" }
        })
      }),
    patience
  )

  it.effect(
    "asks for an approval with a key, and approves and rejects with the login of an administrator",
    () =>
      Effect.gen(function* () {
        const { ended, json, create } = yield* connected
        const { email, password, projectId, url } = yield* DevServer.DevServer
        const env = { XDG_CONFIG_HOME: newFolder() }
        const login = yield* posthorn(["login", "--url", url, "--email", email, "--password-stdin"], {
          env,
          input: `${password}\n`
        })
        assert.strictEqual(login.code, 0, login.stderr)
        const decide = (verb: string, id: string, ...more: ReadonlyArray<string>) =>
          posthorn(["campaigns", verb, id, ...more, "--project", projectId, "--json"], { env })
        const [first, second] = [yield* create(), yield* create()]
        for (const id of [first, second]) {
          const [asked] = yield* json("request-approval", id, "--note", "Please look")
          assert.deepInclude(asked.approval, { state: "REQUESTED", note: "Please look" })
          assert.notStrictEqual((yield* ended("approve", id)).code, 0)
        }
        const approved = yield* decide("approve", first, "--note", "Good")
        assert.strictEqual(approved.code, 0, approved.stderr)
        assert.deepInclude(JSON.parse(approved.stdout).approval, { state: "APPROVED", note: "Good" })
        assert.strictEqual((yield* decide("reject", second)).code, 2)
        const rejected = yield* decide("reject", second, "--note", "Wrong price")
        assert.deepInclude(JSON.parse(rejected.stdout).approval, { state: "REJECTED", note: "Wrong price" })
        assert.strictEqual((yield* decide("approve", second)).code, 1)
      }),
    patience
  )
})
