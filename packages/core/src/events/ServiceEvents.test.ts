import { assert, layer } from "@effect/vitest"
import type { ProjectId } from "@posthorn/contract/Auth"
import { DomainId } from "@posthorn/contract/domains/Domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { campaignIn, sendingProject } from "../campaigns/CampaignsFixture.ts"
import { DomainStore } from "../domains/DomainStore.ts"
import { Domains } from "../domains/Domains.ts"
import { DomainTrust } from "../domains/DomainTrust.ts"
import { ProjectStore } from "../projects/ProjectStore.ts"
import { wire } from "../testing/Wire.ts"

const told = (project: ProjectId) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      select name, data, contact_id as contact from events
      where project_id = ${project} and name ~ '^(campaign|domain|project)[.]' order by created_at, id`
  )

layer(wire, { timeout: "60 seconds" })("Events about no contact", (it) => {
  it.effect("a campaign tells when it was sent, and when it was cancelled, with its counters", () =>
    Effect.gen(function* () {
      const mine = yield* sendingProject()
      const sent = yield* campaignIn(mine, "SENT")
      assert.deepStrictEqual(yield* told(mine.project), [
        {
          name: "campaign.sent",
          data: { campaignId: sent, name: "Launch", totalRecipients: 3, sentCount: 3, failedCount: 0 },
          contact: null
        }
      ])
      const cancelled = yield* campaignIn(mine, "CANCELLED")
      yield* mine.ask("POST", `/campaigns/${cancelled}/cancel`)
      const [, ...more] = yield* told(mine.project)
      assert.deepStrictEqual(more, [
        {
          name: "campaign.cancelled",
          data: { campaignId: cancelled, name: "Launch", totalRecipients: 0, sentCount: 0, failedCount: 0 },
          contact: null
        }
      ])
    })
  )

  it.effect("a project tells when it is disabled and enabled, and why, once each", () =>
    Effect.gen(function* () {
      const { project } = yield* sendingProject()
      const store = yield* ProjectStore
      for (const reason of [null, "PHISHING_DETECTED", "PHISHING_DETECTED", null, null] as const) {
        yield* store.disable(project, reason, yield* DateTime.now)
        yield* TestClock.adjust("1 second")
      }
      const data = { reason: "PHISHING_DETECTED" }
      assert.deepStrictEqual(yield* told(project), [
        { name: "project.disabled", data, contact: null },
        { name: "project.enabled", data, contact: null }
      ])
    })
  )

  it.effect("a domain tells when it is verified, and when it is not any more", () =>
    Effect.gen(function* () {
      const { project } = yield* sendingProject()
      const store = yield* DomainStore
      const domain = "news.example.com"
      const { id } = yield* Domains.use(({ add }) => add(project, { domain }))
      yield* DomainTrust.use(({ trust }) => trust(domain, project))
      yield* DomainTrust.use(({ trust }) => trust(domain, project))
      yield* TestClock.adjust("1 second")
      const found = yield* store.find(project, DomainId.make(id))
      if (found._tag === "None") return assert.fail()
      const lost = {
        ...found.value,
        verified: false,
        verifiedElsewhere: false,
        lastError: null,
        flip: "unverified"
      } as const
      yield* store.saveCheck(found.value, () => lost, yield* DateTime.now)
      const data = { domainId: id, domain }
      assert.deepStrictEqual(yield* told(project), [
        { name: "domain.verified", data, contact: null },
        { name: "domain.unverified", data, contact: null }
      ])
    })
  )
})
