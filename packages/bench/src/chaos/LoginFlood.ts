/** Logins with wrong passwords from many networks, during the requests of others. */
import { Effect, Fiber } from "effect"
import * as PacedLoad from "../load/PacedLoad.ts"
import * as Beside from "./Beside.ts"
import { Installation } from "./Installation.ts"

export interface Options extends Beside.Options {
  /** A second, each from another network and for another account. */
  readonly logins: number
}

/** Runs the logins until the scope closes. Returns their answers by status, which are complete by then. */
const flood = Effect.fnUntraced(function* (url: string, perSecond: number, seconds: number) {
  const answers: Record<string, number> = {}
  const load = yield* Effect.orDie(PacedLoad.start)
  const question = {
    url: `${url}/auth/login`,
    body: '{"email":"flood-$n@example.com","password":"not the password"}',
    projects: [{}] as const,
    perSecond,
    seconds,
    fromAddresses: true
  }
  const running = yield* Effect.forkScoped(Effect.orDie(load.ask(question, PacedLoad.Answer)))
  yield* Effect.addFinalizer(() =>
    Effect.map(Effect.orDie(Fiber.join(running)), ({ requests }) => {
      for (const { status } of requests) answers[status] = (answers[status] ?? 0) + 1
    })
  )
  return answers
})

/** As `Beside.compare`, beside the logins. Each disturbance has the answers to its logins. */
export const rage = Effect.fn("LoginFlood.rage")(function* ({ logins, ...options }: Options) {
  const { startApi } = yield* Installation
  const api = yield* startApi({ environment: { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" } })
  return yield* Beside.compare(api.url, options, flood(api.url, logins, options.seconds))
})
