import { assert, layer } from "@effect/vitest"
import type { Warmup } from "@posthorn/contract/mail/domains/Warmup"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sendingProject } from "../../automation/campaigns/CampaignsFixture.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"

const nowhere = "019a0000-0000-7000-8000-00000000dead"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `The endpoints of warm-ups, on ${name}`,
    (it) => {
      const fresh = Effect.gen(function* () {
        const project = yield* sendingProject(0)
        const [domain] = yield* Effect.orDie(Domains.use((domains) => domains.list(project.project, project.project)))
        return { ...project, path: `/domains/${domain?.id}/warmup` }
      })

      const faults = (body: { readonly error: { readonly errors: ReadonlyArray<{ field: string; code: string }> } }) =>
        body.error.errors.map(({ code, field }) => `${field} ${code}`).sort()

      it.effect("a plan is set with its defaults, read, replaced, paused, resumed and removed", () =>
        Effect.gen(function* () {
          const { ask, outcome, path, project } = yield* fresh
          assert.strictEqual(yield* outcome("GET", path), "404 RESOURCE_NOT_FOUND")
          assert.deepStrictEqual((yield* ask("GET", `${path}s`)).body, [])
          const made = yield* ask("PUT", path, { preset: "STANDARD" })
          assert.deepStrictEqual(
            [made.status, made.body],
            [
              200,
              {
                transport: null,
                preset: "STANDARD",
                caps: null,
                startsOn: "1970-01-01",
                timezone: "UTC",
                hours: null,
                transactional: "EXEMPT",
                holdAt: { bounceRate: 3, complaintRate: 0.08, deferralRate: 10 },
                pauseAt: { bounceRate: 8, complaintRate: 0.2, deferralRate: 30 },
                status: "ACTIVE",
                step: 1,
                cap: 50,
                sentToday: 0,
                freeNow: 1,
                waiting: 0,
                today: { bounced: 0, complained: 0, deferred: 0 },
                days: [],
                completesOn: "1970-01-17"
              }
            ]
          )
          assert.deepStrictEqual((yield* ask("GET", path)).body, made.body)
          // The step stays while the caps do.
          const sql = yield* SqlClient.SqlClient
          yield* sql`update warmups set step = 5, taken = 7 where project_id = ${project}`
          const again = yield* ask("PUT", path, {
            preset: "STANDARD",
            timezone: "Europe/Berlin",
            hours: { from: "08:00", to: "18:00" },
            transactional: "COUNT",
            holdAt: { bounceRate: 1.5 },
            pauseAt: { complaintRate: 1, deferralRate: null }
          })
          assert.deepInclude(again.body, {
            ...{ step: 5, cap: 800, sentToday: 7, timezone: "Europe/Berlin", startsOn: "1970-01-01" },
            hours: { from: "08:00", to: "18:00" },
            transactional: "COUNT",
            holdAt: { bounceRate: 1.5, complaintRate: 0.08, deferralRate: 10 },
            pauseAt: { bounceRate: 8, complaintRate: 1, deferralRate: 30 }
          })
          assert.deepInclude((yield* ask("POST", `${path}/pause`)).body, { status: "PAUSED", freeNow: 0, step: 5 })
          assert.deepInclude((yield* ask("POST", `${path}/pause`)).body, { status: "PAUSED" })
          assert.deepInclude((yield* ask("POST", `${path}/resume`)).body, { status: "ACTIVE", freeNow: 0, step: 5 })
          // Other caps start from the first step, on the same day.
          const custom = { preset: "CUSTOM", caps: [10, 10, 20] }
          assert.deepInclude((yield* ask("PUT", path, custom)).body, {
            ...custom,
            ...{ status: "ACTIVE", step: 1, cap: 10, sentToday: 7, completesOn: "1970-01-03" }
          })
          const ahead = yield* ask("PUT", path, { ...custom, startsOn: "1970-02-01" })
          assert.deepInclude(ahead.body, { startsOn: "1970-02-01", freeNow: 0, completesOn: "1970-02-03" })
          assert.deepInclude((yield* ask("PUT", path, { ...custom, startsOn: "1969-01-01" })).body, {
            ...{ startsOn: "1969-01-01", freeNow: 1, completesOn: "1970-01-03" }
          })
          assert.strictEqual((yield* ask("DELETE", path)).status, 204)
          assert.strictEqual(yield* outcome("DELETE", path), "404 RESOURCE_NOT_FOUND")
          const actions = (yield* entriesOf(sql, project, 20)).map(({ action }) => action)
          assert.strictEqual(actions.filter((action) => action === "warmup.updated").length, 6)
          assert.strictEqual(actions.filter((action) => action === "warmup.paused").length, 1)
          assert.strictEqual(actions.filter((action) => action === "warmup.resumed").length, 1)
        })
      )

      it.effect("faults are named, and nothing is stored", () =>
        Effect.gen(function* () {
          const { ask, path } = yield* fresh
          for (const [body, ...fault] of [
            [{}, "preset required"],
            [{ preset: null }, "preset required"],
            [{ preset: "SLOW" }, "preset invalid_enum"],
            [{ preset: "CUSTOM" }, "caps required"],
            [{ preset: "CUSTOM", caps: null }, "caps required"],
            [{ preset: "CUSTOM", caps: [] }, "caps too_small"],
            [{ preset: "CUSTOM", caps: Array.from({ length: 91 }, () => 1) }, "caps too_big"],
            [{ preset: "CUSTOM", caps: [0] }, "caps.0 too_small"],
            [{ preset: "CUSTOM", caps: [10_000_001] }, "caps.0 too_big"],
            [{ preset: "CUSTOM", caps: [10, 9] }, "caps.1 custom"],
            [{ preset: "CUSTOM", caps: [1.5] }, "caps.0 invalid_string"],
            [{ preset: "FAST", caps: [1] }, "caps custom"],
            [{ preset: "FAST", startsOn: "tomorrow" }, "startsOn invalid_string"],
            [{ preset: "FAST", startsOn: "2026-02-30" }, "startsOn invalid_string"],
            [{ preset: "FAST", startsOn: "1980-01-01" }, "startsOn custom"],
            [{ preset: "FAST", timezone: "Mars/Olympus" }, "timezone invalid_string"],
            [{ preset: "FAST", hours: { from: "8", to: "18:00" } }, "hours.from invalid_string"],
            [{ preset: "FAST", hours: { from: "18:00", to: "08:00" } }, "hours.to custom"],
            [{ preset: "FAST", hours: { from: "08:00", to: "08:00" } }, "hours.to custom"],
            [{ preset: "FAST", hours: { from: "08:00" } }, "hours.to required"],
            [{ preset: "FAST", transactional: "HOLD" }, "transactional invalid_enum"],
            [{ preset: "FAST", holdAt: { bounceRate: 101 } }, "holdAt.bounceRate too_big"],
            [{ preset: "FAST", pauseAt: { complaintRate: -1 } }, "pauseAt.complaintRate too_small"],
            [
              { preset: "SLOW", timezone: "x", holdAt: { deferralRate: "a" } },
              ...["holdAt.deferralRate invalid_type", "preset invalid_enum", "timezone invalid_string"]
            ]
          ] as ReadonlyArray<readonly [object, ...ReadonlyArray<string>]>) {
            const answer = yield* ask("PUT", path, body)
            assert.deepStrictEqual([answer.status, ...faults(answer.body)], [422, ...fault], JSON.stringify(body))
          }
          for (const transport of ["smtp0", "smtp100", "relay", nowhere]) {
            const answer = yield* ask("PUT", `${path}?transport=${transport}`, { preset: "FAST" })
            assert.deepStrictEqual([answer.status, ...faults(answer.body)], [422, "transport custom"], transport)
          }
          for (const transport of ["", "%00", "a.b", "x".repeat(37)]) {
            assert.strictEqual((yield* ask("GET", `${path}?transport=${transport}`)).status, 400, transport)
          }
          assert.strictEqual((yield* ask("GET", path)).status, 404)
        })
      )

      it.effect("unknown domains, domains of others and plans of other transports are 404", () =>
        Effect.gen(function* () {
          const mine = yield* fresh
          const other = yield* fresh
          yield* other.ask("PUT", other.path, { preset: "FAST" })
          yield* mine.ask("PUT", `${mine.path}?transport=smtp1`, { preset: "FAST" })
          const paths = [
            other.path,
            `/domains/${nowhere}/warmup`,
            "/domains/x/warmup",
            mine.path,
            `${mine.path}?transport=smtp2`
          ]
          for (const path of paths) {
            const [at, query = ""] = path.split("?")
            const suffix = query === "" ? "" : `?${query}`
            for (const [method, action] of [
              ["GET", ""],
              ["DELETE", ""],
              ["POST", "/pause"],
              ["POST", "/resume"]
            ] as const) {
              const found = yield* mine.outcome(method, `${at}${action}${suffix}`)
              assert.strictEqual(found, "404 RESOURCE_NOT_FOUND", `${method} ${path}${action}`)
            }
          }
          for (const path of paths.slice(0, 3)) {
            assert.strictEqual(yield* mine.outcome("PUT", path, { preset: "FAST" }), "404 RESOURCE_NOT_FOUND", path)
          }
          assert.strictEqual((yield* other.ask("GET", other.path)).body.status, "ACTIVE")
          assert.strictEqual(yield* mine.outcome("GET", `${other.path}s`), "404 RESOURCE_NOT_FOUND")
          yield* mine.ask("PUT", mine.path, { preset: "STANDARD" })
          const plans: ReadonlyArray<Warmup> = (yield* mine.ask("GET", `${mine.path}s`)).body
          assert.deepStrictEqual(
            plans.map(({ preset, transport }) => [preset, transport]),
            [
              ["STANDARD", null],
              ["FAST", "smtp1"]
            ]
          )
        })
      )

      it.effect("of simultaneous requests each finds the plan of the one before", () =>
        Effect.gen(function* () {
          const { ask, path, project } = yield* fresh
          const answers = yield* Effect.forEach(
            [1, 2, 3, 4, 5, 6],
            (cap) => ask("PUT", path, { preset: "CUSTOM", caps: [cap] }),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            answers.map(({ status }) => status),
            [200, 200, 200, 200, 200, 200]
          )
          const sql = yield* SqlClient.SqlClient
          assert.lengthOf(yield* sql`select 1 from warmups where project_id = ${project}`, 1)
        })
      )
    }
  )
}
