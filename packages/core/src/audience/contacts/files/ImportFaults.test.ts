/** The faulty rows of an import, as a file. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { JobId, type RunnableJob } from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { key, project, servicesOn, type TestServices } from "../../../testing/Services.ts"
import { send, Wire, wireOver } from "../../../testing/TestClient.ts"
import { freshProject } from "../../segments/SegmentsFixture.ts"
import { checkJob, importJob } from "./ContactImportJob.ts"
import * as ImportFaults from "./ImportFaults.ts"

const call = Effect.fnUntraced(function* (path: string, init: RequestInit = {}, secret = key) {
  const handler = yield* Wire
  const request = new Request(`http://posthorn${path}`, { ...init, headers: { authorization: `Bearer ${secret}` } })
  const response = yield* Effect.promise(() => handler(request))
  return { status: response.status, headers: response.headers, text: yield* Effect.promise(() => response.text()) }
})

const jobs: ReadonlyArray<RunnableJob<TestServices | SqlClient.SqlClient>> = [checkJob, importJob]

const imported = Effect.fnUntraced(function* (content: string, fields: { readonly [name: string]: string } = {}) {
  const form = new FormData()
  form.append("file", new File([content], "people.csv", { type: "text/csv" }))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const { status, text } = yield* call("/contacts/import", { method: "POST", body: form })
  assert.strictEqual(status, 202, text)
  const { jobId } = JSON.parse(text)
  yield* Layer.build(JobRunner.layer(jobs))
  yield* eventually(
    Effect.andThen(TestClock.adjust("1 second"), send("GET", `/contacts/import/${jobId}`)),
    ({ body }) => body.finishedAt !== null
  )
  return String(jobId)
})

const errorsOf = (id: string) => Effect.map(call(`/contacts/import/${id}/errors`), ({ text }) => text)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`The faulty rows of an import on ${name}`, (it) => {
    const file = [
      "email; Plan ;subscribed;note",
      "good@x.co;pro;yes;",
      'bad;"a ""quoted"" one";yes;=1+1',
      ";free;;x",
      `big@x.co;free;;${"x".repeat(70_000)}`,
      "other@x.co;free;perhaps;last",
      `full@x.co;free;;${"y".repeat(40_000)}`
    ].join("\n")

    for (const dryRun of ["false", "true"]) {
      it.effect(`are a file with their cells as given (dry run: ${dryRun})`, () =>
        Effect.gen(function* () {
          yield* send("POST", "/contacts", { email: "full@x.co", data: { a: "x".repeat(40_000) } })
          const id = yield* imported(file, { dryRun })
          const { headers, text } = yield* call(`/contacts/import/${id}/errors`)
          assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
          assert.match(headers.get("content-disposition") ?? "", /faulty-rows\.csv/)
          const lines = text.split("\r\n")
          assert.deepStrictEqual(lines.slice(0, 3), [
            "row,error,email, Plan ,subscribed,note",
            `3,Not a valid email address.,bad,"a ""quoted"" one",yes,'=1+1`,
            "4,An address is required.,,free,,x"
          ])
          // A row that cannot be read has no cells.
          assert.strictEqual(lines[3], "5,The row is longer than 65536 bytes.")
          assert.match(lines[4] ?? "", /^6,.*,other@x\.co,free,perhaps,last$/)
          // A row that cannot be stored has them.
          assert.match(lines[5] ?? "", /^7,.+,full@x\.co,free,,y{40000}$/)
          assert.deepStrictEqual(lines.slice(6), [""])
          assert.strictEqual(JSON.parse((yield* call(`/contacts/import/${id}`)).text).result.failureCount, 5)
        })
      )
    }

    it.effect("are none after an import without faults, and unknown for other projects and ids", () =>
      Effect.gen(function* () {
        const id = yield* imported("email\na@x.co\n")
        assert.strictEqual(yield* errorsOf(id), "row,error\r\n")
        const other = yield* freshProject
        assert.strictEqual(yield* other.outcome("GET", `/contacts/import/${id}/errors`), "404 RESOURCE_NOT_FOUND")
        for (const wrong of ["nonsense", "019a0000-0000-7000-8000-00000000dead"]) {
          assert.strictEqual((yield* call(`/contacts/import/${wrong}/errors`)).status, 404)
        }
      })
    )

    it.effect("are at most 10,000, read page by page", () =>
      Effect.gen(function* () {
        const id = yield* imported(["email", ...Array.from({ length: 10_250 }, (_, n) => `bad ${n}`)].join("\n"))
        const lines = (yield* errorsOf(id)).trimEnd().split("\r\n")
        assert.strictEqual(lines.length, 1 + ImportFaults.maxKeptFaults)
        assert.strictEqual(lines[1], "2,Not a valid email address.,bad 0")
        assert.strictEqual(lines.at(-1), "10001,Not a valid email address.,bad 9999")
        assert.strictEqual(new Set(lines).size, lines.length)
      })
    )

    it.effect("with the address of an erased person are gone, and all of them go with their job", () =>
      Effect.gen(function* () {
        const { body: contact } = yield* send("POST", "/contacts", { email: "erased@x.co" })
        const id = yield* imported(
          "email,subscribed,note\nErased@x.co,perhaps,a\nbad,,write to ERASED@x.co\nbad,,b\nkept@x.co,perhaps,c\n"
        )
        assert.lengthOf((yield* errorsOf(id)).trimEnd().split("\r\n"), 5)
        yield* send("POST", `/contacts/${contact.id}/erase`)
        const left = (yield* errorsOf(id)).trimEnd().split("\r\n")
        assert.strictEqual(left[0], "row,error,email,subscribed,note")
        assert.deepStrictEqual(
          left.slice(1).map((line) => line.split(",")[0]),
          ["4", "5"]
        )
        const sql = yield* SqlClient.SqlClient
        const count = sql`select 1 from import_faults where project_id = ${project} and job_id = ${JobId.make(id)}`
        assert.lengthOf(yield* count, 3)
        const inAMonth = DateTime.add(yield* DateTime.now, { days: 31 })
        yield* JobQueue.use((queue) => queue.sweep(inAMonth))
        assert.lengthOf(yield* count, 0)
      })
    )
  })
}
