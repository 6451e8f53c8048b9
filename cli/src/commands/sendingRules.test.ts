/** The rules of sending, the health and warm-up of a domain, and mailbox providers, by commands. */
import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Effect } from "effect"
import { lines, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const patience = { timeout: 180_000 }

layer(DevServer.layer, { timeout: "120 seconds" })("the rules of sending", (it) => {
  it.effect(
    "are shown and changed by `settings sending`, and `contacts sending-state` says how they act on one contact",
    () =>
      Effect.gen(function* () {
        const { secretKey, url } = yield* DevServer.DevServer
        const client = new Posthorn({ baseUrl: url, secretKey })
        const { json, ended } = yield* DevServer.commands("settings")
        const contacts = yield* DevServer.commands("contacts")
        const [before] = yield* json("sending", "get")
        assert.deepInclude(before, { quietHours: null, frequencyCaps: [], campaignApproval: "OFF", maxWaitHours: 24 })
        const caps = [{ id: "week", limit: 3, amount: 7, unit: "days" }]
        const [changed] = yield* json(
          ...["sending", "set", "--quiet-hours", JSON.stringify({ from: "21:00", to: "08:00" })],
          ...["--frequency-caps", JSON.stringify(caps), "--on-cap", JSON.stringify({ campaigns: "WAIT" })],
          ...["--max-wait-hours", "48", "--campaign-approval", "MEMBERS"]
        )
        assert.deepInclude(changed, {
          campaignApproval: "MEMBERS",
          maxWaitHours: 48,
          onCap: { campaigns: "WAIT", workflows: "WAIT" },
          frequencyCaps: [{ ...caps[0], topicId: null }]
        })
        assert.deepStrictEqual((yield* json("sending", "get"))[0], changed)
        yield* Effect.promise(() => client.contacts.upsert({ email: "ada@example.com" }).orThrow())
        const [state] = yield* contacts.json("sending-state", "ada@example.com")
        assert.deepStrictEqual(state.caps, [{ id: "week", used: 0, limit: 3, freeAt: null }])
        const [open] = yield* json("sending", "set", "--remove-quiet-hours", "--frequency-caps", "[]")
        assert.deepInclude(open, { quietHours: null, frequencyCaps: [], maxWaitHours: 48 })
        assert.strictEqual((yield* ended("sending", "set", "--campaign-approval", "SOME")).code, 2)
        assert.strictEqual((yield* ended("sending", "set", "--max-wait-hours", "0")).code, 1)
      }),
    patience
  )

  it.effect(
    "of a domain are shown by `domains health` and `domains dmarc`, and `domains warmup` begins, pauses and ends a plan",
    () =>
      Effect.gen(function* () {
        const { domain } = yield* DevServer.DevServer
        const { json, ended, run } = yield* DevServer.commands("domains")
        const [health] = yield* json("health", domain)
        assert.includeMembers(
          health.checks.map(({ id }: { id: string }) => id),
          ["dkim", "alignment", "spf", "dmarc_record", "dmarc_policy", "one_click", "complaint_rate", "bimi"]
        )
        const [dmarc] = yield* json("dmarc", domain, "--group-by", "day")
        assert.deepInclude(dmarc.totals, { messages: 0, failed: 0 })
        assert.strictEqual((yield* ended("warmup", domain)).code, 4)
        const [plan] = yield* json("warmup", domain, "--preset", "CUSTOM", "--caps", "50,100", "--hours", "08:00-18:00")
        assert.deepInclude(plan, { status: "ACTIVE", step: 1, caps: [50, 100], sentToday: 0 })
        assert.deepInclude((yield* json("warmup", domain, "--pause"))[0], { status: "PAUSED" })
        assert.deepInclude((yield* json("warmup", domain, "--resume"))[0], { status: "ACTIVE" })
        assert.include((yield* run("warmup", domain)).stdout, "ACTIVE")
        assert.strictEqual((yield* ended("warmup", domain, "--remove")).code, 2)
        yield* run("warmup", domain, "--remove", "--yes")
        assert.strictEqual((yield* ended("warmup", domain)).code, 4)
      }),
    patience
  )

  it.effect(
    "of mailbox providers are shown with a key, and changed with the database",
    () =>
      Effect.gen(function* () {
        const { json } = yield* DevServer.commands("providers")
        assert.deepStrictEqual(yield* json("list"), [])
        const folder = dataFolder()
        const { domain } = yield* DevServer.DevServer
        // The folder has a database once a service has used it.
        yield* DevServer.during(folder, Effect.void)
        const operate = (...args: ReadonlyArray<string>) =>
          Effect.map(posthorn(["providers", ...args, "--json"], { env: { POSTHORN_DATA_DIR: folder } }), (answer) => ({
            ...answer,
            rows: answer.code === 0 ? lines(answer.stdout).map((line) => JSON.parse(line)) : []
          }))
        const rowOf = (provider: string) =>
          Effect.map(operate("list", "--all"), ({ rows }) => rows.find((row) => row.provider === provider))
        assert.deepInclude(yield* rowOf("GMAIL"), { maxConnections: null, ratePerMinute: null })
        yield* operate("set", "GMAIL", "--max-connections", "5", "--rate-per-minute", "600")
        assert.deepInclude(yield* rowOf("GMAIL"), { maxConnections: 5, ratePerMinute: 600 })
        yield* operate("set", "ACME", "--mx-suffixes", ".acme.test", "--domains", domain)
        assert.deepInclude(yield* rowOf("ACME"), { mxSuffixes: [".acme.test"], domains: [domain] })
        assert.strictEqual((yield* operate("suspend", "ACME", "--for", "2h")).code, 0)
        assert.strictEqual((yield* operate("resume", "ACME")).code, 0)
        yield* operate("reset", "GMAIL")
        assert.deepInclude(yield* rowOf("GMAIL"), { maxConnections: null, ratePerMinute: null })
        yield* operate("reset", "ACME")
        assert.isUndefined(yield* rowOf("ACME"))
        assert.strictEqual((yield* operate("suspend", "ACME", "--for", "2h")).code, 4)
      }),
    patience
  )
})
