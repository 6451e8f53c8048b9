import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { domainArgument, domainOf } from "../../api/DomainOf.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "remove",
  { domain: domainArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ domain: nameOrId, yes }) {
    const { call } = yield* Api
    const { domain, id } = yield* domainOf(nameOrId)
    yield* confirm(`Remove ${domain}? Its signing keys are destroyed.`, yes)
    yield* call(({ domains }) => domains.remove(id))
    yield* Output.one({ id, domain, removed: true }, { rows: [["removed", domain]] })
  })
).pipe(
  Command.withDescription("Remove a domain and destroy its signing keys; asks first"),
  Command.withExamples([{ command: "posthorn domains remove mail.example.com --yes" }]),
  withApi
)
