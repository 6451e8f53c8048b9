/**
 * The time of an answer does not show whether an account exists, because a login to an unknown address also computes
 * the hash. The requests alternate, so that other load on this machine affects both alike, and the test compares
 * medians. Without the hash, an answer would take a tenth of the time.
 */

import { assert, layer } from "@effect/vitest"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import * as Posthorn from "@posthorn/core/Posthorn"
import { Settings } from "@posthorn/core/platform/Settings"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import { browse, newAddress, password, signUp } from "@posthorn/core/testing/Browser"
import { pglite } from "@posthorn/core/testing/Databases"
import { host, settings } from "@posthorn/core/testing/Services"
import { clientHeader, send, wireOver } from "@posthorn/core/testing/TestClient"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const real = Layer.mergeAll(Posthorn.layer, ServiceStatus.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Layer.provideMerge(Argon2.layer, host), pglite)),
  Layer.provideMerge(Layer.succeed(Settings, settings))
)

const samples = 40

const medianOf = (times: ReadonlyArray<number>) => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0

/** In milliseconds, taken alternately. Failed attempts are deleted, because so many would lock the account. */
const medians = Effect.fnUntraced(function* <E, R>(
  one: Effect.Effect<unknown, E, R>,
  other: Effect.Effect<unknown, E, R>,
  count = samples
) {
  const sql = yield* SqlClient.SqlClient
  const timed = (request: Effect.Effect<unknown, E, R>) =>
    Effect.gen(function* () {
      yield* sql`delete from attempts`
      const begin = performance.now()
      yield* request
      return performance.now() - begin
    })
  const times: Array<readonly [number, number]> = []
  for (let n = 0; n < count; n++) times.push([yield* timed(one), yield* timed(other)])
  // The first requests warm up.
  const settled = times.slice(count / 4)
  return [medianOf(settled.map(([time]) => time)), medianOf(settled.map(([, time]) => time))] as const
})

const assertAlike = ([one, other]: readonly [number, number], about: string) => {
  assert.isBelow(Math.max(one, other) / Math.min(one, other), 2, `${about}: ${one} ms and ${other} ms`)
}

layer(wireOver(real), { timeout: "60 seconds" })("The time of an answer", (it) => {
  it.effect("does not reveal whether an address has an account: wrong password, unknown address, no password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = yield* signUp(newAddress("known"))
      const without = yield* signUp(newAddress("without"))
      yield* sql`update users set password_hash = null where id = ${without.id}`
      const login = (email: string) => browse("", "POST", "/auth/login", { email, password: "a wrong horse" })
      const unknown = Effect.suspend(() => login(newAddress("unknown")))
      assertAlike(yield* medians(login(known.email), unknown), "unknown")
      assertAlike(yield* medians(login(known.email), login(without.email)), "without password")
    })
  )

  it.effect("does not reveal it for a password reset either", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("forgetful"))
      const ask = (address: string) => browse("", "POST", "/auth/request-password-reset", { email: address })
      const unknown = Effect.suspend(() => ask(newAddress("unknown")))
      assertAlike(yield* medians(ask(email), unknown), "reset")
    })
  )

  it.effect("does not reveal how much of a key is right: its first 40 characters, or three", () =>
    Effect.gen(function* () {
      const { keys } = yield* (yield* Projects).create("Shop")
      const right = Redacted.value(keys.secretKey)
      let asked = 0
      // Each key is new, because an answer from the cache takes less time. Each client has one wrong key.
      const withFirst = (length: number) =>
        Effect.suspend(() => {
          const key = right.slice(0, length) + (asked++).toString(36).padStart(right.length - length, "-")
          const headers = { authorization: `Bearer ${key}`, [clientHeader]: `192.0.2.${asked % 256}` }
          return send("GET", "/contacts", undefined, headers)
        })
      assert.strictEqual((yield* withFirst(40)).status, 401)
      assertAlike(yield* medians(withFirst(40), withFirst(3), 400), "key")
    })
  )

  it.effect(
    "does not grow for other requests during many logins, because only two logins are processed at the same time",
    () =>
      Effect.gen(function* () {
        const known = yield* signUp(newAddress("bystander"))
        const login = Effect.suspend(() => browse("", "POST", "/auth/login", { email: newAddress("flood"), password }))
        const flood = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 60 }, () => login),
            { concurrency: "unbounded" }
          )
        )
        // All logins are running, and a request that needs no password does not wait for them.
        yield* browse(known.cookie, "GET", "/users/@me")
        assert.isUndefined(flood.pollUnsafe())
        const answers = yield* Fiber.join(flood)
        const refused = answers.filter(({ status }) => status === 401)
        assert.isAtLeast(refused.length, 40)
        // More than wait for a password are refused at once.
        for (const { status } of answers) assert.include([401, 503], status)
      })
  )
})
