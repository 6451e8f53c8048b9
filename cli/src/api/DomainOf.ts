/** Finds a domain by name or id. */
import { domainToASCII } from "node:url"
import type { Domain } from "@posthorn/client"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"

export const domainArgument = Argument.String("domain").pipe(
  Argument.withDescription("Name of the domain, in any spelling, or its id")
)

/** The form of the service: lower case, ASCII, no final dot. */
const canonical = (name: string): string => domainToASCII(name.trim().replace(/\.$/, "").toLowerCase())

export const domainOf = Effect.fnUntraced(function* (nameOrId: string): Effect.fn.Return<Domain, CommandFailure, Api> {
  const { call, project } = yield* Api
  const id = yield* project
  const name = canonical(nameOrId)
  const all = yield* call(({ domains }) => domains.list(id))
  const found = all.find((domain) => domain.id === nameOrId || domain.domain === name)
  if (found !== undefined) return found
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no domain ${nameOrId}.`,
    suggestion: "`posthorn domains list` shows those it has."
  })
})
