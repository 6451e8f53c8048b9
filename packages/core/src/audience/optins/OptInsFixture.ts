/** For tests: projects whose contacts must confirm, the mails that ask them, and the pages behind the links. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import type { RunnableJob } from "../../platform/jobs/Job.ts"
import * as JobRunner from "../../platform/jobs/JobRunner.ts"
import { eventually } from "../../testing/Eventually.ts"
import type { TestServices } from "../../testing/Services.ts"
import { Wire } from "../../testing/TestClient.ts"
import { jobs as bulkJobs } from "../contacts/ContactBulk.ts"
import { checkJob, importJob } from "../contacts/files/ContactImportJob.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"

/** A page as a browser gets it. */
export const visit = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const handler = yield* Wire
  const response = yield* Effect.promise(() => handler(new Request(`http://posthorn${path}`, init)))
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, text }
})

/** A submitted form. */
export const submit = (path: string, fields: Record<string, string>) =>
  visit(path, { method: "POST", body: new URLSearchParams(fields) })

/** A project with a sender for confirmation mail. */
export const askingProject = Effect.fnUntraced(function* (doubleOptIn: object = {}) {
  const fresh = yield* freshProject
  // A domain is verified in one project only.
  const domain = `${fresh.project.slice(-12)}.test`
  yield* Effect.orDie(Domains.use((domains) => domains.add(fresh.project, { domain })))
  const { status, body } = yield* fresh.ask("PATCH", "/settings/audience", {
    doubleOptIn: { mode: "all", from: `hi@${domain}`, ...doubleOptIn }
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { ...fresh, domain }
})

const mailRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      to: Schema.String,
      status: Schema.String,
      subject: Schema.String,
      text: Schema.String,
      html: Schema.NullOr(Schema.String),
      lane: Schema.Int,
      due: Schema.Date
    })
  )
)

/** All mail of the project, oldest first. */
export const mailsOf = ({ project }: Pick<TestProject, "project">) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select emails.id, to_email as "to", status, subject, text, html, lane, due_at as due
        from emails left join email_contents as content
          on content.project_id = emails.project_id and content.id = emails.content_id
        where emails.project_id = ${project} order by emails.created_at, emails.id`,
      mailRows
    )
  ).pipe(Effect.orDie)

/** The path of the link in the newest mail of the project. */
export const linkOf = (project: Pick<TestProject, "project">, kind = "confirm") =>
  Effect.map(mailsOf(project), (mails) => {
    const found = new RegExp(`https://posthorn\\.example(/${kind}/[\\w-]+)`).exec(mails.at(-1)?.text ?? "")
    assert.isNotNull(found, `a link in ${mails.at(-1)?.text}`)
    return found?.[1] ?? ""
  })

const eventRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ name: Schema.String, data: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)) })
  )
)

/** The events of the project in order, without those that callers track. */
export const eventsOf = ({ project }: Pick<TestProject, "project">) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`select name, data from events where project_id = ${project} and source = 'system' order by created_at, id`,
      eventRows
    )
  ).pipe(Effect.orDie)

export const eventNames = (project: Pick<TestProject, "project">) =>
  Effect.map(eventsOf(project), (events) => events.map(({ name }) => name))

const jobs: ReadonlyArray<RunnableJob<TestServices | SqlClient.SqlClient>> = [...bulkJobs, importJob, checkJob]

/** Runs jobs until the one with this record has ended. */
export const ended = (acme: TestProject, path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Layer.build(JobRunner.layer(jobs))
      const read = Effect.andThen(TestClock.adjust("1 second"), acme.ask("GET", path))
      const { body } = yield* eventually(read, ({ body }) => body.finishedAt !== null)
      return body
    })
  )

/** Imports a file, and answers the status, and the fault or the result of its job. */
export const imported = Effect.fnUntraced(function* (
  acme: TestProject,
  csv: string,
  fields: Record<string, string> = {}
) {
  const form = new FormData()
  form.append("file", new File([csv], "contacts.csv", { type: "text/csv" }))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const handler = yield* Wire
  const response = yield* Effect.promise(() =>
    handler(new Request("http://posthorn/contacts/import", { method: "POST", headers: acme.credential, body: form }))
  )
  const body = JSON.parse(yield* Effect.promise(() => response.text()))
  if (response.status !== 202) return { status: response.status, field: body.error.errors?.[0]?.field }
  return { status: 202, ...(yield* ended(acme, `/contacts/import/${body.jobId}`)).result }
})
