/** Partials over HTTP: their records, and the mail of everything that names them. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as CampaignRunner from "../../automation/campaigns/CampaignRunner.ts"
import { sendingProject } from "../../automation/campaigns/CampaignsFixture.ts"
import { build, work } from "../../automation/workflows/ExecutionsFixture.ts"
import { faultsIn, workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import * as EmailSender from "../../mail/sending/EmailSender.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

const nowhere = "019a0000-0000-7000-8000-00000000dead"

/** A project that can send, with partials, templates and mail of its own. */
const partialsProject = Effect.gen(function* () {
  const fresh = yield* workflowProject
  const { ask, domain } = fresh
  const create = (name: string, body: string, more: object = {}) => ask("POST", "/partials", { name, body, ...more })
  const partial = (name: string, body: string, more: object = {}) =>
    Effect.map(create(name, body, more), (answer) => {
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return String(answer.body.id)
    })
  const templateOf = (body: string, more: object = {}) =>
    Effect.map(fresh.template({ body, type: "TRANSACTIONAL", ...more }), ({ id }) => String(id))
  const post = (body: object) => ask("POST", "/v1/send", { from: `a@${domain}`, to: "ada@example.com", ...body })
  /** The texts of a mail, or the faults. */
  const mail = Effect.fnUntraced(function* (body: object) {
    const { status, body: answer } = yield* post(body)
    if (status !== 200) return faultsIn(answer).join(", ")
    const { body: content } = yield* ask("GET", `/emails/${answer.data.emails[0].email}/content`)
    return content
  })
  const html = (body: object) => Effect.map(mail(body), (content) => content.html ?? content)
  return { ...fresh, create, partial, templateOf, post, mail, html }
})

const statusAndFaults = (answer: { readonly status: number; readonly body: Parameters<typeof faultsIn>[0] }) =>
  `${answer.status} ${faultsIn(answer.body).join(", ")}`

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Partials on ${name}`,
    (it) => {
      it.effect("are created, read, changed, listed and deleted", () =>
        Effect.gen(function* () {
          const { ask, create, outcome } = yield* partialsProject
          const { status, body: made } = yield* create("footer", "<p>Bye</p>", { description: "For all" })
          assert.strictEqual(status, 201)
          assert.deepInclude(made, { name: "footer", body: "<p>Bye</p>", text: null, description: "For all" })
          const path = `/partials/${made.id}`
          assert.deepStrictEqual((yield* ask("GET", path)).body, made)
          const { body: changed } = yield* ask("PATCH", path, { text: "Bye", description: null, name: "end" })
          assert.deepInclude(changed, { name: "end", body: "<p>Bye</p>", text: "Bye", description: null })
          yield* create("header", "<h1>Hi</h1>")
          const list = (query: string) =>
            Effect.map(ask("GET", `/partials${query}`), ({ body }) =>
              body.data.map((each: { name: string }) => each.name)
            )
          assert.deepStrictEqual(yield* list("?sort=name&dir=asc"), ["end", "header"])
          assert.deepStrictEqual(yield* list("?search=HEAD"), ["header"])
          assert.deepStrictEqual(yield* list("?pageSize=1&page=2&sort=name&dir=asc"), ["header"])
          assert.strictEqual(yield* outcome("POST", "/partials", { name: "end", body: "x" }), "409 name_taken")
          assert.strictEqual(yield* outcome("PATCH", path, { name: "header" }), "409 name_taken")
          assert.deepStrictEqual((yield* ask("GET", `${path}/usage`)).body, {
            templates: [],
            partials: [],
            campaigns: [],
            canDelete: true
          })
          assert.strictEqual((yield* ask("DELETE", path)).status, 204)
          for (const [method, at] of [
            ["GET", path],
            ["DELETE", path],
            ["PATCH", `/partials/${nowhere}`],
            ["GET", "/partials/x"]
          ]) {
            const { status, body } = yield* ask(method ?? "", at ?? "", method === "PATCH" ? {} : undefined)
            assert.deepInclude(body.error.details, { resource: "partial" }, `${status} ${method} ${at}`)
          }
        })
      )

      it.effect("are refused with their faults, and nothing is stored", () =>
        Effect.gen(function* () {
          const { ask, create, partial } = yield* partialsProject
          const refused = (body: object) => Effect.map(ask("POST", "/partials", body), statusAndFaults)
          assert.strictEqual(yield* refused({}), "422 name required, body required")
          for (const wrong of ["content", "Foot", "a b", "-a", "a".repeat(65), "a.b", ""]) {
            assert.include(yield* refused({ name: wrong, body: "x" }), "422 name", wrong)
          }
          assert.strictEqual(yield* refused({ name: "a", body: "" }), "422 body required")
          assert.strictEqual(yield* refused({ name: "a", body: "x".repeat(256 * 1024 + 1) }), "422 body too_big")
          assert.strictEqual(yield* refused({ name: "a", body: "{{> none}}" }), "422 body template_syntax")
          assert.strictEqual(yield* refused({ name: "a", body: "{{> a}}" }), "422 body template_syntax")
          assert.strictEqual(
            yield* refused({ name: "a", body: "{{#if", text: "{{/if}}" }),
            "422 body template_syntax, text template_syntax"
          )
          yield* partial("html-only", "x")
          assert.strictEqual(
            yield* refused({ name: "a", body: "x", text: "{{> html-only}}" }),
            "422 text template_syntax"
          )
          const { body } = yield* create("broken", "\n {{> none}}")
          assert.deepInclude(body.error.errors[0], {
            line: 2,
            column: 2,
            message: "There is no partial 'none'."
          })
          assert.strictEqual((yield* ask("GET", "/partials")).body.total, 1)
        })
      )

      it.effect("include each other at most 5 deep and without cycles, even after a change of one in the middle", () =>
        Effect.gen(function* () {
          const { ask, partial } = yield* partialsProject
          const ids = new Map<string, string>()
          for (const [each, body] of Object.entries({
            e: "e",
            d: "{{> e}}",
            c: "{{> d}}",
            b: "{{> c}}",
            a: "{{> b}}"
          })) {
            ids.set(each, yield* partial(each, body))
          }
          const change = (which: string, body: string) =>
            Effect.map(ask("PATCH", `/partials/${ids.get(which)}`, { body }), ({ body }) =>
              body.error === undefined ? "ok" : `${faultsIn(body)} ${body.error.errors[0].message}`
            )
          assert.include(
            yield* change("e", "{{> a}}"),
            "body template_syntax Partials include each other in a cycle: e > a"
          )
          assert.include(yield* change("c", "{{> c}}"), "c > c")
          const last = yield* partial("f", "f")
          assert.include(yield* change("e", "{{> f}}"), "a > b > c > d > e > f")
          assert.strictEqual(yield* change("d", "{{> f}}"), "ok")
          assert.strictEqual(yield* change("e", "{{> f}}"), "ok")
          assert.strictEqual((yield* ask("DELETE", `/partials/${last}`)).body.error.code, "RESOURCE_IN_USE")
        })
      )

      it.effect("are at most 200 in a project", () =>
        Effect.gen(function* () {
          const { create, project } = yield* partialsProject
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into partials (id, project_id, name, body, created_at, updated_at)
            select gen_random_uuid(), ${project}, 'p' || n, 'x', now(), now() from generate_series(1, 199) as n`
          assert.strictEqual((yield* create("last", "x")).status, 201)
          assert.strictEqual(statusAndFaults(yield* create("more", "x")), "422 name too_big")
        })
      )

      it.effect("are neither deleted nor renamed while they are in use; the response lists the uses", () =>
        Effect.gen(function* () {
          const { ask, domain, partial, templateOf } = yield* partialsProject
          const id = yield* partial("footer", "<p>Bye</p>", { text: "Bye" })
          const outer = yield* partial("outer", "{{> footer}}")
          const main = yield* partial("main", "{{> content}}")
          const first = yield* templateOf("Hi {{> footer}}")
          const second = yield* templateOf("Hi", { layout: "main" })
          const { body } = yield* ask("POST", "/campaigns", {
            name: "Launch",
            subject: "Hi",
            body: "{{~>  footer x=1 ~}}",
            from: `a@${domain}`,
            audienceType: "ALL"
          })
          const users = {
            templates: [{ id: first, name: "Hello" }],
            partials: [{ id: outer, name: "outer" }],
            campaigns: [{ id: body.data.id, name: "Launch", status: "DRAFT" }]
          }
          const path = `/partials/${id}`
          assert.deepStrictEqual((yield* ask("GET", `${path}/usage`)).body, { ...users, canDelete: false })
          const refusal = (yield* ask("DELETE", path)).body.error
          assert.deepInclude(refusal, { code: "RESOURCE_IN_USE", details: users })
          assert.deepStrictEqual((yield* ask("PATCH", path, { name: "end" })).body.error.details, users)
          assert.deepStrictEqual((yield* ask("DELETE", `/partials/${main}`)).body.error.details.templates, [
            { id: second, name: "Hello" }
          ])
          yield* ask("PATCH", `/templates/${first}`, { body: "Hi" })
          yield* ask("PATCH", `/templates/${second}`, { layout: null })
          yield* ask("DELETE", `/campaigns/${body.data.id}`)
          yield* ask("DELETE", `/partials/${outer}`)
          assert.strictEqual((yield* ask("PATCH", path, { name: "end" })).body.name, "end")
          for (const each of [id, main]) assert.strictEqual((yield* ask("DELETE", `/partials/${each}`)).status, 204)
        })
      )

      it.effect("belong to one project", () =>
        Effect.gen(function* () {
          const one = yield* partialsProject
          const other = yield* partialsProject
          const id = yield* one.partial("footer", "one")
          yield* other.partial("footer", "other")
          assert.strictEqual((yield* other.ask("GET", `/partials/${id}`)).status, 404)
          assert.strictEqual((yield* other.ask("PATCH", `/partials/${id}`, { body: "x" })).status, 404)
          assert.strictEqual((yield* other.ask("DELETE", `/partials/${id}`)).status, 404)
          assert.strictEqual(yield* one.html({ subject: "s", body: "{{> footer}}" }), "one")
          assert.strictEqual(yield* other.html({ subject: "s", body: "{{> footer}}" }), "other")
        })
      )

      it.effect(
        "are included in texts of a send, of templates and of other partials; a change applies to the next mail",
        () =>
          Effect.gen(function* () {
            const { ask, html, mail, partial, templateOf } = yield* partialsProject
            yield* partial("logo", "<{{of}}>")
            const id = yield* partial("header", "<h1>{{shop}}{{> logo of=shop}}</h1>", { text: "# {{shop}}" })
            const data = { shop: "Tea & Co" }
            const sent = yield* mail({ subject: "s", body: "{{> header}}.", text: "{{> header}}!", data })
            assert.deepInclude(sent, { html: "<h1>Tea &amp; Co<Tea &amp; Co></h1>.", text: "# Tea & Co!" })
            const one = yield* templateOf("{{> header}}1")
            const two = yield* templateOf("{{#if shop}}{{> header shop='Own'}}{{/if}}2")
            assert.strictEqual(yield* html({ template: one, data }), "<h1>Tea &amp; Co<Tea &amp; Co></h1>1")
            assert.strictEqual(yield* html({ template: two, data }), "<h1>Own<Own></h1>2")
            yield* ask("PATCH", `/partials/${id}`, { body: "<h2>{{shop}}</h2>" })
            assert.strictEqual(yield* html({ template: one, data }), "<h2>Tea &amp; Co</h2>1")
            assert.strictEqual(yield* html({ template: two, data }), "<h2>Own</h2>2")
            assert.strictEqual(yield* html({ template: one, body: "own {{> logo of=1}}", data }), "own <1>")
            assert.strictEqual(yield* mail({ subject: "s", body: "{{> none}}" }), "body template_syntax")
            assert.strictEqual(yield* mail({ subject: "{{> header}}", body: "x" }), "subject template_syntax")
            assert.strictEqual(yield* mail({ subject: "s", text: "{{> logo}}" }), "text template_syntax")
            const written = yield* mail({ subject: "s", body: "{{> header}}", interpolate: false })
            assert.strictEqual(written.html, "{{> header}}")
            assert.include(
              statusAndFaults(yield* ask("PATCH", `/templates/${one}`, { body: "{{> none}}" })),
              "422 body template_syntax"
            )
          })
      )

      it.effect("that are layouts surround the body of a template", () =>
        Effect.gen(function* () {
          const { ask, html, mail, partial, templateOf } = yield* partialsProject
          const id = yield* partial("main", "<main>{{> content}}</main>", { text: "-- {{> content}} --" })
          yield* partial("plain", "<div>{{> content}}</div>")
          yield* partial("none", "x")
          const made = yield* templateOf("<p>{{name}}</p>", { layout: "main" })
          assert.strictEqual((yield* ask("GET", `/templates/${made}`)).body.layout, "main")
          const data = { name: "Ada" }
          assert.deepInclude(yield* mail({ template: made, data, text: "Hi {{name}}" }), {
            html: "<main><p>Ada</p></main>",
            text: "-- Hi Ada --"
          })
          yield* ask("PATCH", `/templates/${made}`, { layout: "plain" })
          assert.deepInclude(yield* mail({ template: made, data, text: "Hi" }), {
            html: "<div><p>Ada</p></div>",
            text: "Hi"
          })
          const refused = (layout: string) =>
            Effect.map(ask("PATCH", `/templates/${made}`, { layout }), statusAndFaults)
          assert.strictEqual(yield* refused("none"), "422 layout custom")
          assert.strictEqual(yield* refused("missing"), "422 layout custom")
          assert.include(yield* refused("Not a name"), "422 layout")
          yield* ask("PATCH", `/templates/${made}`, { layout: "main" })
          const broken = yield* ask("PATCH", `/partials/${id}`, {
            body: "no content",
            text: "{{> content}}{{> content}}"
          })
          assert.strictEqual(statusAndFaults(broken), "422 body custom, text custom")
          yield* ask("PATCH", `/templates/${made}`, { layout: null })
          assert.strictEqual((yield* ask("PATCH", `/partials/${id}`, { body: "no content" })).status, 200)
          assert.strictEqual(yield* html({ template: made, data }), "<p>Ada</p>")
        })
      )

      it.effect("with the unsubscribe link of the recipient replace the footer of marketing mail", () =>
        Effect.gen(function* () {
          const { html, partial, templateOf } = yield* partialsProject
          yield* partial("end", '<a href="{{unsubscribeUrl}}">Out</a>')
          const id = yield* templateOf("<p>Hi</p>{{> end}}", { type: "MARKETING" })
          const found = String(yield* html({ template: id, subscribed: true }))
          assert.match(found, /^<p>Hi<\/p><a href="https:\/\/[^"]+\/unsubscribe\/[^"]+">Out<\/a>$/)
        })
      )

      it.effect("are included in the mail of workflow steps, with their content when the step runs", () =>
        Effect.gen(function* () {
          const fresh = yield* partialsProject
          const { ask, partial, templateOf, track } = fresh
          const id = yield* partial("end", "<p>{{event.plan}}</p>")
          yield* partial("main", "<main>{{> content}}</main>")
          const templateId = yield* templateOf("Hi{{> end}}", { layout: "main" })
          yield* build(fresh, { event: "go", allowReentry: true, steps: { mail: { type: "SEND_EMAIL", templateId } } })
          const htmlOf = Effect.gen(function* () {
            yield* track({ email: "ada@example.com", event: "go", data: { plan: { value: "pro", persistent: false } } })
            yield* work
            const [{ id: email }] = (yield* ask("GET", "/emails?limit=1")).body.data
            return (yield* ask("GET", `/emails/${email}/content`)).body.html
          })
          assert.strictEqual(yield* htmlOf, "<main>Hi<p>pro</p></main>")
          yield* ask("PATCH", `/partials/${id}`, { body: "<b>{{event.plan}}</b>" })
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* htmlOf, "<main>Hi<b>pro</b></main>")
        })
      )

      it.effect("form no cycle when two are saved at the same moment", () =>
        Effect.gen(function* () {
          const { ask, partial } = yield* partialsProject
          const [a, b] = [yield* partial("a", "a"), yield* partial("b", "b")]
          const save = (id: string, body: string) => Effect.forkChild(ask("PATCH", `/partials/${id}`, { body }))
          const fibers = [yield* save(a, "{{> b}}"), yield* save(b, "{{> a}}")]
          const statuses = (yield* Effect.forEach(fibers, Fiber.join)).map(({ status }) => status)
          assert.deepStrictEqual(statuses.sort(), [200, 422])
        })
      )
    }
  )

  const workers = Layer.mergeAll(EmailSender.layer, CampaignRunner.layer).pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )

  layer(workers, { timeout: "60 seconds", excludeTestServices: false })(`Partials of campaigns on ${name}`, (it) => {
    it.effect("are fixed when sending starts", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.succeed(receipt))
        const context = yield* Effect.context<Layer.Success<typeof workers>>()
        const { ask, create, domain, read } = yield* sendingProject(2)
        const made = (name: string, body: string) =>
          Effect.map(ask("POST", "/partials", { name, body }), ({ body }) => String(body.id))
        const inner = yield* made("inner", "<i>old</i>")
        const outer = yield* made("header", "<h1>{{firstName}}, old{{> inner}}</h1>")
        const main = yield* made("main", "<main>{{> content}}</main>")
        const id = yield* create({ body: "{{> header}}<p>{{email}}</p>", layout: "main", type: "TRANSACTIONAL" })
        assert.strictEqual((yield* read(id)).layout, "main")
        const copied = yield* ask("POST", `/campaigns/${id}/duplicate`)
        assert.strictEqual(copied.body.data.layout, "main")
        const change = (partial: string, body: string) => ask("PATCH", `/partials/${partial}`, { body })
        yield* change(inner, "<i>new</i>")
        assert.strictEqual((yield* ask("POST", `/campaigns/${id}/send`)).status, 200)
        yield* change(inner, "<i>newest</i>")
        yield* change(outer, "gone")
        yield* change(main, "<aside>{{> content}}</aside>")
        yield* eventually(
          Effect.andThen(TestClock.adjust("250 millis"), Effect.provideContext(read(id), context)),
          (campaign) => campaign.status === "SENT"
        )
        const sent = (yield* peer.accepted).filter(({ from }) => from.address === `news@${domain}`)
        assert.lengthOf(sent, 2)
        for (const { html, to } of sent) {
          assert.include(html, `<main><h1>Ada, old<i>new</i></h1><p>${to[0]?.address}</p></main>`)
        }
        // What has been sent no longer keeps the partials.
        yield* ask("DELETE", `/campaigns/${copied.body.data.id}`)
        for (const each of [outer, inner, main]) {
          assert.strictEqual((yield* ask("DELETE", `/partials/${each}`)).status, 204)
        }
      })
    )

    it.effect("are read again for a test, which is refused if they are deleted", () =>
      Effect.gen(function* () {
        const { ask, create } = yield* sendingProject(1)
        const broken = yield* ask("POST", "/campaigns", {
          name: "x",
          subject: "x",
          body: "{{> none}}",
          from: "a@example.com",
          audienceType: "ALL"
        })
        assert.strictEqual(statusAndFaults(broken), "422 body template_syntax")
        yield* ask("POST", "/partials", { name: "end", body: "<b>{{code}}</b>" })
        const id = yield* create({ body: "{{> end}}", type: "TRANSACTIONAL" })
        const { body } = yield* ask("POST", `/campaigns/${id}/test`, { email: "c-1@example.com", data: { code: 7 } })
        const { body: content } = yield* ask("GET", `/emails/${body.data.email}/content`)
        assert.include(content.html, "<b>7</b>")
      })
    )
  })
}
