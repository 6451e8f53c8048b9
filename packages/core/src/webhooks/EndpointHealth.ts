/** Periodic jobs for webhooks: they disable endpoints that fail for days and remove old deliveries. */
import { DateTime, Duration, Effect } from "effect"
import { Accounts } from "../accounts/people/Accounts.ts"
import { Projects } from "../accounts/projects/Projects.ts"
import { type SystemEmail, SystemMail } from "../accounts/systemmail/SystemMail.ts"
import { Settings } from "../platform/Settings.ts"
import { Transaction } from "../platform/Transaction.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { endpointDisabledEmail, failingEmail } from "./WebhookEmails.ts"
import { type EndpointKey, WebhookStore } from "./WebhookStore.ts"

const warnAfter = Duration.days(1)
const disableAfter = Duration.days(5)
/**
 * The minimum number of failed attempts, so that an endpoint with few deliveries is not disabled after one bad week.
 */
const minimumTries = 20
const sweepPart = 5_000

type Needs = Accounts | Projects | SystemMail | Transaction | WebhookStore

const notify = Effect.fnUntraced(function* (
  { project, url }: EndpointKey,
  email: (project: string, url: string) => (to: string) => SystemEmail
) {
  const { administrators } = yield* Accounts
  const { name } = yield* Effect.orDie((yield* Projects).getCached(project))
  yield* (yield* SystemMail).post((yield* administrators(project)).map(email(name, url)))
})

/**
 * Warns after a day without a success and disables the endpoint after five days. Sends an email to the administrators
 * for both.
 */
export const disableFailing: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const store = yield* WebhookStore
  const { run } = yield* Transaction
  const now = yield* DateTime.now
  const since = (period: Duration.Duration) => DateTime.subtractDuration(now, period)

  for (const endpoint of yield* store.failing(since(disableAfter), minimumTries)) {
    const { project, id } = endpoint
    yield* run(
      Effect.gen(function* () {
        if (yield* store.disable(project, id, "failing", now)) yield* notify(endpoint, endpointDisabledEmail)
      })
    )
    yield* Effect.logWarning("A webhook failed for 5 days and is disabled").pipe(
      Effect.annotateLogs({ projectId: project, webhookId: id })
    )
  }
  yield* run(
    Effect.gen(function* () {
      const failing = yield* store.takeUnwarned(since(warnAfter))
      yield* Effect.forEach(failing, (endpoint) => notify(endpoint, failingEmail), { discard: true })
    })
  )
})

/** Removes ended deliveries after 30 days, unless the operator sets another time. */
export const sweepDeliveries: Effect.Effect<void, never, DeliveryStore> = Effect.gen(function* () {
  const { sweep } = yield* DeliveryStore
  const { deliveriesKept } = yield* Settings
  const before = DateTime.subtractDuration(yield* DateTime.now, deliveriesKept)
  while ((yield* sweep(before, sweepPart)) === sweepPart);
})
