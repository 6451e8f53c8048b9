/**
 * Which mailbox provider a recipient has: from the shipped list, or by the best mail exchange of the domain.
 *
 * A look-up is kept for 7 days, for all projects. The first mail to an unknown domain waits for it at most 300 ms. A
 * look-up that takes longer ends in the background, so that later mail has its result.
 */
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Clock, DateTime, Duration, Effect, Fiber, Option, Order, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { DnsResolver, type MailExchange } from "../../platform/dns/DnsResolver.ts"
import { Settings } from "../../platform/Settings.ts"
import { listed, ofExchange, otherProvider } from "./ProviderList.ts"

const kept = Duration.days(7)
/** How long a process uses a result before it reads it again. */
const remembered = Duration.hours(1)
/** How long a domain without an answer is not looked up again. */
const retryAfter = Duration.minutes(1)
const longestWait = Duration.millis(300)
const lookUpsAtOnce = 20
/** Domains that a process remembers. Beyond it the memory is emptied. */
const maxDomains = 50_000

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ provider: Schema.String, lookedUpAt: Schema.DateTimeUtcFromDate }))
)

const best = Order.combine(
  Order.mapInput(Order.Number, ({ priority }: MailExchange) => priority),
  Order.mapInput(Order.String, ({ exchange }: MailExchange) => exchange)
)

const providerOf = (exchanges: ReadonlyArray<MailExchange>): Provider =>
  Array.isReadonlyArrayNonEmpty(exchanges) ? ofExchange(Array.min(exchanges, best).exchange) : otherProvider

interface LookUp {
  readonly fiber: Fiber.Fiber<Provider>
  readonly startedAt: number
}

export interface RecipientProviders {
  /** Never fails: `OTHER` if the provider is not known. */
  readonly of: (address: string) => Effect.Effect<Provider>
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dns = yield* DnsResolver
  const { providerLookup } = yield* Settings
  const scope = yield* Effect.scope
  const { withPermit } = yield* Semaphore.make(lookUpsAtOnce)
  const memory = new Map<string, { readonly provider: Provider; readonly until: number }>()
  const running = new Map<string, LookUp>()

  const stored = (domain: string) =>
    sql`select provider, looked_up_at as "lookedUpAt" from recipient_domains where domain = ${domain}`.pipe(
      Effect.flatMap(rows),
      Effect.map(Array.head)
    )

  const store = (domain: string, provider: Provider, now: DateTime.Utc) => sql`
    insert into recipient_domains (domain, provider, looked_up_at) values (${domain}, ${provider}, ${DateTime.toDate(now)})
    on conflict (domain) do update set provider = excluded.provider, looked_up_at = excluded.looked_up_at`

  const remember = Effect.fnUntraced(function* (domain: string, provider: Provider, duration: Duration.Duration) {
    if (memory.size >= maxDomains) memory.clear()
    memory.set(domain, { provider, until: (yield* Clock.currentTimeMillis) + Duration.toMillis(duration) })
    return provider
  })

  /** Without an answer, an older result stays. */
  const lookUp = Effect.fn("RecipientProviders.lookUp")(function* (domain: string) {
    const now = yield* DateTime.now
    const known = yield* stored(domain)
    const isFresh = ({ lookedUpAt }: { readonly lookedUpAt: DateTime.Utc }) =>
      DateTime.isGreaterThan(DateTime.addDuration(lookedUpAt, kept), now)
    if (Option.isSome(known) && isFresh(known.value)) return yield* remember(domain, known.value.provider, remembered)
    const answer = yield* Effect.option(withPermit(dns.mx(domain)))
    if (Option.isNone(answer)) {
      const before = Option.match(known, { onNone: () => otherProvider, onSome: ({ provider }) => provider })
      return yield* remember(domain, before, retryAfter)
    }
    const provider = providerOf(answer.value.values)
    yield* store(domain, provider, now)
    return yield* remember(domain, provider, remembered)
  })

  const start = (domain: string) =>
    lookUp(domain).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("The provider of a domain could not be looked up", cause),
          remember(domain, otherProvider, retryAfter)
        )
      ),
      Effect.ensuring(Effect.sync(() => running.delete(domain))),
      Effect.forkIn(scope, { startImmediately: true })
    )

  /** All mail to a domain waits for the same look-up, until the same moment. */
  const awaited = Effect.fnUntraced(function* (domain: string) {
    const now = yield* Clock.currentTimeMillis
    let look = running.get(domain)
    if (look === undefined) {
      look = { fiber: yield* start(domain), startedAt: now }
      if (look.fiber.pollUnsafe() === undefined) running.set(domain, look)
    }
    const left = look.startedAt + Duration.toMillis(longestWait) - now
    if (left <= 0) return otherProvider
    return yield* Effect.timeoutOrElse(Fiber.join(look.fiber), {
      duration: left,
      orElse: () => Effect.succeed(otherProvider)
    })
  })

  const of = (address: string): Effect.Effect<Provider> =>
    Effect.suspend(() => {
      const domain = domainOf(address).toLowerCase()
      const known = listed(domain)
      if (known !== undefined) return Effect.succeed(known)
      if (!providerLookup) return Effect.succeed(otherProvider)
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const found = memory.get(domain)
        return found !== undefined && now < found.until ? Effect.succeed(found.provider) : awaited(domain)
      })
    })

  return { of } satisfies RecipientProviders
})
