import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProjectStore } from "../accounts/projects/ProjectStore.ts"
import { campaignIn, sendingProject } from "../automation/campaigns/CampaignsFixture.ts"
import { build, draw, work } from "../automation/workflows/ExecutionsFixture.ts"
import { workflowProject } from "../automation/workflows/WorkflowsFixture.ts"
import { DomainStore } from "../mail/domains/DomainStore.ts"
import { Domains } from "../mail/domains/Domains.ts"
import { trust } from "../mail/domains/DomainTrust.ts"
import { wire } from "../testing/TestClient.ts"

const recorded = (project: ProjectId) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      select name, data, contact_id as contact from events
      where project_id = ${project} and name ~ '^(campaign|domain|project|workflow)[.]' order by created_at, id`
  )

layer(wire, { timeout: "60 seconds" })("Events for webhooks only", (it) => {
  it.effect("a campaign records when it was sent and when it was cancelled, with its counters", () =>
    Effect.gen(function* () {
      const mine = yield* sendingProject()
      const sent = yield* campaignIn(mine, "SENT")
      assert.deepStrictEqual(yield* recorded(mine.project), [
        {
          name: "campaign.sent",
          data: { campaignId: sent, name: "Launch", totalRecipients: 3, sentCount: 3, failedCount: 0 },
          contact: null
        }
      ])
      yield* TestClock.adjust("1 second")
      const cancelled = yield* campaignIn(mine, "CANCELLED")
      yield* mine.ask("POST", `/campaigns/${cancelled}/cancel`)
      const [, ...more] = yield* recorded(mine.project)
      assert.deepStrictEqual(more, [
        {
          name: "campaign.cancelled",
          data: { campaignId: cancelled, name: "Launch", totalRecipients: 0, sentCount: 0, failedCount: 0 },
          contact: null
        }
      ])
    })
  )

  it.effect("a project records when it is disabled and enabled, and why, once each", () =>
    Effect.gen(function* () {
      const { project } = yield* sendingProject()
      const store = yield* ProjectStore
      for (const reason of [null, "PHISHING_DETECTED", "PHISHING_DETECTED", null, null] as const) {
        yield* store.disable(project, reason, yield* DateTime.now)
        yield* TestClock.adjust("1 second")
      }
      const data = { reason: "PHISHING_DETECTED" }
      assert.deepStrictEqual(yield* recorded(project), [
        { name: "project.disabled", data, contact: null },
        { name: "project.enabled", data, contact: null }
      ])
    })
  )

  it.effect("a domain records when it is verified, and when it no longer is", () =>
    Effect.gen(function* () {
      const { project } = yield* sendingProject()
      const store = yield* DomainStore
      const domain = "news.example.com"
      const { id } = yield* Domains.use(({ add }) => add(project, { domain }))
      yield* trust(domain, project)
      yield* trust(domain, project)
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
      assert.deepStrictEqual(yield* recorded(project), [
        { name: "domain.verified", data, contact: null },
        { name: "domain.unverified", data, contact: null }
      ])
    })
  )

  it.effect("an execution records how it ended if a webhook wants the event, and the event starts no loop", () =>
    Effect.gen(function* () {
      const fresh = yield* workflowProject
      const { project, track } = fresh
      const short = yield* build(fresh, { event: "go", steps: { leave: { type: "EXIT", config: { reason: "done" } } } })
      const waiting = yield* build(fresh, {
        event: "go",
        steps: { wait: { type: "WAIT_FOR_EVENT", config: { eventName: "paid" } } }
      })
      const broken = yield* draw(project, {
        event: "go",
        steps: { lost: { type: "SEND_EMAIL", templateId: "019a0000-0000-7000-8000-00000000dead" } }
      })
      yield* track({ email: "before@example.com", event: "go" })
      yield* work
      assert.deepStrictEqual(yield* recorded(project), [])

      yield* fresh.ask("POST", "/webhooks", { url: "https://app.example.com/hooks/mail", events: ["email.*"] })
      const tracked = yield* track({ email: "ada@example.com", event: "go" })
      const { contact } = tracked.body.data
      yield* work
      yield* fresh.ask("POST", `/workflows/${waiting.id}/executions/cancel-all`)
      const ends = yield* recorded(project)
      const endOf = (workflow: string) =>
        ends.filter(({ data }) => (data as { workflowId: string }).workflowId === workflow)
      const execution = (workflow: string) =>
        Effect.map(fresh.ask("GET", `/workflows/${workflow}/executions`), ({ body }) =>
          body.data.find(({ contactId }: { contactId: string }) => contactId === contact)
        )
      for (const { id } of [short, broken]) {
        const { status, exitReason, error, ...ended } = yield* execution(id)
        assert.deepStrictEqual(endOf(id), [
          {
            name: `workflow.execution.${id === broken.id ? "failed" : "completed"}`,
            data: { workflowId: id, executionId: ended.id, status, exitReason, error },
            contact
          }
        ])
      }
      assert.deepStrictEqual(
        endOf(waiting.id).map(({ name, data }) => [name, (data as { status: string }).status]),
        [
          ["workflow.execution.completed", "CANCELLED"],
          ["workflow.execution.completed", "CANCELLED"]
        ]
      )

      yield* work
      const again = yield* build(fresh, {
        event: "workflow.execution.completed",
        steps: { leave: { type: "EXIT", config: { reason: "again" } } }
      })
      yield* fresh.ask("PATCH", `/workflows/${again.id}`, { allowReentry: true })
      yield* track({ email: "loop@example.com", event: "go" })
      for (let n = 0; n < 5; n++) yield* work
      const { body } = yield* fresh.ask("GET", `/workflows/${again.id}/executions`)
      assert.strictEqual(body.total, 1)
    })
  )
})
