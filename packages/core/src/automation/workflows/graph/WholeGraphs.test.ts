import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, browse, newProject, person } from "../../../testing/Browser.ts"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { send, wireOver } from "../../../testing/TestClient.ts"
import { drawn, executionAt, faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"

const delay = (amount: number) => ({ type: "DELAY", config: { amount, unit: "days" } })
const isPro = { type: "CONDITION", config: { field: "data.plan", operator: "equals", value: "pro" } }

/** Trigger, a day, a question and an end, all new. */
const welcome = {
  steps: [
    { type: "TRIGGER", key: "start" },
    { key: "wait", name: "Wait", ...delay(1) },
    { key: "pro", name: "Pro?", ...isPro, position: { x: 5, y: 6 } },
    { key: "end", name: "End", type: "EXIT" }
  ],
  transitions: [
    { from: "start", to: "wait" },
    { from: "wait", to: "pro", branch: null },
    { from: "pro", to: "end", branch: "yes" },
    { from: "pro", to: "end", branch: "no" }
  ]
}

interface Step {
  readonly id: string
  readonly type: string
  readonly name: string
}
interface Transition {
  readonly fromStepId: string
  readonly toStepId: string
  readonly branch: string | null
}

/** The body that draws a workflow as it is. */
const bodyOf = (workflow: {
  readonly steps: ReadonlyArray<Step>
  readonly transitions: ReadonlyArray<Transition>
}) => ({
  steps: workflow.steps,
  transitions: workflow.transitions.map(({ fromStepId, toStepId, branch }) => ({
    from: fromStepId,
    to: toStepId,
    branch
  }))
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Whole graphs on ${name}`, (it) => {
    const drawnProject = Effect.gen(function* () {
      const project = yield* workflowProject
      const { id } = yield* project.workflow()
      const put = (body: object) => project.ask("PUT", `/workflows/${id}/graph`, body)
      const check = (body: object) => project.ask("POST", `/workflows/${id}/validate`, body)
      return { ...project, id, put, check }
    })

    it.effect(
      "one request creates a graph from keys and returns their ids, and a repeated request changes nothing",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
          const { id, put, read } = yield* drawnProject
          yield* TestClock.adjust("1 minute")
          const made = yield* put(welcome)
          assert.strictEqual(made.status, 200, JSON.stringify(made.body))
          const { ids, ...workflow } = made.body
          assert.strictEqual(drawn(workflow), "Pro?-no>End Pro?-yes>End Trigger: signed_up>Wait Wait>Pro?")
          assert.deepStrictEqual(workflow, yield* read(id))
          assert.deepStrictEqual(
            workflow.steps.map((step: Step) => step.id),
            ["start", "wait", "pro", "end"].map((key) => ids[key])
          )
          assert.deepStrictEqual(
            workflow.steps.map(({ position }: { position: object }) => position),
            [
              { x: 0, y: 0 },
              { x: 0, y: 120 },
              { x: 5, y: 6 },
              { x: 5, y: 126 }
            ]
          )
          assert.deepStrictEqual([workflow.enabled, workflow._count.steps], [false, 4])
          yield* TestClock.adjust("1 minute")
          const again = yield* put(bodyOf(workflow))
          assert.deepStrictEqual(again.body, { ...workflow, ids: {} })
          assert.strictEqual(again.body.updatedAt, "2026-03-01T09:01:00.000Z")
        })
    )

    it.effect("steps and transitions that stay keep their ids, and all others are removed", () =>
      Effect.gen(function* () {
        const { put } = yield* drawnProject
        const { body: before } = yield* put(welcome)
        const [trigger, wait, pro] = before.steps
        const { body: after } = yield* put({
          steps: [
            { id: wait.id, key: "wait", ...delay(2) },
            { id: pro.id.toUpperCase(), ...isPro, name: "Who pays?" },
            { key: "mail", type: "UPDATE_CONTACT", config: { updates: { asked: true } } }
          ],
          transitions: [
            { from: trigger.id.toUpperCase(), to: "wait" },
            { from: "wait", to: pro.id },
            { from: pro.id, to: "mail", branch: "yes" }
          ]
        })
        assert.strictEqual(drawn(after), "Trigger: signed_up>Wait Wait>Who pays? Who pays?-yes>Update contact")
        assert.deepStrictEqual(after.ids, { wait: wait.id, mail: after.steps[3].id })
        assert.deepStrictEqual(
          after.steps
            .slice(1, 3)
            .map(({ id, position, config }: { id: string; position: object; config: object }) => [
              id,
              position,
              config
            ]),
          [
            [wait.id, wait.position, { amount: 2, unit: "days" }],
            [pro.id, pro.position, pro.config]
          ]
        )
        const kept = after.transitions.map((each: { id: string }) => each.id)
        assert.isTrue(before.transitions.slice(0, 3).every((each: { id: string }) => kept.includes(each.id)))
        assert.lengthOf(kept, 3)
      })
    )

    it.effect("a removed step can be restored with its id, in its place; other ids are not found", () =>
      Effect.gen(function* () {
        const { id, ask, put, workflow, read } = yield* drawnProject
        const { body: before } = yield* put(welcome)
        const [trigger, wait] = before.steps
        yield* put({ steps: [wait], transitions: [{ from: trigger.id, to: wait.id }] })
        assert.lengthOf((yield* read(id)).steps, 2)
        assert.strictEqual((yield* ask("DELETE", `/workflows/${id}/steps/${wait.id}`)).status, 204)
        const { body: back } = yield* put(bodyOf(before))
        const withoutDates = ({ steps }: { steps: ReadonlyArray<Step & { updatedAt: string }> }) =>
          steps.map(({ updatedAt: _, ...step }) => step)
        assert.deepStrictEqual(withoutDates(back), withoutDates(before))
        assert.strictEqual(drawn(back), drawn(before))

        const other = yield* workflow()
        const { body: changed } = yield* put({
          ...bodyOf(back),
          steps: [back.steps[0], { ...wait, type: "EXIT" }, ...back.steps.slice(2)]
        })
        assert.deepStrictEqual(faultsIn(changed), [`steps.${wait.id}.type custom`])
        for (const unknown of [nowhere, other.steps[0].id]) {
          for (const body of [
            { steps: [{ id: unknown, ...delay(1) }], transitions: [] },
            { steps: [], transitions: [{ from: trigger.id, to: unknown }] }
          ]) {
            const refused = yield* put(body)
            assert.deepStrictEqual(
              [refused.status, refused.body.error.code, refused.body.error.details],
              [404, "STEP_NOT_FOUND", { resource: "step", id: unknown }]
            )
          }
        }
        assert.deepStrictEqual({ ...(yield* read(id)), ids: {} }, back)
        assert.strictEqual((yield* ask("DELETE", `/workflows/${id}`)).status, 204)
        const sql = yield* SqlClient.SqlClient
        assert.isEmpty(yield* sql`select 1 from workflow_former_steps where workflow_id = ${id}`)
      })
    )

    it.effect("a step with executions is not removed, and the response counts them", () =>
      Effect.gen(function* () {
        const { id, project, put, read } = yield* drawnProject
        const { body: before } = yield* put(welcome)
        const [trigger, wait, pro, end] = before.steps
        yield* executionAt(project, id, wait.id)
        yield* executionAt(project, id, wait.id, "RUNNING")
        yield* executionAt(project, id, end.id)
        yield* executionAt(project, id, pro.id, "COMPLETED")
        const refused = yield* put({ steps: [pro], transitions: [{ from: trigger.id, to: pro.id }] })
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
        assert.sameDeepMembers(refused.body.error.details.steps, [
          { stepId: wait.id, activeExecutions: 2 },
          { stepId: end.id, activeExecutions: 1 }
        ])
        const { _count: _, ...same } = yield* read(id)
        const { _count: __, ids: ___, ...stored } = before
        assert.deepStrictEqual(same, stored)
        const { status } = yield* put({
          steps: [wait, end],
          transitions: [
            { from: trigger.id, to: wait.id },
            { from: wait.id, to: end.id }
          ]
        })
        assert.strictEqual(status, 200)
      })
    )

    it.effect("every fault of a body is reported by key, id or position, and nothing is stored", () =>
      Effect.gen(function* () {
        const { id, put, check, read, template } = yield* drawnProject
        const before = yield* read(id)
        const start = { key: "start", type: "TRIGGER" }
        const stop = { key: "stop", type: "EXIT" }
        const marketing = yield* template()
        const rows: ReadonlyArray<readonly [body: object, faults: ReadonlyArray<string>]> = [
          [{}, ["steps required", "transitions required"]],
          [{ steps: [], transitions: [{}] }, ["transitions.0.from required", "transitions.0.to required"]],
          [{ steps: [{ key: "", type: "EXIT" }], transitions: [] }, ["steps.0.key required"]],
          [{ steps: [{ key: "a".repeat(51), type: "EXIT" }], transitions: [] }, ["steps.0.key too_big"]],
          [{ steps: [{ key: "a", type: "SLEEP" }], transitions: [] }, ["steps.0.type invalid_enum"]],
          [{ steps: Array.from({ length: 101 }, () => stop), transitions: [] }, ["steps too_big"]],
          [
            { steps: Array.from({ length: 100 }, (_, n) => ({ key: `${n}`, type: "EXIT" })), transitions: [] },
            ["steps too_big"]
          ],
          [
            { steps: [], transitions: Array.from({ length: 301 }, () => ({ from: "a", to: "b" })) },
            ["transitions too_big"]
          ],
          [
            { steps: [{ type: "EXIT" }, { ...stop }, { ...stop }], transitions: [] },
            ["steps.0.key required", "steps.stop custom"]
          ],
          [{ steps: [start, { ...start, key: "again" }], transitions: [] }, ["steps.again custom"]],
          [
            {
              steps: [
                { key: "a", type: "DELAY" },
                { key: "b", ...delay(400) },
                { key: "c", type: "SEND_EMAIL", templateId: nowhere },
                { key: "d", type: "EXIT", templateId: marketing.id },
                { key: "e", type: "WEBHOOK", config: { url: "https://hooks.example.com/{{#if}}" } },
                {
                  key: "f",
                  type: "SEND_EMAIL",
                  templateId: marketing.id,
                  config: { recipient: { type: "CUSTOM", customEmail: "a@b.co" } }
                }
              ],
              transitions: []
            },
            [
              "steps.a.config.amount required",
              "steps.a.config.unit required",
              "steps.b.config.amount too_big",
              "steps.c.templateId custom",
              "steps.d.templateId custom",
              "steps.e.config.url template_syntax",
              "steps.f.config.recipient.type custom"
            ]
          ],
          [
            {
              steps: [start, stop, { key: "ask", ...isPro }, { key: "day", ...delay(1) }],
              transitions: [
                { from: "stop", to: "day" },
                { from: "day", to: "start" },
                { from: "day", to: "day" },
                { from: "ask", to: "stop" },
                { from: "ask", to: "stop", branch: "perhaps" },
                { from: "ask", to: "stop", branch: "yes" },
                { from: "ask", to: "day", branch: "yes" },
                { from: "gone", to: "day" }
              ]
            },
            [
              "transitions.0.from custom",
              "transitions.1.to custom",
              "transitions.2.to custom",
              "transitions.2.branch custom",
              "transitions.3.branch required",
              "transitions.4.branch custom",
              "transitions.6.branch custom",
              "transitions.7.from custom"
            ]
          ],
          [
            { steps: [], transitions: [], triggerType: "SCHEDULE" },
            ["triggerConfig.schedule required", "triggerConfig.segmentId required"]
          ],
          [{ steps: [], transitions: [], triggerType: "MANUAL", eventName: "a" }, ["eventName custom"]]
        ]
        for (const [body, faults] of rows) {
          const refused = yield* put(body)
          assert.deepStrictEqual(
            [refused.status, faultsIn(refused.body)],
            [422, faults],
            JSON.stringify(body).slice(0, 300)
          )
          const checked = yield* check(body)
          // Faults of the form of a body are no answer about the workflow.
          if (checked.status === 422) assert.deepStrictEqual(faultsIn(checked.body), faults)
          else {
            assert.deepStrictEqual([checked.status, checked.body.valid, checked.body.warnings], [200, false, []])
            assert.deepStrictEqual(faultsIn({ error: checked.body }), faults)
          }
        }
        assert.deepStrictEqual(yield* read(id), before)
      })
    )

    it.effect("of an enabled workflow, the whole result is checked, and an edit neither pauses nor disables it", () =>
      Effect.gen(function* () {
        const { id, put, check, enable, read } = yield* drawnProject
        const { body: drawing } = yield* put(welcome)
        assert.strictEqual((yield* enable(id)).status, 200)
        const before = yield* read(id)
        const [trigger, wait, pro, end] = drawing.steps
        const faulty = {
          steps: [pro, wait, end, { key: "mail", type: "SEND_EMAIL" }, { key: "loop", ...isPro }],
          transitions: [
            { from: trigger.id, to: pro.id },
            { from: pro.id, to: "mail", branch: "yes" },
            { from: pro.id, to: "loop", branch: "no" },
            { from: "loop", to: pro.id, branch: "yes" }
          ]
        }
        const faults = [`steps.${pro.id} custom`, "steps.mail.templateId required"]
        const refused = yield* put(faulty)
        assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, faults])
        const checked = yield* check(faulty)
        assert.deepStrictEqual([checked.status, faultsIn({ error: checked.body })], [200, faults])
        assert.deepStrictEqual(
          checked.body.warnings.map(({ field }: { field: string }) => field),
          [`steps.${wait.id}`, `steps.${end.id}`, "steps.mail", "steps.loop.branch"]
        )
        assert.deepStrictEqual(yield* read(id), before)
        const fine = yield* put({ ...bodyOf(drawing), eventName: "came_back" })
        assert.deepStrictEqual(
          [fine.status, fine.body.enabled, fine.body.triggerConfig, fine.body.steps[0].name],
          [200, true, { eventName: "came_back" }, "Trigger: came_back"]
        )
      })
    )

    it.effect("the trigger changes with the graph: an enabled workflow uses the new schedule", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const { id, put, check, enable } = yield* drawnProject
        const daily = { triggerType: "SCHEDULE", triggerConfig: { schedule: "0 12 * * *", audienceType: "ALL" } }
        const { body } = yield* put({ ...welcome, ...daily })
        assert.deepStrictEqual([body.triggerType, body.nextRunAt, body.steps[0].name], ["SCHEDULE", null, "Trigger"])
        yield* enable(id)
        const later = { triggerConfig: { schedule: "30 13 * * *", audienceType: "ALL" } }
        assert.strictEqual((yield* check({ ...bodyOf(body), ...later })).body.valid, true)
        const moved = yield* put({ ...bodyOf(body), ...later })
        assert.strictEqual(moved.body.nextRunAt, "2026-03-01T13:30:00.000Z")
        assert.strictEqual((yield* put({ ...bodyOf(body), triggerType: "MANUAL" })).body.nextRunAt, null)
      })
    )

    it.effect("a check of a disabled workflow finds its entry, as enabling would", () =>
      Effect.gen(function* () {
        const { id, check, read } = yield* drawnProject
        const before = yield* read(id)
        const alone = { steps: [{ key: "end", type: "EXIT" }], transitions: [] }
        assert.deepStrictEqual((yield* check(alone)).body, { valid: true, errors: [], warnings: [] })
        const two = { steps: [...alone.steps, { key: "other", type: "EXIT" }], transitions: [] }
        assert.deepStrictEqual(faultsIn({ error: (yield* check(two)).body }), ["steps custom"])
        assert.deepStrictEqual(yield* read(id), before)
      })
    )

    it.effect("`ifUpdatedAt` refuses a graph that was read before another change", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const { id, ask, put, read } = yield* drawnProject
        const { updatedAt } = yield* read(id)
        yield* TestClock.adjust("1 second")
        yield* ask("PATCH", `/workflows/${id}`, { name: "Hello" })
        const changed = yield* read(id)
        const refused = yield* put({ ...welcome, ifUpdatedAt: updatedAt })
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.details],
          [409, "CONFLICT", { reason: "changed_meanwhile", updatedAt: changed.updatedAt }]
        )
        assert.deepStrictEqual(yield* read(id), changed)
        assert.strictEqual((yield* put({ ...welcome, ifUpdatedAt: changed.updatedAt })).status, 200)
      })
    )

    it.effect("of concurrent graphs, each is stored as a whole", () =>
      Effect.gen(function* () {
        const { id, put, read } = yield* drawnProject
        const bodies = Array.from({ length: 6 }, (_, n) => ({
          steps: Array.from({ length: n + 2 }, (_, at) => ({ key: `k${at}`, name: `${n}-${at}`, ...delay(1) })),
          transitions: Array.from({ length: n + 1 }, (_, at) => ({ from: `k${at}`, to: `k${at + 1}` }))
        }))
        const answers = yield* Effect.all(bodies.map(put), { concurrency: "unbounded" })
        assert.isTrue(answers.every(({ status }) => status === 200))
        const { steps, transitions } = yield* read(id)
        const sets = new Set(steps.slice(1).map(({ name }: Step) => name.split("-")[0]))
        assert.strictEqual(sets.size, 1)
        assert.strictEqual(steps.length, Number([...sets][0]) + 3)
        assert.strictEqual(transitions.length, steps.length - 2)
      })
    )

    it.effect(
      "members and keys with the scope may replace a graph; a disabled project may only check; other projects see nothing",
      () =>
        Effect.gen(function* () {
          const owner = yield* person("drawer")
          const member = yield* person("member")
          const outsider = yield* person("outsider")
          const { id: project, secret } = yield* newProject(owner.cookie)
          yield* addMember(owner.cookie, project, member, "MEMBER")
          const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
          const { body: flow } = yield* send("POST", "/workflows", { name: "Welcome" }, bearer(secret))
          const requests = [
            ["PUT", `/workflows/${flow.id}/graph`],
            ["POST", `/workflows/${flow.id}/validate`]
          ] as const
          const of = { "x-project-id": project }
          const keyWith = (scopes: ReadonlyArray<string>) =>
            Effect.map(send("POST", "/api-keys", { name: "k", scopes }, bearer(secret)), ({ body }) => String(body.key))
          const reader = yield* keyWith(["workflows:read"])
          const writer = yield* keyWith(["workflows:write"])
          const { body: foreign } = yield* Effect.flatMap(newProject(outsider.cookie), (other) =>
            send("POST", "/workflows", { name: "Other" }, bearer(other.secret))
          )
          for (const [method, path] of requests) {
            const ask = (headers: Record<string, string>) =>
              Effect.map(send(method, path, welcome, { authorization: "", ...headers }), ({ status }) => status)
            assert.strictEqual(yield* ask(bearer(secret)), 200)
            assert.strictEqual(yield* ask(bearer(writer)), 200)
            assert.strictEqual(yield* ask(bearer(reader)), method === "PUT" ? 403 : 200)
            assert.strictEqual((yield* browse(member.cookie, method, path, welcome, of)).status, 200)
            const stranger = yield* browse(outsider.cookie, method, path, welcome, of)
            assert.deepStrictEqual([stranger.status, stranger.body.error.code], [403, "PROJECT_ACCESS_DENIED"])
            const elsewhere = yield* send(method, path.replace(flow.id, foreign.id), welcome, bearer(secret))
            assert.deepStrictEqual([elsewhere.status, elsewhere.body.error.code], [404, "WORKFLOW_NOT_FOUND"])
          }
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
          yield* TestClock.adjust("10 seconds")
          const [put, check] = yield* Effect.forEach(requests, ([method, path]) =>
            send(method, path, welcome, bearer(secret))
          )
          assert.deepStrictEqual([put?.status, check?.status], [403, 200])
        })
    )
  })
}
