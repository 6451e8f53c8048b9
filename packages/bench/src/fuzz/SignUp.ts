import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

/** A user with an account and a project. */
export const signUp = Effect.fnUntraced(function* (url: string, name: string) {
  const ask = (path: string, body: object, more: object = {}) =>
    Effect.promise(() => {
      const headers = { "content-type": "application/json", ...more }
      return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    })
  const signedUp = yield* ask("/auth/signup", { email: `${name}@example.org`, password: "correct horse battery" })
  const session = /posthorn_session=([^;]+)/.exec(signedUp.headers.getSetCookie().join())?.[1]
  if (session === undefined) {
    const said = yield* Effect.promise(() => signedUp.text())
    return yield* new BenchFailure({ message: `the sign-up failed: ${signedUp.status} ${said}` })
  }
  const made = yield* ask("/users/@me/projects", { name: "Fuzz" }, { cookie: `posthorn_session=${session}` })
  const text = yield* Effect.promise(() => made.text())
  const project = /"id":"([^"]+)"/.exec(text)?.[1]
  if (project === undefined) return yield* new BenchFailure({ message: `no project was made: ${text}` })
  return { session, project }
})
