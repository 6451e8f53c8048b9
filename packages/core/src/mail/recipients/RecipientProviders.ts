/**
 * Which mailbox provider a recipient has: from the list of providers, or by the best mail exchange of the domain.
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
import { organisationalDomain } from "../domains/SenderDomain.ts"
import { otherProvider, otherQueue, type ProviderList } from "./ProviderList.ts"
import * as ProviderRows from "./ProviderRows.ts"

const kept = Duration.days(7)
/** How long a process uses a result before it reads it again. */
const remembered = Duration.hours(1)
/** How long a domain without an answer is not looked up again. */
const retryAfter = Duration.minutes(1)
const longestWait = Duration.millis(300)
const lookUpsAtOnce = 20
/** Domains that a process remembers. Beyond it the memory is emptied. */
const maxDomains = 50_000

/** What is known of a domain: its best mail exchange, or what was known before exchanges were stored. */
interface Known {
  readonly provider: Provider
  /** Empty: the domain has none. Null: not known. */
  readonly exchange: string | null
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      exchange: Schema.NullOr(Schema.String),
      lookedUpAt: Schema.DateTimeUtcFromDate
    })
  )
)

const best = Order.combine(
  Order.mapInput(Order.Number, ({ priority }: MailExchange) => priority),
  Order.mapInput(Order.String, ({ exchange }: MailExchange) => exchange)
)

const bestOf = (exchanges: ReadonlyArray<MailExchange>): string =>
  Array.isReadonlyArrayNonEmpty(exchanges) ? Array.min(exchanges, best).exchange.toLowerCase().replace(/\.$/, "") : ""

const unknown: Known = { provider: otherProvider, exchange: null }

/** The provider that the list says now, since an operator may have changed it. */
const providerOf = (list: ProviderList, { exchange, provider }: Known): Provider =>
  exchange === null ? provider : exchange === "" ? otherProvider : list.ofExchange(exchange)

/** Where mail to a recipient goes. */
export interface MailDestination {
  readonly provider: Provider
  /**
   * What is shaped: the provider, or for `OTHER` the registered domain of the mail exchange. The domain of the recipient
   * if no exchange is known.
   */
  readonly key: string
}

const destinationOf = (list: ProviderList, domain: string, known: Known): MailDestination => {
  const provider = providerOf(list, known)
  if (provider !== otherProvider) return { provider, key: provider }
  const { exchange } = known
  const key = exchange === null || exchange === "" ? domain : (organisationalDomain(exchange) ?? exchange)
  return { provider, key: key.toLowerCase() }
}

interface LookUp {
  readonly fiber: Fiber.Fiber<Known>
  readonly startedAt: number
}

export interface RecipientProviders {
  /** Never fails: `OTHER` if the provider is not known. */
  readonly of: (address: string) => Effect.Effect<Provider>
  /** The provider, and what is shaped. Never fails. */
  readonly destination: (address: string) => Effect.Effect<MailDestination>
  /** Looks up a domain, even one that is known. Without an answer, what was known stays. */
  readonly refresh: (domain: string) => Effect.Effect<void>
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dns = yield* DnsResolver
  const { providerLookup } = yield* Settings
  const scope = yield* Effect.scope
  const list = yield* ProviderRows.make
  const { withPermit } = yield* Semaphore.make(lookUpsAtOnce)
  const memory = new Map<string, { readonly known: Known; readonly until: number }>()
  const running = new Map<string, LookUp>()

  const stored = (domain: string) =>
    sql`
      select provider, exchange, looked_up_at as "lookedUpAt" from recipient_domains
      where domain = ${domain} and looked_up_at between '1970-01-01' and '9999-01-01'`.pipe(
      Effect.flatMap(rows),
      Effect.map(Array.head)
    )

  const store = (
    domain: string,
    exchange: string,
    { key, provider }: MailDestination,
    queue: number,
    now: DateTime.Utc
  ) => sql`
    insert into recipient_domains (domain, provider, exchange, queue, looked_up_at)
    values (${domain}, ${provider}, ${exchange},
            coalesce((select queue from shaping where key = ${key} limit 1), ${queue}::smallint), ${DateTime.toDate(now)})
    on conflict (domain) do update
      set provider = excluded.provider, exchange = excluded.exchange, queue = excluded.queue,
          looked_up_at = excluded.looked_up_at`

  const remember = Effect.fnUntraced(function* (domain: string, known: Known, duration: Duration.Duration) {
    if (memory.size >= maxDomains) memory.clear()
    memory.set(domain, { known, until: (yield* Clock.currentTimeMillis) + Duration.toMillis(duration) })
    return known
  })

  /** Without an answer, an older result stays. */
  const lookUp = Effect.fn("RecipientProviders.lookUp")(function* (domain: string) {
    const now = yield* DateTime.now
    const found = yield* stored(domain)
    const isFresh = ({ lookedUpAt }: { readonly lookedUpAt: DateTime.Utc }) =>
      DateTime.isGreaterThan(DateTime.addDuration(lookedUpAt, kept), now)
    if (Option.isSome(found) && isFresh(found.value)) return yield* remember(domain, found.value, remembered)
    return yield* ask(domain, found)
  })

  const ask = Effect.fnUntraced(function* (domain: string, found: Option.Option<Known>) {
    const now = yield* DateTime.now
    const answer = yield* Effect.option(withPermit(dns.mx(domain)))
    if (Option.isNone(answer))
      return yield* remember(
        domain,
        Option.getOrElse(found, () => unknown),
        retryAfter
      )
    const providers = yield* list
    const exchange = bestOf(answer.value.values)
    const known: Known = { provider: otherProvider, exchange }
    const destination = destinationOf(providers, domain, known)
    yield* store(domain, exchange, destination, providers.row(destination.provider)?.queue ?? otherQueue, now)
    return yield* remember(domain, { provider: destination.provider, exchange }, remembered)
  })

  const start = (domain: string) =>
    lookUp(domain).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("The provider of a domain could not be looked up", cause),
          remember(domain, unknown, retryAfter)
        )
      ),
      Effect.ensuring(Effect.sync(() => running.delete(domain))),
      Effect.forkIn(scope, { startImmediately: true })
    )

  const lookUpOf = Effect.fnUntraced(function* (domain: string) {
    const before = running.get(domain)
    if (before !== undefined) return before
    const look = { fiber: yield* start(domain), startedAt: yield* Clock.currentTimeMillis }
    if (look.fiber.pollUnsafe() === undefined) running.set(domain, look)
    return look
  })

  /** All mail to a domain waits for the same look-up, until the same moment. */
  const awaited = Effect.fnUntraced(function* (domain: string) {
    const look = yield* lookUpOf(domain)
    const left = look.startedAt + Duration.toMillis(longestWait) - (yield* Clock.currentTimeMillis)
    if (left <= 0) return unknown
    return yield* Effect.timeoutOrElse(Fiber.join(look.fiber), {
      duration: left,
      orElse: () => Effect.succeed(unknown)
    })
  })

  const inMemory = (domain: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = memory.get(domain)
      return found !== undefined && now < found.until ? found.known : undefined
    })

  const destination = Effect.fnUntraced(function* (address: string) {
    const domain = domainOf(address).toLowerCase()
    const providers = yield* list
    const provider = providers.listed(domain)
    if (provider !== undefined) return { provider, key: provider }
    if (!providerLookup) return destinationOf(providers, domain, unknown)
    return destinationOf(providers, domain, (yield* inMemory(domain)) ?? (yield* awaited(domain)))
  })

  return {
    of: (address) => Effect.map(destination(address), ({ provider }) => provider),
    destination,
    refresh: Effect.fnUntraced(
      function* (domain) {
        if (providerLookup && (yield* list).listed(domain) === undefined) yield* ask(domain, yield* stored(domain))
      },
      Effect.catchCause((cause) => Effect.logWarning("The provider of a domain could not be looked up", cause))
    )
  } satisfies RecipientProviders
})
