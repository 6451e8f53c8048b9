import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ObjectStorage } from "../../content/uploads/ObjectStorage.ts"
import { addMember, browse, emailsTo, handOver, newProject, person, settled } from "../../testing/Browser.ts"
import { services } from "../../testing/Services.ts"
import { send, wire, wireOver } from "../../testing/TestClient.ts"
import * as OwnProjects from "./OwnProjects.ts"
import { kept, make as projectData } from "./ProjectData.ts"

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const withProject = Effect.gen(function* () {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  return { owner, project, path: `/users/@me/projects/${project.id}` }
})

const byKey = (secret: string, method: string, path: string, body?: unknown) =>
  send(method, path, body, { authorization: `Bearer ${secret}` })

layer(wire, { timeout: "60 seconds" })("Projects of a user", (it) => {
  it.effect("a new project shows its secret once, and can be used", () =>
    Effect.gen(function* () {
      const owner = yield* person("creator")
      const more = { id: "019a0000-0000-7000-8000-0000000000aa", disabled: true, role: "MEMBER", secret: "sk_x" }
      const { status, body } = yield* browse(owner.cookie, "POST", "/users/@me/projects", {
        name: " Zoë & Söhne ",
        ...more
      })
      assert.strictEqual(status, 201)
      const { secret, ...shown } = body
      assert.match(secret, /^sk_[\w-]{43}$/)
      assert.deepInclude(shown, {
        name: "Zoë & Söhne",
        role: "OWNER",
        secretHint: secret.slice(-4),
        disabled: false,
        disabledReason: null,
        tracking: "ENABLED",
        language: "en",
        timezone: "UTC",
        ambiguousPolicy: { transactional: "retry", bulk: "retry" },
        smtpDialogue: "FAILURES",
        sendRatePerSecond: null,
        resetting: false
      })
      assert.notStrictEqual(shown.id, more.id)
      const { body: list } = yield* browse(owner.cookie, "GET", "/users/@me/projects")
      assert.deepStrictEqual(list, [shown])
      assert.strictEqual((yield* byKey(secret, "GET", "/contacts")).status, 200)
    })
  )

  it.effect.each([
    ["", false],
    ["a".repeat(101), false],
    ["Sho\u200Bp", false],
    ["\u202Epohs", false],
    ["a\nb", false],
    ["Ｓｈｏｐ", false],
    ["ﬁne", false],
    ["Café", true],
    ["店 🛍", true],
    ["a".repeat(100), true]
  ] as const)("the name %j is valid: %s", ([name, isGood]) =>
    Effect.gen(function* () {
      const owner = yield* person("naming")
      const { status } = yield* browse(owner.cookie, "POST", "/users/@me/projects", { name })
      assert.strictEqual(status, isGood ? 201 : 422)
    })
  )

  it.effect("an owner has at most fifty, also with simultaneous requests", () =>
    Effect.gen(function* () {
      const owner = yield* person("collector")
      const answers = yield* Effect.all(
        Array.from({ length: 55 }, () => outcome(owner.cookie, "POST", "/users/@me/projects", { name: "One" })),
        { concurrency: 10 }
      )
      assert.strictEqual(answers.filter((found) => found === "201 ok").length, 50)
      assert.strictEqual(answers.filter((found) => found === "422 VALIDATION_ERROR").length, 5)
    })
  )

  it.effect("settings change only the given fields", () =>
    Effect.gen(function* () {
      const { owner, path } = yield* withProject
      const patch = (body: object) => settled(browse(owner.cookie, "PATCH", path, body))
      const before = (yield* patch({})).body
      const all = {
        name: "Renamed",
        tracking: "MARKETING_ONLY",
        language: "pt-BR",
        timezone: "Europe/Berlin",
        sendRatePerSecond: 5
      }
      const changed = yield* patch({
        ...all,
        ambiguousPolicy: { bulk: "hold" },
        smtpDialogue: "ALL",
        role: "MEMBER",
        public: "pk_x",
        id: "x"
      })
      assert.deepStrictEqual(changed.body, {
        ...before,
        ...all,
        ambiguousPolicy: { transactional: "retry", bulk: "hold" },
        smtpDialogue: "ALL",
        updatedAt: changed.body.updatedAt
      })
      const { body: last } = yield* patch({ sendRatePerSecond: null })
      assert.isNull(last.sendRatePerSecond)
      // `updatedAt` is compared too: setting a value to itself is not a change.
      for (const same of [{}, { name: " Renamed ", sendRatePerSecond: null, ambiguousPolicy: { bulk: "hold" } }])
        assert.deepStrictEqual((yield* patch(same)).body, last)
    })
  )

  it.effect.each([
    { name: null },
    { tracking: null },
    { tracking: "SOMETIMES" },
    { language: "english" },
    { language: "EN" },
    { timezone: "Mars/Olympus" },
    { timezone: "+01:00" },
    { timezone: null },
    { ambiguousPolicy: { bulk: "drop" } },
    { ambiguousPolicy: null },
    { smtpDialogue: "SOME" },
    { smtpDialogue: null },
    { sendRatePerSecond: 0 },
    { sendRatePerSecond: 100_001 },
    { sendRatePerSecond: 1.5 }
  ])("%j is refused", (body) =>
    Effect.gen(function* () {
      const { owner, path } = yield* withProject
      assert.strictEqual(yield* outcome(owner.cookie, "PATCH", path, body), "422 VALIDATION_ERROR")
    })
  )

  it.effect("new keys invalidate both old ones; the OWNER gets an email, and the secret is shown once", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).status, 200)
      const { status, body } = yield* settled(browse(owner.cookie, "POST", `${path}/regenerate-keys`))
      assert.strictEqual(status, 200)
      assert.notStrictEqual(body.public, project.publicKey)
      assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).body.error.code, "INVALID_API_KEY")
      assert.strictEqual((yield* byKey(body.secret, "GET", "/contacts")).status, 200)
      assert.include((yield* emailsTo(owner.email)).at(-1)?.subject, "keys of Shop")
      assert.notInclude(JSON.stringify(yield* emailsTo(owner.email)), body.secret)
    })
  )

  it.effect("the email about new keys goes to the current OWNER, not to the creator of the project", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      const next = yield* person("next-owner")
      yield* addMember(owner.cookie, project.id, next, "ADMIN")
      yield* handOver(owner.cookie, project.id, next)
      yield* settled(browse(owner.cookie, "POST", `${path}/regenerate-keys`))
      const keyEmailsTo = (email: string) =>
        Effect.map(emailsTo(email), (emails) => emails.filter(({ subject }) => subject.includes("keys of")).length)
      assert.deepStrictEqual([yield* keyEmailsTo(owner.email), yield* keyEmailsTo(next.email)], [0, 1])
    })
  )

  it.effect("a reset deletes the data and keeps project, keys, members, domains and their warm-ups", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      const other = yield* newProject(owner.cookie, "Other")
      for (const { secret } of [project, other]) {
        yield* byKey(secret, "POST", "/contacts", { email: "anna@example.com", data: { plan: "pro" } })
        yield* byKey(secret, "POST", "/domains", {
          domain: `shop-${secret.slice(-6).replaceAll(/\W|_/g, "x").toLowerCase()}.test`
        })
      }
      const { body: domains } = yield* byKey(project.secret, "GET", `/domains/project/${project.id}`)
      const from = `hi@${domains[0].domain}`
      const warmup = `/domains/${domains[0].id}/warmup`
      const { body: plan } = yield* byKey(project.secret, "PUT", warmup, { preset: "FAST" })
      yield* byKey(project.secret, "POST", "/partials", { name: "sign", body: "<p>Bye</p>" })
      yield* byKey(project.secret, "POST", "/templates", { name: "T", subject: "S", body: "<p>B</p>{{> sign}}", from })
      const { body: apiKey } = yield* byKey(project.secret, "POST", "/api-keys", { name: "Shop", scopes: ["send"] })
      const relay = { name: "Relay", host: "smtp.relay.example", port: 587 }
      const { body: transport } = yield* byKey(project.secret, "POST", "/transports", relay)
      const routes = { routes: [{ transportIds: [transport.id] }] }
      yield* byKey(project.secret, "PUT", "/transports/routes", routes)
      const sent = yield* byKey(project.secret, "POST", "/v1/send", {
        to: "b@example.com",
        cc: "c@example.com",
        from,
        subject: "S",
        body: "B",
        tags: { order: 1 },
        scheduledFor: DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
      })
      assert.strictEqual(sent.status, 200)
      const { body: current } = yield* byKey(project.secret, "GET", "/projects/current")
      assert.isString(current.name)
      assert.deepStrictEqual(current, {
        id: project.id,
        name: current.name,
        publicKey: project.publicKey,
        disabled: false,
        key: { kind: "secret", mode: "LIVE", scopes: ["*"] }
      })
      assert.strictEqual((yield* byKey(project.publicKey, "GET", "/projects/current")).status, 401)
      const state = yield* byKey(project.secret, "GET", `/projects/${project.id}/setup-state`)
      assert.deepStrictEqual(state.body.data, {
        hasSubscription: false,
        hasVerifiedDomain: true,
        domainCount: 1,
        contactCount: 2,
        memberCount: 1,
        templateCount: 1,
        firstEmailSentAt: null,
        firstEventAt: null,
        lastCampaignSentAt: null,
        hasEnabledWorkflow: false,
        hasWebhook: false
      })
      const answer = yield* settled(browse(owner.cookie, "POST", `${path}/reset`))
      assert.deepStrictEqual([answer.status, answer.body.data], [200, { state: "completed" }])
      const sql = yield* SqlClient.SqlClient
      const counts = ["row_counts", "row_count_deltas", "contact_tallies"]
      const content = ["templates", "partials", "content_versions", "content_drafts"]
      const mail = ["emails", "email_contents", "email_tags", "email_groups"]
      const tables = ["contacts", "events", ...content, ...mail, ...counts]
      for (const table of tables) {
        const left = yield* sql`select 1 from ${sql(table)} where project_id = ${project.id}`
        assert.strictEqual(left.length, 0, table)
      }
      assert.strictEqual((yield* byKey(other.secret, "GET", "/contacts")).body.total, 1)
      const after = yield* byKey(project.secret, "GET", `/domains/project/${project.id}`)
      assert.deepStrictEqual(after.body, domains)
      assert.deepStrictEqual((yield* byKey(project.secret, "GET", warmup)).body, plan)
      assert.strictEqual((yield* byKey(apiKey.key, "GET", "/projects/current")).body.id, project.id)
      assert.strictEqual((yield* byKey(project.secret, "GET", `/transports/${transport.id}`)).status, 200)
      assert.lengthOf((yield* byKey(project.secret, "GET", "/transports/routes")).body.routes, 1)
      assert.isFalse((yield* browse(owner.cookie, "PATCH", path, {})).body.resetting)
      assert.strictEqual((yield* browse(owner.cookie, "GET", `/projects/${project.id}/members`)).body.data.length, 1)
    })
  )

  it.effect("during a reset the endpoints of the project answer 503, and a worker completes it after a crash", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* withProject
      yield* byKey(project.secret, "POST", "/contacts", { email: "anna@example.com" })
      const sql = yield* SqlClient.SqlClient
      const other = yield* newProject(owner.cookie, "Crashed")
      yield* byKey(other.secret, "GET", "/templates")
      yield* sql`update projects set resetting_since = date_trunc('milliseconds', now()) where id = ${project.id}`
      yield* settled(Effect.sleep("2 seconds"))
      const refused = yield* byKey(project.secret, "GET", "/contacts")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "SERVICE_UNAVAILABLE"])
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.match(refused.body.error.message, /^The data of this project is being deleted/)
      const bySession = yield* browse(owner.cookie, "GET", `/projects/${project.id}/members`)
      assert.deepStrictEqual([bySession.status, bySession.body.error.message], [503, refused.body.error.message])
      yield* settled((yield* OwnProjects.make).wipeAll)
      yield* settled(Effect.sleep("2 seconds"))
      assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).body.total, 0)
    })
  )

  it.effect("a late wipe does not delete data from after the end of the reset", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      yield* byKey(project.secret, "POST", "/contacts", { email: "before@example.com" })
      const since = DateTime.makeUnsafe(0)
      const { wipeSome } = yield* projectData
      assert.strictEqual((yield* settled(browse(owner.cookie, "POST", `${path}/reset`))).body.data.state, "completed")
      yield* byKey(project.secret, "POST", "/contacts", { email: "after@example.com" })
      for (const resetting of [since, yield* DateTime.now, null])
        assert.isFalse(yield* wipeSome(ProjectId.make(project.id), resetting))
      assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).body.total, 1)
    })
  )

  it.effect("rows that cause work are deleted before the contacts that they act on", () =>
    Effect.gen(function* () {
      const { project } = yield* withProject
      const { body: contact } = yield* byKey(project.secret, "POST", "/contacts", { email: "anna@example.com" })
      const { body: workflow } = yield* byKey(project.secret, "POST", "/workflows", { name: "Rest", eventName: "go" })
      const path = `/workflows/${workflow.id}`
      yield* byKey(project.secret, "POST", `${path}/steps`, { type: "DELAY", config: { amount: 1, unit: "hours" } })
      assert.strictEqual((yield* byKey(project.secret, "PATCH", path, { enabled: true })).status, 200)
      yield* byKey(project.secret, "POST", `${path}/executions`, { contactId: contact.id })
      yield* byKey(project.secret, "POST", "/events/track", { email: "anna@example.com", event: "go" })
      yield* byKey(project.secret, "POST", "/contacts/bulk-unsubscribe", { contactIds: [contact.id] })
      const sql = yield* SqlClient.SqlClient
      const { wipeSome } = yield* projectData
      const acting = ["jobs", "workflows", "workflow_executions", "events"]
      const left = Effect.filter(["contacts", ...acting], (table) =>
        Effect.map(sql`select 1 from ${sql(table)} where project_id = ${project.id}`, (rows) => rows.length > 0)
      )
      assert.deepStrictEqual(yield* left, ["contacts", ...acting])
      const since = yield* DateTime.now
      yield* sql`update projects set resetting_since = ${DateTime.toDate(since)} where id = ${project.id}`
      let before: ReadonlyArray<string> = []
      do before = yield* left
      while ((yield* wipeSome(ProjectId.make(project.id), since)) && (yield* left).includes("contacts"))
      assert.deepStrictEqual(before, ["contacts"])
    })
  )

  it.effect("of twenty simultaneous deletions one succeeds, and the domains are free at once", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      const domain = `given-up-${project.id.slice(-6)}.test`
      yield* byKey(project.secret, "POST", "/domains", { domain })
      const answers = yield* settled(
        Effect.all(
          Array.from({ length: 20 }, () => outcome(owner.cookie, "DELETE", path)),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual(answers.filter((found) => found === "204 ok").length, 1)
      assert.strictEqual(answers.filter((found) => found === "404 RESOURCE_NOT_FOUND").length, 19)
      const other = yield* newProject(owner.cookie, "Other")
      assert.isTrue((yield* byKey(other.secret, "POST", "/domains", { domain })).body.verified)
    })
  )

  it.effect("keys and members lose a deleted project at once, and the next run deletes its rows", () =>
    Effect.gen(function* () {
      const { owner, project, path } = yield* withProject
      yield* byKey(project.secret, "POST", "/contacts", { email: "anna@example.com" })
      yield* byKey(project.secret, "POST", "/domains", { domain: "deleted.example.com" })
      assert.strictEqual((yield* settled(browse(owner.cookie, "DELETE", path))).status, 204)
      assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).body.error.code, "INVALID_API_KEY")
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", path), "404 RESOURCE_NOT_FOUND")
      assert.deepStrictEqual((yield* browse(owner.cookie, "GET", "/users/@me/projects")).body, [])
      yield* settled((yield* OwnProjects.make).wipeAll)
      const sql = yield* SqlClient.SqlClient
      const named = yield* sql`
        select table_name as name from information_schema.columns where column_name = 'project_id' and table_schema = 'posthorn'`
      for (const { name } of named) {
        if (name === "audit_log") continue
        const rows = yield* sql`select 1 from ${sql(String(name))} where project_id = ${project.id}`
        assert.strictEqual(rows.length, 0, String(name))
      }
      assert.deepStrictEqual(yield* sql`select 1 from projects where id = ${project.id}`, [])
      const recorded = yield* sql`
        select user_id is not null as "byUser" from audit_log
        where project_id = ${project.id} and action = 'project.deleted'`
      assert.deepStrictEqual(recorded, [{ byUser: true }])
      assert.strictEqual(yield* outcome(owner.cookie, "DELETE", "/users/@me"), "204 ok")
    })
  )

  it("the tables that a reset keeps are listed explicitly", () => {
    assert.includeMembers([...kept], ["projects", "members", "invitations", "domains", "suspensions"])
  })
})

/** Takes six seconds for each file. */
const slowStorage = ObjectStorage.of({
  ...Context.get(Context.empty(), ObjectStorage),
  delete: () => TestClock.adjust("6 seconds")
})

layer(wireOver(services.pipe(Layer.provide(Layer.succeed(ObjectStorage, slowStorage)))), { timeout: "60 seconds" })(
  "A reset that takes longer than five seconds",
  (it) => {
    it.effect("is answered with 202, and continues in the background", () =>
      Effect.gen(function* () {
        const { owner, project, path } = yield* withProject
        yield* byKey(project.secret, "POST", "/contacts", { email: "anna@example.com" })
        yield* SqlClient.SqlClient.use(
          (sql) => sql`
            insert into images (project_id, name, size, stored, created_at)
            values (${project.id}, ${`${"a".repeat(64)}.png`}, 1, true, now())`
        )
        const resetting = Effect.map(
          browse(owner.cookie, "GET", "/users/@me/projects"),
          ({ body }) => body[0].resetting
        )
        const answer = yield* settled(browse(owner.cookie, "POST", `${path}/reset`))
        assert.deepStrictEqual([answer.status, answer.body.data], [202, { state: "running" }])
        assert.isTrue(yield* resetting)
        assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).status, 503)
        yield* settled((yield* OwnProjects.make).wipeAll)
        yield* settled(Effect.sleep("2 seconds"))
        assert.isFalse(yield* resetting)
        assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).body.total, 0)
      })
    )
  }
)

const brokenStorage = ObjectStorage.of({
  ...Context.get(Context.empty(), ObjectStorage),
  delete: () => Effect.die("The disk is gone")
})

layer(wireOver(services.pipe(Layer.provide(Layer.succeed(ObjectStorage, brokenStorage)))), { timeout: "60 seconds" })(
  "A reset that fails",
  (it) => {
    it.effect("is answered with 202 too: it has begun, and is retried", () =>
      Effect.gen(function* () {
        const { owner, project, path } = yield* withProject
        yield* SqlClient.SqlClient.use(
          (sql) => sql`
            insert into images (project_id, name, size, stored, created_at)
            values (${project.id}, ${`${"a".repeat(64)}.png`}, 1, true, now())`
        )
        const answer = yield* settled(browse(owner.cookie, "POST", `${path}/reset`))
        assert.deepStrictEqual([answer.status, answer.body.data], [202, { state: "running" }])
        assert.strictEqual((yield* byKey(project.secret, "GET", "/contacts")).status, 503)
      })
    )
  }
)
