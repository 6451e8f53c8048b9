/** Faulty bodies of journeys, campaigns and sending: each is refused at the place of its fault, and nothing is stored. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { workflowProject } from "./workflows/WorkflowsFixture.ts"

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }
type Path = ReadonlyArray<string>

/** What no field takes, or only some do. */
const wrong: ReadonlyArray<Json> = [{ x: 1 }, "", "x".repeat(3_000), "\u0000", -1, 1e12, true]

/** The paths of all values in a body, the body itself excluded. */
const pathsIn = (value: Json, path: Path = []): ReadonlyArray<Path> => {
  const below =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, each]) => pathsIn(each as Json, [...path, key]))
      : []
  return path.length === 0 ? below : [path, ...below]
}

const replaced = (value: Json, [key, ...rest]: Path, by: Json): Json => {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((each, n) => (String(n) === key ? replaced(each as Json, rest, by) : each))
  const record = value as { readonly [key: string]: Json }
  return { ...record, [key]: replaced(record[key] ?? null, rest, by) }
}

const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}.`)

/** Fields that a fault elsewhere in the body is about. */
const elsewhere: { readonly [field: string]: RegExp } = {
  allowReentry: /^reentryAfterHours$/,
  startDate: /^endDate$/
}

const goal = {
  eventName: "order.paid",
  where: [{ path: "total", operator: "greaterThan", value: 5 }],
  windowHours: 48,
  revenue: { path: "total", currency: "EUR" }
}

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Faulty bodies on ${name}`, (it) => {
    /** Valid bodies by request. The ids are those of things that exist. */
    const world = Effect.gen(function* () {
      const fresh = yield* workflowProject
      const { ask, domain, project, step, workflow } = fresh
      const from = `news@${domain}`
      const flow = yield* workflow()
      const delay = yield* step(flow.id, "DELAY")
      const branches = [
        { id: "a", name: "One", share: 50.5 },
        { id: "b", share: 49.5 }
      ]
      const campaign = { name: "Launch", subject: "News", body: "<p>Hi</p>", from, audienceType: "ALL" }
      const draft = yield* ask("POST", "/campaigns", campaign)
      const { body: domains } = yield* ask("GET", `/domains/project/${project}`)
      const inStep = (type: string, config: Json) => ["POST", `/workflows/${flow.id}/steps`, { type, config }] as const
      const day = { days: ["MON", "SUN"], from: "21:00", to: "08:00", timezone: "Europe/Berlin" }
      const requests: ReadonlyArray<readonly [method: string, path: string, body: Json]> = [
        [
          "PATCH",
          `/workflows/${flow.id}`,
          {
            triggerConfig: { eventName: "email.click", where: goal.where, verdict: "any", entryKey: "order.id" },
            allowReentry: true,
            reentryAfterHours: 5,
            goal: { ...goal, exit: false },
            exitRules: [
              { id: "left", type: "EVENT", eventName: "left", where: goal.where },
              { id: "off", type: "TOPIC_OFF", topicId: "news" }
            ]
          }
        ],
        inStep("SPLIT", { branches, salt: "s", experiment: { metric: "HUMAN_OPEN", windowHours: 5, confidence: 0.9 } }),
        inStep("TIME_WINDOW", day),
        inStep("RATE_LIMIT", { limit: 5, per: "hour", onExceeded: "BRANCH", maxWaitHours: 3 }),
        inStep("DELAY", { until: { field: "data.ends", offset: { amount: -3, unit: "days" }, time: "09:00" } }),
        inStep("DELAY", { until: { weekdays: ["MON"], time: "09:00", timezone: "PROJECT" } }),
        inStep("WAIT_FOR_EVENT", { eventName: "paid", where: goal.where, timeout: 60 }),
        ["POST", `/workflows/${flow.id}/publish`, { note: "New", expectedVersion: 3 }],
        [
          "POST",
          `/workflows/${flow.id}/migrations`,
          { toVersion: 1, fromVersions: [2], mapping: { [delay.id]: delay.id }, unmapped: "EXIT", dryRun: false }
        ],
        [
          "POST",
          `/workflows/${flow.id}/test-runs`,
          {
            contact: { email: "a@example.com", data: { plan: "pro" }, subscribed: true, timezone: "UTC" },
            event: { name: "signed_up", data: {} },
            start: "1970-01-02T00:00:00Z",
            script: [{ after: { amount: 1, unit: "hours" }, event: { name: "paid", data: {} } }],
            includeHtml: true
          }
        ],
        ["POST", `/workflows/${flow.id}/executions`, { contactId: delay.id, entryKey: "k" }],
        [
          "PATCH",
          "/settings/sending",
          {
            quietHours: { ...day, action: "SKIP" },
            frequencyCaps: [{ id: "week", limit: 3, amount: 7, unit: "days" }],
            onCap: { campaigns: "WAIT", workflows: "SKIP" },
            maxWaitHours: 5,
            campaignApproval: "OFF"
          }
        ],
        [
          "POST",
          "/campaigns",
          {
            ...campaign,
            preheader: "Before",
            priority: 2,
            policy: { quietHours: "BYPASS", frequencyCaps: "APPLY" },
            delivery: { spreadHours: 4, ratePerMinute: 60, expiresAt: "2090-01-01T00:00:00Z" },
            recipientsOf: { campaignId: draft.body.data.id, who: "NOT_OPENED" },
            experiment: {
              variants: [{ key: "A" }, { key: "B", subject: "Other", preheader: "P", from, fromName: "N" }],
              ...{ testShare: 0.5, metric: "GOAL", waitHours: 3, winner: "MANUAL", confidence: 0.99, fallback: "NONE" }
            },
            holdout: { share: 0.1 },
            goal: { ...goal, attribution: "OPENED" },
            archive: true
          }
        ],
        [
          "PUT",
          `/campaigns/${draft.body.data.id}/recurrence`,
          {
            schedule: "0 9 * * MON",
            timezone: "Europe/Berlin",
            endsAt: "2090-01-01T00:00:00Z",
            maxRuns: 5,
            enabled: true
          }
        ],
        ["POST", `/campaigns/${draft.body.data.id}/follow-up`, { who: "ALL", subject: "Again", name: "N" }],
        ["POST", `/campaigns/${draft.body.data.id}/experiment/winner`, { variant: "A" }],
        ["POST", `/campaigns/${draft.body.data.id}/request-approval`, { note: "Please" }],
        [
          "PUT",
          `/domains/${domains[0].id}/warmup`,
          {
            ...{ preset: "CUSTOM", caps: [50, 100], startsOn: "1970-02-01", timezone: "UTC", transactional: "COUNT" },
            hours: { from: "09:00", to: "17:00" },
            holdAt: { bounceRate: 1, complaintRate: 0.1, deferralRate: 5 },
            pauseAt: { bounceRate: 2 }
          }
        ]
      ]
      return { ...fresh, requests }
    })

    /** All rows that the bodies could change, as one text. */
    const stored = Effect.fnUntraced(function* (project: string) {
      const sql = yield* SqlClient.SqlClient
      const tables = [
        ...["workflows", "workflow_steps", "workflow_versions", "workflow_executions", "jobs", "campaigns", "mailings"],
        ...["sending_settings", "warmups", "goals", "workflow_listeners", "audit_log"]
      ]
      const parts = tables.map(
        (table) => sql`
        select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as sum
        from ${sql(table)} as row where project_id = ${project}`
      )
      const rows = yield* sql`${parts.reduce((all, part) => sql`${all} union all ${part}`)}`
      return rows.map((row) => String(row["sum"])).join()
    })

    it.effect("are refused with the path of the fault, and no row is stored", () =>
      Effect.gen(function* () {
        const { ask, project, requests } = yield* world
        for (const [method, path, body] of requests) {
          let refused = 0
          let before = yield* stored(project)
          for (const place of pathsIn(body)) {
            for (const value of wrong) {
              const given = replaced(body, place, value)
              const answer = yield* ask(method, path, given as object)
              const what = `${method} ${path} ${place.join(".")} ${JSON.stringify(value).slice(0, 40)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 600)}`
              assert.isBelow(answer.status, 500, what)
              const after = yield* stored(project)
              if (answer.status < 400) {
                before = after
                continue
              }
              refused++
              assert.strictEqual(after, before, what)
              if (answer.status !== 422) continue
              const fields: ReadonlyArray<string> = answer.body.error.errors.map(
                ({ field }: { field: string }) => field
              )
              const own = place.join(".")
              assert.isTrue(
                fields.some(
                  (field) => isWithin(field, own) || isWithin(own, field) || elsewhere[own]?.test(field) === true
                ),
                what
              )
            }
          }
          assert.isAbove(refused, pathsIn(body).length, `${method} ${path}`)
          const valid = yield* ask(method, path, body as object)
          assert.notStrictEqual(valid.status, 422, JSON.stringify(valid.body))
        }
      })
    )
  })
}
