/** Arguments and options of commands on webhooks. */
import { Argument, Flag } from "effect/cli"
import { optional } from "./Optional.ts"

export const webhookId = Argument.String("id").pipe(
  Argument.withDescription("Id of the webhook, as `posthorn webhooks list` shows it")
)

export const webhookOptions = {
  description: Flag.String("description").pipe(
    Flag.withDescription("What it is for; at most 500 characters"),
    optional
  ),
  enabled: Flag.Boolean("enabled").pipe(
    Flag.withDescription("Whether it receives events; disabling it drops its waiting deliveries"),
    optional
  )
}

export const eventsDescription =
  "Events that it receives: a type, a prefix such as email.*, or * for all; may be repeated"
