import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { ProjectStore } from "../accounts/projects/ProjectStore.ts"
import { freshProject } from "../audience/segments/SegmentsFixture.ts"
import type { OutboundRequest } from "../platform/outbound/SafeFetch.ts"
import { databases } from "../testing/Databases.ts"
import { somebodyWaits } from "../testing/LockWaits.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { disableFailing } from "./EndpointHealth.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import { answered, endpoint, listening, loops, sender, soon, textOf, unreachable } from "./WebhooksFixture.ts"

const seconds = (iso: string | null, since: DateTime.DateTime) =>
  (Date.parse(iso ?? "") - DateTime.toEpochMillis(since)) / 1000

/** Verifies with the reference implementation of the convention, which uses the real clock. */
const isSigned = (request: OutboundRequest, secret: string) => {
  try {
    new StandardWebhook(secret).verify(textOf(request), { ...request.headers })
    return true
  } catch {
    return false
  }
}

for (const [name, database] of databases()) {
  const services = wireOver(servicesOn(database))

  layer(Layer.provideMerge(loops, services), { timeout: "60 seconds" })(`Webhooks on ${name}`, (it) => {
    it.effect("a tracked event is delivered to the endpoints that subscribe to it, signed, and logged", () =>
      Effect.gen(function* () {
        const mine = yield* listening({ events: ["event.tracked"] })
        const other = yield* endpoint(mine, { events: ["email.*"] })
        const foreign = yield* listening()
        yield* TestClock.setTime(Date.now())
        const { body } = yield* mine.track({ email: "anna@example.com", event: "bought", data: { price: 9 } })
        yield* soon(
          Effect.sync(() => mine.hook.requests),
          ({ length }) => length > 0
        )
        const [request] = mine.hook.requests
        if (request === undefined) return assert.fail()
        const { contact, event, timestamp } = body.data
        assert.deepStrictEqual(JSON.parse(textOf(request)), {
          type: "event.tracked",
          timestamp,
          projectId: mine.project,
          data: {
            eventId: event,
            contactId: contact,
            contactEmail: "anna@example.com",
            name: "bought",
            data: { price: 9 }
          }
        })
        assert.deepInclude(request, { method: "POST", url: mine.hook.url })
        assert.strictEqual(request.headers?.["content-type"], "application/json")
        assert.isTrue(isSigned(request, mine.hook.secret))
        assert.isFalse(isSigned({ ...request, body: new TextEncoder().encode("{}") }, mine.hook.secret))
        const [delivery] = yield* soon(mine.hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
        assert.deepInclude(delivery, { type: "event.tracked", eventId: event, attempts: 1, nextAttemptAt: null })
        assert.strictEqual(request.headers?.["webhook-id"], delivery?.id)
        const { attemptLog, payload } = yield* mine.hook.detail(delivery?.id ?? "")
        assert.deepStrictEqual(payload, JSON.parse(textOf(request)))
        assert.lengthOf(attemptLog, 1)
        assert.deepInclude(attemptLog[0], { number: 1, statusCode: 204, error: null, response: "" })
        assert.deepStrictEqual(yield* other.deliveries, [])
        assert.deepStrictEqual(yield* foreign.hook.deliveries, [])
        assert.isNotNull((yield* mine.hook.read).lastSuccessAt)
      })
    )

    it.effect("the event that a project was disabled is still delivered, before all others", () =>
      Effect.gen(function* () {
        const { project, hook } = yield* listening({ events: ["project.*"] })
        const { disable } = yield* ProjectStore
        yield* disable(project, "PHISHING_DETECTED", yield* DateTime.now)
        const [delivery] = yield* soon(hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
        assert.strictEqual(delivery?.type, "project.disabled")
        const [request] = hook.requests
        assert.deepInclude(JSON.parse(request === undefined ? "" : textOf(request)).data, {
          reason: "PHISHING_DETECTED"
        })
      })
    )

    it.effect("for 24 hours after a rotation both secrets sign, then the new one alone", () =>
      Effect.gen(function* () {
        const { ask, hook, track } = yield* listening()
        const { body } = yield* ask("POST", `${hook.path}/rotate-secret`)
        assert.notStrictEqual(body.secret, hook.secret)
        assert.strictEqual(body.secretHint, body.secret.slice(-4))
        // The reference implementation uses the real clock, so the test clock is set to it.
        yield* TestClock.setTime(Date.now())
        yield* ask("POST", `${hook.path}/rotate-secret`)
        const { body: rotated } = yield* ask("POST", `${hook.path}/rotate-secret`)
        yield* track({ email: "anna@example.com", event: "bought" })
        yield* soon(
          Effect.sync(() => hook.requests),
          ({ length }) => length > 0
        )
        const [first] = hook.requests
        if (first === undefined) return assert.fail()
        assert.isTrue(isSigned(first, rotated.secret))
        assert.isFalse(isSigned(first, hook.secret))
        assert.strictEqual(first.headers?.["webhook-signature"]?.split(" ").length, 2)
        yield* TestClock.adjust("24 hours")
        yield* track({ email: "anna@example.com", event: "bought" })
        yield* soon(
          Effect.sync(() => hook.requests),
          ({ length }) => length > 1
        )
        assert.strictEqual(hook.requests[1]?.headers?.["webhook-signature"]?.split(" ").length, 1)
      })
    )

    it.effect("tries all rungs of the ladder with the same id and bytes, and then fails", () =>
      Effect.gen(function* () {
        const { ask, hook } = yield* listening()
        hook.answer(() => answered(500, {}, `${"é".repeat(4000)}\0`))
        const { body: test } = yield* ask("POST", `${hook.path}/test`)
        const rungs = [5, 300, 1800, 7200, 18_000, 36_000, 50_400]
        for (const [n, rung] of rungs.entries()) {
          const [delivery] = yield* soon(hook.deliveries, ([first]) => first?.attempts === n + 1)
          assert.strictEqual(delivery?.status, "PENDING")
          const { attemptLog } = yield* hook.detail(test.id)
          const pause = seconds(delivery?.nextAttemptAt ?? null, DateTime.makeUnsafe(attemptLog[n].at))
          assert.isAtLeast(pause, rung * 0.9 - 1)
          assert.isAtMost(pause, rung * 1.1 + 1)
          yield* TestClock.adjust(`${Math.ceil(pause)} seconds`)
        }
        const [failed] = yield* soon(hook.deliveries, ([first]) => first?.status === "FAILED")
        assert.deepInclude(failed, { attempts: 8, nextAttemptAt: null })
        assert.isNotNull(failed?.completedAt)
        yield* TestClock.adjust("2 days")
        assert.lengthOf(hook.requests, 8)
        assert.strictEqual(new Set(hook.requests.map((request) => textOf(request))).size, 1)
        assert.strictEqual(new Set(hook.requests.map(({ headers }) => headers?.["webhook-id"])).size, 1)
        const { attemptLog } = yield* hook.detail(test.id)
        assert.deepStrictEqual(
          attemptLog.map(({ number, statusCode }: { number: number; statusCode: number }) => [number, statusCode]),
          Array.from({ length: 8 }, (_, n) => [n + 1, 500])
        )
        assert.isAtMost(new TextEncoder().encode(attemptLog[0].response).length, 4096)
      })
    )

    it.effect("obeys Retry-After with 429 and 503 only, for at most a day", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const inTenMinutes = DateTime.add(yield* DateTime.now, { minutes: 10 })
        for (const [status, header, least, most] of [
          [429, "120", 118, 121],
          [503, new Date(DateTime.toEpochMillis(inTenMinutes)).toUTCString(), 550, 601],
          [429, "9999999", 86_398, 86_401],
          [429, "1", 4, 7],
          [500, "120", 4, 7],
          [503, "soon", 4, 7]
        ] as const) {
          const hook = yield* endpoint(mine)
          hook.answer(() => answered(status, { "retry-after": header }))
          const at = yield* DateTime.now
          const { body } = yield* mine.ask("POST", `${hook.path}/test`)
          const { nextAttemptAt } = yield* soon(hook.detail(body.id), ({ attempts }) => attempts === 1)
          assert.isAtLeast(seconds(nextAttemptAt, at), least, header)
          assert.isAtMost(seconds(nextAttemptAt, at), most + 3, header)
        }
      })
    )

    it.effect("an endpoint that answers 410 is disabled at once, and its waiting deliveries fail", () =>
      Effect.gen(function* () {
        const { ask, hook, track } = yield* listening()
        hook.answer(() => answered(500))
        yield* track({ email: "anna@example.com", event: "bought" })
        yield* soon(hook.deliveries, ([first]) => first?.attempts === 1)
        hook.answer(() => answered(410))
        yield* ask("POST", `${hook.path}/test`)
        const after = yield* soon(hook.read, ({ enabled }) => enabled === false)
        assert.strictEqual(after.disabledReason, "gone")
        assert.deepStrictEqual(
          (yield* hook.deliveries).map(({ status, nextAttemptAt }) => [status, nextAttemptAt]),
          [
            ["FAILED", null],
            ["FAILED", null]
          ]
        )
        const { body } = yield* ask("PATCH", hook.path, { enabled: true })
        assert.deepInclude(body, { enabled: true, disabledReason: null, failingSince: null })
      })
    )

    it.effect(
      "an endpoint that fails for days is disabled after a warning; the administrators get an email about both",
      () =>
        Effect.gen(function* () {
          const { ask, hook, project } = yield* listening()
          const sql = yield* SqlClient.SqlClient
          const account = "019d0000-0000-7000-8000-000000000001"
          yield* sql`
          insert into users (id, email, email_verified, created_at, updated_at)
          values (${account}, ${`${project}@example.com`}, true, now(), now())
          on conflict do nothing`
          yield* sql`
          insert into members (project_id, user_id, role, created_at) values (${project}, ${account}, 'OWNER', now())`
          const emails = Effect.map(
            sql`select subject from system_mails where recipient = ${`${project}@example.com`} order by id`,
            (rows) => rows.map(({ subject }) => String(subject).replace(/ of \d+ /, " of it "))
          )
          hook.answer(() => unreachable)
          yield* ask("POST", `${hook.path}/test`)
          yield* ask("POST", `${hook.path}/test`)
          yield* soon(hook.read, ({ failingSince }) => failingSince !== null)
          yield* disableFailing
          assert.deepStrictEqual(yield* emails, [])
          yield* TestClock.adjust("25 hours")
          yield* disableFailing
          yield* disableFailing
          assert.deepStrictEqual(yield* emails, ["A webhook of it has been failing for a day"])
          yield* TestClock.adjust("4 days")
          // A few attempts are not enough to disable the endpoint.
          yield* disableFailing
          assert.isTrue((yield* hook.read).enabled)
          for (let more = 0; more < 20; more++) yield* ask("POST", `${hook.path}/test`)
          yield* soon(hook.deliveries, (all) => all.every(({ attempts }) => attempts > 0))
          yield* disableFailing
          assert.deepInclude(yield* hook.read, { enabled: false, disabledReason: "failing" })
          assert.lengthOf(yield* emails, 2)
          assert.isTrue((yield* hook.deliveries).every(({ status }) => status === "FAILED"))
        })
    )

    it.effect(
      "sends at most 10 concurrent requests to an endpoint, over all processes; a slow endpoint does not delay others",
      () =>
        Effect.gen(function* () {
          const slow = yield* listening()
          const quick = yield* listening()
          const queue = yield* WebhookQueue.make
          let [open, most] = [0, 0]
          const gate = yield* Deferred.make<void>()
          slow.hook.answer(() =>
            Effect.gen(function* () {
              most = Math.max(most, ++open)
              yield* Deferred.await(gate)
              open--
              return yield* answered(200)
            })
          )
          yield* Effect.forEach(Array.from({ length: 25 }), () => slow.ask("POST", `${slow.hook.path}/test`))
          yield* soon(
            Effect.sync(() => open),
            (now) => now === 10
          )
          const claims = yield* Effect.all(
            Array.from({ length: 4 }, () => Effect.flatMap(DateTime.now, (now) => queue.claim(50, now))),
            { concurrency: 4 }
          )
          assert.lengthOf(claims.flat(), 0)
          yield* quick.ask("POST", `${quick.hook.path}/test`)
          yield* soon(quick.hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
          assert.strictEqual(open, 10)
          yield* Deferred.succeed(gate, undefined)
          yield* soon(slow.hook.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"))
          assert.strictEqual(most, 10)
          assert.lengthOf(slow.hook.requests, 25)
        })
    )

    it.effect(
      "twenty endpoints of a project that do not respond do not delay other projects, and share the requests evenly",
      () =>
        Effect.gen(function* () {
          const slow = yield* listening()
          const quick = yield* listening()
          const gate = yield* Deferred.make<void>()
          const hooks = [slow.hook, ...(yield* Effect.forEach(Array.from({ length: 19 }), () => endpoint(slow)))]
          let open = 0
          for (const hook of hooks)
            hook.answer(() =>
              Effect.sync(() => void open++).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(answered(200)))
            )
          yield* Effect.forEach(hooks, ({ path }) =>
            Effect.forEach(Array.from({ length: 10 }), () => slow.ask("POST", `${path}/test`))
          )
          yield* soon(
            Effect.sync(() => open),
            (now) => now === 40
          )
          yield* quick.ask("POST", `${quick.hook.path}/test`)
          yield* soon(quick.hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
          assert.strictEqual(open, 40)
          assert.isTrue(hooks.every(({ requests }) => requests.length === 2))
          yield* Deferred.succeed(gate, undefined)
          yield* soon(
            Effect.sync(() => open),
            (all) => all === 200
          )
        })
    )

    it.effect("an endpoint that is disabled or removed during a request gets no further try", () =>
      Effect.gen(function* () {
        const { ask, hook } = yield* listening()
        const [asked, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        hook.answer(() =>
          Deferred.succeed(asked, undefined).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(answered(500)))
        )
        const { body } = yield* ask("POST", `${hook.path}/test`)
        yield* soon(Deferred.isDone(asked), (done) => done)
        yield* ask("PATCH", hook.path, { enabled: false })
        yield* Deferred.succeed(gate, undefined)
        const delivery = yield* soon(hook.detail(body.id), ({ attempts }) => attempts === 1)
        assert.deepInclude(delivery, { status: "FAILED", nextAttemptAt: null })
        hook.answer(() => answered(500))
        yield* ask("POST", `${hook.path}/test`)
        yield* soon(
          Effect.sync(() => hook.requests),
          ({ length }) => length === 2
        )
        assert.strictEqual((yield* ask("DELETE", hook.path)).status, 204)
        yield* TestClock.adjust("1 hour")
        assert.lengthOf(hook.requests, 2)
      })
    )

    // PGlite has one connection, so transactions cannot wait for each other.
    if (name !== "PGlite")
      it.effect("a test of an endpoint that is removed at the same time is a 404", () =>
        Effect.gen(function* () {
          const { ask, hook } = yield* listening()
          const sql = yield* SqlClient.SqlClient
          // A fiber forked within a transaction would be part of it.
          const removed = yield* Deferred.make<void>()
          const tested = yield* Effect.forkChild(
            Effect.andThen(Deferred.await(removed), ask("POST", `${hook.path}/test`))
          )
          yield* Effect.gen(function* () {
            yield* sql`delete from webhook_endpoints where id = ${hook.id}`
            yield* Deferred.succeed(removed, undefined)
            yield* somebodyWaits
          }).pipe(sql.withTransaction)
          const { body, status } = yield* Fiber.join(tested)
          assert.deepStrictEqual([status, body.error.code], [404, "RESOURCE_NOT_FOUND"])
        })
      )
  })
}

const [[, pglite] = []] = databases()
if (pglite !== undefined) {
  layer(wireOver(servicesOn(pglite)), { timeout: "60 seconds" })("A process that stops during a delivery", (it) => {
    it.effect("releases the delivery, and another process sends the same id and bytes", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const hook = yield* endpoint(mine)
        const asked = yield* Deferred.make<void>()
        hook.answer(() => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
        yield* mine.ask("POST", `${hook.path}/test`)
        const scope = yield* Scope.make()
        yield* Scope.provide(Layer.build(sender), scope)
        yield* Deferred.await(asked)
        yield* Scope.close(scope, Exit.void)
        hook.answer(() => answered(200))
        yield* Layer.build(sender)
        const [delivery] = yield* soon(hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
        const [first, second] = hook.requests
        assert.deepStrictEqual(second?.body, first?.body)
        assert.strictEqual(second?.headers?.["webhook-id"], delivery?.id)
        assert.strictEqual(first?.headers?.["webhook-id"], delivery?.id)
      })
    )
  })
}
