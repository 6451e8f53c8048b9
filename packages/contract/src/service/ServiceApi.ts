/** Endpoints about the service itself. They take no key and have no rate limit. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described, Timestamp } from "../platform/Primitives.ts"

export const Health = Schema.Struct({
  status: Schema.Literal("ok"),
  time: Timestamp,
  uptime: Schema.Int.pipe(described("Whole seconds since the start.")),
  version: Schema.String
}).annotate({ identifier: "Health", description: "The process is alive." })

const Check = Schema.Literals(["ok", "failed", "skipped"])

const checks = Schema.Struct({
  database: Check,
  migrations: Check,
  storage: Check,
  workers: Check,
  mailer: Check,
  eventLoop: Schema.Literals(["ok", "degraded", "skipped"]).pipe(
    described(
      "`degraded`: in the last minute the event loop of this process was once late by more than 1 second, or late by more than 100 ms at the 99th percentile. The service stays ready."
    )
  )
})
export type Checks = typeof checks.Type

export const UnfinishedMigration = Schema.Struct({
  name: Schema.String.pipe(described("The migration and its step.")),
  percent: Schema.NullOr(Schema.Int).pipe(
    described("How much of its table a backfill has read, about; null for steps of another kind.")
  ),
  since: Schema.NullOr(Timestamp).pipe(described("When the step began; null before."))
}).annotate({
  identifier: "UnfinishedMigration",
  description: "A step of a migration that workers run while the service works."
})

const unfinishedMigrations = Schema.optionalKey(Schema.Array(UnfinishedMigration)).pipe(
  described("What remains of migrations. Absent if nothing remains. The service stays ready.")
)

export const Ready = Schema.Struct({ status: Schema.Literal("ready"), checks, unfinishedMigrations }).annotate({
  identifier: "Ready",
  description: "The service can work."
})
export const NotReady = Schema.Struct({ status: Schema.Literal("not_ready"), checks, unfinishedMigrations })
  .annotate({ identifier: "NotReady", description: "Something the service needs is missing, or it is shutting down." })
  .pipe(HttpApiSchema.status(503))

const Switch = Schema.Struct({ enabled: Schema.Boolean })

export const Deployment = Schema.Struct({
  environment: Schema.Literals(["production", "development"]),
  version: Schema.String,
  urls: Schema.Struct({
    api: Schema.String.pipe(described("Base URL of the API.")),
    dashboard: Schema.NullOr(Schema.String).pipe(
      described("URL of the console; without it, of a dashboard at another origin. Null: there is none.")
    )
  }),
  features: Schema.Struct({
    signups: Switch,
    billing: Switch,
    storage: Schema.Struct({ enabled: Schema.Boolean, s3Enabled: Schema.Boolean }),
    authProviders: Schema.Struct({
      github: Schema.Boolean,
      google: Schema.Boolean,
      oidc: Schema.optionalKey(Schema.Boolean)
    }),
    email: Schema.Struct({ trackingToggleEnabled: Schema.Boolean, verificationRequired: Schema.Boolean }),
    inbound: Switch,
    smtp: Schema.Struct({
      enabled: Schema.Boolean.pipe(described("Whether there is a submission service.")),
      host: Schema.NullOr(Schema.String).pipe(described("Host name for clients. Null if it is not enabled.")),
      ports: Schema.Struct({
        starttls: Schema.NullOr(Schema.Int).pipe(described("Port with STARTTLS, null if there is none.")),
        tls: Schema.NullOr(Schema.Int).pipe(described("Port with TLS from the first byte, null if there is none."))
      })
    }),
    devMailbox: Switch
  })
}).annotate({ identifier: "Deployment", description: "What this deployment offers." })

export class ServiceApi extends HttpApiGroup.make("service")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Health }).annotateMerge(
      OpenApi.annotations({
        summary: "Check that the process is alive",
        description: "For liveness probes; does no I/O. Needs no key and has no rate limit."
      })
    ),
    HttpApiEndpoint.get("ready", "/ready", { success: [Ready, NotReady] }).annotateMerge(
      OpenApi.annotations({
        summary: "Check that the service is ready",
        description:
          "For readiness probes; checks everything that the service needs. 503 from the start of a shutdown. Needs no key and has no rate limit."
      })
    ),
    HttpApiEndpoint.get("config", "/config", { success: Deployment }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the features of this deployment",
        description:
          "Which features are enabled, for user interfaces. Contains no secrets and no counts. Needs no key and has no rate limit."
      })
    )
  )
  .annotate(OpenApi.Description, "The service itself, for its operator.") {}
