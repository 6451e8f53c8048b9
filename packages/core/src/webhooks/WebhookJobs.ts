/** What comes round for webhooks: endpoints that fail for days, logs that grow old, secrets to be sealed anew. */
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Projects } from "../projects/Projects.ts"
import { Settings } from "../Settings.ts"
import { type Letter, SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { disabledLetter, failingLetter } from "./WebhookLetters.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { type EndpointKey, WebhookStore } from "./WebhookStore.ts"

const warnAfter = Duration.days(1)
const disableAfter = Duration.days(5)
/** An endpoint that is hardly ever told anything is not given up for a bad week. */
const minimumTries = 20
const sweepPart = 5_000
const resealPart = 100

type Judging = Accounts | Projects | SystemMail | Transaction | WebhookStore

const write = Effect.fnUntraced(function* (
  { project, url }: EndpointKey,
  letter: (project: string, url: string) => (to: string) => Letter
) {
  const { administrators } = yield* Accounts
  const { name } = yield* Effect.orDie((yield* Projects).recall(project))
  yield* (yield* SystemMail).post((yield* administrators(project)).map(letter(name, url)))
})

/** Warns after a day without one success, and disables after five; the people are told of both. */
export const judge: Effect.Effect<void, never, Judging> = Effect.gen(function* () {
  const store = yield* WebhookStore
  const { run } = yield* Transaction
  const now = yield* DateTime.now
  const since = (period: Duration.Duration) => DateTime.subtractDuration(now, period)

  for (const endpoint of yield* store.failing(since(disableAfter), minimumTries)) {
    const { project, id } = endpoint
    yield* run(
      Effect.gen(function* () {
        if (yield* store.disable(project, id, "failing", now)) yield* write(endpoint, disabledLetter)
      })
    )
    yield* Effect.logWarning("A webhook failed for 5 days and is disabled").pipe(
      Effect.annotateLogs({ projectId: project, webhookId: id })
    )
  }
  yield* run(
    Effect.gen(function* () {
      const failing = yield* store.takeUnwarned(since(warnAfter))
      yield* Effect.forEach(failing, (endpoint) => write(endpoint, failingLetter), { discard: true })
    })
  )
})

/** The log is kept for 30 days, unless the operator says otherwise (contract-2 19). */
export const sweep: Effect.Effect<void, never, DeliveryStore> = Effect.gen(function* () {
  const { sweep } = yield* DeliveryStore
  const { deliveriesKept } = yield* Settings
  const before = DateTime.subtractDuration(yield* DateTime.now, deliveriesKept)
  while ((yield* sweep(before, sweepPart)) === sweepPart);
})

/** Brings the secrets under the installation's current secret, so that the previous one can be dropped. */
export const reseal: Effect.Effect<void, never, WebhookSecrets | WebhookStore> = Effect.gen(function* () {
  const store = yield* WebhookStore
  const secrets = yield* WebhookSecrets
  let after: WebhookId | undefined
  do {
    const page = yield* store.secrets(resealPart, after)
    after = page.at(-1)?.id
    for (const before of page) {
      const renewed = yield* secrets
        .renew(before)
        .pipe(Effect.catchTag("CannotOpen", (error) => Effect.as(Effect.logError(error.message), Option.none())))
      if (Option.isSome(renewed)) yield* store.reseal(before, renewed.value)
    }
  } while (after !== undefined)
})

export const layer: Layer.Layer<never, never, DeliveryStore | Judging | PeriodicJobs | WebhookSecrets> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { schedule } = yield* PeriodicJobs
      yield* Effect.forkScoped(schedule({ name: "webhooks-failing", every: Duration.minutes(1) }, judge))
      yield* Effect.forkScoped(schedule({ name: "webhook-deliveries", every: Duration.days(1) }, sweep))
      yield* Effect.forkScoped(schedule({ name: "webhook-secrets", every: Duration.days(1) }, reseal))
    })
  )
