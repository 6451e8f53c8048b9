/** Two projects on one installation: neither can see, change or detect the data of the other. */
import { assert, describe, layer } from "@effect/vitest"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { body } from "../testing/ApiCall.ts"
import { eventually } from "../testing/Program.ts"
import { addDomain, type Caller, request } from "./testing/Caller.ts"
import { databaseName, install, type Server } from "./testing/Installation.ts"
import { type Operation, operations } from "./testing/Operations.ts"
import { bodyWith, colleague, filled, type Ids, isAboutWord, make, prefixesOf } from "./testing/Resources.ts"
import { type TableContents, tableContents } from "./testing/TableContents.ts"

/** Endpoints that name a resource of the project. Add a new kind of resource to `Resources.ts` first. */
const naming = operations.filter(({ key, path }) => key !== undefined && path.includes("{") && !isAboutWord(path))

/** Endpoints that name a word: for another project they answer as if it had never been used. */
const aboutWords = operations.filter(({ path }) => isAboutWord(path))

const isDeletion = ({ method, path }: Operation) => method === "DELETE" && /(?:\}|\/draft)$/.test(path)

/** Deletions come last, so that the resources exist until then. */
const byDeletion = naming
  // A contact can be deleted once, and a draft published once.
  .filter(({ id }) => id !== "contacts.erase" && !id.endsWith(".publish"))
  // A nested resource is deleted before its parent.
  .toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)) || b.path.length - a.path.length)

/** An owner with one resource of each kind, and a stranger with a separate project. */
class Neighbours extends Context.Service<
  Neighbours,
  {
    readonly ids: Ids
    readonly owner: Omit<Caller, "url">
    readonly stranger: Caller
    /** Ends the server that the stranger calls, and returns the contents of the tables before and after. */
    readonly compare: Effect.Effect<{ readonly before: TableContents; readonly after: TableContents }>
    /** Starts another server after that. */
    readonly again: Effect.Effect<Server, never, Scope.Scope>
  }
>()("@posthorn/node/endToEnd/Tenants/Neighbours") {}

const from = "hello@mail.example.com"

const neighbours = Layer.effect(
  Neighbours,
  Effect.gen(function* () {
    const { account, database, dns, serve } = yield* install
    const sink = yield* Effect.acquireRelease(
      Effect.promise(() => startSink()),
      (started) => Effect.promise(() => started.close())
    )
    yield* account(colleague)
    const owner = yield* account("Owner")
    const other = yield* account("Stranger")
    const again = Effect.orDie(serve({ POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }))
    const contents = Effect.provide(tableContents, database)

    const makeOneOfEach = Effect.gen(function* () {
      const { program, url } = yield* again
      const caller = { url, ...owner }
      yield* addDomain(caller, dns, "mail.example.com")
      const made = yield* make(caller, from, new Set(naming.flatMap(({ path }) => prefixesOf(path))), () => 1)
      yield* request(caller, "POST", "/events/track", {
        email: "anna@example.org",
        event: "signup",
        data: { signup: 1 }
      })
      yield* eventually(Effect.sync(sink.accepted), (count) => count === 1)
      assert.strictEqual(yield* program.end("SIGTERM"), 0)
      return made
    })
    const ids = yield* Effect.scoped(makeOneOfEach)

    const before = yield* contents
    const { program, url } = yield* again
    const compare = Effect.gen(function* () {
      assert.strictEqual(yield* program.end("SIGTERM"), 0)
      return { before, after: yield* contents }
    })
    return Neighbours.of({ ids, owner, stranger: { url, ...other }, compare, again })
  })
)

const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.Struct({ resource: Schema.String, id: Schema.String })
  })
})

const membersOf = (segment: string | undefined) => ({
  groups: [{ filters: [{ field: `segment.${segment}`, operator: "memberOfSegment" }] }]
})

/** What names a resource and no other. A number of a version can be part of any text. */
const namesIn = (ids: Ids) => Object.entries(ids).flatMap(([prefix, id]) => (prefix.endsWith("/versions") ? [] : [id]))

const nobody = "nobody@example.org"
const nobodys = "019a0000-0000-7000-8000-00000000ffff"

const call = (caller: Caller, { id, method, path }: Operation, ids: Ids) =>
  request(caller, method, filled(path, ids), method === "GET" ? undefined : bodyWith(id, ids))

describe(`two projects on ${databaseName}`, () => {
  layer(neighbours, { timeout: "180 seconds", excludeTestServices: true })((it) => {
    it.effect.each(naming)("$method $path of one project is not found for the other", (operation) =>
      Effect.gen(function* () {
        const { ids, stranger } = yield* Neighbours
        const found = yield* call(stranger, operation, ids)
        assert.strictEqual(found.status, 404, found.text)
        const { error } = yield* body(found, Refusal)
        assert.include(Object.values(ids), error.details.id)

        const nobodysIds = Object.fromEntries(
          Object.keys(ids).map((prefix) => [prefix, prefix === "/suppressions" ? nobody : nobodys])
        )
        const nothing = yield* Effect.flatMap(call(stranger, operation, nobodysIds), (answer) => body(answer, Refusal))
        assert.strictEqual(
          JSON.stringify(error).replaceAll(error.details.id, nothing.error.details.id),
          JSON.stringify(nothing.error)
        )
      })
    )

    it.effect.each(aboutWords)("$method $path shows another project nothing of the owner's", (operation) =>
      Effect.gen(function* () {
        const { stranger } = yield* Neighbours
        const about = (word: string) => call(stranger, operation, { "/events": word, "/contacts/fields": word })
        const found = yield* about("signup")
        const nothing = yield* about("unheard")
        assert.deepStrictEqual([found.status, found.text.replaceAll("signup", "unheard")], [200, nothing.text])
      })
    )

    it.effect("a project cannot use the template, the domain or the segment of the other", () =>
      Effect.gen(function* () {
        const { ids, owner, stranger } = yield* Neighbours
        const mail = { from, to: "anna@example.org", subject: "Hello", body: "<p>Hello</p>" }
        const requests = [
          ["/v1/send", { to: "anna@example.org", template: ids["/templates"] }, 404],
          ["/v1/send", mail, 403],
          ["/templates", { name: "News", ...mail }, 403],
          ["/segments", { name: "Theirs", condition: membersOf(ids["/segments"]) }, 422],
          ["/campaigns", { name: "Theirs", ...mail, audienceType: "SEGMENT", segmentId: ids["/segments"] }, 404],
          ["/campaigns", { name: "Theirs", ...mail, audienceType: "ALL", templateId: ids["/templates"] }, 404],
          ["/domains", { domain: "other.example.com", projectId: owner.projectId }, 404]
        ] as const
        for (const [path, json, status] of requests) {
          const refused = yield* request(stranger, "POST", path, json)
          assert.strictEqual(refused.status, status, refused.text)
          // The stranger's own input may be repeated to it.
          const news = [owner.projectId, ...namesIn(ids)].filter((id) => !JSON.stringify(json).includes(id))
          for (const id of news) assert.notInclude(refused.text, id)
        }
      })
    )

    it.effect("no list of one project contains anything of the other, for any query", () =>
      Effect.gen(function* () {
        const { ids, stranger } = yield* Neighbours
        const lists = operations
          // The nested resources are tested above.
          .filter(
            ({ id, path, sessionOnly }) => id.endsWith(".list") && !sessionOnly && !path.startsWith("/workflows/{id}")
          )
          .map(({ path }) => filled(path, { "/domains/project": stranger.projectId, "/projects": stranger.projectId }))
        const filters = [`/emails?contactId=${ids["/contacts"]}`, `/emails?templateId=${ids["/templates"]}`]
        for (const path of [...lists, ...filters, "/emails?to=email-1@example.org", "/contacts?search=contact-1"]) {
          const { status, text } = yield* request(stranger, "GET", path)
          assert.strictEqual(status, 200, text)
          const found: unknown = JSON.parse(text)
          // Its own members are listed.
          if (path.startsWith("/projects/")) for (const id of namesIn(ids)) assert.notInclude(text, id, path)
          else if (Array.isArray(found)) assert.isEmpty(found, path)
          else assert.deepInclude(found, { data: [], total: 0 }, path)
        }
        const lookUp = yield* request(stranger, "POST", "/contacts/lookup", { emails: ["contact-1@example.org"] })
        assert.include(lookUp.text, '"found":[]')
        const exported = yield* request(stranger, "GET", `/contacts/export?segmentId=${ids["/segments"]}`)
        assert.strictEqual(exported.status, 404, exported.text)
        const told = [
          "/contacts/export",
          "/contacts/export?format=ndjson",
          "/contacts/fields",
          "/contacts/fields/plan/values"
        ]
        for (const path of told) {
          const { status, text } = yield* request(stranger, "GET", path)
          assert.strictEqual(status, 200, text)
          for (const trace of ["@example.org", ...namesIn(ids).filter((id) => id !== "plan")])
            assert.notInclude(text, trace, path)
        }
      })
    )

    it.effect("none of these requests has written anything", () =>
      Effect.gen(function* () {
        const { compare } = yield* Neighbours
        const contents = yield* compare
        // An export is recorded in the audit log of the project that asks.
        const withoutAudit = ({ audit_log: _, ...tables }: TableContents) => tables
        const [before, after] = [withoutAudit(contents.before), withoutAudit(contents.after)]
        for (const table of ["projects", "contacts", "segments", "events", "templates", "domains", "emails"])
          assert.isNotEmpty(before[table])
        assert.deepStrictEqual(after, before)
      })
    )

    it.effect("the owner still finds everything", () =>
      Effect.gen(function* () {
        const { again, ids, owner } = yield* Neighbours
        const { url } = yield* again
        for (const operation of byDeletion) {
          const { status, text } = yield* call({ url, ...owner }, operation, ids)
          // The step sends no mail, step and campaign have no experiment, and the answer to the owner says so.
          if (/^workflows\.step(?:Links|Stats)$/.test(operation.id)) assert.include(text, "STEP_NOT_FOUND")
          else if (/^(?:workflows|campaigns)\.\w*experiment$/i.test(operation.id))
            assert.include(text, `"resource":"experiment"`)
          // The contact is found; the one to merge does not exist.
          else if (operation.id === "contacts.merge") assert.notInclude(text, ids["/contacts"] ?? "")
          // A contact without an open opt-in has none to cancel.
          else if (operation.id === "optIns.cancel") assert.include(text, `"resource":"opt_in"`)
          else assert.notStrictEqual(status, 404, `${operation.id}: ${text}`)
        }
      })
    )
  })
})
