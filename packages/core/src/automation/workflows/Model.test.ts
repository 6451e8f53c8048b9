/** Compares random graphs and events with a small model of starts and re-entry, one execution at a time. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { wire } from "../../testing/TestClient.ts"
import { type DrawnStep, draw, executionsOf, work } from "./ExecutionsFixture.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

const names = ["s0", "s1", "s2", "s3", "s4"] as const
const anywhere = fc.option(fc.constantFrom(...names), { nil: undefined })

const step = fc.oneof(
  fc.record({ kind: fc.constant("delay" as const), hours: fc.integer({ min: 1, max: 3 }), to: anywhere }),
  fc.record({
    kind: fc.constant("wait" as const),
    event: fc.constantFrom("a", "b"),
    hours: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    onEvent: anywhere,
    onTimeout: anywhere
  }),
  fc.record({ kind: fc.constant("ask" as const), yes: anywhere, no: anywhere }),
  fc.record({ kind: fc.constant("exit" as const) })
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const action = fc.oneof(
  fc.record({ pass: fc.integer({ min: 1, max: 250 }) }),
  fc.record({ event: fc.constantFrom("a", "b", "go"), big: fc.boolean() })
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

const routes = (to: { readonly [branch: string]: string | undefined }): { readonly [branch: string]: string } =>
  Object.fromEntries(Object.entries(to).flatMap(([branch, next]) => (next === undefined ? [] : [[branch, next]])))

const drawn = (step: Step): DrawnStep => {
  switch (step.kind) {
    case "delay":
      return { type: "DELAY", config: { amount: step.hours, unit: "hours" }, to: routes({ "": step.to }) }
    case "wait":
      return {
        type: "WAIT_FOR_EVENT",
        config: { eventName: step.event, ...(step.hours && { timeout: step.hours * 3_600 }) },
        to: routes({ event: step.onEvent, timeout: step.onTimeout })
      }
    case "ask":
      return {
        type: "CONDITION",
        config: { field: "event.big", operator: "equals", value: true },
        to: routes({ yes: step.yes, no: step.no })
      }
    case "exit":
      return { type: "EXIT" }
  }
}

/** A cycle without a wait would never end. A graph with one cannot be enabled. */
const hasRestlessCycle = (steps: ReadonlyArray<Step>): boolean => {
  const isRestless = (at: string | undefined, seen: ReadonlyArray<string>): boolean => {
    const step = at === undefined ? undefined : steps[Number(at[1])]
    if (at === undefined || step?.kind !== "ask") return false
    return seen.includes(at) || isRestless(step.yes, [...seen, at]) || isRestless(step.no, [...seen, at])
  }
  return names.some((name) => isRestless(name, []))
}

interface ModelEvent {
  readonly event: string
  readonly big: boolean
  readonly at: number
  used: boolean
}

/** The expected state of one contact, compared with the database after every action. */
class Model {
  readonly path: Array<string> = []
  status = "none"
  private context = false
  private at: string | undefined
  private since = 0
  private until: number | undefined
  private readonly events: Array<ModelEvent> = []
  private readonly steps: ReadonlyArray<Step>

  constructor(steps: ReadonlyArray<Step>) {
    this.steps = steps
  }

  track(event: string, big: boolean, now: number): void {
    const next = { event, big, at: now, used: false }
    if (event === "go" && this.status === "none") {
      this.status = "RUNNING"
      this.context = big
      this.enter("s0", now)
    } else this.events.push(next)
    this.look(now)
  }

  look(now: number): void {
    while (this.status === "RUNNING" && this.take(now));
  }

  private enter(next: string | undefined, now: number): void {
    this.at = next
    this.since = now
    this.until = undefined
    if (next === undefined) this.status = "COMPLETED"
  }

  /** Whether the execution continues at once. */
  private take(now: number): boolean {
    const step = this.steps[Number(this.at?.[1])]
    const from = this.at
    if (step === undefined) return false
    switch (step.kind) {
      case "exit":
        this.path.push(`${from} COMPLETED`)
        this.status = "EXITED"
        return false
      case "ask": {
        this.path.push(`${from} COMPLETED ${this.context ? "yes" : "no"}`)
        this.enter(this.context ? step.yes : step.no, now)
        return true
      }
      case "delay":
        this.until ??= now + step.hours * 60
        if (this.until > now) return false
        this.path.push(`${from} COMPLETED`)
        this.enter(step.to, now)
        return true
      case "wait": {
        if (step.hours !== undefined) this.until ??= now + step.hours * 60
        const { until } = this
        const found = this.events.find(
          ({ event, at, used }) =>
            !used && event === step.event && at >= this.since && (until === undefined || at <= until)
        )
        if (found !== undefined) {
          found.used = true
          this.context = found.big
          this.path.push(`${from} COMPLETED event`)
          this.enter(step.onEvent, now)
          return true
        }
        if (until === undefined || until > now) return false
        this.path.push(`${from} COMPLETED timeout`)
        this.enter(step.onTimeout, now)
        return true
      }
    }
  }
}

const runs = 40

layer(wire, { timeout: "60 seconds", excludeTestServices: false })("Random workflows", (it) => {
  it.effect("follow the model, with any events", () =>
    Effect.gen(function* () {
      const { project, track } = yield* workflowProject
      const samples = fc.sample(
        fc.record({
          steps: fc.tuple(step, step, step, step, step).filter((steps) => !hasRestlessCycle(steps)),
          actions: fc.array(action, { minLength: 3, maxLength: 8 })
        }),
        runs
      )
      for (const [n, { steps, actions }] of samples.entries()) {
        const event = (name: string) => `${name}${n}`
        const email = `c${n}@example.com`
        const { id } = yield* draw(project, {
          event: event("go"),
          steps: Object.fromEntries(
            names.map((name, at) => {
              const own = drawn(steps[at] ?? { kind: "exit" })
              const config = own.config && "eventName" in own.config
              return [
                name,
                config
                  ? {
                      ...own,
                      config: {
                        ...own.config,
                        eventName: event(String((own.config as { eventName: string }).eventName))
                      }
                    }
                  : own
              ]
            })
          )
        })
        const model = new Model(steps)
        const minutes = Effect.map(DateTime.now, (now) => now.epochMilliseconds / 60_000)
        const all: ReadonlyArray<Action> = [{ event: "go", big: n % 2 === 0 }, ...actions]
        for (const each of all) {
          // Events are a minute apart, so their order is known.
          yield* TestClock.adjust(Duration.minutes("pass" in each ? each.pass : 1))
          if ("event" in each) {
            model.look(yield* minutes)
            yield* work
            yield* track({ email, event: event(each.event), data: { big: { value: each.big, persistent: false } } })
            model.track(each.event, each.big, yield* minutes)
          } else model.look(yield* minutes)
          yield* work
          const [execution] = yield* executionsOf(project, id)
          const seen = {
            status: execution?.status.replace("WAITING", "RUNNING"),
            path: execution?.path.filter((visit) => visit.includes("COMPLETED"))
          }
          assert.deepStrictEqual(seen, { status: model.status, path: model.path }, JSON.stringify({ steps, all, each }))
        }
      }
    })
  )
})
