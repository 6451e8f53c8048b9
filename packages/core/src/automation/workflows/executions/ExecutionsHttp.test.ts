import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { sign } from "../../../mail/receivers/WebhookSignature.ts"
import { OutboundError } from "../../../platform/outbound/SafeFetch.ts"
import { Outside } from "../../../testing/SafeFetchMemory.ts"
import { wire } from "../../../testing/TestClient.ts"
import { build, executionsOf, work } from "../ExecutionsFixture.ts"
import { nowhere, workflowProject } from "../WorkflowsFixture.ts"

const hour = { type: "DELAY", config: { amount: 1, unit: "hours" } }

const prepared = Effect.gen(function* () {
  const fresh = yield* workflowProject
  const contact = (email: string) =>
    Effect.map(fresh.ask("POST", "/contacts", { email }), ({ body }) => String(body.id ?? body.data?.id))
  return { ...fresh, contact }
})

layer(wire, { timeout: "60 seconds", excludeTestServices: false })("Endpoints of executions", (it) => {
  it.effect("start an execution once, with a context, and name the execution that prevents another", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, outcome, contact, enable } = fresh
      const { id, steps } = yield* build(fresh, { event: "go", enabled: false, steps: { rest: hour } })
      const contactId = yield* contact("ada@example.com")
      const path = `/workflows/${id}/executions`
      assert.strictEqual(yield* outcome("POST", path, { contactId }), "409 workflow_disabled")
      yield* enable(id)
      assert.strictEqual(yield* outcome("POST", path, { contactId: nowhere }), "404 CONTACT_NOT_FOUND")
      assert.strictEqual(yield* outcome("POST", path, {}), "422 VALIDATION_ERROR")
      const large = { contactId, context: { text: "x".repeat(70_000) } }
      const refused = yield* ask("POST", path, large)
      assert.strictEqual(refused.status, 422)
      assert.strictEqual(refused.body.error.errors[0].field, "context")
      assert.strictEqual(
        yield* outcome("POST", `/workflows/${nowhere}/executions`, { contactId }),
        "404 WORKFLOW_NOT_FOUND"
      )

      const started = yield* ask("POST", path, { contactId, context: { plan: "pro" } })
      assert.strictEqual(started.status, 201)
      assert.deepInclude(started.body, {
        workflowId: id,
        contactId,
        contact: { id: contactId, email: "ada@example.com" },
        status: "RUNNING",
        source: "MANUAL",
        triggerEventId: null,
        context: { plan: "pro" },
        currentStepId: steps.get("rest"),
        currentStep: { id: steps.get("rest"), name: "rest", type: "DELAY" },
        exitReason: null,
        error: null,
        resumeAt: null,
        completedAt: null
      })
      const pending = yield* ask("GET", `${path}/${started.body.id}`)
      assert.deepInclude(pending.body.stepExecutions[0], {
        status: "PENDING",
        iteration: 1,
        attempts: 0,
        startedAt: null
      })
      const visit = pending.body.stepExecutions[0].id

      const again = yield* ask("POST", path, { contactId })
      assert.deepInclude(again.body.error.details, { reason: "already_running", executionId: started.body.id })
      yield* work
      const waiting = yield* ask("GET", `${path}/${started.body.id}`)
      assert.deepInclude(waiting.body.stepExecutions[0], { id: visit, status: "SCHEDULED", attempts: 1 })
      yield* TestClock.adjust(Duration.hours(1))
      yield* work
      const never = yield* ask("POST", path, { contactId })
      assert.deepInclude(never.body.error.details, { reason: "reentry_not_allowed", executionId: started.body.id })
    })
  )

  it.effect("list by status and contact, newest first, without other workflows", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, outcome, contact } = fresh
      const { id } = yield* build(fresh, { event: "go", steps: { rest: hour } })
      const other = yield* build(fresh, { event: "go", steps: { rest: hour } })
      const path = `/workflows/${id}/executions`
      const ids = yield* Effect.forEach(["a", "b", "c"], (name) => contact(`${name}@example.com`))
      const made = yield* Effect.forEach(ids, (contactId) =>
        Effect.andThen(TestClock.adjust("1 second"), ask("POST", path, { contactId }))
      )
      yield* work
      yield* ask("DELETE", `${path}/${made[0]?.body.id}`)
      const emails = (query: string) =>
        Effect.map(ask("GET", `${path}?${query}`), ({ body }) =>
          body.data.map(({ contact }: { contact: { email: string } }) => contact.email[0]).join("")
        )
      assert.strictEqual(yield* emails(""), "cba")
      assert.strictEqual(yield* emails("status=WAITING"), "cb")
      assert.strictEqual(yield* emails("status=WAITING,CANCELLED&pageSize=2"), "cb")
      assert.strictEqual(yield* emails(`contactId=${ids[1]}`), "b")
      assert.strictEqual(yield* outcome("GET", `${path}?status=DONE`), "400 BAD_REQUEST")
      const execution = made[1]?.body.id
      for (const wrong of [nowhere, "x", `${execution}x`]) {
        assert.strictEqual(yield* outcome("GET", `${path}/${wrong}`), "404 RESOURCE_NOT_FOUND")
      }
      assert.strictEqual(
        yield* outcome("GET", `/workflows/${other.id}/executions/${execution}`),
        "404 RESOURCE_NOT_FOUND"
      )
    })
  )

  it.effect("cancel one execution, repeatedly too, but not an ended one; or all, also of a disabled workflow", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, outcome, contact, enable, project, track } = fresh
      const { id } = yield* build(fresh, { event: "go", steps: { rest: hour } })
      const path = `/workflows/${id}/executions`
      const contacts = yield* Effect.forEach(["a", "b", "c", "d"], (name) => contact(`${name}@example.com`))
      const [first, ended] = yield* Effect.forEach(contacts.slice(0, 2), (contactId) =>
        ask("POST", path, { contactId })
      )
      // One execution has not begun its step, the other one waits.
      const cancelled = yield* ask("DELETE", `${path}/${first?.body.id}`)
      assert.deepInclude(cancelled.body, { status: "CANCELLED", exitReason: "cancelled_by_user" })
      assert.isString(cancelled.body.completedAt)
      const skipped = (yield* ask("GET", `${path}/${first?.body.id}`)).body.stepExecutions
      assert.deepInclude(skipped[0], { status: "SKIPPED", output: { reason: "execution_cancelled" } })
      assert.strictEqual((yield* ask("DELETE", `${path}/${first?.body.id}`)).status, 200)
      yield* work
      yield* TestClock.adjust(Duration.hours(1))
      yield* work
      assert.strictEqual(yield* outcome("DELETE", `${path}/${ended?.body.id}`), "409 already_finished")
      assert.strictEqual(yield* outcome("DELETE", `${path}/${nowhere}`), "404 RESOURCE_NOT_FOUND")
      for (const contactId of contacts.slice(2)) yield* ask("POST", path, { contactId })
      yield* work
      yield* enable(id, false)
      assert.strictEqual(yield* outcome("DELETE", `/workflows/${id}`), "409 RESOURCE_IN_USE")
      assert.deepStrictEqual((yield* ask("POST", `${path}/cancel-all`)).body, { cancelled: 2 })
      assert.deepStrictEqual((yield* ask("POST", `${path}/cancel-all`)).body, { cancelled: 0 })
      // A late timer changes nothing.
      yield* TestClock.adjust(Duration.hours(2))
      yield* work
      assert.deepStrictEqual(
        (yield* executionsOf(project, id)).map(({ status, path }) => `${status} ${path}`),
        ["CANCELLED rest SKIPPED", "COMPLETED rest COMPLETED", "CANCELLED rest SKIPPED", "CANCELLED rest SKIPPED"]
      )
      yield* track({ email: "new@example.com", event: "go" })
      yield* work
      assert.lengthOf(yield* executionsOf(project, id), 4)
      assert.strictEqual((yield* ask("DELETE", `/workflows/${id}`)).status, 204)
    })
  )

  it.effect("retry the failed step with its next iteration, if possible", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, outcome, contact } = fresh
      const template = yield* fresh.template({ type: "TRANSACTIONAL" })
      const config = { recipient: { type: "CUSTOM", customEmail: "{{boss}}" } }
      const { id, steps } = yield* build(fresh, {
        event: "go",
        allowReentry: true,
        steps: { rest: { ...hour, to: "mail" }, mail: { type: "SEND_EMAIL", templateId: template.id, config } }
      })
      const path = `/workflows/${id}/executions`
      const contactId = yield* contact("ada@example.com")
      const { body } = yield* ask("POST", path, { contactId })
      const retry = (execution: string) => outcome("POST", `${path}/${execution}/retry`)
      assert.strictEqual(yield* retry(body.id), "409 not_retryable")
      yield* work
      yield* TestClock.adjust(Duration.hours(1))
      yield* work
      const failed = (yield* ask("GET", `${path}/${body.id}`)).body
      assert.deepInclude(failed, { status: "FAILED", exitReason: "step_failed", currentStepId: steps.get("mail") })
      const second = yield* ask("POST", path, { contactId })
      assert.strictEqual(yield* retry(body.id), "409 already_running")
      yield* ask("DELETE", `${path}/${second.body.id}`)
      yield* ask("POST", "/contacts", { email: "ada@example.com", data: { boss: "boss@example.com" } })
      assert.strictEqual(yield* retry(body.id), "200 ok")
      yield* work
      const done = (yield* ask("GET", `${path}/${body.id}`)).body
      assert.deepInclude(done, { status: "COMPLETED", error: null, exitReason: null })
      assert.deepStrictEqual(
        done.stepExecutions.map(
          ({ step, iteration, status }: { step: { name: string }; iteration: number; status: string }) =>
            `${step.name} ${iteration} ${status}`
        ),
        ["rest 1 COMPLETED", "mail 1 FAILED", "mail 2 COMPLETED"]
      )
    })
  )

  it.effect("a call obeys Retry-After for at most an hour, and is not retried if it is refused", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, contact, project } = fresh
      const outside = yield* Outside
      const url = `https://busy.example.com/${project}`
      const answers = [429, 503, 500].map((status, n) => ({
        status,
        headers: { "retry-after": n === 0 ? "1800" : "7200" },
        body: new Uint8Array()
      }))
      yield* outside.serve(url, () =>
        Effect.succeed(answers.shift() ?? { status: 200, headers: {}, body: new Uint8Array() })
      )
      const { id } = yield* build(fresh, {
        event: "go",
        steps: {
          busy: { type: "WEBHOOK", config: { url }, to: "inside" },
          // The URL is known only after rendering.
          inside: { type: "WEBHOOK", config: { url: "http://{{event.host}}/" } }
        }
      })
      yield* outside.serve("http://169.254.169.254/", () =>
        Effect.fail(new OutboundError({ reason: "url_not_allowed" }))
      )
      const path = `/workflows/${id}/executions`
      const context = { host: "169.254.169.254" }
      const { body } = yield* ask("POST", path, { contactId: yield* contact("ada@example.com"), context })
      const read = Effect.map(ask("GET", `${path}/${body.id}`), ({ body }) => body)
      const waits: Array<number> = []
      for (let n = 0; n < 3; n++) {
        yield* work
        const { resumeAt, stepExecutions } = yield* read
        assert.strictEqual(stepExecutions[0].attempts, n + 1)
        const millis = Date.parse(resumeAt) - (yield* Clock.currentTimeMillis)
        waits.push(millis / 1_000)
        yield* TestClock.adjust(millis)
      }
      assert.deepStrictEqual(waits.slice(0, 2), [1_800, 3_600])
      // With another status it is ignored: the next wait is the 5 minutes of the ladder.
      assert.isAtMost(waits[2] ?? Number.NaN, 330)
      yield* work
      const done = yield* read
      assert.deepInclude(done, { status: "FAILED", exitReason: "step_failed" })
      assert.strictEqual(done.error.code, "url_not_allowed")
      assert.notInclude(JSON.stringify(done.error), "169.254")
      assert.deepInclude(done.stepExecutions[1], { status: "FAILED", attempts: 1 })
    })
  )

  it.effect("for 24 hours after a rotation calls are signed with both secrets, then only with the new one", () =>
    Effect.gen(function* () {
      const fresh = yield* prepared
      const { ask, contact, project } = fresh
      const outside = yield* Outside
      const url = `https://signed.example.com/${project}`
      yield* outside.answer(url, "ok")
      const { id } = yield* build(fresh, { event: "go", steps: { call: { type: "WEBHOOK", config: { url } } } })
      const old = (yield* ask("GET", "/workflows/signing-secret")).body.secret
      const { body: rotated } = yield* ask("POST", "/workflows/signing-secret/rotate")
      const signers = Effect.fnUntraced(function* (email: string) {
        yield* ask("POST", `/workflows/${id}/executions`, { contactId: yield* contact(email) })
        yield* work
        const { headers = {}, body = new Uint8Array() } = (yield* outside.requests).at(-1) ?? {}
        const signatures = headers["webhook-signature"]?.split(" ") ?? []
        const timestamp = Number(headers["webhook-timestamp"])
        const by = (secret: string) => sign(Redacted.make(secret), headers["webhook-id"] ?? "", timestamp, body)
        return {
          count: signatures.length,
          old: signatures.includes(yield* by(old)),
          new: signatures.includes(yield* by(rotated.secret))
        }
      })
      assert.deepStrictEqual(yield* signers("ada@example.com"), { count: 2, old: true, new: true })
      yield* TestClock.adjust(Duration.hours(24))
      assert.deepStrictEqual(yield* signers("bob@example.com"), { count: 1, old: false, new: true })
    })
  )

  it.effect(
    "an edit applies to executions that reach the step afterwards; a step with an execution is not deleted",
    () =>
      Effect.gen(function* () {
        const fresh = yield* prepared
        const { ask, outcome, contact, project } = fresh
        const { id, steps } = yield* build(fresh, {
          event: "go",
          steps: { rest: { ...hour, to: "out" }, out: { type: "EXIT", config: { reason: "old" } } }
        })
        const contactId = yield* contact("ada@example.com")
        yield* ask("POST", `/workflows/${id}/executions`, { contactId })
        yield* work
        const rest = `/workflows/${id}/steps/${steps.get("rest")}`
        assert.strictEqual((yield* ask("PATCH", rest, { config: { amount: 9, unit: "days" } })).status, 200)
        yield* ask("PATCH", `/workflows/${id}/steps/${steps.get("out")}`, { config: { reason: "new" } })
        assert.strictEqual(yield* outcome("DELETE", rest), "409 RESOURCE_IN_USE")
        assert.strictEqual(yield* outcome("DELETE", `${rest}?splice=true`), "409 RESOURCE_IN_USE")
        yield* ask("PATCH", `/workflows/${id}`, { enabled: false })
        yield* TestClock.adjust(Duration.hours(1))
        yield* work
        const [execution] = yield* executionsOf(project, id)
        assert.deepInclude(execution, { status: "EXITED", exitReason: "new" })
        assert.strictEqual((yield* ask("DELETE", `/workflows/${id}/steps/${steps.get("out")}`)).status, 204)
        const read = (yield* ask("GET", `/workflows/${id}/executions/${execution?.id}`)).body
        assert.deepInclude(read, { currentStepId: null, currentStep: null })
        assert.deepInclude(read.stepExecutions[1], {
          stepId: null,
          step: { id: steps.get("out"), name: "out", type: "EXIT" },
          config: { reason: "new" }
        })
      })
  )
})
