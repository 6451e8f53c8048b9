/** Looks up the mailbox providers of recipient domains in the background, before mail to them is made. */
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { type NextDue, nextDue } from "../../platform/jobs/Agenda.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ProviderRows from "./ProviderRows.ts"
import * as RecipientProviders from "./RecipientProviders.ts"

/** How often wanted domains are looked for. */
export const resolveEvery = Duration.seconds(5)
const kept = Duration.days(7)
/** Unused domains are deleted after this time. */
const deletedAfter = Duration.days(30)
/** Domains of one run, which are looked up 20 at once. */
const batch = 400

/**
 * Marks the domains of `addresses` (address) as wanted, unless they are known. What was known of an older one stays until
 * it is looked up.
 */
export const wantDomains = (
  sql: SqlClient.SqlClient,
  addresses: Statement.Fragment,
  now: Date
): Statement.Fragment => sql`
  insert into recipient_domains as held (domain, provider, looked_up_at)
  select domain, 'OTHER', '-infinity'
  from (select distinct split_part(address, '@', 2) as domain from (${addresses}) as given) as wanted
  where domain <> '' and not exists (
    select from recipient_domains as known where known.domain = wanted.domain
      and (known.looked_up_at = '-infinity' or known.looked_up_at > ${now}::timestamptz - interval '7 days'))
  order by domain
  on conflict (domain) do update set looked_up_at = '-infinity'
    where held.looked_up_at <= ${now}::timestamptz - interval '7 days'`

const domains = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ domain: Schema.String })))

/** Whether a domain is wanted. */
export const wanted = (sql: SqlClient.SqlClient): NextDue =>
  nextDue(sql`select case when min(looked_up_at) = '-infinity' then to_timestamp(0) end from recipient_domains`)

/**
 * Looks up wanted domains. A domain is taken by setting its time, so that several processes take different ones. After a
 * failure it is wanted again by the next mail.
 */
export const resolveWanted: Effect.Effect<void, never, DnsResolver | SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { providerLookup } = yield* Settings
  if (!providerLookup) return
  const taken = DateTime.subtractDuration(yield* DateTime.now, Duration.subtract(kept, Duration.minutes(10)))
  const found = yield* domains(
    yield* sql`
      with wanted as materialized (
        select domain from recipient_domains where looked_up_at = '-infinity' limit ${batch} for update skip locked
      )
      update recipient_domains set looked_up_at = ${DateTime.toDate(taken)} from wanted
      where recipient_domains.domain = wanted.domain
      returning recipient_domains.domain`
  )
  if (found.length === 0) return
  const providers = yield* RecipientProviders.make
  yield* Effect.forEach(found, ({ domain }) => providers.refresh(domain), { concurrency: "unbounded", discard: true })
}).pipe(Effect.scoped, Effect.orDie, Effect.withSpan("RecipientDomains.resolveWanted"))

/** Stores the domains that are known without DNS. */
export const storeKnown = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* ProviderRows.storeKnown(sql, yield* ProviderRows.read(sql))
})

/** Deletes domains without mail. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = DateTime.subtractDuration(yield* DateTime.now, deletedAfter)
  yield* sql`
    delete from recipient_domains
    where looked_up_at < ${DateTime.toDate(before)} and looked_up_at > '-infinity'`
}).pipe(Effect.orDie)
