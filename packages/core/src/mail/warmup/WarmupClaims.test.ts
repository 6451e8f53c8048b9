import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Array, DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import { DeliveryQueue } from "../sending/DeliveryQueue.ts"

const lease = Duration.minutes(1)
const noon = DateTime.makeUnsafe("2026-11-27T12:00:00Z")

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Claims under a warm-up, on ${name}`,
    (it) => {
      const waiting = Effect.fnUntraced(function* (contacts: number, caps: ReadonlyArray<number>) {
        yield* TestClock.setTime(DateTime.toEpochMillis(noon))
        const project = yield* sendingProject(contacts)
        const [domain] = yield* Effect.orDie(Domains.use((domains) => domains.list(project.project, project.project)))
        const answer = yield* project.ask("PUT", `/domains/${domain?.id}/warmup`, { preset: "CUSTOM", caps })
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        const campaign = yield* project.create()
        yield* project.ask("POST", `/campaigns/${campaign}/send`)
        yield* work
        return { ...project, campaign }
      })
      const begin = Effect.fnUntraced(function* () {
        const id: string = randomUUID()
        yield* DeliveryQueue.use((queue) => queue.heartbeat(id, lease))
        return id
      })
      const kill = (id: string) => DeliveryQueue.use((queue) => queue.retire(id))

      it.effect("no number of workers and deaths exceeds the cap of the day", () =>
        Effect.gen(function* () {
          const queue = yield* DeliveryQueue
          const sql = yield* SqlClient.SqlClient
          const { project } = yield* waiting(400, [100, 150])
          const takenOn = Effect.fnUntraced(function* (at: DateTime.Utc) {
            yield* TestClock.setTime(DateTime.toEpochMillis(at))
            const found = new Set<string>()
            for (let round = 0; round < 8; round++) {
              const workers = yield* Effect.forEach([1, 2, 3, 4], begin)
              const claims = yield* Effect.forEach(
                Array.flatten(Array.makeBy(3, () => workers)),
                (worker) => queue.claim(worker, 13, at),
                { concurrency: "unbounded" }
              )
              for (const mail of Array.flatten(claims)) {
                assert.strictEqual(mail.projectId, project)
                if (mail.claim === 1) found.add(mail.id)
              }
              // The workers die with all that they have claimed, which other workers get again.
              yield* Effect.forEach(workers, kill)
              while ((yield* queue.reclaim(at)) > 0);
              yield* sql`update emails set deaths = 0 where project_id = ${project} and status = 'PENDING'`
            }
            return found.size
          })
          assert.strictEqual(yield* takenOn(noon), 51)
          assert.strictEqual(yield* takenOn(DateTime.makeUnsafe("2026-11-27T23:59:59Z")), 49)
          assert.strictEqual(yield* takenOn(DateTime.makeUnsafe("2026-11-28T23:59:59Z")), 150)
          const [counted] = yield* sql`select taken, step from warmups where project_id = ${project}`
          assert.deepStrictEqual(counted, { taken: 150, step: 2 })
          const [first] = yield* sql`select sent, result from warmup_days where project_id = ${project}`
          assert.deepStrictEqual(first, { sent: 100, result: "clean" })
          yield* sql`update emails set status = 'CANCELLED' where project_id = ${project}`
        })
      )

      it.effect("a held campaign is passed over by one column, and leaves half of a claim to other projects", () =>
        Effect.gen(function* () {
          const queue = yield* DeliveryQueue
          const sql = yield* SqlClient.SqlClient
          const { campaign, project } = yield* waiting(300, [2])
          const other = yield* sendingProject(30)
          const free = yield* other.create()
          yield* other.ask("POST", `/campaigns/${free}/send`)
          yield* work
          const worker = yield* begin()
          const first = yield* queue.claim(worker, 20, noon)
          const own = first.filter((mail) => mail.projectId === project)
          assert.lengthOf(own, 2)
          assert.isAtLeast(first.length, 10)
          const rows = sql`
            select ctid::text as place, xmin::text as version from emails
            where campaign_id = ${campaign}::uuid and status = 'PENDING' order by id`
          const before = yield* rows
          assert.lengthOf(before, 298)
          assert.notInclude(
            (yield* queue.claim(worker, 100, noon)).map((mail) => mail.projectId),
            project
          )
          assert.deepStrictEqual(yield* rows, before)
          const [held] = yield* sql`
            select to_char(held_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as until from mailings
            where campaign_id = ${campaign}::uuid`
          assert.deepStrictEqual(held, { until: "2026-11-28 00:00" })
        })
      )
    }
  )
}
