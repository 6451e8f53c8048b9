import { createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { SuppressionCause } from "@posthorn/contract/audience/suppressions/Suppression"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Posthorn from "../../Posthorn.ts"
import { Secrets } from "../../platform/Secrets.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ServiceStatus from "../../service/ServiceStatus.ts"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { boxUnder, host, project, seed, settings } from "../../testing/Services.ts"
import { outcome, send, wireOver } from "../../testing/TestClient.ts"
import * as ErasureKeys from "./ErasureKeys.ts"
import * as SuppressedAddress from "./SuppressedAddress.ts"
import * as SuppressionStore from "./SuppressionStore.ts"
import { Suppressions } from "./Suppressions.ts"

const mail = (n: number) => EmailId.make(`019a0000-0000-7000-8000-0000000000${String(n).padStart(2, "0")}`)

const over = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Layer.effectDiscard(seed).pipe(
    Layer.provideMerge(Layer.mergeAll(Posthorn.layer, ServiceStatus.layer)),
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

const add = (email: string, reason: SuppressionCause, n = 1) =>
  Suppressions.use((suppressions) =>
    Effect.flatMap(DateTime.now, (now) => suppressions.add(project, email, reason, mail(n), now))
  )

const one = (email: string) => send("GET", `/suppressions/${encodeURIComponent(email)}`)

for (const [name, database] of databases()) {
  layer(wireOver(over(database)), { timeout: "60 seconds" })(`Suppressions on ${name}`, (it) => {
    it.effect("an address is added once, in canonical form, and removed", () =>
      Effect.gen(function* () {
        const first = yield* send("POST", "/suppressions", { email: " Gone@Example.COM ", note: "asked by phone" })
        assert.deepStrictEqual(
          [first.status, first.body.email, first.body.reason, first.body.note, first.body.emailId],
          [201, "gone@example.com", "MANUAL", "asked by phone", null]
        )
        const again = yield* send("POST", "/suppressions", { email: "gone@example.com", note: "other" })
        assert.deepStrictEqual([again.status, again.body], [200, first.body])
        assert.deepStrictEqual((yield* one("GONE@example.com")).body, first.body)
        assert.strictEqual((yield* send("DELETE", "/suppressions/gone%40example.com")).status, 204)
        assert.strictEqual(yield* outcome("DELETE", "/suppressions/gone@example.com"), "404 RESOURCE_NOT_FOUND")
        const { status, body } = yield* one("gone@example.com")
        assert.deepStrictEqual([status, body.error.details], [404, { resource: "suppression", id: "gone@example.com" }])
      })
    )

    it.effect("many addresses are added in one call, each once, and their contacts stay subscribed", () =>
      Effect.gen(function* () {
        const contact = yield* send("POST", "/contacts", { email: "m1@example.com" })
        yield* send("POST", "/suppressions", { email: "m2@example.com" })
        const emails = ["m1@example.com", "m2@example.com", "M1@example.com", "m3@example.com"]
        const { status, body } = yield* send("POST", "/suppressions", { emails })
        assert.deepStrictEqual([status, body], [201, { added: 2, existing: 1 }])
        assert.isTrue((yield* send("GET", `/contacts/${contact.body.id}`)).body.subscribed)
        const thousand = Array.from({ length: 1000 }, (_, n) => `t${n}@example.com`)
        assert.deepStrictEqual((yield* send("POST", "/suppressions", { emails: thousand })).body, {
          added: 1000,
          existing: 0
        })
      })
    )

    it.effect("an invalid address or value is refused with its field", () =>
      Effect.gen(function* () {
        const faults = Effect.fnUntraced(function* (given: object) {
          const { status, body } = yield* send("POST", "/suppressions", given)
          return [
            status,
            ...(body.error?.errors ?? []).map((_: { field: string; code: string }) => `${_.field} ${_.code}`)
          ]
        })
        assert.deepStrictEqual(yield* faults({}), [422, "email required"])
        assert.deepStrictEqual(yield* faults({ email: "a@example.com", emails: ["b@example.com"] }), [
          422,
          "email custom"
        ])
        assert.deepStrictEqual(yield* faults({ emails: [] }), [422, "emails too_small"])
        assert.deepStrictEqual(yield* faults({ emails: ["a@example.com", "b"] }), [422, "emails.1 invalid_string"])
        const tooMany = Array.from({ length: 1001 }, (_, n) => `x${n}@example.com`)
        assert.deepStrictEqual(yield* faults({ emails: tooMany }), [422, "emails too_big"])
        assert.deepStrictEqual(yield* faults({ email: "a@example.com", note: "x".repeat(501) }), [422, "note too_big"])
        assert.strictEqual(yield* outcome("GET", "/suppressions/nobody"), "422 VALIDATION_ERROR")
        assert.strictEqual(yield* outcome("DELETE", "/suppressions/a%20b@example.com"), "422 VALIDATION_ERROR")
        assert.strictEqual(yield* outcome("GET", "/suppressions?reason=BOUNCE"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/suppressions?startDate=soon"), "400 BAD_REQUEST")
        assert.strictEqual((yield* one("a@example.com")).status, 404)
      })
    )

    it.effect(
      "a complaint replaces another reason; nothing replaces a complaint; a manual addition replaces nothing",
      () =>
        Effect.gen(function* () {
          const reason = Effect.fnUntraced(function* (email: string) {
            const { body } = yield* one(email)
            return [body.reason, body.emailId]
          })
          yield* add("r@example.com", "HARD_BOUNCE", 1)
          yield* add("r@example.com", "HARD_BOUNCE", 2)
          assert.deepStrictEqual(yield* reason("r@example.com"), ["HARD_BOUNCE", mail(1)])
          yield* add("r@example.com", "COMPLAINT", 3)
          yield* add("r@example.com", "HARD_BOUNCE", 4)
          yield* add("r@example.com", "COMPLAINT", 5)
          yield* send("POST", "/suppressions", { email: "r@example.com" })
          assert.deepStrictEqual(yield* reason("r@example.com"), ["COMPLAINT", mail(3)])
        })
    )

    it.effect("the list is newest first, in pages, and can be filtered by reason, text and date", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2030, 2, 1, 10))
        for (const n of [1, 2, 3]) {
          yield* add(`page_${n}@list.example`, "HARD_BOUNCE")
          yield* TestClock.adjust("1 minute")
        }
        yield* add("page%4@list.example", "COMPLAINT")
        const emails = (query: string) =>
          Effect.map(send("GET", `/suppressions?${query}`), ({ body }) =>
            body.data.map((_: { email: string }) => _.email)
          )
        const first = yield* send("GET", "/suppressions?search=LIST.example&limit=3")
        assert.deepStrictEqual([first.body.total, first.body.hasMore, first.body.data.length], [4, true, 3])
        assert.deepStrictEqual(yield* emails(`search=LIST.example&limit=3&cursor=${first.body.cursor}`), [
          "page_1@list.example"
        ])
        assert.strictEqual(yield* outcome("GET", `/suppressions?cursor=${first.body.cursor}`), "400 INVALID_CURSOR")
        assert.deepStrictEqual(yield* emails("search=page%25"), ["page%4@list.example"])
        assert.deepStrictEqual(yield* emails("reason=COMPLAINT&startDate=2030-03-01"), ["page%4@list.example"])
        assert.deepStrictEqual(yield* emails("startDate=2030-03-01T10:01:00Z&endDate=2030-03-01T10:02:00Z"), [
          "page_2@list.example"
        ])
      })
    )

    it.effect("exports the list as CSV or NDJSON, newest first, each address once, without erased ones", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2031, 2, 1, 10))
        const note = "=1+1, asked\nby phone"
        const { body: first } = yield* send("POST", "/suppressions", { email: "e1@export.example", note })
        yield* TestClock.adjust("1 minute")
        yield* add("e2@export.example", "COMPLAINT", 7)
        const { body: second } = yield* one("e2@export.example")
        yield* add("e3@export.example", "COMPLAINT")
        yield* Suppressions.use(({ erase }) => erase(project, "e3@export.example"))
        const file = (query: string) =>
          send(
            "GET",
            `/suppressions/export?${query || "format=csv"}${query.includes("startDate") ? "" : "&startDate=2031-03-01"}`
          )
        const csv = yield* file("")
        assert.strictEqual(csv.status, 200)
        assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(csv.headers.get("content-disposition"), 'attachment; filename="suppressions.csv"')
        assert.strictEqual(csv.headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(csv.body.split("\r\n"), [
          "id,email,reason,emailId,note,createdAt",
          `${second.id},e2@export.example,COMPLAINT,${mail(7)},,2031-03-01T10:01:00.000Z`,
          `${first.id},e1@export.example,MANUAL,,"'${note}",2031-03-01T10:00:00.000Z`,
          ""
        ])
        const ndjson = yield* file("format=ndjson")
        assert.strictEqual(ndjson.headers.get("content-type"), "application/x-ndjson")
        assert.strictEqual(ndjson.headers.get("content-disposition"), 'attachment; filename="suppressions.ndjson"')
        const rows = (text: string) =>
          text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        assert.deepStrictEqual(rows(ndjson.body), [second, first])
        assert.deepStrictEqual(rows((yield* file("format=ndjson&reason=MANUAL&search=EXPORT.ex")).body), [first])
        assert.strictEqual((yield* file("search=sha256")).body, "id,email,reason,emailId,note,createdAt\r\n")
        assert.strictEqual(yield* outcome("GET", "/suppressions/export?format=xlsx"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/suppressions/export?endDate=soon"), "400 BAD_REQUEST")

        // More than two pages, many of them of the same time.
        yield* SqlClient.SqlClient.use(
          (sql) => sql`
            insert into suppressions (project_id, id, email, reason, created_at)
            select ${project}::uuid, gen_random_uuid(), 'm' || n || '@export.example', 'MANUAL',
                   timestamptz '2031-03-02' + (n % 3) * interval '1 second'
            from generate_series(1, 2500) as n`
        )
        const found = rows((yield* file("format=ndjson&startDate=2031-03-02")).body)
        assert.strictEqual(new Set(found.map(({ email }) => email)).size, 2_500)
        assert.lengthOf(found, 2_500)
      })
    )

    it.effect("a MEMBER may not export; an ADMIN and a key with the scope may, the own list only", () =>
      Effect.gen(function* () {
        const path = "/suppressions/export?format=ndjson"
        const keyWith = (scope: string) =>
          Effect.map(send("POST", "/api-keys", { name: scope, scopes: [scope] }), ({ body }) => ({
            authorization: `Bearer ${body.key}`
          }))
        yield* add("held@export.example", "MANUAL")
        const allowed = yield* send("GET", path, undefined, yield* keyWith("suppressions:read"))
        assert.include(allowed.body, "held@export.example")
        assert.strictEqual(yield* outcome("GET", path, undefined, yield* keyWith("contacts:read")), "403 FORBIDDEN")
        const owner = yield* person("owner")
        const admin = yield* person("admin")
        const member = yield* person("member")
        const stranger = yield* person("stranger")
        const { id } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, admin, "ADMIN")
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const asked = (cookie: string) => browse(cookie, "GET", path, undefined, { "x-project-id": id })
        for (const { cookie } of [owner, admin]) {
          const { status, body } = yield* asked(cookie)
          assert.deepStrictEqual([status, body], [200, undefined])
        }
        const refused = yield* asked(member.cookie)
        assert.deepStrictEqual([refused.status, refused.body.error.details], [403, { reason: "role" }])
        assert.strictEqual((yield* asked(stranger.cookie)).body.error.code, "PROJECT_ACCESS_DENIED")
      })
    )

    it.effect("each project has its own list", () =>
      Effect.gen(function* () {
        const stranger = ProjectId.make("019b0000-0000-7000-8000-000000000000")
        const suppressions = yield* Suppressions
        yield* suppressions.add(stranger, "s@example.com", "MANUAL", null, yield* DateTime.now)
        assert.strictEqual((yield* one("s@example.com")).status, 404)
        assert.strictEqual((yield* send("DELETE", "/suppressions/s@example.com")).status, 404)
        assert.strictEqual((yield* suppressions.get(stranger, "s@example.com")).reason, "MANUAL")
      })
    )

    it.effect("an erased address is kept as a keyed hash, which is still found and still stops mail", () =>
      Effect.gen(function* () {
        const suppressions = yield* Suppressions
        yield* add("erased@example.com", "COMPLAINT")
        yield* suppressions.erase(project, "erased@example.com")
        const [row] = yield* SqlClient.SqlClient.use(
          (sql) => sql`select string_agg(suppressions::text, ' ') as all from suppressions where email like 'sha256:%'`
        )
        assert.match(String(row?.["all"]), /sha256:[0-9a-f]{64}/)
        assert.notInclude(String(row?.["all"]), "erased")
        const found = yield* one("Erased@example.com")
        assert.deepStrictEqual([found.status, found.body.email, found.body.reason], [200, null, "COMPLAINT"])
        const again = yield* send("POST", "/suppressions", { email: "erased@example.com" })
        assert.deepStrictEqual([again.status, again.body.id], [200, found.body.id])
        const both = { emails: ["erased@example.com"] }
        assert.deepStrictEqual((yield* send("POST", "/suppressions", both)).body, { added: 0, existing: 1 })
        const listed = yield* send("GET", "/suppressions?reason=COMPLAINT&limit=100")
        assert.deepInclude(listed.body.data, found.body)
        const searched = yield* send("GET", "/suppressions?search=sha256")
        assert.strictEqual(searched.body.total, 0)

        yield* send("POST", "/domains", { domain: "shop.test" })
        const sent = yield* send("POST", "/v1/send", {
          to: "erased@example.com",
          from: "shop@shop.test",
          subject: "Hello",
          body: "<p>Hello</p>"
        })
        const { body } = yield* send("GET", `/emails/${sent.body.data.emails[0].email}`)
        assert.deepStrictEqual([body.status, body.suppressionReason], ["SUPPRESSED", "COMPLAINT"])
        assert.strictEqual((yield* send("DELETE", "/suppressions/erased@example.com")).status, 204)
        assert.strictEqual((yield* one("erased@example.com")).status, 404)
      })
    )

    it.effect("the hash is the HMAC-SHA-256 of project and address, for a secret of any length", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const length of [32, 55, 56, 57, 100]) {
          const secret = "s".repeat(length)
          const [row] = yield* Effect.provide(
            SuppressedAddress.SuppressedAddress.use(
              ({ hash }) => sql`select ${hash(sql`'p'`, sql`'a@b.test'`)} as hash`
            ),
            SuppressedAddress.layer.pipe(Layer.provide(boxUnder(secret)), Layer.fresh)
          )
          const expected = createHmac("sha256", `erasure:${secret}`).update("p:a@b.test").digest("hex")
          assert.strictEqual(row?.["hash"], `sha256:${expected}`)
        }
      })
    )

    it.effect("finds addresses that complained among many, erased or not", () =>
      Effect.gen(function* () {
        const { complained, erase } = yield* Suppressions
        yield* add("c1@example.com", "COMPLAINT")
        yield* add("c2@example.com", "COMPLAINT")
        yield* add("c3@example.com", "HARD_BOUNCE")
        yield* erase(project, "c2@example.com")
        const found = yield* complained(project, [
          "c1@example.com",
          "c2@example.com",
          "c3@example.com",
          "c4@example.com"
        ])
        assert.deepStrictEqual([...found].sort(), ["c1@example.com", "c2@example.com"])
      })
    )

    it.effect(
      "a hash from any earlier secret is found, also after that secret is removed and only its key is stored",
      () =>
        Effect.gen(function* () {
          yield* add("old@example.com", "HARD_BOUNCE")
          yield* Suppressions.use(({ erase }) => erase(project, "old@example.com"))
          const found = (current: string, ...previous: ReadonlyArray<string>) =>
            Effect.flatMap(SuppressionStore.make, (store) => store.find(project, "old@example.com")).pipe(
              Effect.provide(SuppressedAddress.layer.pipe(Layer.provide(boxUnder(current, ...previous)), Layer.fresh)),
              Effect.map(Option.isSome)
            )
          const former = Redacted.value((yield* Secrets).current)
          const [second, third] = ["2".repeat(32), "3".repeat(32)]
          assert.isTrue(yield* found(second, former))
          assert.isTrue(yield* found(third, second, former))
          assert.isFalse(yield* found(third, second))
          const keep = Effect.flatMap(ErasureKeys.make, ({ keep }) => keep).pipe(
            Effect.provide(Layer.fresh(boxUnder(second, former)))
          )
          assert.deepStrictEqual([yield* keep, yield* keep], [1, 0])
          assert.isTrue(yield* found(second))
          assert.isTrue(yield* found(third, second))
          assert.isFalse(yield* found(third))
          yield* SqlClient.SqlClient.use((sql) => sql`delete from erasure_keys`)
        })
    )

    it.effect(
      "the fifth mail in seven days that bounces from a full mailbox suppresses the address; a repeated report does not count",
      () =>
        Effect.gen(function* () {
          const { softBounce } = yield* Suppressions
          const email = "full@example.com"
          const bounce = (n: number) => Effect.flatMap(DateTime.now, (at) => softBounce(project, email, mail(n), at))
          for (const n of [11, 11, 11, 11, 11, 12, 13, 14]) yield* bounce(n)
          assert.strictEqual((yield* one(email)).status, 404)
          yield* TestClock.adjust("7 days")
          yield* bounce(15)
          assert.strictEqual((yield* one(email)).status, 404)
          for (const n of [16, 17, 18]) yield* bounce(n)
          assert.strictEqual((yield* one(email)).status, 404)
          yield* bounce(19)
          assert.deepInclude((yield* one(email)).body, { reason: "HARD_BOUNCE", emailId: mail(19) })
        })
    )
  })
}
