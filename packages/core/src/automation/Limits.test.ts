/** The largest journeys, campaigns and rules that are taken, and that one more is refused. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { faultsIn, workflowProject } from "./workflows/WorkflowsFixture.ts"

const listOf = <A>(length: number, each: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length }, (_, n) => each(n))

const letter = (n: number) => String.fromCharCode(65 + n)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Limits on ${name}`, (it) => {
    const setUp = Effect.gen(function* () {
      const fresh = yield* workflowProject
      const flow = yield* fresh.workflow()
      const campaign = {
        ...{ name: "Launch", subject: "News", body: "<p>Hi</p>", from: `news@${fresh.domain}`, audienceType: "ALL" }
      }
      const { body: domains } = yield* fresh.ask("GET", `/domains/project/${fresh.project}`)
      return { ...fresh, flow, campaign, sender: domains[0].id as string }
    })

    it.effect("of lists in a body: as many as allowed are taken, one more is a 422 at the list", () =>
      Effect.gen(function* () {
        const { ask, campaign, flow, sender } = yield* setUp
        const limits: ReadonlyArray<
          readonly [most: number, method: string, path: string, field: string, body: (n: number) => object]
        > = [
          [
            10,
            "PATCH",
            `/workflows/${flow.id}`,
            "exitRules",
            (n) => ({ exitRules: listOf(n, (each) => ({ id: `r${each}`, type: "EVENT", eventName: `left-${each}` })) })
          ],
          [
            5,
            "PATCH",
            "/settings/sending",
            "frequencyCaps",
            (n) => ({
              frequencyCaps: listOf(n, (each) => ({ id: `c${each}`, limit: 3, amount: each + 1, unit: "days" }))
            })
          ],
          [
            8,
            "POST",
            "/campaigns",
            "experiment.variants",
            (n) => ({
              ...campaign,
              experiment: {
                variants: listOf(n, (each) => ({
                  key: letter(Math.min(each, 7)),
                  ...(each > 0 && { subject: `${each}` })
                })),
                testShare: 0.5
              }
            })
          ],
          [
            10,
            "POST",
            `/workflows/${flow.id}/steps`,
            "config.branches",
            (n) => ({
              type: "SPLIT",
              config: { branches: listOf(n, (each) => ({ id: `b${each}`, share: each === 0 ? 100 - 5 * (n - 1) : 5 })) }
            })
          ],
          [
            100,
            "POST",
            `/workflows/${flow.id}/test-runs`,
            "script",
            (n) => ({
              contact: { email: "ada@example.com" },
              script: listOf(n, () => ({ after: { amount: 1, unit: "minutes" }, event: { name: "seen", data: {} } }))
            })
          ],
          [
            90,
            "PUT",
            `/domains/${sender}/warmup`,
            "caps",
            (n) => ({ preset: "CUSTOM", caps: listOf(n, (each) => 50 + each) })
          ]
        ]
        for (const [most, method, path, field, body] of limits) {
          const over = yield* ask(method, path, body(most + 1))
          assert.deepStrictEqual([over.status, faultsIn(over.body).length], [422, 1], `${path} ${JSON.stringify(over)}`)
          assert.match(faultsIn(over.body)[0] ?? "", new RegExp(`^${field} `))
          const taken = yield* ask(method, path, body(most))
          assert.include([200, 201], taken.status, `${path} ${JSON.stringify(taken.body)}`)
        }
      })
    )

    it.effect("of campaigns that recur: 50 of a project, and another one once one of them ends", () =>
      Effect.gen(function* () {
        const { ask, campaign } = yield* setUp
        const recurring = Effect.gen(function* () {
          const { body } = yield* ask("POST", "/campaigns", campaign)
          const path = `/campaigns/${body.data.id}/recurrence`
          return { path, ...(yield* ask("PUT", path, { schedule: "0 9 * * MON", enabled: true })) }
        })
        const all = yield* Effect.replicateEffect(recurring, 50)
        assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [200])
        const over = yield* recurring
        assert.strictEqual(over.status, 422, JSON.stringify(over.body))
        yield* ask("DELETE", all[0]?.path ?? "")
        assert.strictEqual((yield* ask("PUT", over.path, { schedule: "0 9 * * MON", enabled: true })).status, 200)
      })
    )
  })
}
