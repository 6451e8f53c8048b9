/** The report of a workflow against counts over its executions, visits and mails, after random courses. */
import { assert, layer } from "@effect/vitest"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { updateTotals } from "../../../insight/analytics/Totals.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { Outside } from "../../../testing/SafeFetchMemory.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { build, work } from "../ExecutionsFixture.ts"
import * as WorkflowVersions from "../versions/WorkflowVersions.ts"
import { faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"
import * as ReportSql from "./ReportSql.ts"

const kinds = [
  "start",
  "start",
  "start",
  "start",
  "pass",
  "pass",
  "track",
  "track",
  "buy",
  "leave",
  "cancel",
  "cancelAll",
  "retry",
  "delete",
  "mail",
  "mail",
  "rollUp"
] as const
const Action = Schema.Struct({
  kind: Schema.Literals(kinds),
  n: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
})
type Action = typeof Action.Type

const begin = Date.UTC(2026, 2, 1, 9)
const hooks = ["https://hooks.example.com/report/good", "https://hooks.example.com/report/bad"]
const people = ["ada", "bob", "cleo", "dan"].map((name) => `${name}@example.com`)

/** A workflow with steps of every way to end: paths, waits, mail, requests that fail, an exit rule and a goal. */
const stage = Effect.gen(function* () {
  yield* TestClock.setTime(begin)
  const fresh = yield* workflowProject
  const outside = yield* Outside
  yield* outside.answer(hooks[0] ?? "", "ok")
  yield* outside.answer(hooks[1] ?? "", "no", 400)
  const template = yield* fresh.template()
  const hook = (url: string | undefined) => ({ url, method: "POST" })
  const halves = [
    { id: "a", share: 50 },
    { id: "b", share: 50 }
  ]
  const workflow = yield* build(fresh, {
    event: "go",
    allowReentry: true,
    settings: {
      exitRules: [{ id: "left", type: "EVENT", eventName: "leave" }],
      goal: { eventName: "buy", exit: false, revenue: { path: "price", currencyPath: "currency" } }
    },
    steps: {
      split: { type: "SPLIT", config: { branches: halves, salt: "report" }, to: { a: "mail", b: "wait" } },
      mail: { type: "SEND_EMAIL", templateId: template.id, to: "rest" },
      rest: { type: "DELAY", config: { amount: 2, unit: "hours" }, to: "ask" },
      ask: {
        type: "CONDITION",
        config: { field: "event.big", operator: "equals", value: true },
        to: { yes: "bad", no: "wait" }
      },
      wait: {
        type: "WAIT_FOR_EVENT",
        config: { eventName: "come", timeout: 3 * 3_600 },
        to: { event: "good", timeout: "out" }
      },
      good: { type: "WEBHOOK", config: hook(hooks[0]) },
      bad: { type: "WEBHOOK", config: hook(hooks[1]), to: "out" },
      out: { type: "EXIT" }
    }
  })
  return { ...fresh, workflow, path: `/workflows/${workflow.id}/report` }
})
type Stage = Effect.Success<typeof stage>

const Visit = Schema.Struct({ step: Schema.String, status: Schema.String, branch: Schema.NullOr(Schema.String) })
const Conversion = Schema.Struct({
  step: Schema.NullOr(Schema.String),
  amount: Schema.NullOr(Schema.Finite),
  currency: Schema.NullOr(Schema.String)
})
const Rows = Schema.Struct({
  executions: Schema.Array(Schema.Struct({ status: Schema.String, step: Schema.String, isStored: Schema.Boolean })),
  visits: Schema.Array(Visit),
  conversions: Schema.Array(Conversion)
})
type Rows = typeof Rows.Type
const rowsIn = Schema.decodeUnknownEffect(Schema.Tuple([Rows]))

/** The executions of the workflow, of one contact or of all, with their visits and conversions. */
const rows = Effect.fnUntraced(function* ({ project, workflow }: Stage, contact?: string) {
  const sql = yield* SqlClient.SqlClient
  const which = contact === undefined ? sql`true` : sql`contact_id = ${contact}::uuid`
  const own = sql`
    select * from workflow_executions as own
    where project_id = ${project} and workflow_id = ${workflow.id} and ${which}`
  const [found] = yield* rowsIn(
    yield* sql`
      select
        (select coalesce(jsonb_agg(jsonb_build_object('status', status, 'step', current_step_id, 'isStored', exists (
           select from workflow_step_executions as visit where visit.id = own.step_execution_id))), '[]')
         from (${own}) as own) as executions,
        (select coalesce(jsonb_agg(jsonb_build_object('step', step_id, 'status', visit.status, 'branch', branch)), '[]')
         from workflow_step_executions as visit join (${own}) as own on own.id = execution_id) as visits,
        (select coalesce(jsonb_agg(jsonb_build_object('amount', amount, 'currency', currency, 'step', (
           select workflow_step_id from emails
           where workflow_execution_id = execution_id and sent_at <= occurred_at
           order by sent_at desc limit 1))), '[]')
         from conversions join (${own}) as own on own.id = execution_id) as conversions`
  )
  return found
})

const isLive = ({ status }: { readonly status: string }) => status === "RUNNING" || status === "WAITING"

const mailRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ step: Schema.String, count: Schema.Record(Schema.String, Schema.Int) }))
)

/** What the report must say, from rows alone. `gone`: rows of contacts that were deleted. */
const expected = Effect.fnUntraced(function* (on: Stage, gone: Rows) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* rows(on)
  const executions = [...found.executions, ...gone.executions]
  const visits = [...found.visits, ...gone.visits]
  const conversions = [...found.conversions, ...gone.conversions]
  const live = found.executions.filter(isLive)
  const mails = new Map(
    (yield* mailRows(
      yield* sql`
        select workflow_step_id as step, jsonb_build_object(
          'sent', count(*) filter (where status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')),
          'delivered', count(delivered_at), 'humanOpened', count(*) filter (where opens > machine_opens),
          'humanClicked', count(*) filter (where clicks > machine_clicks), 'bounced', count(bounced_at),
          'complained', count(complained_at), 'unsubscribed', count(unsubscribed_at)) as count
        from emails where project_id = ${on.project} and workflow_step_id is not null group by 1`
    )).map(({ step, count }) => [step, count])
  )
  const none = {
    sent: 0,
    delivered: 0,
    humanOpened: 0,
    humanClicked: 0,
    bounced: 0,
    complained: 0,
    unsubscribed: 0
  }
  const ofStep = (name: string, id: string) => {
    if (name === "TRIGGER") {
      return { entered: executions.length, waiting: 0, completed: executions.length, skipped: 0, failed: 0, mail: null }
    }
    const own = visits.filter(({ step }) => step === id)
    const count = (status: string) => own.filter((visit) => visit.status === status).length
    return {
      entered: own.length + executions.filter((each) => isLive(each) && each.step === id && !each.isStored).length,
      waiting: live.filter(({ step }) => step === id).length,
      completed: count("COMPLETED"),
      skipped: count("SKIPPED"),
      failed: count("FAILED"),
      mail:
        name === "mail"
          ? { ...none, ...mails.get(id), converted: conversions.filter(({ step }) => step === id).length }
          : null
    }
  }
  const status = (wanted: string) => executions.filter((each) => each.status === wanted).length
  const amounts = Map.groupBy(
    conversions.filter(({ amount }) => amount !== null),
    ({ currency }) => currency ?? ""
  )
  return {
    executions: {
      started: executions.length,
      live: live.length,
      completed: status("COMPLETED"),
      exited: status("EXITED"),
      failed: status("FAILED"),
      cancelled: status("CANCELLED"),
      converted: conversions.length,
      revenue: [...amounts]
        .map(([currency, all]) => ({ currency, amount: all.reduce((sum, { amount }) => sum + (amount ?? 0), 0) }))
        .sort((one, other) => (one.currency < other.currency ? -1 : 1))
    },
    steps: [...on.workflow.steps].map(([name, id]) => ({ name, ...ofStep(name, id) })),
    branches: Object.fromEntries(
      [
        ...Map.groupBy(
          visits.filter(({ status }) => status === "COMPLETED"),
          ({ step, branch }) => `${step} ${branch}`
        )
      ].map(([key, all]) => [key, all.length])
    )
  }
})

interface StepFigures {
  readonly name: string
  readonly entered: number
  readonly left: number
  readonly waiting: number
}

const agree = Effect.fnUntraced(function* (on: Stage, gone: Rows, after: string) {
  const { body } = yield* on.ask("GET", on.path)
  const wanted = yield* expected(on, gone)
  assert.deepStrictEqual(body.executions, wanted.executions, after)
  assert.deepStrictEqual(
    body.steps.map(({ stepId: _, type: __, left: ___, ...step }: Record<string, unknown>) =>
      step["name"] === body.steps[0].name ? { ...step, name: "TRIGGER" } : step
    ),
    wanted.steps,
    after
  )
  for (const { name, entered, left, waiting } of body.steps as ReadonlyArray<StepFigures>) {
    assert.strictEqual(entered, left + waiting, `${after}: ${name}`)
  }
  const [, ...branches] = body.branches as ReadonlyArray<{ stepId: string; branch: string | null; taken: number }>
  if (wanted.executions.started > 0) {
    assert.deepStrictEqual(
      Object.fromEntries(branches.map(({ stepId, branch, taken }) => [`${stepId} ${branch}`, taken])),
      wanted.branches,
      after
    )
  }
  const store = yield* ReportSql.make
  assert.deepStrictEqual(yield* store.differences(on.project, WorkflowId.make(on.workflow.id)), [], after)
})

/** Changes of a mail, each a result. */
const changes = [
  "delivered_at = at, status = 'DELIVERED'",
  "opens = opens + 1, machine_opens = machine_opens + 1, opened_at = coalesce(opened_at, at), status = 'OPENED'",
  "opens = opens + 1, opened_at = coalesce(opened_at, at), status = 'OPENED'",
  "clicks = clicks + 1, clicked_at = coalesce(clicked_at, at), status = 'CLICKED'",
  "machine_clicks = clicks",
  "bounced_at = at, status = 'BOUNCED'",
  "complained_at = at, status = 'COMPLAINED'",
  "unsubscribed_at = at"
]

const perform = Effect.fnUntraced(function* (
  on: Stage,
  gone: { -readonly [Key in keyof Rows]: Array<Rows[Key][number]> },
  { kind, n }: Action
) {
  const sql = yield* SqlClient.SqlClient
  const { ask, project, track, workflow } = on
  const email = people[n % people.length] ?? ""
  const executions = (status: string) =>
    Effect.map(ask("GET", `/workflows/${workflow.id}/executions?status=${status}&pageSize=100`), ({ body }) =>
      body.data.map(({ id }: { id: string }) => id as string)
    )
  switch (kind) {
    case "start":
      return yield* track({ email, event: "go", data: { big: n % 3 === 0 } })
    case "track":
      return yield* track({ email, event: "come" })
    case "buy": {
      const price = n % 3 === 0 ? {} : { price: (n % 5) + 0.25, currency: n % 2 === 0 ? "eur" : "USD" }
      return yield* track({ email, event: "buy", data: price })
    }
    case "leave":
      return yield* track({ email, event: "leave" })
    case "pass":
      return yield* TestClock.adjust(Duration.minutes(n % 200))
    case "cancel": {
      const live = yield* executions("WAITING")
      const id = live[n % live.length]
      return id === undefined ? undefined : yield* ask("DELETE", `/workflows/${workflow.id}/executions/${id}`)
    }
    case "cancelAll":
      return n % 3 === 0 ? yield* ask("POST", `/workflows/${workflow.id}/executions/cancel-all`) : undefined
    case "retry": {
      const failed = yield* executions("FAILED")
      const id = failed[n % failed.length]
      return id === undefined ? undefined : yield* ask("POST", `/workflows/${workflow.id}/executions/${id}/retry`)
    }
    case "delete": {
      const [contact] = yield* sql`select id from contacts where project_id = ${project} and email = ${email}`
      if (contact === undefined) return
      const lost = yield* rows(on, String(contact["id"]))
      gone.executions.push(...lost.executions)
      gone.visits.push(...lost.visits)
      gone.conversions.push(...lost.conversions)
      return yield* ask("DELETE", `/contacts/${contact["id"]}`)
    }
    case "mail": {
      const change = changes[n % changes.length]?.replaceAll(
        /\bat\b/g,
        `'${DateTime.formatIso(yield* DateTime.now)}'::timestamptz`
      )
      return yield* sql.unsafe(`
        update emails set ${change}, updated_at = '${DateTime.formatIso(yield* DateTime.now)}'
        where ctid = any(array(
          select ctid from emails where project_id = '${project}' and sent_at is not null
          order by id offset ${n % 4} limit 3))`)
    }
    case "rollUp":
      return yield* updateTotals
  }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "300 seconds", excludeTestServices: false })(
    `The report of a workflow on ${name}`,
    (it) => {
      it.effect.prop(
        "equals counted executions, visits and mails, after any starts, exits, cancels, retries and deletions",
        [Schema.Array(Action).check(Schema.isMinLength(25), Schema.isMaxLength(50))],
        ([actions]) =>
          Effect.gen(function* () {
            const on = yield* stage
            const sql = yield* SqlClient.SqlClient
            const gone = { executions: [], visits: [], conversions: [] }
            for (const [index, action] of actions.entries()) {
              yield* TestClock.adjust(Duration.minutes(1))
              yield* perform(on, gone, action)
              yield* work
              const now = DateTime.toDate(yield* DateTime.now)
              yield* sql`
                update emails set status = 'SENT', sent_at = ${now}, updated_at = ${now}
                where project_id = ${on.project} and status = 'PENDING'`
              if (index % 6 === 0) yield* agree(on, gone, `after ${index}: ${action.kind} ${action.n}`)
            }
            yield* agree(on, gone, "in the end")
            yield* updateTotals
            yield* agree(on, gone, "added up")

            // The days add up to the whole.
            const whole = (yield* on.ask("GET", on.path)).body
            const range = (query: string) => Effect.map(on.ask("GET", `${on.path}?${query}`), ({ body }) => body)
            assert.deepStrictEqual(yield* range("startDate=2026-01-01&endDate=2100-01-01"), whole)
            const first = yield* range("endDate=2026-03-01")
            const rest = yield* range("startDate=2026-03-02")
            for (const [index, step] of (whole.steps as ReadonlyArray<StepFigures>).entries()) {
              const [one, other] = [first.steps[index], rest.steps[index]]
              assert.strictEqual(one.entered + other.entered, step.entered)
              assert.strictEqual(one.left + other.left, step.left)
              assert.strictEqual(one.entered - one.left, one.waiting)
              assert.strictEqual(other.waiting, step.waiting)
            }
            // Conversions of one version are those of contacts that are still there.
            const own = yield* range("version=1")
            const here = (yield* rows(on)).conversions.length
            assert.strictEqual(own.executions.converted, here)
            assert.deepStrictEqual(
              { ...own.executions, converted: 0, revenue: [] },
              { ...whole.executions, converted: 0, revenue: [] }
            )
            assert.deepStrictEqual(
              [own.version, own.steps, own.branches, own.experiments],
              [1, whole.steps, whole.branches, whole.experiments]
            )

            const { converted, revenue } = whole.executions
            const conversions = (by: string) =>
              Effect.map(
                on.ask("GET", `/analytics/conversions?by=${by}&startDate=2026-01-01&endDate=2026-12-01`),
                ({ body }) => body
              )
            assert.deepStrictEqual(
              yield* conversions("workflow"),
              converted === 0 ? [] : [{ key: on.workflow.id, name: "Welcome", conversions: converted, revenue }]
            )
            assert.isEmpty(yield* conversions("campaign"))
            const days = (yield* conversions("day")) as ReadonlyArray<{ conversions: number }>
            assert.strictEqual(
              days.reduce((sum, each) => sum + each.conversions, 0),
              converted
            )
          }),
        { timeout: 280_000, arbitrary: { runs: 6 } }
      )

      it.effect("counts executions with the version of their start, and after a migration with the target", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const days = { type: "DELAY", config: { amount: 2, unit: "days" } } as const
          const { id, steps } = yield* build(fresh, {
            event: "go",
            steps: {
              first: { ...days, to: "second" },
              second: { ...days, to: "last" },
              last: { type: "UPDATE_CONTACT", config: { updates: { done: true } } }
            }
          })
          const path = `/workflows/${id}`
          const idOf = (name: string) => steps.get(name) ?? nowhere
          const start = (email: string) => Effect.andThen(fresh.track({ email, event: "go" }), work)
          const store = yield* ReportSql.make
          const counted = Effect.fnUntraced(function* (version?: number) {
            const query = version === undefined ? "" : `?version=${version}`
            const { body } = yield* fresh.ask("GET", `${path}/report${query}`)
            const figures = (body.steps as ReadonlyArray<StepFigures>).slice(1)
            for (const { entered, left, waiting } of figures) assert.strictEqual(entered, left + waiting)
            return [
              `${body.executions.started} started, ${body.executions.live} live`,
              ...figures.map(({ name, entered, waiting }) => `${name} ${entered}, ${waiting}`)
            ]
          })
          yield* start("a@example.com")
          yield* fresh.ask("PATCH", path, { versioning: "PUBLISHED" })
          yield* TestClock.adjust(Duration.days(2))
          yield* start("b@example.com")
          assert.deepStrictEqual(yield* counted(1), ["2 started, 2 live", "first 2, 1", "second 1, 1", "last 0, 0"])
          yield* fresh.ask("DELETE", `${path}/steps/${idOf("second")}?splice=true`)
          assert.strictEqual((yield* fresh.ask("POST", `${path}/publish`)).status, 200)
          yield* start("c@example.com")
          assert.deepStrictEqual(yield* counted(2), ["1 started, 1 live", "first 1, 1", "last 0, 0"])
          assert.strictEqual(yield* fresh.outcome("GET", `${path}/report?version=3`), "404 RESOURCE_NOT_FOUND")

          const mapping = { [idOf("second")]: idOf("last") }
          const asked = yield* fresh.ask("POST", `${path}/migrations`, { toVersion: 2, fromVersions: "ALL", mapping })
          assert.strictEqual(asked.status, 202, JSON.stringify(asked.body))
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* Layer.build(JobRunner.layer(WorkflowVersions.jobs))
              yield* eventually(
                Effect.andThen(
                  TestClock.adjust("1 second"),
                  fresh.ask("GET", `${path}/migrations/${asked.body.jobId}`)
                ),
                ({ body }) => body.finishedAt !== null
              )
            })
          )
          yield* work
          const differences = store.differences(fresh.project, WorkflowId.make(id))
          for (const isAddedUp of [false, true]) {
            if (isAddedUp) yield* updateTotals
            assert.deepStrictEqual(yield* counted(1), ["0 started, 0 live", "first 1, 0", "second 1, 0", "last 0, 0"])
            assert.deepStrictEqual(yield* counted(2), ["3 started, 2 live", "first 2, 2", "last 1, 0"])
            // A step that only an earlier version has comes last.
            assert.deepStrictEqual(yield* counted(), ["3 started, 2 live", "first 3, 2", "last 1, 0", "second 1, 0"])
            assert.deepStrictEqual(yield* differences, [])
          }
          const [b] = yield* SqlClient.SqlClient.use(
            (sql) => sql`select id from contacts where project_id = ${fresh.project} and email = 'b@example.com'`
          )
          yield* fresh.ask("DELETE", `/contacts/${b?.["id"]}`)
          assert.deepStrictEqual(yield* counted(2), ["3 started, 1 live", "first 2, 1", "last 1, 0"])
          assert.deepStrictEqual(yield* differences, [])
        })
      )

      it.effect("goes with its workflow, and is not shown for unknown versions, foreign workflows and bad dates", () =>
        Effect.gen(function* () {
          const on = yield* stage
          const sql = yield* SqlClient.SqlClient
          const [trigger, ...steps] = (yield* on.ask("GET", on.path)).body.steps
          assert.deepInclude(trigger, { type: "TRIGGER", entered: 0, left: 0, mail: null })
          assert.lengthOf(steps, 8)
          yield* on.track({ email: "ada@example.com", event: "go", data: { big: true } })
          yield* work
          assert.strictEqual(yield* on.outcome("GET", `${on.path}?version=7`), "404 RESOURCE_NOT_FOUND")
          assert.strictEqual(yield* on.outcome("GET", `/workflows/${nowhere}/report`), "404 WORKFLOW_NOT_FOUND")
          const other = yield* workflowProject
          assert.strictEqual(yield* other.outcome("GET", on.path), "404 WORKFLOW_NOT_FOUND")
          const bad = yield* on.ask("GET", `${on.path}?startDate=2026-02-30`)
          assert.deepStrictEqual([bad.status, faultsIn(bad.body)], [400, ["startDate invalid_string"]])
          const unknown = yield* on.ask("GET", "/analytics/conversions?by=month")
          assert.deepStrictEqual([unknown.status, faultsIn(unknown.body)[0]?.split(" ")[0]], [400, "by"])

          const store = yield* ReportSql.make
          const workflow = WorkflowId.make(on.workflow.id)
          const [live] = yield* sql`
            delete from workflow_step_deltas where project_id = ${on.project} and entered > 0 and completed = 0
              and step_id = (select current_step_id from workflow_executions where project_id = ${on.project}) returning step_id`
          assert.deepStrictEqual(
            yield* store.differences(on.project, workflow),
            live === undefined ? [] : [{ version: 1, step: String(live["step_id"]), counted: 0, live: 1 }]
          )
          yield* updateTotals
          yield* on.track({ email: "bob@example.com", event: "go" })
          yield* work
          yield* on.enable(on.workflow.id, false)
          yield* on.ask("POST", `/workflows/${on.workflow.id}/executions/cancel-all`)
          assert.strictEqual((yield* on.ask("DELETE", `/workflows/${on.workflow.id}`)).status, 204)
          yield* updateTotals
          for (const table of ["workflow_step_deltas", "workflow_step_totals", "workflow_step_days", "result_days"]) {
            assert.isEmpty(yield* sql`select 1 from ${sql(table)} where project_id = ${on.project}`, table)
          }
        })
      )
    }
  )
}
