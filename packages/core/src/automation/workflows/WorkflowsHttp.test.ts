import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SecretRotation } from "../../service/secrets/SecretRotation.ts"
import { databases } from "../../testing/Databases.ts"
import { boxUnder, nextSecret, rotationUnder, secret, servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import * as SigningSecrets from "./SigningSecrets.ts"
import { drawn, executionAt, faultsIn, nowhere, workflowProject } from "./WorkflowsFixture.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Workflows on ${name}`, (it) => {
    it.effect("a new workflow is disabled, of type EVENT, and has its TRIGGER, for any body", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* workflowProject
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const now = "2026-03-01T09:00:00.000Z"
        const { status, body } = yield* ask("POST", "/workflows", {
          name: " Welcome ",
          eventName: " signed_up ",
          enabled: true,
          triggerType: "SCHEDULE",
          steps: [{ type: "EXIT" }]
        })
        assert.strictEqual(status, 201)
        assert.deepStrictEqual(body, {
          id: body.id,
          projectId: project,
          name: "Welcome",
          description: null,
          triggerType: "EVENT",
          triggerConfig: { eventName: "signed_up" },
          enabled: false,
          allowReentry: false,
          reentryAfterHours: null,
          goal: null,
          exitRules: [],
          nextRunAt: null,
          versioning: "LIVE",
          publishedVersion: null,
          draft: null,
          steps: [
            {
              id: body.steps[0].id,
              workflowId: body.id,
              type: "TRIGGER",
              name: "Trigger: signed_up",
              position: { x: 0, y: 0 },
              config: { eventName: "signed_up" },
              templateId: null,
              template: null,
              createdAt: now,
              updatedAt: now
            }
          ],
          transitions: [],
          createdAt: now,
          updatedAt: now
        })
        const counts = { steps: 1, executions: 0, activeExecutions: 0 }
        assert.deepStrictEqual((yield* ask("GET", `/workflows/${body.id}`)).body, { ...body, _count: counts })
      })
    )

    it.effect.each<readonly [body: unknown, faults: ReadonlyArray<string>]>([
      [{}, ["name required"]],
      [{ name: " " }, ["name required"]],
      [{ name: "a".repeat(101) }, ["name too_big"]],
      [{ name: "A", description: "a".repeat(501) }, ["description too_big"]],
      [{ name: "A", eventName: "a".repeat(256) }, ["eventName too_big"]],
      [{ name: "A", eventName: "a", triggerConfig: { eventName: "b" } }, ["triggerConfig.eventName custom"]],
      [{ name: "A", triggerConfig: 5 }, ["triggerConfig invalid_type"]],
      [{ name: "A", allowReentry: "yes" }, ["allowReentry invalid_type"]]
    ])("refuses to create %j", ([body, faults]) =>
      Effect.gen(function* () {
        const { ask } = yield* workflowProject
        const refused = yield* ask("POST", "/workflows", body)
        assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, faults])
      })
    )

    it.effect("the event may be missing or be one of the service, in either field", () =>
      Effect.gen(function* () {
        const { workflow } = yield* workflowProject
        assert.deepStrictEqual((yield* workflow({ eventName: null })).triggerConfig, {})
        assert.strictEqual((yield* workflow({ eventName: undefined })).steps[0].name, "Trigger")
        const own = yield* workflow({ eventName: undefined, triggerConfig: { eventName: "segment.pro.entry", x: 1 } })
        assert.deepStrictEqual(own.triggerConfig, { eventName: "segment.pro.entry" })
        const both = yield* workflow({ eventName: "a", triggerConfig: { eventName: "a" } })
        assert.deepStrictEqual(both.triggerConfig, { eventName: "a" })
      })
    )

    it.effect("404 for unknown and malformed ids", () =>
      Effect.gen(function* () {
        const { outcome } = yield* workflowProject
        const requests: ReadonlyArray<readonly [string, string, object?]> = [
          ["GET", ""],
          ["GET", "/validate"],
          ["PATCH", "", { name: "A" }],
          ["DELETE", ""],
          ["POST", "/duplicate"],
          ["POST", "/steps", { type: "EXIT" }],
          ["PATCH", `/steps/${nowhere}`, {}],
          ["DELETE", `/steps/${nowhere}`],
          ["POST", "/transitions", { fromStepId: nowhere, toStepId: nowhere }],
          ["DELETE", `/transitions/${nowhere}`],
          ["POST", `/transitions/${nowhere}/insert-step`, { type: "EXIT" }]
        ]
        for (const [method, path, body] of requests) {
          for (const id of [nowhere, "no-uuid"]) {
            const line = yield* outcome(method, `/workflows/${id}${path}`, body)
            assert.strictEqual(line, "404 WORKFLOW_NOT_FOUND", `${method} ${path}`)
          }
        }
      })
    )

    it.effect("workflows of other projects cannot be read, changed or deleted", () =>
      Effect.gen(function* () {
        const { workflow, step } = yield* workflowProject
        const other = yield* workflowProject
        const { id } = yield* workflow()
        const { id: exit } = yield* step(id, "EXIT")
        assert.strictEqual(yield* other.outcome("GET", `/workflows/${id}`), "404 WORKFLOW_NOT_FOUND")
        assert.strictEqual(yield* other.outcome("DELETE", `/workflows/${id}`), "404 WORKFLOW_NOT_FOUND")
        assert.strictEqual(yield* other.outcome("DELETE", `/workflows/${id}/steps/${exit}`), "404 WORKFLOW_NOT_FOUND")
        assert.strictEqual((yield* other.ask("GET", "/workflows")).body.total, 0)
      })
    )

    it.effect("lists: newest first, filtered, sorted, in pages, with counts and without graphs", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, enable, project } = yield* workflowProject
        const a = yield* workflow({ name: "Alpha", description: "Über alles" })
        yield* TestClock.adjust("1 second")
        const b = yield* workflow({ name: "beta" })
        yield* TestClock.adjust("1 second")
        const exit = yield* step(a.id, "EXIT")
        yield* enable(a.id)
        yield* executionAt(project, a.id, exit.id)
        yield* executionAt(project, a.id, exit.id, "EXITED")
        const names = (query: string) =>
          Effect.map(ask("GET", `/workflows?${query}`), ({ body }) =>
            body.data.map((each: { name: string }) => each.name).join(" ")
          )
        const { body } = yield* ask("GET", "/workflows")
        assert.deepStrictEqual(
          { ...body, data: body.data.length },
          { data: 2, page: 1, pageSize: 20, total: 2, totalPages: 1 }
        )
        assert.deepStrictEqual(body.data[1]._count, { steps: 2, executions: 2, activeExecutions: 1 })
        assert.notProperty(body.data[1], "steps")
        assert.strictEqual(body.data[0].id, b.id)
        assert.strictEqual(yield* names("sort=nonsense&dir=asc"), "Alpha beta")
        assert.strictEqual(yield* names("sort=updatedAt"), "Alpha beta")
        assert.strictEqual(yield* names("sort=steps&dir=asc"), "beta Alpha")
        assert.strictEqual(yield* names("sort=name"), "beta Alpha")
        assert.strictEqual(yield* names("search=ALLES"), "Alpha")
        assert.strictEqual(yield* names("search=%25"), "")
        assert.strictEqual(yield* names("status=active"), "Alpha")
        assert.strictEqual(yield* names("status=disabled"), "beta")
        assert.strictEqual(yield* names("triggerType=MANUAL"), "")
        assert.strictEqual(yield* names("page=2&pageSize=1"), "Alpha")
        for (const query of ["status=on", "triggerType=X", "page=0"]) {
          assert.strictEqual((yield* ask("GET", `/workflows?${query}`)).status, 400, query)
        }
      })
    )

    it.effect("a refused enabling reports every fault with its field, and changes nothing", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, read, enable, project } = yield* workflowProject
        const { id } = yield* workflow({ eventName: null })
        const mail = yield* step(id, "SEND_EMAIL")
        const ask1 = yield* step(id, "CONDITION")
        const before = yield* read(id)
        const { status, body } = yield* ask("PATCH", `/workflows/${id}`, { enabled: true, name: "Other" })
        assert.strictEqual(status, 422)
        assert.deepStrictEqual(faultsIn(body), [
          "triggerConfig.eventName required",
          `steps.${ask1.id}.branch required`,
          `steps.${mail.id}.templateId required`
        ])
        assert.strictEqual(body.error.message, "The workflow has 3 faults.")
        assert.deepStrictEqual(yield* read(id), before)

        const checked = (yield* ask("GET", `/workflows/${id}/validate`)).body
        assert.strictEqual(checked.valid, false)
        assert.deepStrictEqual(checked.errors, body.error.errors)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update workflow_steps set config = '{"field": "nonsense", "operator": "equals", "value": 1}'
                   where project_id = ${project} and id = ${ask1.id}::uuid`
        assert.include(faultsIn((yield* enable(id)).body), `steps.${ask1.id}.config.field custom`)
      })
    )

    it.effect("enabling stores the only possible entry; disabling and enabling again change nothing else", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, enable, read, outcome } = yield* workflowProject
        const { id } = yield* workflow()
        yield* step(id, "DELAY", { autoConnect: false })
        assert.deepStrictEqual((yield* read(id)).transitions, [])
        assert.deepStrictEqual((yield* ask("GET", `/workflows/${id}/validate`)).body.valid, true)
        const enabled = yield* enable(id)
        assert.deepStrictEqual([enabled.status, enabled.body.enabled], [200, true])
        assert.strictEqual(drawn(enabled.body), "Trigger: signed_up~>Delay")
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual((yield* enable(id)).body, enabled.body)
        // An enabled workflow gets no inferred entry.
        assert.strictEqual(
          yield* outcome("DELETE", `/workflows/${id}/transitions/${enabled.body.transitions[0].id}`),
          "422 VALIDATION_ERROR"
        )
        assert.strictEqual((yield* enable(id, false)).body.enabled, false)
        const two = yield* workflow()
        yield* step(two.id, "EXIT", { autoConnect: false })
        yield* step(two.id, "EXIT", { autoConnect: false })
        assert.deepStrictEqual(faultsIn((yield* enable(two.id)).body), ["steps custom"])
        const none = yield* workflow()
        assert.deepStrictEqual(faultsIn((yield* enable(none.id)).body), ["steps custom"])
      })
    )

    it.effect("SEND_EMAIL needs an existing template and a verified domain", () =>
      Effect.gen(function* () {
        const { project, workflow, step, enable, template } = yield* workflowProject
        const { id } = yield* workflow()
        const { id: templateId } = yield* template()
        const mail = yield* step(id, "SEND_EMAIL", { templateId })
        assert.deepStrictEqual(mail.template, { id: templateId, name: "Hello" })
        const sql = yield* SqlClient.SqlClient
        yield* sql`update templates set from_email = 'a@elsewhere.example' where project_id = ${project}`
        assert.deepStrictEqual(faultsIn((yield* enable(id)).body), [`steps.${mail.id}.templateId custom`])
        yield* sql`delete from templates where project_id = ${project}`
        assert.deepStrictEqual(faultsIn((yield* enable(id)).body), [`steps.${mail.id}.templateId custom`])
      })
    )

    it.effect("a change of the trigger replaces its config, also in the TRIGGER step", () =>
      Effect.gen(function* () {
        const { ask, workflow, read } = yield* workflowProject
        const { id } = yield* workflow()
        const patch = (body: object) => ask("PATCH", `/workflows/${id}`, body)
        const renamed = (yield* patch({ eventName: "paid", name: "Paid", description: "x", allowReentry: true })).body
        assert.deepStrictEqual(
          [renamed.triggerConfig, renamed.steps[0].name, renamed.steps[0].config, renamed.allowReentry],
          [{ eventName: "paid" }, "Trigger: paid", { eventName: "paid" }, true]
        )
        assert.strictEqual((yield* patch({ description: null })).body.description, null)
        const manual = (yield* patch({ triggerType: "MANUAL" })).body
        assert.deepStrictEqual([manual.triggerConfig, manual.steps[0].name], [{}, "Trigger"])
        const event = (yield* patch({ triggerType: "EVENT" })).body
        assert.deepStrictEqual([event.triggerType, event.triggerConfig], ["EVENT", {}])
        const faulty: ReadonlyArray<readonly [object, string]> = [
          [{ triggerType: "OTHER" }, "triggerType invalid_enum"],
          [{ name: null }, "name invalid_type"],
          [{ enabled: null }, "enabled invalid_type"],
          [{ eventName: null }, "eventName invalid_type"],
          [{ triggerConfig: { eventName: 5 } }, "triggerConfig.eventName invalid_type"],
          [{ eventName: "a", triggerConfig: { eventName: "b" } }, "triggerConfig.eventName custom"],
          [{ triggerType: "MANUAL", eventName: "a" }, "eventName custom"]
        ]
        const before = yield* read(id)
        for (const [body, fault] of faulty) {
          const refused = yield* patch(body)
          assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, [fault]], JSON.stringify(body))
        }
        assert.deepStrictEqual(yield* read(id), before)
      })
    )

    it.effect("a schedule is checked on every save, and has a next run while the workflow is enabled", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, enable } = yield* workflowProject
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
        const { id } = yield* workflow()
        yield* step(id, "EXIT")
        const schedule = (triggerConfig: object) =>
          ask("PATCH", `/workflows/${id}`, { triggerType: "SCHEDULE", triggerConfig })
        const faulty: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
          [{}, ["triggerConfig.schedule required", "triggerConfig.segmentId required"]],
          [{ schedule: "* * * * *", audienceType: "ALL" }, ["triggerConfig.schedule custom"]],
          [{ cron: "nonsense", audienceType: "ALL" }, ["triggerConfig.cron custom"]],
          [{ schedule: "0 9 * * *", cron: "0 8 * * *", audienceType: "ALL" }, ["triggerConfig.cron custom"]],
          [{ schedule: "0 9 * * *", audienceType: "SOME" }, ["triggerConfig.audienceType invalid_enum"]],
          [
            { schedule: "0 9 * * *", timezone: "Mars/Olympus", audienceType: "ALL" },
            ["triggerConfig.timezone invalid_string"]
          ],
          [{ schedule: "0 9 * * *", segmentId: nowhere }, ["triggerConfig.segmentId custom"]],
          [{ schedule: "0 9 * * *", segmentId: nowhere, audienceType: "ALL" }, ["triggerConfig.segmentId custom"]]
        ]
        for (const [config, faults] of faulty) {
          const refused = yield* schedule(config)
          assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, faults], JSON.stringify(config))
        }
        const saved = yield* schedule({ cron: "0 9 * * *", timezone: "Europe/Berlin", audienceType: "ALL" })
        assert.deepStrictEqual(saved.body.triggerConfig, {
          schedule: "0 9 * * *",
          timezone: "Europe/Berlin",
          audienceType: "ALL"
        })
        assert.deepStrictEqual([saved.body.nextRunAt, saved.body.recentFirings], [null, []])
        assert.strictEqual((yield* enable(id)).body.nextRunAt, "2026-11-21T08:00:00.000Z")
        const later = yield* ask("PATCH", `/workflows/${id}`, {
          triggerConfig: { schedule: "0 18 * * *", audienceType: "ALL" }
        })
        assert.strictEqual(later.body.nextRunAt, "2026-11-20T18:00:00.000Z")
        assert.strictEqual((yield* enable(id, false)).body.nextRunAt, null)
      })
    )

    it.effect("is not deleted while an execution is active, and then with its finished executions", () =>
      Effect.gen(function* () {
        const { ask, outcome, project, workflow, step } = yield* workflowProject
        const { id } = yield* workflow()
        const exit = yield* step(id, "EXIT")
        yield* executionAt(project, id, exit.id)
        yield* executionAt(project, id, exit.id, "RUNNING")
        yield* executionAt(project, id, exit.id, "EXITED")
        const refused = yield* ask("DELETE", `/workflows/${id}`)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
        assert.deepStrictEqual(refused.body.error.details, { activeExecutions: 2 })
        const sql = yield* SqlClient.SqlClient
        yield* sql`update workflow_executions set status = 'CANCELLED' where project_id = ${project}`
        assert.deepStrictEqual((yield* ask("DELETE", `/workflows/${id}`)).status, 204)
        assert.strictEqual(yield* outcome("GET", `/workflows/${id}`), "404 WORKFLOW_NOT_FOUND")
        for (const table of ["workflow_steps", "workflow_transitions", "workflow_executions"]) {
          assert.deepStrictEqual(yield* sql`select id from ${sql(table)} where project_id = ${project}`, [], table)
        }
      })
    )

    it.effect("a copy is disabled, has the same graph with new ids, and a name within the limit", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, connect, enable } = yield* workflowProject
        const { id } = yield* workflow({ name: "a".repeat(100), allowReentry: true })
        const ask1 = yield* step(id, "CONDITION")
        yield* step(id, "EXIT")
        const delay = yield* step(id, "DELAY", { autoConnect: false })
        yield* connect(id, ask1.id, delay.id, "no")
        const original = (yield* enable(id)).body
        const { status, body } = yield* ask("POST", `/workflows/${id}/duplicate`)
        assert.strictEqual(status, 201)
        assert.strictEqual(body.name, `${"a".repeat(93)} (Copy)`)
        assert.deepStrictEqual([body.enabled, body.allowReentry], [false, true])
        assert.strictEqual(drawn(body), drawn(original))
        assert.strictEqual(drawn(body), "Condition-no>Delay Condition-yes~>Exit Trigger: signed_up~>Condition")
        const ids = (graph: typeof body) => [...graph.steps, ...graph.transitions].map((each) => each.id)
        assert.strictEqual(new Set([...ids(body), ...ids(original)]).size, 14)
      })
    )

    it.effect("a project has at most 500, a workflow 100 steps and 300 transitions", () =>
      Effect.gen(function* () {
        const { ask, project, workflow } = yield* workflowProject
        const { id } = yield* workflow()
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into workflows (id, project_id, name, trigger_type, trigger_config, enabled, allow_reentry, created_at,
            updated_at)
          select gen_random_uuid(), ${project}::uuid, 'W', 'MANUAL', '{}', false, false, now(), now()
          from generate_series(1, 498)`
        assert.strictEqual((yield* ask("POST", `/workflows/${id}/duplicate`)).status, 201)
        assert.deepStrictEqual(faultsIn((yield* ask("POST", "/workflows", { name: "A" })).body), ["name too_big"])
        assert.deepStrictEqual(faultsIn((yield* ask("POST", `/workflows/${id}/duplicate`)).body), ["name too_big"])

        const branches = Array.from({ length: 20 }, (_, n) => ({ id: `b${n}`, operator: "equals", value: n }))
        const config = JSON.stringify({ mode: "multi", field: "data.n", branches })
        yield* sql`
          insert into workflow_steps (id, project_id, workflow_id, ordinal, type, name, position, config, created_at,
            updated_at)
          select gen_random_uuid(), ${project}::uuid, ${id}::uuid, n, 'CONDITION', 'S', '{"x": 0, "y": 0}',
                 ${config}::text::jsonb, now(), now()
          from generate_series(1, 99) as n`
        assert.deepStrictEqual(faultsIn((yield* ask("POST", `/workflows/${id}/steps`, { type: "EXIT" })).body), [
          "type too_big"
        ])
        const [first, second] = (yield* ask("GET", `/workflows/${id}`)).body.steps.slice(-2)
        yield* sql`
          insert into workflow_transitions (id, project_id, workflow_id, from_step_id, to_step_id, branch, auto, created_at,
            updated_at)
          select gen_random_uuid(), ${project}::uuid, ${id}::uuid, step.id, ${first.id}::uuid, 'b' || n, false, now(),
                 now()
          from workflow_steps as step, generate_series(0, 9) as n
          where step.project_id = ${project} and workflow_id = ${id}::uuid and ordinal between 1 and 30`
        const over = yield* ask("POST", `/workflows/${id}/transitions`, {
          fromStepId: second.id,
          toStepId: first.id,
          branch: "default"
        })
        assert.deepStrictEqual(faultsIn(over.body), [" too_big"])
      })
    )

    it.effect("the signing secret is the same until it is replaced", () =>
      Effect.gen(function* () {
        const { ask } = yield* workflowProject
        yield* TestClock.setTime(Date.UTC(2026, 2, 1))
        const both = yield* Effect.all(
          [ask("GET", "/workflows/signing-secret"), ask("GET", "/workflows/signing-secret")],
          {
            concurrency: 2
          }
        )
        const [first, again] = both.map(({ body }) => body)
        assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.deepStrictEqual(first, again)
        const rotated = yield* ask("POST", "/workflows/signing-secret/rotate")
        assert.notStrictEqual(rotated.body.secret, first.secret)
        assert.strictEqual(rotated.body.previousValidUntil, "2026-03-02T00:00:00.000Z")
        assert.strictEqual((yield* ask("GET", "/workflows/signing-secret")).body.secret, rotated.body.secret)
      })
    )

    it.effect("the signing secrets are encrypted again when the secret of the installation is replaced", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const under = (current: string) =>
          Effect.provide(SigningSecrets.layer.pipe(Layer.provide(boxUnder(current))), { local: true })
        const broken = yield* workflowProject
        yield* broken.ask("GET", "/workflows/signing-secret")
        yield* sql`update workflow_secrets set secret = 'unreadable' where project_id = ${broken.project}`
        const { ask, project } = yield* workflowProject
        const first = yield* ask("GET", "/workflows/signing-secret")
        const second = yield* ask("POST", "/workflows/signing-secret/rotate")

        yield* SecretRotation.use(({ rotate }) => rotate).pipe(Effect.provide(rotationUnder(nextSecret, secret)))
        const found = yield* under(nextSecret)(SigningSecrets.SigningSecrets.use(({ current }) => current(project)))
        assert.deepStrictEqual(found.map(Redacted.value), [second.body.secret, first.body.secret])
        const [left] = yield* sql`select secret from workflow_secrets where project_id = ${broken.project}`
        assert.deepStrictEqual(left, { secret: "unreadable" })
      })
    )
  })
}
