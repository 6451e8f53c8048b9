/** What an operator changes of the mailbox providers. Each change is recorded in the audit log. */
import { Data, DateTime, type Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { acting, recordAs } from "../../platform/audit/Audited.ts"
import {
  firstAddedQueue,
  listOf,
  type MailboxProvider,
  maxProviders,
  otherProvider,
  type ProviderList,
  shipped
} from "../recipients/ProviderList.ts"
import * as ProviderRows from "../recipients/ProviderRows.ts"
import * as ShapingSql from "./ShapingSql.ts"

/** The fields that an operator sets. Absent: unchanged. */
export interface ProviderInput {
  readonly provider: string
  readonly name?: string | undefined
  readonly mxSuffixes?: ReadonlyArray<string> | undefined
  readonly domains?: ReadonlyArray<string> | undefined
  readonly maxConnections?: number | undefined
  readonly ratePerMinute?: number | undefined
  /** Stored with the provider. Mail that leaves by a relay does not follow it: see `ProviderList.ts`. */
  readonly messagesPerConnection?: number | undefined
}

/** The change is not possible. Nothing was stored. */
export class ProviderRefused extends Data.TaggedError("ProviderRefused")<{
  readonly reason: "invalid" | "unknown"
  readonly message: string
}> {}

const refuse = (message: string) => new ProviderRefused({ reason: "invalid", message })

const id = /^[A-Z0-9_]{1,40}$/
const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
const domainName = new RegExp(`^${label}(?:\\.${label}){1,10}$`)
const suffixName = new RegExp(`^(?:\\.${label}){1,10}$`)
const most = { mxSuffixes: 50, domains: 500, maxConnections: 10_000, ratePerMinute: 10_000_000, messages: 100_000 }

const isWhole = (value: number, largest: number) => Number.isInteger(value) && value >= 1 && value <= largest

/** Why the input is refused. */
const faultOf = (input: ProviderInput): string | undefined => {
  const { domains, maxConnections, messagesPerConnection, mxSuffixes, name, provider, ratePerMinute } = input
  if (!id.test(provider) || provider === otherProvider)
    return "The id of a provider has 1 to 40 of the characters A-Z, 0-9 and _, and is not OTHER."
  if (name !== undefined && (name.trim() === "" || name.length > 100 || /\p{Cc}/u.test(name)))
    return "The name has 1 to 100 characters on one line."
  if (mxSuffixes !== undefined && mxSuffixes.length > most.mxSuffixes) return `At most ${most.mxSuffixes} MX suffixes.`
  const suffix = mxSuffixes?.find((one) => !suffixName.test(one))
  if (suffix !== undefined) return `Not an MX suffix such as .example.com: ${suffix.slice(0, 100)}`
  if (domains !== undefined && domains.length > most.domains) return `At most ${most.domains} domains.`
  const domain = domains?.find((one) => !domainName.test(one))
  if (domain !== undefined) return `Not a domain in lower case: ${domain.slice(0, 100)}`
  if (maxConnections !== undefined && !isWhole(maxConnections, most.maxConnections))
    return `The connections are a number from 1 to ${most.maxConnections}.`
  if (ratePerMinute !== undefined && !isWhole(ratePerMinute, most.ratePerMinute))
    return `The rate is a number from 1 to ${most.ratePerMinute}.`
  if (messagesPerConnection !== undefined && !isWhole(messagesPerConnection, most.messages))
    return `The messages of a connection are a number from 1 to ${most.messages}.`
  return undefined
}

/** Serializes changes of the list. */
const changing = 719_191

const begin = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`select pg_advisory_xact_lock(${changing})`
})

/** Gives the recipient domains of changed rows their provider and queue. */
const assign = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, list: ProviderList) {
  yield* ProviderRows.storeKnown(sql, list)
  const suffixes = list.rows.flatMap(({ mxSuffixes, provider, queue }, position) =>
    mxSuffixes.map((suffix) => ({ suffix, provider, queue, position }))
  )
  const known = list.known.map(({ domain }) => domain)
  // Domains that a row no longer has are looked up again when mail goes there.
  yield* sql`
    delete from recipient_domains where looked_up_at = 'infinity' and domain <> all(${known}::text[])`
  yield* sql`
    update recipient_domains set provider = coalesce(found.provider, 'OTHER'), queue = coalesce(found.queue, 0)
    from recipient_domains as own
    left join lateral (
      select given.provider, given.queue
      from jsonb_to_recordset(${JSON.stringify(suffixes)}::text::jsonb)
        as given(suffix text, provider text, queue smallint, position int)
      where right('.' || own.exchange, length(given.suffix)) = given.suffix
      order by given.position limit 1
    ) as found on true
    where recipient_domains.domain = own.domain and own.exchange is not null and own.looked_up_at < 'infinity'
      and (own.provider, own.queue) is distinct from (coalesce(found.provider, 'OTHER'), coalesce(found.queue, 0))
      and (found.provider is not null or own.provider <> 'OTHER')`
})

const note = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  details: Readonly<Record<string, string | number | null>>
) {
  yield* recordAs(sql, yield* acting, { project: null, action: "providers.updated", details })
})

/** Every provider with its limits, as they are now. */
export const list = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* ProviderRows.read(sql)).rows
})

/** Stores changed or new rows. Joins the caller's transaction. */
const store = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, inputs: ReadonlyArray<ProviderInput>) {
  const changes = yield* Effect.orDie(ProviderRows.readChanges(sql))
  let next = Math.max(firstAddedQueue, ...changes.map(({ queue }) => queue + 1))
  let count = listOf(changes).rows.length
  const now = DateTime.toDate(yield* DateTime.now)
  for (const input of inputs) {
    const fault = faultOf(input)
    if (fault !== undefined) return yield* refuse(fault)
    const known =
      changes.find(({ provider }) => provider === input.provider) ??
      shipped.find(({ provider }) => provider === input.provider)
    if (known === undefined && ++count > maxProviders)
      return yield* refuse(`There are at most ${maxProviders} providers.`)
    yield* sql`
      insert into mailbox_providers as held (provider, queue, name, mx_suffixes, domains, max_connections,
        rate_per_minute, messages_per_connection, updated_at)
      values (${input.provider}, ${known?.queue ?? next++}, ${input.name ?? null}, ${input.mxSuffixes ?? null}::text[],
        ${input.domains ?? null}::text[], ${input.maxConnections ?? null}, ${input.ratePerMinute ?? null},
        ${input.messagesPerConnection ?? null}, ${now})
      on conflict (provider) do update set
        name = coalesce(excluded.name, held.name), mx_suffixes = coalesce(excluded.mx_suffixes, held.mx_suffixes),
        domains = coalesce(excluded.domains, held.domains),
        max_connections = coalesce(excluded.max_connections, held.max_connections),
        rate_per_minute = coalesce(excluded.rate_per_minute, held.rate_per_minute),
        messages_per_connection = coalesce(excluded.messages_per_connection, held.messages_per_connection),
        updated_at = excluded.updated_at`.pipe(Effect.orDie)
  }
  return yield* ProviderRows.read(sql)
})

/** Changes a provider, or adds one. Returns its row. */
export const set = Effect.fn("ProviderSettings.set")(function* (
  input: ProviderInput
): Effect.fn.Return<MailboxProvider, ProviderRefused, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { provider, ...fields } = input
  if (Object.values(fields).every((value) => value === undefined)) return yield* refuse("Nothing is changed.")
  const changed = Effect.gen(function* () {
    yield* Effect.orDie(begin(sql))
    const after = yield* store(sql, [input])
    yield* Effect.orDie(assign(sql, after))
    yield* note(sql, { provider, change: "set" })
    const row = after.row(provider)
    return row === undefined ? yield* refuse("The provider is not stored.") : row
  })
  return yield* sql.withTransaction(changed).pipe(Effect.catchTag("SqlError", Effect.die))
})

/** Gives a shipped provider its shipped values. One that was added goes. */
export const reset = Effect.fn("ProviderSettings.reset")(function* (
  provider: string
): Effect.fn.Return<MailboxProvider | undefined, ProviderRefused, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const changed = Effect.gen(function* () {
    yield* Effect.orDie(begin(sql))
    yield* known(sql, provider)
    yield* Effect.orDie(sql`delete from mailbox_providers where provider = ${provider}`)
    const after = yield* ProviderRows.read(sql)
    yield* Effect.orDie(assign(sql, after))
    yield* note(sql, { provider, change: "reset" })
    return after.row(provider)
  })
  return yield* sql.withTransaction(changed).pipe(Effect.catchTag("SqlError", Effect.die))
})

const known = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, provider: string) {
  const row = (yield* ProviderRows.read(sql)).row(provider)
  if (row !== undefined) return row
  return yield* new ProviderRefused({ reason: "unknown", message: `There is no provider ${provider.slice(0, 100)}.` })
})

/** Sends a provider no bulk mail until then, by no transport of the installation. Returns the end. */
export const suspend = Effect.fn("ProviderSettings.suspend")(function* (
  provider: string,
  duration: Duration.Duration
): Effect.fn.Return<DateTime.Utc, ProviderRefused, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const until = DateTime.addDuration(now, duration)
  const changed = Effect.gen(function* () {
    const { queue } = yield* known(sql, provider)
    const reason = { code: null, enhancedCode: null, reply: "Suspended by the operator", at: DateTime.formatIso(now) }
    yield* Effect.orDie(ShapingSql.suspendByOperator(sql, { provider, queue, until, now, reason }))
    yield* note(sql, { provider, change: "suspend", until: DateTime.formatIso(until) })
    return until
  })
  return yield* sql.withTransaction(changed).pipe(Effect.catchTag("SqlError", Effect.die))
})

/** Ends whatever slows mail to a provider by the transports of the installation. False if nothing did. */
export const resume = Effect.fn("ProviderSettings.resume")(function* (
  provider: string
): Effect.fn.Return<boolean, ProviderRefused, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const changed = Effect.gen(function* () {
    yield* known(sql, provider)
    const ended = yield* Effect.orDie(ShapingSql.end(sql, provider, yield* DateTime.now))
    if (ended) yield* note(sql, { provider, change: "resume" })
    return ended
  })
  return yield* sql.withTransaction(changed).pipe(Effect.catchTag("SqlError", Effect.die))
})

/** Adds the providers that a host names, at its start. A row that an operator changed keeps its change. */
export const ensure = Effect.fn("ProviderSettings.ensure")(function* (
  inputs: ReadonlyArray<ProviderInput>
): Effect.fn.Return<void, ProviderRefused, SqlClient.SqlClient> {
  if (inputs.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const changed = Effect.gen(function* () {
    yield* Effect.orDie(begin(sql))
    const before = yield* Effect.orDie(ProviderRows.readChanges(sql))
    const isStored = new Set(before.map(({ provider }) => provider))
    const missing = inputs.filter(({ provider }) => !isStored.has(provider))
    for (const input of inputs) {
      const fault = faultOf(input)
      if (fault !== undefined) return yield* refuse(fault)
    }
    if (missing.length > 0) yield* Effect.orDie(assign(sql, yield* store(sql, missing)))
  })
  yield* sql.withTransaction(changed).pipe(Effect.catchTag("SqlError", Effect.die))
})
