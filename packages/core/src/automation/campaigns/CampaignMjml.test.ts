/** Campaigns that are written in MJML, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { compiled, mjml, standIn } from "../../content/templates/MjmlFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { type SendingProject, sendingProject, work } from "./CampaignsFixture.ts"

/** A draft in MJML, and requests about campaigns. */
const mjmlProject = Effect.gen(function* () {
  const made = yield* sendingProject(2)
  const { body: _, ...rest } = made.draft
  const draft = { ...rest, format: "MJML", source: mjml("Hi {{firstName}}") }
  return { ...made, draft, ...requestsOf(made, draft) }
})

const requestsOf = ({ ask }: Pick<SendingProject, "ask">, draft: object) => {
  const write = (method: string, path: string, more: object = {}) => ask(method, path, { ...draft, ...more })
  return {
    make: (more: object = {}) =>
      Effect.map(write("POST", "/campaigns", more), ({ status, body }) => {
        assert.strictEqual(status, 201, JSON.stringify(body))
        return body.data
      }),
    /** The HTML of a test to the first contact. */
    testMail: Effect.fnUntraced(function* (id: string) {
      const { body } = yield* ask("POST", `/campaigns/${id}/test`, { email: "c-1@example.com" })
      return (yield* ask("GET", `/emails/${body.data.email}/content`)).body.html
    }),
    replace: (id: string, more: object = {}) => write("PUT", `/campaigns/${id}`, more),
    /** The faults of a refused request, by field and code. */
    faults: (more: object, path = "/campaigns", method = "POST") =>
      Effect.map(write(method, path, more), ({ status, body }) =>
        [status, ...(body.error.errors ?? []).map((_: { field: string; code: string }) => `${_.field} ${_.code}`)].join(
          " "
        )
      ),
    template: (more: object = {}) =>
      Effect.map(ask("POST", "/templates", { ...draft, ...more }), ({ status, body }) => {
        assert.strictEqual(status, 201, JSON.stringify(body))
        return body
      })
  }
}

for (const [name, database] of databases()) {
  const everything = wireOver(servicesOn(database).pipe(Layer.provide(standIn)))
  layer(everything, { timeout: "60 seconds" })(`Campaigns in MJML on ${name}`, (it) => {
    it.effect("keep the source, have its HTML as their body, and send that", () =>
      Effect.gen(function* () {
        const { ask, project, make, replace, read, testMail } = yield* mjmlProject
        const campaign = yield* make()
        const content = { format: "MJML", source: mjml("Hi {{firstName}}"), body: "<p>Hi {{firstName}}</p>" }
        assert.deepInclude(campaign, content)
        assert.deepInclude(yield* read(campaign.id), content)
        const { body: list } = yield* ask("GET", "/campaigns")
        assert.propertyVal(list.data[0], "format", "MJML")
        assert.notProperty(list.data[0], "source")

        const { body: changed } = yield* replace(campaign.id, { source: mjml("Bye {{firstName}}") })
        assert.deepInclude(changed.data, { source: mjml("Bye {{firstName}}"), body: "<p>Bye {{firstName}}</p>" })
        const { body: copied } = yield* ask("POST", `/campaigns/${campaign.id}/duplicate`)
        const { source, body } = changed.data
        assert.deepInclude(copied.data, { format: "MJML", source, body })

        compiled.length = 0
        assert.include(yield* testMail(campaign.id), "<p>Bye Ada</p>")
        assert.strictEqual((yield* ask("POST", `/campaigns/${campaign.id}/send`)).status, 200)
        yield* work
        assert.lengthOf(compiled, 0)
        const kept = yield* SqlClient.SqlClient.use(
          (sql) => sql`select body, translations from mailings where project_id = ${project}::uuid`
        )
        assert.deepStrictEqual(kept, [{ body, translations: {} }])
      })
    )

    it.effect("are compiled once for each request, and become HTML with a body", () =>
      Effect.gen(function* () {
        const { make, replace } = yield* mjmlProject
        compiled.length = 0
        const { id } = yield* make()
        assert.lengthOf(compiled, 1)
        yield* replace(id)
        assert.lengthOf(compiled, 2)
        const { body } = yield* replace(id, { format: "HTML", source: null, body: "<p>own</p>" })
        assert.deepInclude(body.data, { format: "HTML", source: null, body: "<p>own</p>" })
      })
    )

    it.effect("are refused with the field of each fault, and nothing is stored", () =>
      Effect.gen(function* () {
        const { ask, make, faults, read } = yield* mjmlProject
        const cases: ReadonlyArray<readonly [object, string]> = [
          [{ source: null }, "source required"],
          [{ source: "" }, "source required"],
          [{ body: "<p>x</p>" }, "body custom"],
          [{ format: "HTML" }, "source custom"],
          [{ format: null }, "source custom"],
          [{ format: "HTML", source: null }, "body required"],
          [{ format: "TEXT" }, "format invalid_enum"],
          [{ source: "x".repeat(1024 * 1024 + 1) }, "source too_big"],
          [{ source: mjml("{{#if a}}") }, "source template_syntax"],
          [{ source: "<mjml><mj-body><mj-text>Hi</mj-body></mjml>" }, "source template_syntax"],
          [{ source: `<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>` }, "source template_syntax"],
          [{ subject: null, source: null, from: null }, "subject required from required source required"],
          [{ translations: { de: { subject: "Hallo", body: "<p>x</p>" } } }, "translations.de.body custom"],
          [{ translations: { de: { subject: "Hallo" } } }, "translations.de.source required"],
          [
            { translations: { de: { subject: "Hallo", source: mjml("{{> none}}") } } },
            "translations.de.source template_syntax"
          ]
        ]
        for (const [more, expected] of cases)
          assert.strictEqual(yield* faults(more), `422 ${expected}`, JSON.stringify(more).slice(0, 100))
        assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, 0)
        const campaign = yield* make()
        const before = yield* read(campaign.id)
        for (const [more, expected] of cases) {
          assert.strictEqual(yield* faults(more, `/campaigns/${campaign.id}`, "PUT"), `422 ${expected}`)
        }
        assert.deepStrictEqual(yield* read(campaign.id), before)
        const { body } = yield* ask("POST", "/campaigns", {
          ...campaign,
          body: undefined,
          source: `<mjml>\n <mj-body><mj-text>Hi</mj-body></mjml>`
        })
        assert.isNumber(body.error.errors[0].line)
      })
    )

    it.effect("each translation has its own source", () =>
      Effect.gen(function* () {
        const { ask, make, read, project, testMail } = yield* mjmlProject
        const de = { subject: "Hallo", source: mjml("Hallo {{firstName}}") }
        const { id, translations } = yield* make({ language: "en", translations: { DE: de, fr: null } })
        const stored = { de: { ...de, body: "<p>Hallo {{firstName}}</p>", text: null } }
        assert.deepStrictEqual(translations, stored)
        assert.deepStrictEqual((yield* read(id)).translations, stored)
        yield* SqlClient.SqlClient.use(
          (sql) => sql`update contacts set data = data || '{"locale": "de"}' where project_id = ${project}::uuid`
        )
        assert.include(yield* testMail(id), "<p>Hallo Ada</p>")
        assert.strictEqual((yield* ask("POST", `/campaigns/${id}/send`)).status, 200)
        const kept = yield* SqlClient.SqlClient.use(
          (sql) => sql`select translations from mailings where project_id = ${project}::uuid`
        )
        const { source: _, ...texts } = stored.de
        assert.deepStrictEqual(kept, [{ translations: { de: texts } }])
      })
    )

    it.effect("copy the source of a template, unless the request has its own texts", () =>
      Effect.gen(function* () {
        const { ask, draft, template } = yield* mjmlProject
        const de = { subject: "Hallo", source: mjml("Hallo") }
        const written = yield* template({ translations: { de }, text: "Hi" })
        const plain = yield* template({ format: "HTML", source: null, body: "<p>plain</p>" })
        const from = Effect.fnUntraced(function* (templateId: string, more: object = {}) {
          const { body } = yield* ask("POST", "/campaigns", { name: "C", audienceType: "ALL", templateId, ...more })
          const { format, source, body: html, text, translations } = body.data ?? {}
          return (
            body.error?.errors.map((_: { field: string; code: string }) => `${_.field} ${_.code}`) ?? {
              format,
              source,
              body: html,
              text,
              translations
            }
          )
        })
        const { source } = draft
        const html = "<p>Hi {{firstName}}</p>"
        const inDe = (own: object = {}) => ({ de: { ...de, body: "<p>Hallo</p>", text: null, ...own } })
        assert.deepStrictEqual(yield* from(written.id), {
          format: "MJML",
          source,
          body: html,
          text: "Hi",
          translations: inDe()
        })
        // An own source stands in every language, and without the text part of another body.
        const own = { source: mjml("Own"), body: "<p>Own</p>" }
        assert.deepStrictEqual(yield* from(written.id, { source: own.source }), {
          format: "MJML",
          ...own,
          text: null,
          translations: inDe(own)
        })
        assert.deepStrictEqual(yield* from(written.id, { source: own.source, subject: "Own" }), {
          format: "MJML",
          ...own,
          text: null,
          translations: {}
        })
        // The compiled body stays without its source, and an own body replaces it.
        const { source: _, ...german } = inDe().de
        assert.deepStrictEqual(yield* from(written.id, { format: "HTML" }), {
          format: "HTML",
          source: null,
          body: html,
          text: "Hi",
          translations: { de: german }
        })
        assert.deepInclude(yield* from(written.id, { body: "<p>x</p>" }), {
          format: "HTML",
          source: null,
          body: "<p>x</p>"
        })
        assert.deepStrictEqual(yield* from(written.id, { format: "MJML", body: "<p>x</p>" }), ["body custom"])
        assert.deepStrictEqual(yield* from(plain.id, { format: "MJML" }), ["source required"])
        assert.deepStrictEqual(yield* from(plain.id, { source }), ["source custom"])
        assert.deepInclude(yield* from(plain.id, { format: "MJML", source }), { format: "MJML", source, body: html })

        // The copy stays when the template changes.
        const { body: made } = yield* ask("POST", "/campaigns", {
          name: "C",
          audienceType: "ALL",
          templateId: written.id
        })
        yield* ask("PATCH", `/templates/${written.id}`, { source: mjml("Changed") })
        assert.deepInclude((yield* ask("GET", `/campaigns/${made.data.id}`)).body.data, { source, body: html })
      })
    )

    it.effect("all texts together have a limit", () =>
      Effect.gen(function* () {
        const { faults } = yield* mjmlProject
        const large = mjml("x".repeat(1024 * 1024 - 100))
        const tags = ["de", "fr", "it", "es", "nl"]
        const translations = Object.fromEntries(tags.map((tag) => [tag, { subject: tag, source: large }]))
        assert.strictEqual(yield* faults({ translations, text: "x".repeat(10_000) }), "422 translations too_big")
      })
    )

    it.effect("are written only by keys and members", () =>
      Effect.gen(function* () {
        const owner = yield* person("owner")
        const { id, secret, publicKey } = yield* newProject(owner.cookie)
        const domain = `mjml-${name.toLowerCase()}.test`
        yield* Effect.orDie(Domains.use((service) => service.add(ProjectId.make(id), { domain })))
        const campaign = {
          name: "C",
          subject: "S",
          format: "MJML",
          source: mjml("Hi"),
          from: `a@${domain}`,
          audienceType: "ALL"
        }
        const withKey = (key: string, body: unknown = campaign) =>
          send("POST", "/campaigns", body, { authorization: `Bearer ${key}` })
        const withCookie = (cookie: string) => browse(cookie, "POST", "/campaigns", campaign, { "x-project-id": id })
        const apiKey = (scopes: ReadonlyArray<string>) =>
          Effect.map(
            send("POST", "/api-keys", { name: "Key", scopes }, { authorization: `Bearer ${secret}` }),
            ({ body }) => String(body.key)
          )
        for (const role of ["ADMIN", "MEMBER"] as const) {
          const someone = yield* person(role.toLowerCase())
          assert.strictEqual((yield* withCookie(someone.cookie)).status, 403)
          yield* addMember(owner.cookie, id, someone, role)
          assert.strictEqual((yield* withCookie(someone.cookie)).status, 201)
        }
        assert.strictEqual((yield* withCookie(owner.cookie)).status, 201)
        assert.strictEqual((yield* withKey(secret)).status, 201)
        assert.strictEqual((yield* withKey(yield* apiKey(["campaigns:write"]))).status, 201)
        assert.strictEqual((yield* withKey(yield* apiKey(["campaigns:read", "templates:write"]))).status, 403)
        assert.strictEqual((yield* withKey(publicKey)).status, 401)
        const { template, draft } = yield* mjmlProject
        const foreign = yield* template(draft)
        for (const more of [{}, { source: null, format: null }]) {
          const answer = yield* withKey(secret, { ...campaign, ...more, templateId: foreign.id })
          assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "TEMPLATE_NOT_FOUND"])
        }
      })
    )
  })
}
