import { assert, layer, it as test } from "@effect/vitest"
import type { StandingLevel, StandingMetric } from "@posthorn/contract/accounts/projects/Security"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Suspensions } from "../../accounts/projects/Suspensions.ts"
import { scheduled } from "../../platform/jobs/PeriodicJobs.ts"
import { Mailer } from "../../platform/Mailer.ts"
import * as ScheduledJobs from "../../service/ScheduledJobs.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { key, project } from "../../testing/Services.ts"
import { outcome, send } from "../../testing/TestClient.ts"
import { configured, wireWith } from "../receivers/ReceiversFixture.ts"
import { SystemMailSender } from "../sending/SystemMailSender.ts"
import * as SenderReputation from "./SenderReputation.ts"
import { levelOf } from "./Thresholds.ts"

test.each<readonly [StandingMetric, number, number, StandingLevel]>([
  ["bounce7Day", 99, 99, "healthy"],
  ["bounce7Day", 4, 100, "healthy"],
  ["bounce7Day", 5, 100, "warning"],
  ["bounce7Day", 5, 101, "healthy"],
  ["bounce7Day", 9, 100, "warning"],
  ["bounce7Day", 10, 100, "critical"],
  ["bounce7Day", 10, 101, "warning"],
  ["bounceAllTime", 4, 100, "healthy"],
  ["bounceAllTime", 5, 125, "warning"],
  ["bounceAllTime", 9, 100, "warning"],
  ["bounceAllTime", 10, 125, "critical"],
  ["complaint7Day", 2, 100, "healthy"],
  ["complaint7Day", 3, 4000, "warning"],
  ["complaint7Day", 3, 4001, "healthy"],
  ["complaint7Day", 4, 100, "warning"],
  ["complaint7Day", 5, 3333, "critical"],
  ["complaint7Day", 5, 3334, "warning"],
  ["complaintAllTime", 3, 10_000, "warning"],
  ["complaintAllTime", 3, 10_001, "healthy"],
  ["complaintAllTime", 6, 5000, "critical"],
  ["complaintAllTime", 6, 5001, "warning"]
])("%s of %i in %i mails is %s", (metric, count, emails, level) => {
  assert.strictEqual(levelOf(metric, { count, emails }), level)
})

/** So many mails of the project, sent `daysAgo`; of them bounced for good, and complained about. */
const sent = Effect.fnUntraced(function* (
  of: ProjectId,
  {
    count,
    bounces = 0,
    complaints = 0,
    daysAgo = 0
  }: { count: number; bounces?: number; complaints?: number; daysAgo?: number }
) {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDate(DateTime.subtract(yield* DateTime.now, { days: daysAgo }))
  const ids = yield* sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                        ladder_since, bounced_at, bounced_for_good, complained_at, created_at, updated_at)
    select gen_random_uuid(), ${of}::uuid, 'a' || n || '@example.com', 'b@shop.test', 'MARKETING', 'CAMPAIGN', false, 'SENT', 1,
           ${at}, ${at}, case when n <= ${bounces} then ${at}::timestamptz end, n <= ${bounces},
           case when n <= ${complaints} then ${at}::timestamptz end, ${at}, ${at}
    from generate_series(1, ${count}::int) as n returning id`
  // Only changes of mails enter the totals.
  yield* sql`
    update emails set sent_at = ${at}::timestamptz
    where project_id = ${of} and id = any(${ids.map(({ id }) => String(id))}::uuid[])`
})

/** Time moves until it is done: a change that must be known everywhere waits for that. */
const settled = Effect.fnUntraced(function* <A, E, R>(change: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(change)
  yield* eventually(
    Effect.andThen(
      TestClock.adjust("200 millis"),
      Effect.sync(() => fiber.pollUnsafe())
    ),
    (exit) => exit !== undefined
  )
  return yield* Fiber.join(fiber)
})

/** A project with an owner, who is told. */
const owned = Effect.fnUntraced(function* (email: string) {
  const password = Redacted.make("correct horse battery")
  const { project } = yield* Accounts.use((accounts) =>
    accounts.create({ email, password, projectName: `Of ${email.replace(/@.*/, "")}` })
  )
  return project.id
})

const emailsTo = Effect.fnUntraced(function* (to: string) {
  const { send } = yield* Mailer
  yield* SystemMailSender.use((sender) => sender.drain(send))
  const accepted = yield* Peer.use((peer) => peer.accepted)
  return accepted.filter((message) => message.to[0]?.address === to)
})

const changed = (of: ProjectId) =>
  Effect.flatMap(SenderReputation.make, (standing) =>
    Effect.flatMap(DateTime.now, (now) => Effect.andThen(standing.changed(of, now), settled(standing.evaluateChanged)))
  )

const start = Date.UTC(2026, 10, 20, 15)

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "90 seconds" })(`SenderReputation on ${name}`, (it) => {
    it.effect("a project that has sent nothing is healthy, and only its own key sees it", () =>
      Effect.gen(function* () {
        const { status, body } = yield* send("GET", `/projects/${project}/security`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, {
          success: true,
          data: {
            status: {
              sent7Day: 0,
              bounces7Day: 0,
              complaints7Day: 0,
              bounceRate7Day: 0,
              complaintRate7Day: 0,
              sentAllTime: 0,
              bounceRateAllTime: 0,
              complaintRateAllTime: 0,
              violations: [],
              warnings: []
            },
            levels: {
              bounce7Day: "healthy",
              bounceAllTime: "healthy",
              complaint7Day: "healthy",
              complaintAllTime: "healthy"
            },
            thresholds: {
              bounce7Day: { warning: 5, critical: 10 },
              bounceAllTime: { warning: 4, critical: 8 },
              complaint7Day: { warning: 0.075, critical: 0.15 },
              complaintAllTime: { warning: 0.03, critical: 0.12 },
              minimumEmails: 100
            },
            isDisabled: false,
            disabledReason: null,
            recentSuspensions: []
          }
        })
        const other = "019a0000-0000-7000-8000-0000000000ff"
        assert.strictEqual(yield* outcome("GET", `/projects/${other}/security`), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* outcome("GET", "/projects/none/security"), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(
          yield* outcome("GET", `/projects/${project}/security`, undefined, { authorization: `Bearer ${key}x` }),
          "401 INVALID_API_KEY"
        )
      })
    )

    it.effect("rates are of the last seven days, and of all time", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("rates@example.com")
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set created_at = '2026-01-01' where id = ${of}`)
        yield* sent(of, { count: 1000, bounces: 7, complaints: 1, daysAgo: 8 })
        yield* sent(of, { count: 300, bounces: 4, daysAgo: 6 })
        const { status } = yield* Effect.flatMap(SenderReputation.make, (standing) => standing.get(of))
        assert.deepInclude(status, {
          sent7Day: 300,
          bounces7Day: 4,
          bounceRate7Day: 1.33,
          complaints7Day: 0,
          sentAllTime: 1300,
          bounceRateAllTime: 0.85,
          complaintRateAllTime: 0.077
        })
      })
    )

    it.effect("near the limit the members are warned, once for each metric and day", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("warned@example.com")
        yield* sent(of, { count: 100, bounces: 5 })
        yield* changed(of)
        yield* changed(of)
        const first = yield* emailsTo("warned@example.com")
        assert.deepStrictEqual(first.map(({ subject }) => subject).sort(), [
          "The bounce rate of all time of Of warned is high",
          "The bounce rate of the last 7 days of Of warned is high"
        ])
        assert.include(first[0]?.from.address, "posthorn@posthorn.example")
        assert.match(
          first.map(({ text }) => text).join(),
          /is 5 %. Warnings begin at 5 %, and at 10 % a project is disabled/
        )
        assert.isNull((yield* Projects.use((projects) => projects.get(of))).disabled)
        yield* TestClock.setTime(start + 24 * 3_600_000)
        yield* changed(of)
        assert.strictEqual((yield* emailsTo("warned@example.com")).length, 4)
      })
    )

    it.effect("at the limit the project is disabled, with its metric, and the members get one email", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("stopped@example.com")
        yield* sent(of, { count: 100, bounces: 10 })
        yield* changed(of)
        yield* changed(of)
        const state = yield* Effect.flatMap(SenderReputation.make, (standing) => standing.get(of))
        assert.deepInclude(state, { isDisabled: true, disabledReason: "EMAIL_REPUTATION" })
        assert.deepStrictEqual(state.status.violations, ["bounce7Day", "bounceAllTime"])
        const [suspension, ...others] = state.recentSuspensions
        assert.strictEqual(others.length, 0)
        assert.deepInclude(suspension, { reason: "EMAIL_REPUTATION", metric: "bounce7Day", value: 10, liftedAt: null })
        const letters = yield* emailsTo("stopped@example.com")
        assert.deepStrictEqual(
          letters.map(({ subject }) => subject),
          ["The project Of stopped is disabled"]
        )
      })
    )

    it.effect("when it is enabled again, its reputation starts again", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("again@example.com")
        yield* sent(of, { count: 100, bounces: 10, daysAgo: 1 })
        yield* settled(Suspensions.use((suspensions) => suspensions.suspend(of, { reason: "MANUAL" })))
        yield* settled(Suspensions.use((suspensions) => suspensions.lift(of, { cancelPending: false })))
        yield* settled(Effect.flatMap(SenderReputation.make, (standing) => standing.evaluateAll))
        const state = yield* Effect.flatMap(SenderReputation.make, (standing) => standing.get(of))
        assert.deepInclude(state, { isDisabled: false, disabledReason: null })
        assert.strictEqual(state.status.sentAllTime, 0)
        assert.deepInclude(state.recentSuspensions[0], { reason: "MANUAL", metric: null, value: null })
        assert.isNotNull(state.recentSuspensions[0]?.liftedAt)
      })
    )

    it.effect("every hour all sending projects are checked, even without a new bounce", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("hourly@example.com")
        yield* sent(of, { count: 2000, complaints: 5 })
        yield* settled(Effect.flatMap(SenderReputation.make, (standing) => standing.evaluateAll))
        const state = yield* Effect.flatMap(SenderReputation.make, (standing) => standing.get(of))
        assert.deepInclude(state.recentSuspensions[0], { metric: "complaint7Day", value: 0.25 })
      })
    )

    it.effect("a worker checks within a minute of a bounce, and sends the emails itself", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const of = yield* owned("loop@example.com")
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(scheduled(yield* ScheduledJobs.reputation))
            yield* sent(of, { count: 110, bounces: 11 })
            yield* Effect.flatMap(SenderReputation.make, ({ changed }) =>
              Effect.flatMap(DateTime.now, (now) => changed(of, now))
            )
            yield* eventually(
              Effect.andThen(
                TestClock.adjust("5 seconds"),
                Projects.use((projects) => projects.get(of))
              ),
              ({ disabled }) => disabled === "EMAIL_REPUTATION"
            )
            yield* eventually(
              Effect.andThen(
                TestClock.adjust("5 seconds"),
                Peer.use((peer) => peer.accepted)
              ),
              (accepted) => accepted.some(({ subject }) => subject === "The project Of loop is disabled")
            )
          })
        )
      })
    )

    it.effect(
      "a disabled project refuses writes and its mail keeps waiting; when it is enabled, stale mail is cancelled",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(start)
          const sql = yield* SqlClient.SqlClient
          yield* send("POST", "/domains", { domain: "wait.test" })
          const post = (to: string) =>
            Effect.map(
              send("POST", "/v1/send", { to, from: "a@wait.test", subject: "Hello", body: "<p>x</p>" }),
              ({ body }) => String(body.data.emails[0].email)
            )
          const stale = yield* post("stale@example.com")
          yield* TestClock.setTime(start + 3_600_000)
          const fresh = yield* post("fresh@example.com")
          const bulk = yield* post("bulk@example.com")
          yield* sql`update emails set lane = 1, type = 'MARKETING', ladder_since = ladder_since - interval '3 days' where id = ${bulk}`
          yield* settled(Suspensions.use((suspensions) => suspensions.suspend(project, { reason: "MANUAL" })))
          assert.strictEqual(yield* outcome("POST", "/contacts", { email: "new@example.com" }), "403 PROJECT_DISABLED")
          assert.strictEqual(
            yield* outcome("POST", "/suppressions", { email: "new@example.com" }),
            "403 PROJECT_DISABLED"
          )
          assert.strictEqual(yield* outcome("GET", "/suppressions"), "200 ok")
          const status = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body.status)
          assert.strictEqual(yield* status(stale), "PENDING")
          yield* TestClock.setTime(start + 24 * 3_600_000 + 1)
          const cancelled = yield* settled(Suspensions.use((each) => each.lift(project, { cancelPending: false })))
          assert.strictEqual(cancelled, 1)
          const { body } = yield* send("GET", `/emails/${stale}`)
          assert.deepInclude(body, { status: "CANCELLED" })
          assert.strictEqual(body.error.code, "project_was_disabled")
          assert.deepStrictEqual([yield* status(fresh), yield* status(bulk)], ["PENDING", "PENDING"])
          yield* settled(Suspensions.use((suspensions) => suspensions.suspend(project, { reason: "MANUAL" })))
          assert.strictEqual(yield* settled(Suspensions.use((each) => each.lift(project, { cancelPending: true }))), 2)
          assert.deepStrictEqual([yield* status(fresh), yield* status(bulk)], ["CANCELLED", "CANCELLED"])
        })
    )
  })
}

layer(wireWith(databases()[0]?.[1] ?? assert.fail("no database"), { ...configured, autoSuspend: false }), {
  timeout: "60 seconds"
})("Without automatic suspension", (it) => {
  it.effect("critical rates are reported, and nothing is disabled", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const of = yield* owned("told@example.com")
      yield* sent(of, { count: 100, complaints: 5 })
      yield* changed(of)
      const state = yield* Effect.flatMap(SenderReputation.make, (standing) => standing.get(of))
      assert.deepInclude(state, { isDisabled: false, recentSuspensions: [] })
      assert.deepStrictEqual(state.status.violations, ["complaint7Day", "complaintAllTime"])
      const letters = yield* emailsTo("told@example.com")
      assert.deepStrictEqual(
        letters.map(({ subject }) => subject.replace(/^.* is /, "")),
        ["too high", "too high"]
      )
    })
  )
})
