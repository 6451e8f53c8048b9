/** What comes round for accounts and projects: expired things go, wipes that were begun go on (contract-2 18). */
import { DateTime, Duration, Effect, Layer } from "effect"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Members } from "../members/Members.ts"
import { OwnProjects } from "../projects/OwnProjects.ts"
import { Attempts } from "./Attempts.ts"
import { MailedTokens } from "./MailedTokens.ts"
import { SessionStore } from "./SessionStore.ts"

/** Removes what has expired. Nobody goes by it any more; this is for the room it takes. */
export const sweep: Effect.Effect<void, never, Attempts | MailedTokens | Members | SessionStore> = Effect.gen(
  function* () {
    const now = yield* DateTime.now
    yield* (yield* Attempts).sweep(now)
    yield* (yield* SessionStore).sweep(now)
    yield* (yield* MailedTokens).sweep
    yield* (yield* Members).sweep
  }
)

type Needs = Attempts | MailedTokens | Members | OwnProjects | PeriodicJobs | SessionStore

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { schedule } = yield* PeriodicJobs
    const { wipeAll } = yield* OwnProjects
    yield* Effect.forkScoped(schedule({ name: "project-wipes", every: Duration.seconds(10) }, wipeAll))
    yield* Effect.forkScoped(schedule({ name: "sign-in", every: Duration.hours(1) }, sweep))
  })
)
