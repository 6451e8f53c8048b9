import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Transaction } from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wire, wireOver } from "../../testing/TestClient.ts"
import { build, executionsOf, work } from "./ExecutionsFixture.ts"
import * as SplitExperiments from "./SplitExperiments.ts"
import { faultsIn, nowhere, workflowProject } from "./WorkflowsFixture.ts"

const branches = [
  { id: "a", share: 50 },
  { id: "b", share: 50 }
]

const judge = Effect.flatMap(SplitExperiments.make, (experiments) => experiments.judge)
const minutes = (n: number) => TestClock.adjust(Duration.minutes(n))

/** A workflow whose entry splits, with an experiment. */
const experiment = Effect.fnUntraced(function* (rules: object, hasMail = false, settings: object = {}) {
  const fresh = yield* workflowProject
  const sql = yield* SqlClient.SqlClient
  const template = yield* fresh.template({ type: "TRANSACTIONAL" })
  const mail = { type: "SEND_EMAIL", templateId: template.id }
  const workflow = yield* build(fresh, {
    event: "go",
    allowReentry: true,
    settings,
    steps: {
      split: {
        type: "SPLIT",
        config: { branches, experiment: { windowHours: 1, minimumPerBranch: 100, ...rules } },
        ...(hasMail && { to: { a: "one", b: "two" } })
      },
      ...(hasMail && { one: mail, two: mail })
    }
  })
  const step = workflow.steps.get("split") ?? ""
  const path = `/workflows/${workflow.id}/steps/${step}/experiment`

  /** New contacts at the step. */
  const enter = Effect.fnUntraced(function* (wave: string, count: number) {
    const now = DateTime.toDate(yield* DateTime.now)
    yield* sql`
      with people as (
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select gen_random_uuid(), ${fresh.project}::uuid, ${wave}::text || n || '@example.com', true, '{}',
               ${now}::timestamptz, ${now}::timestamptz
        from generate_series(1, ${count}::int) as n returning id
      )
      insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain, context,
        current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
      select ${fresh.project}::uuid, gen_random_uuid(), ${workflow.id}::uuid, id, 1, 'RUNNING', 'MANUAL', 0, '{}',
             ${step}::uuid, gen_random_uuid(), ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
             ${now}::timestamptz, ${now}::timestamptz
      from people`
    yield* work
  })

  /** Hits on every nth mail of those who took a branch on their first visit. Returns how many. */
  const hit = Effect.fnUntraced(function* (branch: string, every: number, kind: string, verdict: string) {
    const rows = yield* sql`
      insert into email_hits (project_id, email_id, at, id, kind, verdict, ordinal)
      select project_id, id, ${DateTime.toDate(yield* DateTime.now)}::timestamptz, gen_random_uuid(), ${kind}::text,
             ${verdict}::text, 1
      from (
        select emails.project_id, emails.id, row_number() over (order by emails.id) as n
        from emails join workflow_step_executions as visit
          on visit.project_id = emails.project_id and visit.execution_id = emails.workflow_execution_id
        join workflow_executions as execution
          on execution.project_id = visit.project_id and execution.id = visit.execution_id and execution.nth = 1
        where emails.project_id = ${fresh.project} and visit.step_id = ${step}::uuid and visit.branch = ${branch}
      ) as mail
      where n % ${every}::int = 0 returning 1`
    return rows.length
  })
  const figures = Effect.map(fresh.ask("GET", path), ({ body }) => body)
  const sent = Effect.map(figures, ({ variants }) => variants.map((each: { sent: number }) => each.sent))
  /** The branch of a new contact, and what decided it. */
  const next = Effect.fnUntraced(function* (email: string) {
    yield* fresh.track({ email, event: "go" })
    yield* work
    const found = (yield* executionsOf(fresh.project, workflow.id)).find((each) => each.email === email)
    const { body } = yield* fresh.ask("GET", `/workflows/${workflow.id}/executions/${found?.id}`)
    return body.stepExecutions[0].output
  })
  return { ...fresh, workflow, stepId: step, path, enter, hit, figures, sent, next, sql }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `The experiment of a SPLIT on ${name}`,
    (it) => {
      it.effect("judges each contact once, after its window, and gives everybody the better branch", () =>
        Effect.gen(function* () {
          const all = yield* experiment({ metric: "HUMAN_CLICK" }, true)
          const { enter, hit, figures, sent, next, ask, path, project, sql, stepId, workflow } = all
          yield* enter("early", 100)
          yield* minutes(30)
          yield* enter("late", 160)
          // A second visit of the same contact counts no more.
          yield* next("early1@example.com")
          assert.deepInclude(yield* figures, { final: false, winner: null, decidedBy: null, metric: "HUMAN_CLICK" })
          yield* hit("a", 1, "click", "machine")
          yield* hit("a", 1, "open", "human")
          const clicksA = yield* hit("a", 10, "click", "human")
          const clicksB = yield* hit("b", 2, "click", "human")
          yield* minutes(30)
          yield* judge
          assert.deepStrictEqual(yield* sent, [0, 0])
          yield* minutes(1)
          // A judgement that is not committed did not happen.
          const crashed = Transaction.use((transaction) => transaction.run(Effect.andThen(judge, Effect.die("killed"))))
          assert.strictEqual((yield* Effect.exit(crashed))._tag, "Failure")
          assert.deepStrictEqual(yield* sent, [0, 0])
          yield* judge
          yield* judge
          const early: ReadonlyArray<number> = yield* sent
          assert.strictEqual(
            early.reduce((sum, n) => sum + n, 0),
            100
          )
          assert.isFalse((yield* figures).final)
          yield* minutes(30)
          // Too late for everybody.
          yield* hit("a", 1, "click", "human")
          yield* judge
          const found = yield* figures
          assert.deepInclude(found, {
            stepId,
            final: true,
            winner: "b",
            significant: true,
            decidedBy: { kind: "AUTOMATIC", userId: null }
          })
          const [a, b] = found.variants
          assert.strictEqual(a.sent + b.sent, 260)
          assert.deepStrictEqual([a.successes, b.successes], [clicksA, clicksB])
          assert.isNull(b.pValue)
          assert.isBelow(a.pValue, 0.05)

          const decided = [
            yield* next("new1@example.com"),
            yield* next("new2@example.com"),
            yield* next("new3@example.com")
          ]
          assert.deepStrictEqual(
            decided.map(({ branch, decidedBy }) => `${branch} ${decidedBy}`),
            Array.from({ length: 3 }, () => "b winner")
          )
          yield* minutes(120)
          yield* judge
          assert.deepStrictEqual(yield* figures, found)
          const audit = yield* sql`
            select actor, details from audit_log where project_id = ${project} and action = 'experiment.decided'`
          assert.deepStrictEqual(audit, [
            { actor: "service", details: { workflowId: workflow.id, stepId, winner: "b", significant: true } }
          ])

          assert.strictEqual((yield* ask("POST", `${path}/winner`, { branch: "a" })).body.id, stepId)
          assert.strictEqual((yield* ask("POST", `${path}/winner`, { branch: "a" })).status, 200)
          assert.deepInclude(yield* figures, { winner: "a", decidedBy: { kind: "KEY", userId: null } })
          assert.strictEqual((yield* next("new4@example.com")).branch, "a")
          const unknown = yield* ask("POST", `${path}/winner`, { branch: "c" })
          assert.deepStrictEqual([unknown.status, faultsIn(unknown.body)], [422, ["branch custom"]])
          const entries = yield* sql`
            select 1 from audit_log where project_id = ${project} and action = 'experiment.decided'`
          assert.lengthOf(entries, 2)

          assert.strictEqual((yield* ask("POST", `${path}/restart`)).body.id, stepId)
          assert.deepInclude(yield* figures, { final: false, winner: null, decidedBy: null, decidedAt: null })
          assert.deepStrictEqual(yield* sent, [0, 0])
          assert.strictEqual((yield* next("new5@example.com")).decidedBy, "share")
        })
      )

      it.effect("without a better branch splits on, takes the first, or waits for a person", () =>
        Effect.gen(function* () {
          for (const [rules, winner] of [
            [{}, null],
            [{ fallback: "FIRST" }, "a"],
            [{ winner: "MANUAL", fallback: "FIRST" }, null]
          ] as const) {
            const { enter, figures, next } = yield* experiment({ metric: "HUMAN_OPEN", ...rules })
            yield* enter("crowd", 250)
            yield* minutes(61)
            yield* judge
            assert.deepInclude(yield* figures, { final: true, significant: false, winner })
            assert.strictEqual((yield* next("one@example.com")).decidedBy, winner === null ? "share" : "winner")
          }
        })
      )

      it.effect("by the goal of the workflow counts who reached it within the window, once each", () =>
        Effect.gen(function* () {
          const goal = { eventName: "paid" }
          const { enter, figures, next, sql, stepId, track } = yield* experiment({ metric: "GOAL" }, false, { goal })
          yield* enter("crowd", 260)
          const people = yield* sql<{ email: string; branch: string }>`
            select email, branch from workflow_experiment_visits as visit
            join workflow_executions as execution
              on execution.project_id = visit.project_id and execution.id = visit.execution_id
            join contacts on contacts.project_id = execution.project_id and contacts.id = execution.contact_id
            where visit.step_id = ${stepId}::uuid order by email`
          const of = (branch: string) => people.filter((each) => each.branch === branch)
          const pay = (payers: typeof people) =>
            Effect.andThen(
              Effect.forEach(payers, ({ email }) => track({ email, event: "paid" }), { discard: true }),
              work
            )
          yield* pay([...of("a").slice(0, 8), ...of("b").slice(0, 40)])
          yield* pay(of("b").slice(0, 3))
          yield* minutes(60)
          yield* pay(of("a").slice(8, 60))
          yield* minutes(1)
          yield* judge
          const found = yield* figures
          assert.deepInclude(found, { final: true, metric: "GOAL", winner: "b", significant: true })
          assert.deepStrictEqual(
            found.variants.map(({ sent, successes }: { sent: number; successes: number }) => [sent, successes]),
            [
              [of("a").length, 8],
              [of("b").length, 40]
            ]
          )
          assert.deepInclude(yield* next("new@example.com"), { branch: "b", decidedBy: "winner" })
        })
      )
    }
  )
}

layer(wire, { timeout: "60 seconds", excludeTestServices: false })("The experiment of a step", (it) => {
  it.effect("is unknown for other steps and workflows, and goes with its workflow", () =>
    Effect.gen(function* () {
      const { ask, step, workflow, enter, ...rest } = yield* experiment({ metric: "HUMAN_OPEN" })
      const other = yield* step(workflow.id, "SPLIT", { config: { branches } })
      for (const [method, action, body] of [
        ["GET", "", undefined],
        ["POST", "/winner", { branch: "a" }],
        ["POST", "/restart", undefined]
      ] as const) {
        const at = (steps: string) => `/workflows/${steps}/experiment${action}`
        const none = yield* ask(method, at(`${workflow.id}/steps/${other.id}`), body)
        assert.deepStrictEqual([none.status, none.body.error.details?.resource], [404, "experiment"])
        assert.strictEqual((yield* ask(method, at(`${workflow.id}/steps/${nowhere}`), body)).status, 404)
        assert.strictEqual((yield* ask(method, at(`${nowhere}/steps/${other.id}`), body)).status, 404)
      }
      yield* enter("crowd", 3)
      assert.strictEqual((yield* ask("DELETE", `/workflows/${workflow.id}`)).status, 204)
      assert.isEmpty(
        yield* rest.sql`
          select project_id from workflow_experiments where project_id = ${rest.project}
          union all select project_id from workflow_experiment_visits where project_id = ${rest.project}`
      )
    })
  )

  it.effect("is that of the version that runs, whatever the draft says about its step", () =>
    Effect.gen(function* () {
      const { ask, path, next, figures, stepId, workflow } = yield* experiment({ metric: "HUMAN_OPEN" })
      const ofWorkflow = `/workflows/${workflow.id}`
      const keys = ({ variants }: { variants: ReadonlyArray<{ key: string }> }) => variants.map(({ key }) => key)
      const choose = (branch: string) => ask("POST", `${path}/winner`, { branch })
      assert.strictEqual((yield* ask("PATCH", ofWorkflow, { versioning: "PUBLISHED" })).status, 200)
      const drafted = [
        { id: "a", share: 40 },
        { id: "c", share: 60 }
      ]
      const change = yield* ask("PATCH", `${ofWorkflow}/steps/${stepId}`, { config: { branches: drafted } })
      assert.strictEqual(change.status, 200)
      assert.deepStrictEqual(keys(yield* figures), ["a", "b"])
      const { body: report } = yield* ask("GET", `${ofWorkflow}/report`)
      assert.deepStrictEqual(report.experiments.map(keys), [["a", "b"]])
      assert.strictEqual((yield* choose("c")).status, 422)
      assert.strictEqual((yield* choose("b")).status, 200)
      assert.deepInclude(yield* next("first@example.com"), { branch: "b", decidedBy: "winner" })
      assert.strictEqual((yield* ask("DELETE", `${ofWorkflow}/steps/${stepId}`)).status, 204)
      assert.deepInclude(yield* figures, { winner: "b", final: true })
      assert.strictEqual((yield* ask("POST", `${path}/restart`)).status, 200)
      assert.deepInclude(yield* figures, { winner: null, final: false })
      const exit = yield* ask("POST", `${ofWorkflow}/steps`, { type: "EXIT" })
      assert.strictEqual(exit.status, 201)
      assert.strictEqual((yield* ask("POST", `${ofWorkflow}/publish`, {})).status, 200)
      assert.strictEqual((yield* ask("GET", path)).status, 404)
    })
  )

  it.effect("by the goal of the workflow needs one", () =>
    Effect.gen(function* () {
      const fresh = yield* workflowProject
      const { id, steps } = yield* build(fresh, {
        event: "go",
        enabled: false,
        steps: { split: { type: "SPLIT", config: { branches, experiment: { metric: "GOAL" } } } }
      })
      const { status, body } = yield* fresh.enable(id)
      assert.deepStrictEqual(
        [status, faultsIn(body)],
        [422, [`steps.${steps.get("split")}.config.experiment.metric custom`]]
      )
      const change = (body: object) => fresh.ask("PATCH", `/workflows/${id}`, body)
      yield* change({ goal: { eventName: "paid" } })
      assert.strictEqual((yield* fresh.enable(id)).status, 200)
      const removed = yield* change({ goal: null })
      assert.deepStrictEqual([removed.status, faultsIn(removed.body)], [status, faultsIn(body)])
      assert.strictEqual((yield* change({ goal: { eventName: "bought" } })).status, 200)
      assert.strictEqual((yield* change({ goal: null, enabled: false })).status, 200)
    })
  )
})
