/** Strict mail: a variable that would print and has no value refuses it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { build, executionsOf, work } from "../../automation/workflows/ExecutionsFixture.ts"
import { workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Strict mail on ${name}`,
    (it) => {
      const strictProject = Effect.gen(function* () {
        const fresh = yield* workflowProject
        const post = (body: object) =>
          Effect.map(
            fresh.ask("POST", "/v1/send", { from: `a@${fresh.domain}`, to: "ada@example.com", ...body }),
            ({ status, body }) =>
              status === 200
                ? "ok"
                : body.error.errors
                    .map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`)
                    .join()
          )
        const counts = Effect.gen(function* () {
          const { body: emails } = yield* fresh.ask("GET", "/emails")
          const { body: contacts } = yield* fresh.ask("GET", "/contacts")
          return [emails.data.length, (contacts.data ?? contacts.contacts).length]
        })
        return { ...fresh, post, counts }
      })

      it.effect("is refused with each missing variable, its text and the recipient, and nothing is stored", () =>
        Effect.gen(function* () {
          const { ask, counts, domain } = yield* strictProject
          const { status, body } = yield* ask("POST", "/v1/send", {
            from: `a@${domain}`,
            to: ["Ada <ada@example.com>"],
            subject: "{{a}}",
            body: "{{a}}{{order.total}}{{#if b}}{{c}}{{/if}}{{d ?? none}}{{ok}}",
            text: "{{e}}",
            data: { ok: 1, order: { id: 7 } },
            strict: true
          })
          assert.strictEqual(status, 422)
          assert.deepStrictEqual(
            body.error.errors,
            [
              ["data.a", "The subject prints 'a', which has no value for ada@example.com."],
              ["data.order.total", "The body prints 'order.total', which has no value for ada@example.com."],
              ["data.e", "The text prints 'e', which has no value for ada@example.com."]
            ].map(([field, message]) => ({ field, message, code: "missing_variable" }))
          )
          assert.deepStrictEqual(yield* counts, [0, 0])
        })
      )

      it.effect("is judged for each recipient with the data of the contact", () =>
        Effect.gen(function* () {
          const { ask, domain, post } = yield* strictProject
          yield* ask("POST", "/contacts", { email: "ada@example.com", data: { firstName: "Ada" } })
          const texts = { subject: "Hi {{firstName}}", body: "x", strict: true }
          assert.strictEqual(yield* post(texts), "ok")
          const { body } = yield* ask("POST", "/v1/send", {
            from: `a@${domain}`,
            to: ["ada@example.com", "bob@example.com"],
            ...texts
          })
          assert.deepStrictEqual(
            body.error.errors.map(({ message }: { message: string }) => message),
            ["The subject prints 'firstName', which has no value for bob@example.com."]
          )
        })
      )

      it.effect(
        "is a setting of the template that the request overrides, and holds for partials and translations",
        () =>
          Effect.gen(function* () {
            const { ask, post, template } = yield* strictProject
            yield* ask("POST", "/partials", { name: "main", body: "{{brand}}{{> content}}" })
            const { id } = yield* template({
              type: "TRANSACTIONAL",
              strict: true,
              layout: "main",
              body: "{{a}}",
              translations: { de: { subject: "{{b}}", body: "x" } }
            })
            const given = { template: id, data: { brand: "Tea" } }
            assert.strictEqual(yield* post(given), "data.a missing_variable")
            assert.strictEqual(yield* post({ template: id }), "data.brand missing_variable,data.a missing_variable")
            assert.strictEqual(yield* post({ ...given, locale: "de" }), "data.b missing_variable")
            assert.strictEqual(yield* post({ ...given, strict: false }), "ok")
            assert.strictEqual(yield* post({ ...given, data: { brand: "Tea", a: "" } }), "data.a missing_variable")
            assert.strictEqual(yield* post({ ...given, data: { brand: "Tea", a: 0 } }), "ok")
          })
      )

      it.effect("of a workflow step fails with the variable", () =>
        Effect.gen(function* () {
          const fresh = yield* strictProject
          const { id: templateId } = yield* fresh.template({
            strict: true,
            body: "{{event.plan}}",
            type: "TRANSACTIONAL"
          })
          const workflow = yield* build(fresh, {
            event: "go",
            allowReentry: true,
            steps: { mail: { type: "SEND_EMAIL", templateId } }
          })
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* work
          const [execution] = yield* executionsOf(fresh.project, workflow.id)
          assert.strictEqual(execution?.status, "FAILED")
          const { body } = yield* fresh.ask("GET", "/emails")
          assert.deepInclude(body.data[0], { status: "FAILED" })
          assert.deepStrictEqual(body.data[0].error, {
            code: "render_failed",
            message: "The body prints 'event.plan', which has no value for ada@example.com."
          })
        })
      )
    }
  )
}
