import { assert, layer } from "@effect/vitest"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audiences from "../../audience/segments/Audiences.ts"
import { freshProject, seed } from "../../audience/segments/SegmentsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { freezeAudience } from "./FreezeSql.ts"

for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Plans of audiences on ${name}`, (it) => {
    it.effect.each([true, false, undefined])("read contacts alone, with a topic or without: %s", (defaultOn) =>
      Effect.gen(function* () {
        const { project } = yield* freshProject
        yield* seed(project, "a", 2_000)
        const sql = yield* SqlClient.SqlClient
        yield* vacuumed(sql, "contacts")
        const audience = yield* Effect.flatMap(Audiences.make, (audiences) =>
          Effect.flatMap(DateTime.now, (now) => audiences.of(project, { groups: [] }, now))
        )
        const id = CampaignId.make("019a0000-0000-7000-8000-0000000000a1")
        const topic = defaultOn === undefined ? null : { id, defaultOn }
        const cohorts = { holdout: null, testShare: 1 }
        const used = yield* access(
          sql,
          freezeAudience(sql, project, id, audience, { isAsked: true, topic }, null, cohorts)
        )
        assert.lengthOf(used, 1)
        assert.match(used[0] ?? "", /^(?:contacts_|every row of contacts)/)
      })
    )
  })
}
