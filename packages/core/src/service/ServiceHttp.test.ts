import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { settings } from "../testing/Services.ts"
import { outcome, send, wire } from "../testing/TestClient.ts"
import { deploymentOf } from "./Deployment.ts"
import { ServiceStatus } from "./ServiceStatus.ts"

layer(wire)("the endpoints about the service itself", (it) => {
  it.effect("report that the process is alive, since when, and in which version", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("90 seconds")
      const { body, status } = yield* send("GET", "/health", undefined, { authorization: "" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, { status: "ok", time: "1970-01-01T00:01:30.000Z", uptime: 90, version: "0.0.0" })
    })
  )

  it.effect("report that the service is ready, without details", () =>
    Effect.gen(function* () {
      const { body, status } = yield* send("GET", "/ready", undefined, { authorization: "" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        status: "ready",
        checks: {
          database: "ok",
          migrations: "ok",
          storage: "skipped",
          workers: "skipped",
          mailer: "skipped",
          eventLoop: "skipped"
        }
      })
    })
  )

  it.effect("report that it is not ready from the start of a shutdown, but still alive", () =>
    Effect.gen(function* () {
      yield* (yield* ServiceStatus).drain
      const { body, status } = yield* send("GET", "/ready")
      assert.strictEqual(status, 503)
      assert.include(body, { status: "not_ready" })
      assert.strictEqual(yield* outcome("GET", "/health"), "200 ok")
    })
  )

  it.effect("show the features of the deployment without a key, and no secret", () =>
    Effect.gen(function* () {
      const { body, status } = yield* send("GET", "/config", undefined, { authorization: "" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        environment: "development",
        version: "0.0.0",
        urls: { api: "https://posthorn.example", dashboard: "https://dashboard.example" },
        features: {
          signups: { enabled: true },
          billing: { enabled: false },
          storage: { enabled: false, s3Enabled: false },
          authProviders: { github: false, google: false },
          smtp: { enabled: false, host: null, ports: { starttls: null, tls: null } },
          email: { trackingToggleEnabled: true, verificationRequired: false },
          inbound: { enabled: false },
          devMailbox: { enabled: true }
        }
      })
      const equipment = {
        signupsOpen: true,
        sells: false,
        storage: "none",
        authProviders: { github: false, google: false },
        submission: Option.none()
      } as const
      const dashboard = (more: object) => deploymentOf({ ...settings, ...more }, equipment).urls.dashboard
      const publicUrl = "https://mail.example.com"
      assert.strictEqual(dashboard({ publicUrl, hasConsole: true }), "https://mail.example.com/console")
      assert.isNull(dashboard({ publicUrl, hasConsole: false, dashboardOrigins: [publicUrl] }))
      const secret = "a secret that is never shown"
      const shown = deploymentOf(
        { ...settings, devMode: false, notificationSecret: Redacted.make(secret) },
        {
          signupsOpen: false,
          sells: true,
          storage: "s3",
          authProviders: { github: true, google: false },
          submission: Option.some({ host: "mail.example.com", ports: { starttls: 587, tls: null } })
        }
      )
      assert.notInclude(JSON.stringify(shown), secret)
      assert.deepInclude(shown.features, {
        inbound: { enabled: true },
        signups: { enabled: false },
        billing: { enabled: true },
        storage: { enabled: true, s3Enabled: true },
        authProviders: { github: true, google: false },
        smtp: { enabled: true, host: "mail.example.com", ports: { starttls: 587, tls: null } }
      })
      assert.strictEqual(shown.environment, "production")
      const listening = deploymentOf(
        { ...settings, listensForMail: true },
        {
          signupsOpen: true,
          sells: false,
          storage: "none",
          authProviders: { github: false, google: false },
          submission: Option.none()
        }
      )
      assert.isTrue(listening.features.inbound.enabled)
    })
  )
})

layer(wire)("without its tables", (it) => {
  it.effect("a service is not ready, but alive", () =>
    Effect.gen(function* () {
      yield* SqlClient.SqlClient.use((sql) => sql`drop schema posthorn cascade`)
      const { body, status } = yield* send("GET", "/ready")
      assert.strictEqual(status, 503)
      assert.include(body.checks, { database: "ok", migrations: "failed" })
      assert.strictEqual(yield* outcome("GET", "/health"), "200 ok")
    })
  )
})
