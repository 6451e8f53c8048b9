/** Where a server takes mail by SMTP. */
import { Effect, Schema } from "effect"

const Deployment = Schema.Struct({
  features: Schema.Struct({ smtp: Schema.Struct({ ports: Schema.Struct({ starttls: Schema.Int }) }) })
})

/** Its port with STARTTLS, or in clear on loopback. */
export const submissionPort = (url: string) =>
  Effect.promise(() => fetch(`${url}/config`).then((response) => response.json())).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Deployment)),
    Effect.map(({ features }) => features.smtp.ports.starttls),
    Effect.orDie
  )
