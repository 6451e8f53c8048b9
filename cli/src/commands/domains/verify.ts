import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Api from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { domainArgument, domainOf } from "../../api/DomainOf.ts"
import { Operator } from "../../operator/Operator.ts"
import { projectOf } from "../../operator/ProjectOf.ts"
import { asOperator } from "../../operator/WithOperator.ts"
import { domainBlocks } from "../../output/DomainText.ts"
import * as Output from "../../output/Output.ts"

const check = Effect.fnUntraced(function* (nameOrId: string) {
  const { call } = yield* Api.Api
  const { id } = yield* domainOf(nameOrId)
  return yield* call(({ domains }) => domains.verify(id))
})

const endTrust = Effect.fnUntraced(function* (name: string, project: string | undefined) {
  const { setTrust } = yield* Operator
  return yield* setTrust(name, project === undefined ? undefined : (yield* projectOf(project)).id, false)
})

export const verify = Command.make(
  "verify",
  {
    domain: domainArgument,
    endTrust: Flag.Boolean("end-trust").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Take `posthorn domains trust` back; for operators, over the database")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, endTrust: endsTrust, ...input }) {
    const domain = endsTrust
      ? yield* asOperator(endTrust(nameOrId, input.project), input)
      : yield* Effect.provide(check(nameOrId), Api.layer(input))
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription("Look at the DNS records of a domain now, and show what is there"),
  Command.withExamples([
    { command: "posthorn domains verify mail.example.com" },
    { command: "posthorn domains verify mail.example.com --end-trust", description: "Let DNS decide again" }
  ])
)
