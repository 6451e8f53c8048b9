/** Checks of Redis and NATS, where they are configured. */
import { withoutLogin } from "@posthorn/platform-node/postgres/Postgres"
import { Effect, Layer, Redacted, type Scope } from "effect"
import type { Config } from "../Config.ts"
import { variables } from "../config/Variables.ts"
import * as Edge from "../Edge.ts"
import { type Finding, failed, ok, warning } from "./Finding.ts"

/** Connects once. */
const check = (
  name: string,
  url: Redacted.Redacted<string>,
  connect: Effect.Effect<unknown, { readonly message: string }, Scope.Scope>,
  fix: string
): Effect.Effect<Finding> =>
  Effect.scoped(connect).pipe(
    Effect.as(ok(name, `${withoutLogin(Redacted.value(url))} answers.`)),
    Effect.catch(({ message }) => Effect.succeed(failed(name, message, fix)))
  )

/** No finding for what is not configured. */
export const edgeChecks = Effect.fn("Doctor.edge")(function* ({ databaseUrl, nats, redisUrl }: Config) {
  const findings: Array<Finding> = []
  if (redisUrl !== undefined) {
    const { name } = variables.redisUrl
    findings.push(
      yield* check(
        "redis",
        redisUrl,
        Layer.build(Edge.redis(redisUrl)),
        `Correct ${name}, or remove it to count in the database.`
      )
    )
  }
  if (nats !== undefined) {
    const { name } = variables.natsUrl
    findings.push(
      databaseUrl === undefined
        ? warning("nats", `${name} has no effect on an embedded database, which has one process.`, `Remove ${name}.`)
        : yield* check(
            "nats",
            nats.url,
            Layer.build(Edge.nats(nats)),
            `Correct ${name}, or remove it to wake by NOTIFY of PostgreSQL.`
          )
    )
  }
  return findings
})
