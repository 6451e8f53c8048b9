/** Redis and NATS, if they are configured. Their clients are optional packages, which are loaded here. */
import { load } from "@posthorn/platform-node/OptionalPackage"
import { Effect, Layer, type Redacted } from "effect"
import type { Config } from "./Config.ts"
import { variables } from "./config/Variables.ts"

/** Rate limits on Redis. */
export const redis = (url: Redacted.Redacted<string>) => {
  const { name } = variables.redisUrl
  return Layer.unwrap(
    Effect.map(
      load("@redis/client", name, () => import("@posthorn/platform-node/redis/RedisRateWindows")),
      ({ layer }) => layer({ url, name })
    )
  )
}

/** Wake-ups over NATS. */
export const nats = (options: NonNullable<Config["nats"]>) => {
  const { name } = variables.natsUrl
  return Layer.unwrap(
    Effect.map(
      load("@nats-io/transport-node", name, () => import("@posthorn/platform-node/wakeups/NatsWakeups")),
      ({ layer }) => layer({ ...options, name })
    )
  )
}
