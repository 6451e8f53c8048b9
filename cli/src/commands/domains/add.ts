import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { domainBlocks } from "../../output/DomainText.ts"
import * as Output from "../../output/Output.ts"

export const add = Command.make(
  "add",
  { domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")), ...connectionOptions },
  Effect.fnUntraced(function* ({ domain }) {
    const { call } = yield* Api
    const added = yield* call(({ domains }) => domains.add({ domain }))
    yield* Output.one(added, ...domainBlocks(added))
  })
).pipe(
  Command.withDescription("Add a domain and show the DNS records to publish"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  withApi
)
