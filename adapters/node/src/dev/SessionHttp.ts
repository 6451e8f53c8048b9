/** `POST /dev/session`: opens a session of the account of the dev mode, without its password. */
import { envelope, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Accounts } from "@posthorn/core/accounts/people/Accounts"
import * as SessionCookie from "@posthorn/core/accounts/people/SessionCookie"
import { SignIn } from "@posthorn/core/accounts/people/SignIn"
import { respond } from "@posthorn/core/platform/http/Respond"
import { type DevPages, devOnly } from "@posthorn/platform-node/mailbox/DevOnly"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { DevProject } from "./DevProject.ts"

/** The account can be deleted while the service runs; the next start makes it again. */
const gone = (email: string) =>
  Schema.encodeEffect(envelope(ResourceNotFound))(new ResourceNotFound({ resource: "account", id: email })).pipe(
    Effect.orDie,
    Effect.map(respond)
  )

const routes = Effect.gen(function* () {
  const accounts = yield* Accounts
  const signIn = yield* SignIn
  const { email } = yield* DevProject

  const open = Effect.gen(function* () {
    const account = yield* accounts.find(email)
    if (Option.isNone(account)) return yield* gone(email)
    const { id } = account.value
    yield* SessionCookie.set(yield* signIn.openAs(id, "dev"))
    return HttpServerResponse.jsonUnsafe({ success: true, data: { id, email } })
  })

  return [HttpRouter.route("POST", "/dev/session", open)]
})

/** Answers only this machine, under its own names and the host of the public URL. */
export const layer = (
  pages: DevPages
): Layer.Layer<never, never, Accounts | DevProject | HttpRouter.HttpRouter | SignIn> =>
  HttpRouter.addAll(routes).pipe(Layer.provide(devOnly(pages)))
