/** Finds a contact by address or id. */
import type { Contact } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"

export const contactArgument = Argument.String("contact").pipe(
  Argument.withDescription("Address of the contact, or its id")
)

const notFound = (email: string) =>
  new CommandFailure({
    exit: "notFound",
    code: "CONTACT_NOT_FOUND",
    message: `The project has no contact ${email}.`,
    suggestion: "`posthorn contacts list --search` finds one by part of its address."
  })

export const contactOf = Effect.fnUntraced(function* (
  addressOrId: string
): Effect.fn.Return<Contact, CommandFailure, Api> {
  const { call, items } = yield* Api
  if (!addressOrId.includes("@")) return yield* call(({ contacts }) => contacts.get(addressOrId))
  const email = addressOrId.trim().toLowerCase()
  const found = yield* items(({ contacts }) => contacts.list({ search: email, limit: 100 })).pipe(
    Stream.filter((contact) => contact.email === email),
    Stream.runHead
  )
  return Option.isSome(found) ? found.value : yield* notFound(email)
})
