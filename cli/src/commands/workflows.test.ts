import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { Effect } from "effect"
import { posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const patience = { timeout: 180_000 }

const welcome = `name: Welcome
triggerConfig:
  eventName: signed_up
  where: [{ path: plan, operator: in, value: [free, pro] }]
  entryKey: shop
allowReentry: true
reentryAfterHours: 24
goal: { eventName: bought, windowHours: 48, revenue: { path: total, currency: EUR } }
exitRules:
  - { id: left, type: EVENT, eventName: left, where: [{ path: shop, operator: equals, valueFrom: event.shop }] }
  - { id: off, type: UNSUBSCRIBED }
entry: A day
steps:
  A day:
    type: DELAY
    config: { amount: 1, unit: days }
    next: Pro?
  Pro?:
    type: CONDITION
    config: { field: data.plan, operator: equals, value: pro }
    next: { yes: Bye, no: Paid? }
  Paid?:
    type: WAIT_FOR_EVENT
    config: { eventName: paid, timeout: 3600 }
    next: { otherwise: Bye }
  Bye:
    type: EXIT
`

const timing = `  Halves:
    type: SPLIT
    config: { branches: [{ id: short, share: 33.34 }, { id: long, share: 66.66 }], experiment: { metric: HUMAN_CLICK } }
    next: { short: Trial, long: Hours }
  Trial:
    type: DELAY
    config: { until: { field: data.trialEnds, offset: { amount: -3, unit: days }, time: "09:30" } }
    next: { otherwise: Paid?, missing: Bye }
  Hours:
    type: TIME_WINDOW
    config: { from: "22:00", to: "06:00", days: [FRI, SAT], timezone: PROJECT }
    next: Pace
  Pace:
    type: RATE_LIMIT
    config: { limit: 60, per: minute }
    next: { otherwise: Paid?, exceeded: Bye }
`

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn workflows", (it) => {
  const connected = Effect.gen(function* () {
    const { url, secretKey } = yield* DevServer.DevServer
    const { cwd, ended, run, json } = yield* DevServer.commands("workflows")
    const file = join(cwd, "flow.yaml")
    const write = (text: string) => Effect.sync(() => writeFileSync(file, text))
    const contact = (email: string) =>
      posthorn(["contacts", "upsert", email, "--url", url, "--key", secretKey], { cwd })
    return { cwd, ended, run, json, file, write, contact }
  })

  it.effect(
    "creates a workflow from a file, changes it from the file, and writes it back",
    () =>
      Effect.gen(function* () {
        const { cwd, ended, run, json, file, write } = yield* connected
        yield* write(welcome)
        const asked = yield* ended("push", file)
        assert.strictEqual(asked.code, 2)
        assert.include(asked.stderr, "+ name: Welcome")
        const [made] = yield* json("push", file, "--yes")
        assert.deepInclude(made, { name: "Welcome", enabled: false, reentryAfterHours: 24 })
        assert.deepStrictEqual(made.triggerConfig, {
          eventName: "signed_up",
          where: [{ path: "plan", operator: "in", value: ["free", "pro"] }],
          entryKey: "shop"
        })
        assert.deepInclude(made.goal, { eventName: "bought", windowHours: 48 })
        assert.deepStrictEqual(
          made.exitRules.map(({ id }: { id: string }) => id),
          ["left", "off"]
        )
        assert.strictEqual(made.transitions.length, 5)
        assert.isTrue(made.transitions.every(({ auto }: { auto: boolean }) => !auto))
        assert.include((yield* run("push", file)).stderr, "Nothing to change")

        assert.isTrue((yield* json("enable", "Welcome"))[0].enabled)
        yield* write(
          welcome.replace("amount: 1", "amount: 2").replace("no: Paid? }", "no: Tell }") +
            "  Tell:\n    type: WEBHOOK\n    config: { url: https://hooks.example.com/x }\n    next: Halves\n" +
            timing
        )
        const changed = yield* run("push", file, "--yes", "--json")
        assert.include(changed.stderr, "-       amount: 1")
        assert.include(changed.stderr, "+       amount: 2")
        const after = JSON.parse(changed.stdout)
        assert.deepInclude(after, { id: made.id, enabled: true })
        const idOf = (workflow: typeof after, name: string) =>
          workflow.steps.find((step: { name: string }) => step.name === name)?.id
        for (const name of ["A day", "Pro?", "Paid?", "Bye"]) assert.strictEqual(idOf(after, name), idOf(made, name))

        for (const format of ["yaml", "json"]) {
          const [pulled] = yield* json("pull", "Welcome", "--folder", "kept", "--format", format)
          assert.strictEqual(pulled.file, `kept/welcome.${format}`)
          const text = readFileSync(join(cwd, pulled.file), "utf8")
          assert.include(text, "https://hooks.example.com/x")
          assert.include((yield* run("push", pulled.file)).stderr, "Nothing to change")
        }
        assert.include((yield* run("list", "--status", "active")).stdout, "enabled\tEVENT signed_up\t10\t0\t0")
        assert.isFalse((yield* json("disable", made.id))[0].enabled)
      }),
    patience
  )

  it.effect(
    "names faults by step before it asks, and leaves nothing of a change that is refused",
    () =>
      Effect.gen(function* () {
        const { ended, run, json, file, write } = yield* connected
        const long = "A name that is longer than the fifty characters of a key, by some"
        const careful = welcome
          .replace("name: Welcome", "name: Careful")
          .replace("next: Pro?", `next: ${long}`)
          .concat(`  ${long}:\n    type: DELAY\n    config: { amount: 1, unit: hours }\n    next: Pro?\n`)
        yield* write(careful.replace("amount: 1, unit: days", "amount: 0, unit: days"))
        const refused = yield* ended("push", file, "--yes")
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "steps.A day.config.amount")
        assert.isEmpty(yield* json("list", "--search", "Careful"))

        yield* write(careful)
        const [made] = yield* json("push", file, "--yes")
        assert.include(
          made.steps.map(({ name }: { name: string }) => name),
          long
        )
        yield* run("enable", "Careful")
        const faulty = careful.replace("next: { yes: Bye, no: Paid? }", "").replace("unit: hours", "unit: years")
        yield* write(faulty)
        const asked = yield* ended("push", file)
        assert.strictEqual(asked.code, 1)
        assert.include(asked.stderr, "Careful is enabled, and would have")
        assert.include(
          asked.stderr,
          "steps.A name that is longer than the fifty characters #1.config.unit".slice(0, 40)
        )
        const pulled = yield* json("pull", "Careful", "--folder", "careful")
        assert.lengthOf(pulled, 1)
        yield* write(careful)
        assert.include((yield* run("push", file)).stderr, "Nothing to change")
        assert.include((yield* run("list", "--search", "Careful")).stdout, "enabled\t")

        yield* write(
          careful.replace("next: { otherwise: Bye }", "next: { timeout: Bye }").replace(", timeout: 3600", "")
        )
        const warned = yield* ended("push", file)
        assert.include(warned.stderr, "transitions.")
      }),
    patience
  )

  it.effect("writes templates by name if the name is unique", () =>
    Effect.gen(function* () {
      const { cwd, run, json, file, write } = yield* connected
      const { url, secretKey } = yield* DevServer.DevServer
      const client = new Posthorn({ baseUrl: url, secretKey })
      const make = Effect.promise(() =>
        client.templates.create({ name: "Hello", subject: "Hi", body: "<p>Hi</p>", from: "hi@posthorn.test" }).orThrow()
      )
      const template = yield* make
      yield* write("name: Greeting\nsteps: { Mail: { type: SEND_EMAIL, templateId: Hello } }")
      const [made] = yield* json("push", file, "--yes")
      assert.deepInclude(made.steps.at(-1), { name: "Mail", templateId: template.id })
      assert.include((yield* run("push", file)).stderr, "Nothing to change")
      const pulled = join(cwd, "greeting.yaml")
      yield* run("pull", "Greeting")
      assert.include(readFileSync(pulled, "utf8"), "templateId: Hello\n")
      yield* make
      yield* run("pull", "Greeting")
      assert.include(readFileSync(pulled, "utf8"), `templateId: ${template.id}\n`)
      assert.include((yield* run("push", pulled)).stderr, "Nothing to change")
    })
  )

  it.effect(
    "starts a workflow for a contact, and shows the state of its executions",
    () =>
      Effect.gen(function* () {
        const { ended, run, json, file, write, contact } = yield* connected
        yield* write(welcome.replace("name: Welcome", "name: By hand").replace("signed_up", "asked_for"))
        yield* run("push", file, "--yes")
        const put = yield* contact("ada@example.com")
        assert.strictEqual(put.code, 0, put.stderr.replaceAll("\n", " // "))
        const disabled = yield* ended("run", "By hand", "ada@example.com")
        assert.strictEqual(disabled.code, 1, disabled.stderr)
        assert.include(disabled.stderr, "disabled")
        yield* run("enable", "By hand")
        const [started] = yield* json("run", "By hand", "ada@example.com", "--context", '{"plan":"pro"}')
        assert.deepInclude(started, { status: "RUNNING", source: "MANUAL", context: { plan: "pro" } })
        const [listed] = yield* json("executions", "By hand", "--status", "RUNNING,WAITING")
        assert.deepInclude(listed, { id: started.id, contactId: started.contactId })
        assert.include((yield* run("executions", "By hand")).stdout, "ada@example.com")
        assert.isEmpty(yield* json("executions", "By hand", "--status", "FAILED"))
        const [report] = yield* json("report", "By hand", "--from", "2026-01-01")
        assert.deepInclude(report.executions, { started: 1, live: 1, completed: 0, revenue: [] })
        const waiting = report.steps.map(({ waiting }: { waiting: number }) => waiting)
        assert.deepStrictEqual([waiting.length, waiting.reduce((sum: number, each: number) => sum + each, 0)], [5, 1])
        assert.include((yield* run("report", "By hand")).stdout, "A day")
        assert.strictEqual((yield* ended("report", "By hand", "--version", "9")).code, 4)
      }),
    patience
  )

  it.effect(
    "reports a faulty file, a wrong name, and a workflow that cannot be enabled",
    () =>
      Effect.gen(function* () {
        const { ended, run, file, write } = yield* connected
        const faulty: ReadonlyArray<readonly [string, string]> = [
          ["name: [", "neither YAML nor JSON"],
          ["name: A", "is not a valid workflow"],
          ["name: A\nentry: B\nsteps: {}", "entry leads to B"],
          ["name: A\nsteps: { B: { type: DELAY, next: C } }", "B leads to C"]
        ]
        for (const [text, message] of faulty) {
          yield* write(text)
          const refused = yield* ended("push", file, "--yes")
          assert.strictEqual(refused.code, 2, text)
          assert.include(refused.stderr, message)
        }
        yield* write("name: A\nsteps: { B: { type: SEND_EMAIL, templateId: Nothing } }")
        assert.include((yield* ended("push", file, "--yes")).stderr, "The project has no template Nothing.")
        yield* write("name: Empty\nsteps: {}")
        yield* run("push", file, "--yes")
        const refused = yield* ended("enable", "Empty")
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "triggerConfig.eventName")
        assert.strictEqual((yield* ended("enable", "Nobody")).code, 4)
      }),
    patience
  )

  it.effect(
    "tries out a workflow from a file, and fails if the course is not the expected one",
    () =>
      Effect.gen(function* () {
        const { cwd, ended, run, json, file, write } = yield* connected
        yield* write(welcome.replace("name: Welcome", "name: Tried"))
        yield* run("push", file, "--yes")
        const script = join(cwd, "tried.test.yaml")
        const tried = ["test", "Tried", "--contact", "new@example.com", "--script", script]
        const save = (text: string) => Effect.sync(() => writeFileSync(script, text))
        yield* save(`
contact: { data: { plan: pro } }
branches: { Pro?: yes }
expect: { status: EXITED, steps: [A day, Pro?, Bye] }
`)
        const good = yield* run(...tried)
        assert.include(good.stdout, "outcome\tEXITED")
        assert.include(good.stdout, "\tPro?\tCOMPLETED\tyes\t")
        const [found] = yield* json(...tried)
        assert.deepStrictEqual(
          found.visits.map(({ name }: { name: string }) => name),
          ["A day", "Pro?", "Bye"]
        )
        yield* save("expect: { converted: true, steps: [A day] }")
        const bad = yield* ended(...tried)
        assert.strictEqual(bad.code, 1)
        assert.include(bad.stderr, "converted is false, not true; the steps are A day, Pro?, ")
        yield* save("script: [{ after: { amount: 1, unit: days }, open: No such step }]")
        assert.include((yield* ended(...tried)).stderr, "no step No such step")
        yield* save("expects: {}")
        const unknown = yield* ended(...tried)
        assert.deepStrictEqual([unknown.code, unknown.stderr.includes("expects")], [2, true])
        assert.isEmpty(yield* json("executions", "Tried"))
      }),
    patience
  )

  it.effect(
    "publishes drafts, lists, compares and restores versions, and moves executions",
    () =>
      Effect.gen(function* () {
        const { ended, run, json, file, write, contact } = yield* connected
        const slow = welcome
          .replace("name: Welcome", "name: Slow")
          .replace(/reentryAfterHours[\s\S]*?entry:/, "entry:")
          .replace(/ {2}where[\s\S]*?entryKey: shop\n/, "")
        yield* write(slow)
        yield* json("push", file, "--yes")
        yield* json("enable", "Slow")
        assert.strictEqual((yield* ended("publish", "Slow")).code, 1)
        const [first] = yield* json("versioning", "Slow", "PUBLISHED")
        assert.deepInclude(first, { publishedVersion: 1, versioning: "PUBLISHED" })
        yield* contact("slow@example.com")
        yield* json("run", "Slow", "slow@example.com")
        yield* write(slow.replace("  A day:", "  Two days:").replace("entry: A day", "entry: Two days"))
        const [draft] = yield* json("push", file, "--yes")
        assert.deepInclude(draft, { publishedVersion: 1 })
        assert.isTrue(draft.draft.changed)
        const differences = (yield* run("diff", "Slow", "1")).stdout
        assert.include(differences, "-\tA day (DELAY)")
        assert.include(differences, "+\tTwo days (DELAY)")
        const [second] = yield* json("push", file, "--publish", "--note", "Renamed")
        assert.deepInclude(second, { publishedVersion: 2 })
        assert.include((yield* run("push", file, "--publish")).stderr, "Nothing to change")
        const versions = yield* json("versions", "Slow")
        assert.deepStrictEqual(
          versions.map(({ version, note }: { version: number; note: string | null }) => [version, note]),
          [
            [2, "Renamed"],
            [1, null]
          ]
        )
        const planned = (yield* run("migrate", "Slow", "--to", "2", "--map", "A day=Two days", "--dry-run")).stdout
        assert.strictEqual(planned.trim(), "MOVE\t1\tA day\tTwo days")
        assert.strictEqual((yield* ended("migrate", "Slow", "--to", "2")).code, 2)
        const [job] = yield* json("migrate", "Slow", "--to", "2", "--map", "A day=Two days", "--yes")
        assert.deepStrictEqual(job.result, { moved: 1, stayed: 0, exited: 0, failed: 0 })
        const [restored] = yield* json("restore", "Slow", "1")
        assert.isTrue(restored.draft.changed)
        const [third] = yield* json("publish", "Slow", "--note", "Back")
        assert.deepInclude(third, { publishedVersion: 3 })
      }),
    patience
  )
})
