import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import * as Output from "../../output/Output.ts"

export const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call, project } = yield* Api
    const id = yield* project
    const domains = yield* call(({ domains }) => domains.list(id))
    yield* Output.list(Stream.fromIterable(domains), {
      head: ["domain", "status", "last checked", "id"],
      row: ({ domain, status, lastCheckedAt, id }) => [domain, status, lastCheckedAt, id],
      none: "The project has no domains yet. Add one with `posthorn domains add <domain>`."
    })
  })
).pipe(
  Command.withDescription("List the domains of the project"),
  Command.withExamples([{ command: "posthorn domains list" }]),
  withApi
)
