import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { configured, drawn, executionAt, faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"

const named = (name: string, more: object = {}) => ({ name, ...more })

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Graphs of workflows on ${name}`, (it) => {
    it.effect("a new step is below the last one, named after its type, and connected automatically", () =>
      Effect.gen(function* () {
        const { ask, workflow, read } = yield* workflowProject
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const { id, steps } = yield* workflow()
        yield* TestClock.adjust("1 minute")
        const { status, body } = yield* ask("POST", `/workflows/${id}/steps`, {
          type: "WAIT_FOR_EVENT",
          config: { eventName: " paid ", timeout: 60, colour: "red" }
        })
        const now = "2026-03-01T09:01:00.000Z"
        assert.strictEqual(status, 201)
        assert.deepStrictEqual(body, {
          id: body.id,
          workflowId: id,
          type: "WAIT_FOR_EVENT",
          name: "Wait for event",
          position: { x: 0, y: 120 },
          config: { eventName: "paid", timeout: 60 },
          templateId: null,
          template: null,
          createdAt: now,
          updatedAt: now,
          transition: {
            id: body.transition.id,
            workflowId: id,
            fromStepId: steps[0].id,
            toStepId: body.id,
            branch: null,
            condition: null,
            auto: true,
            createdAt: now,
            updatedAt: now
          }
        })
        const { transition, ...step } = body
        const after = yield* read(id)
        assert.deepStrictEqual([after.steps[1], after.transitions], [step, [transition]])
        assert.deepStrictEqual([after.updatedAt, after._count.steps], [now, 2])
      })
    )

    it.effect("autoConnect connects the newest open end: `yes` of a CONDITION, null of a wait, never an EXIT", () =>
      Effect.gen(function* () {
        const { workflow, step, read } = yield* workflowProject
        const { id } = yield* workflow({ eventName: undefined })
        yield* step(id, "CONDITION", named("A"))
        yield* step(id, "WAIT_FOR_EVENT", named("B"))
        yield* step(id, "EXIT", named("C"))
        const alone = yield* step(id, "DELAY", named("D"))
        assert.isNull(alone.transition)
        const branches = [{ id: "x", operator: "exists" }]
        yield* step(id, "CONDITION", named("E", { config: { mode: "multi", field: "data.a", branches } }))
        yield* step(id, "DELAY", named("F"))
        yield* step(id, "DELAY", named("G", { autoConnect: false }))
        assert.strictEqual(drawn(yield* read(id)), "A-yes~>B B~>C D~>E E-x~>F Trigger~>A")
      })
    )

    it.effect.each<readonly [body: object, faults: ReadonlyArray<string>]>([
      [{}, ["type required"]],
      [{ type: "TRIGGER" }, ["type invalid_enum"]],
      [{ type: "SLEEP" }, ["type invalid_enum"]],
      [{ type: "EXIT", name: " " }, ["name required"]],
      [{ type: "EXIT", name: "a".repeat(101) }, ["name too_big"]],
      [{ type: "EXIT", position: { x: 1 } }, ["position.y required"]],
      [{ type: "EXIT", config: [] }, ["config invalid_type"]],
      [{ type: "EXIT", autoConnect: 1 }, ["autoConnect invalid_type"]],
      [{ type: "EXIT", templateId: nowhere }, ["templateId custom"]],
      [{ type: "SEND_EMAIL", templateId: "x" }, ["templateId invalid_string"]]
    ])("refuses to add the step %j", ([body, faults]) =>
      Effect.gen(function* () {
        const { ask, workflow } = yield* workflowProject
        const { id } = yield* workflow()
        const refused = yield* ask("POST", `/workflows/${id}/steps`, body)
        assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, faults])
        assert.strictEqual((yield* ask("GET", `/workflows/${id}`)).body._count.steps, 1)
      })
    )

    it.effect("a change of a step replaces its config, takes the template in either field, and null detaches it", () =>
      Effect.gen(function* () {
        const { ask, outcome, workflow, step, template } = yield* workflowProject
        const [first, second] = [yield* template(), yield* template({ name: "Other", type: "TRANSACTIONAL" })]
        const { id, steps } = yield* workflow()
        const mail = yield* step(id, "SEND_EMAIL", { config: { templateId: first.id, recipient: { type: "CONTACT" } } })
        assert.deepStrictEqual([mail.config, mail.templateId], [{ recipient: { type: "CONTACT" } }, first.id])
        const path = `/workflows/${id}/steps/${mail.id}`
        const patch = (body: object) => ask("PATCH", path, body)
        const kept = yield* patch({ name: "Mail", position: { x: 5, y: 6 }, config: {}, type: "SEND_EMAIL" })
        assert.deepStrictEqual(
          [kept.body.name, kept.body.position, kept.body.config, kept.body.template],
          ["Mail", { x: 5, y: 6 }, {}, { id: first.id, name: "Hello" }]
        )
        assert.strictEqual((yield* patch({ config: { templateId: second.id } })).body.templateId, second.id)
        assert.isNull((yield* patch({ templateId: null })).body.templateId)
        assert.deepStrictEqual(
          faultsIn((yield* patch({ templateId: first.id, config: { templateId: second.id } })).body),
          ["templateId custom"]
        )
        assert.deepStrictEqual(faultsIn((yield* patch({ type: "DELAY" })).body), ["type custom"])
        assert.strictEqual(yield* outcome("PATCH", path, { templateId: nowhere }), "404 TEMPLATE_NOT_FOUND")
        const custom = { recipient: { type: "CUSTOM", customEmail: "{{boss}}" } }
        assert.deepStrictEqual(faultsIn((yield* patch({ config: custom, templateId: first.id })).body), [
          "config.recipient.type custom"
        ])
        assert.strictEqual((yield* patch({ config: custom, templateId: second.id })).status, 200)
        for (const unknown of [nowhere, "no-uuid"]) {
          for (const method of ["PATCH", "DELETE"]) {
            const line = yield* outcome(method, `/workflows/${id}/steps/${unknown}`, {})
            assert.strictEqual(line, "404 STEP_NOT_FOUND")
          }
        }

        const trigger = `/workflows/${id}/steps/${steps[0].id}`
        assert.strictEqual((yield* ask("PATCH", trigger, { name: "Start" })).body.name, "Start")
        assert.deepStrictEqual(faultsIn((yield* ask("PATCH", trigger, { config: {} })).body), ["config custom"])
        assert.deepStrictEqual(faultsIn((yield* ask("DELETE", trigger)).body), ["stepId custom"])
        // A name that a caller gave is kept.
        const renamed = yield* ask("PATCH", `/workflows/${id}`, { eventName: "other" })
        assert.deepStrictEqual(
          [renamed.body.steps[0].name, renamed.body.steps[0].config],
          ["Start", { eventName: "other" }]
        )
      })
    )

    it.effect("deleting a step deletes its transitions, and a splice connects its neighbours", () =>
      Effect.gen(function* () {
        const { ask, outcome, workflow, step, connect, read, project } = yield* workflowProject
        const { id } = yield* workflow({ eventName: undefined })
        const [a, b, c] = [
          yield* step(id, "CONDITION", named("A")),
          yield* step(id, "DELAY", named("B")),
          yield* step(id, "EXIT", named("C"))
        ]
        yield* connect(id, a.id, c.id, "no")
        yield* executionAt(project, id, b.id)
        yield* executionAt(project, id, b.id, "COMPLETED")
        for (const splice of ["true", "false"]) {
          const refused = yield* ask("DELETE", `/workflows/${id}/steps/${b.id}?splice=${splice}`)
          assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
          assert.deepStrictEqual(refused.body.error.details, { activeExecutions: 1 })
        }
        assert.strictEqual(yield* outcome("DELETE", `/workflows/${id}/steps/${b.id}?splice=maybe`), "400 BAD_REQUEST")
        const split = yield* ask("DELETE", `/workflows/${id}/steps/${a.id}?splice=true`)
        assert.deepStrictEqual([split.status, faultsIn(split.body)], [422, ["splice custom"]])
        // The explicit transition to C replaced the automatic one from B.
        yield* connect(id, b.id, c.id)
        assert.strictEqual(drawn(yield* read(id)), "A-no>C A-yes~>B B>C Trigger~>A")
        yield* ask("DELETE", `/workflows/${id}/steps/${a.id}`)
        assert.strictEqual(drawn(yield* read(id)), "B>C")
      })
    )

    it.effect("a splice keeps the branches and the ids of incoming transitions", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, connect, read } = yield* workflowProject
        const { id } = yield* workflow({ eventName: undefined })
        const a = yield* step(id, "CONDITION", named("A"))
        const b = yield* step(id, "DELAY", named("B", { autoConnect: false }))
        const c = yield* step(id, "EXIT", named("C", { autoConnect: false }))
        const into = yield* connect(id, a.id, b.id, "no")
        yield* connect(id, b.id, c.id)
        const answer = yield* ask("DELETE", `/workflows/${id}/steps/${b.id}?splice=true`)
        assert.deepStrictEqual([answer.status, answer.body], [204, undefined])
        const after = yield* read(id)
        assert.strictEqual(drawn(after), "A-no>C Trigger~>A")
        assert.isTrue(after.transitions.some((each: { id: string }) => each.id === into.id))
      })
    )

    it.effect("a posted transition takes the branch in any field, replaces automatic ones, and is stored once", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, read } = yield* workflowProject
        const { id } = yield* workflow({ eventName: undefined })
        const a = yield* step(id, "CONDITION", named("A"))
        const b = yield* step(id, "WAIT_FOR_EVENT", named("B"))
        const c = yield* step(id, "EXIT", named("C"))
        const post = (body: object) => ask("POST", `/workflows/${id}/transitions`, body)
        const [, auto] = (yield* read(id)).transitions
        assert.strictEqual(drawn(yield* read(id)), "A-yes~>B B~>C Trigger~>A")

        const first = yield* post({ fromStepId: a.id, toStepId: c.id, condition: { branch: "yes" } })
        assert.deepStrictEqual(
          [first.status, first.body.branch, first.body.condition, first.body.auto],
          [201, "yes", { branch: "yes" }, false]
        )
        assert.strictEqual(first.body.replacedTransitionIds.length, 2)
        assert.include(first.body.replacedTransitionIds, auto.id)
        assert.strictEqual(drawn(yield* read(id)), "A-yes>C Trigger~>A")

        const again = yield* post({ fromStepId: a.id.toUpperCase(), toStepId: c.id, branch: "yes" })
        const { replacedTransitionIds: _, ...same } = first.body
        assert.deepStrictEqual([again.status, again.body], [200, same])
        const taken = yield* post({ fromStepId: a.id, toStepId: b.id, branch: "yes" })
        assert.deepStrictEqual([taken.status, taken.body.error.details], [409, { reason: "branch_taken" }])
        yield* post({ fromStepId: a.id, toStepId: b.id, branch: "no" })
        assert.strictEqual(
          (yield* post({ fromStepId: b.id, toStepId: c.id, waitOutcome: "TIMEOUT" })).body.branch,
          "timeout"
        )
        assert.strictEqual(
          (yield* post({ fromStepId: b.id, toStepId: c.id, waitOutcome: "EVENT", branch: "event" })).status,
          201
        )

        const [trigger] = (yield* read(id)).steps
        const explicit = yield* post({ fromStepId: trigger.id, toStepId: a.id })
        assert.deepStrictEqual([explicit.status, explicit.body.auto], [200, false])
        const d = yield* step(id, "DELAY", named("D", { autoConnect: false }))

        const faulty: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
          [{ toStepId: b.id }, ["fromStepId required"]],
          [{ fromStepId: a.id, toStepId: "x" }, ["toStepId invalid_string"]],
          [{ fromStepId: a.id, toStepId: b.id }, ["branch required"]],
          [{ fromStepId: a.id, toStepId: b.id, branch: "maybe" }, ["branch custom"]],
          [{ fromStepId: a.id, toStepId: b.id, branch: "yes", condition: { branch: "no" } }, ["branch custom"]],
          [{ fromStepId: b.id, toStepId: a.id, branch: "yes" }, ["branch custom"]],
          [{ fromStepId: b.id, toStepId: a.id, waitOutcome: "NEVER" }, ["waitOutcome invalid_enum"]],
          [{ fromStepId: d.id, toStepId: b.id, branch: "yes" }, ["branch custom"]],
          [{ fromStepId: c.id, toStepId: b.id }, ["fromStepId custom"]],
          [{ fromStepId: d.id, toStepId: trigger.id }, ["toStepId custom"]],
          [{ fromStepId: d.id, toStepId: d.id }, ["toStepId custom"]]
        ]
        const before = yield* read(id)
        for (const [body, faults] of faulty) {
          const refused = yield* post(body)
          assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, faults], JSON.stringify(body))
        }
        const other = yield* workflow()
        for (const unknown of [nowhere, other.steps[0].id]) {
          const refused = yield* post({ fromStepId: d.id, toStepId: unknown })
          assert.deepStrictEqual([refused.status, refused.body.error.code], [404, "STEP_NOT_FOUND"])
        }
        assert.deepStrictEqual(yield* read(id), before)
      })
    )

    it.effect("a transition is deleted, and a step is inserted into one", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, read } = yield* workflowProject
        const { id } = yield* workflow({ eventName: undefined })
        yield* step(id, "DELAY", named("A"))
        yield* step(id, "EXIT", named("B"))
        const [first, second] = (yield* read(id)).transitions
        const insert = (transition: string, body: object) =>
          ask("POST", `/workflows/${id}/transitions/${transition}/insert-step`, body)
        assert.deepStrictEqual(faultsIn((yield* insert(second.id, { type: "EXIT" })).body), ["type custom"])
        const inserted = yield* insert(second.id, { type: "CONDITION", name: "N", ...configured["CONDITION"] })
        assert.deepStrictEqual([inserted.status, inserted.body.transition.branch], [201, "yes"])
        assert.strictEqual(drawn(yield* read(id)), "A~>N N-yes~>B Trigger~>A")
        yield* insert(second.id, { type: "WAIT_FOR_EVENT", name: "W", ...configured["WAIT_FOR_EVENT"] })
        assert.strictEqual(drawn(yield* read(id)), "A~>W N-yes~>B Trigger~>A W~>N")
        assert.strictEqual((yield* ask("DELETE", `/workflows/${id}/transitions/${first.id}`)).status, 204)
        for (const unknown of [first.id, "no-uuid"]) {
          for (const [method, path] of [
            ["DELETE", ""],
            ["POST", "/insert-step"]
          ] as const) {
            const refused = yield* ask(method, `/workflows/${id}/transitions/${unknown}${path}`, { type: "EXIT" })
            assert.deepStrictEqual(
              [refused.status, refused.body.error.code, refused.body.error.details],
              [404, "RESOURCE_NOT_FOUND", { resource: "transition", id: unknown }]
            )
          }
        }
      })
    )

    it.effect(
      "while it is enabled, an edit that would make it invalid is refused with every fault, others are accepted",
      () =>
        Effect.gen(function* () {
          const { ask, workflow, step, connect, enable, read } = yield* workflowProject
          const { id } = yield* workflow({ eventName: "go" })
          const a = yield* step(id, "SEND_EMAIL", named("A", { templateId: undefined }))
          yield* ask("DELETE", `/workflows/${id}/steps/${a.id}`)
          const b = yield* step(id, "DELAY", named("B"))
          const c = yield* step(id, "UPDATE_CONTACT", named("C"))
          assert.strictEqual((yield* enable(id)).status, 200)
          const before = yield* read(id)

          const mail = yield* ask("POST", `/workflows/${id}/steps`, { type: "SEND_EMAIL" })
          assert.strictEqual(mail.status, 422)
          assert.deepStrictEqual(
            mail.body.error.errors.map(({ code }: { code: string }) => code),
            ["required"]
          )
          assert.strictEqual(mail.body.error.message, "The workflow has 1 fault.")
          const entry = before.transitions.find((each: { toStepId: string }) => each.toStepId === b.id)
          assert.deepStrictEqual(faultsIn((yield* ask("DELETE", `/workflows/${id}/transitions/${entry.id}`)).body), [
            "steps custom"
          ])
          assert.deepStrictEqual(yield* read(id), before)

          // A step that contacts cannot reach has no faults.
          yield* step(id, "SEND_EMAIL", named("D", { autoConnect: false }))
          // A transition back to the entry would replace automatic ones, so those to keep are posted.
          const back = { fromStepId: c.id, toStepId: b.id }
          const refused = yield* ask("POST", `/workflows/${id}/transitions`, back)
          assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, ["steps custom"]])
          for (const [fromStepId, toStepId] of [
            [before.steps[0].id, b.id],
            [b.id, c.id]
          ]) {
            assert.strictEqual(
              (yield* ask("POST", `/workflows/${id}/transitions`, { fromStepId, toStepId })).status,
              200
            )
          }
          yield* connect(id, c.id, b.id)
          const warnings = (yield* ask("GET", `/workflows/${id}/validate`)).body
          assert.deepStrictEqual([warnings.valid, warnings.warnings.length], [true, 1])
          const cycle = yield* ask("DELETE", `/workflows/${id}/steps/${b.id}?splice=true`)
          assert.strictEqual(cycle.status, 204)
          assert.strictEqual(drawn(yield* read(id)), "Trigger: go>C")
        })
    )

    it.effect("warns of probable mistakes, and finds a timeout branch without a timeout", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, connect } = yield* workflowProject
        const { id } = yield* workflow()
        const ask1 = yield* step(id, "CONDITION")
        const wait = yield* step(id, "WAIT_FOR_EVENT", { config: { eventName: "paid" } })
        const lost = yield* step(id, "EXIT", { autoConnect: false })
        const check = Effect.map(ask("GET", `/workflows/${id}/validate`), ({ body }) => body)
        const first = yield* check
        assert.strictEqual(first.valid, true)
        assert.deepStrictEqual(
          first.warnings.map(({ field }: { field: string }) => field),
          [`steps.${ask1.id}.branch`, `steps.${wait.id}.config.timeout`, `steps.${wait.id}`, `steps.${lost.id}`]
        )
        const timeout = yield* connect(id, wait.id, lost.id, "timeout")
        const second = yield* check
        assert.deepStrictEqual(faultsIn({ error: second }), [`transitions.${timeout.id}.branch custom`])
      })
    )

    it.effect("many edits at once leave a valid graph: no duplicates, no transition to a missing step", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, read } = yield* workflowProject
        const { id, steps } = yield* workflow()
        const first = yield* step(id, "CONDITION")
        const second = yield* step(id, "DELAY")
        const edits = [
          ...Array.from({ length: 8 }, () =>
            ask("POST", `/workflows/${id}/steps`, { type: "DELAY", ...configured["DELAY"] })
          ),
          ...Array.from({ length: 4 }, () =>
            ask("POST", `/workflows/${id}/transitions`, { fromStepId: first.id, toStepId: second.id, branch: "no" })
          ),
          ask("DELETE", `/workflows/${id}/steps/${second.id}?splice=true`),
          ask("DELETE", `/workflows/${id}/steps/${second.id}`)
        ]
        const answers = yield* Effect.all(edits, { concurrency: "unbounded" })
        assert.isTrue(answers.every(({ status }) => [200, 201, 204, 404].includes(status)))
        assert.strictEqual(answers.filter(({ status }) => status === 204).length, 1)
        const after = yield* read(id)
        const ids = after.steps.map((each: { id: string }) => each.id)
        assert.strictEqual(ids.length, 10)
        assert.strictEqual(ids[0], steps[0].id)
        const places = after.transitions.map(
          ({ fromStepId, branch }: { fromStepId: string; branch: string }) => `${fromStepId} ${branch}`
        )
        assert.strictEqual(new Set(places).size, places.length)
        for (const { fromStepId, toStepId } of after.transitions) assert.includeMembers(ids, [fromStepId, toStepId])
        const positions = after.steps.map(({ position }: { position: { y: number } }) => position.y)
        assert.strictEqual(new Set(positions).size, positions.length)
      })
    )
  })
}
