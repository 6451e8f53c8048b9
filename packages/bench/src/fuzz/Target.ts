/** A server that takes anything from its callers, with a sender, two more for SMTP, and a sink for its mail. */
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import * as Seed from "../Seed.ts"

/** `rateLimit`: requests of a project a minute; 0 is no limit. */
export const start = Effect.fn("Target.start")(function* (name: string, rateLimit: number) {
  const database = yield* Postgres.freshDatabase
  const [sender, reading, vanishing] = yield* Effect.provide(Seed.senders(3), Seed.core(Postgres.layer(database)))
  if (reading === undefined || vanishing === undefined) {
    return yield* new BenchFailure({ message: "not all senders were made" })
  }
  const sink = yield* Sink.start
  const server = yield* Server.start({
    name,
    role: "all",
    database,
    smtp: sink.url,
    environment: {
      POSTHORN_RATE_LIMIT_PER_MINUTE: String(rateLimit),
      POSTHORN_TRUST_PROXY: "1",
      POSTHORN_SUBMISSION_PORT: "0",
      POSTHORN_SUBMISSION_RATE_PER_MINUTE: "0",
      POSTHORN_AUTO_SUSPEND: "false",
      POSTHORN_DISABLE_SIGNUPS: "false",
      POSTHORN_NOTIFICATION_SECRET: "a secret of the run, which keeps nothing"
    }
  })
  return {
    sender,
    submitters: [reading, vanishing] as const,
    domain: sender.from.split("@")[1] ?? "",
    server,
    database
  }
})
