/** The SMTP servers of a project, and which mail takes which of them. */

import {
  type CheckedTransport,
  type CreateTransport,
  type Routes,
  type SetRoutes,
  type Transport,
  TransportId,
  type TransportTls,
  transportPorts,
  type UpdateTransport
} from "@posthorn/contract/mail/transports/Transport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { asciiDomain } from "@posthorn/contract/platform/DomainName"
import {
  Conflict,
  type Fault,
  RateLimitExceeded,
  ResourceInUse,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { isNotHandedOver, type MailerError, type MailServer, MailServers } from "../../platform/Mailer.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { StoredRoutes } from "./MailRoute.ts"
import * as TransportHealth from "./TransportHealth.ts"
import { type StoredTransport, shownTransport, transportColumns, transportRows } from "./TransportRow.ts"
import { seal, serverOf } from "./TransportSecrets.ts"

/** Changes and checks transports and routes. */
export interface Transports {
  readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Transport>>
  readonly get: (project: ProjectId, id: TransportId) => Effect.Effect<Transport, ResourceNotFound>
  /** Opens a session first. Nothing is stored if that fails. */
  readonly create: (
    project: ProjectId,
    input: CreateTransport
  ) => Effect.Effect<Transport, Conflict | RateLimitExceeded | ValidationError>
  /** Opens a session first if the change concerns the connection or the login. */
  readonly update: (
    project: ProjectId,
    id: TransportId,
    input: UpdateTransport
  ) => Effect.Effect<Transport, Conflict | RateLimitExceeded | ResourceNotFound | ValidationError>
  /** Refused while a route names it. */
  readonly remove: (project: ProjectId, id: TransportId) => Effect.Effect<void, ResourceInUse | ResourceNotFound>
  /** Opens a session, unless the last result is less than 10 seconds old. */
  readonly verify: (project: ProjectId, id: TransportId) => Effect.Effect<CheckedTransport, ResourceNotFound>
  readonly routes: (project: ProjectId) => Effect.Effect<Routes>
  readonly setRoutes: (project: ProjectId, input: SetRoutes) => Effect.Effect<Routes, ValidationError>
}

const maxTransports = 20
const maxTries = 30
const triesWithin = Duration.hours(1)
const checkIsFresh = Duration.seconds(10)
const defaultPool = 5

const implicitPorts = [465, 2465]
const tlsOf = (port: number): TransportTls => (implicitPorts.includes(port) ? "IMPLICIT" : "STARTTLS")

const notFound = (id: string) => new ResourceNotFound({ resource: "transport", id })
const fault = (field: string, code: Fault["code"], message: string) => ValidationError.one(field, code, message)

const counts = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ count: Schema.Int, oldest: Schema.NullOr(Schema.DateTimeUtcFromDate) })])
)
const routesRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ routes: Schema.NullOr(StoredRoutes) })))

/** A name in its ASCII form, or an address without brackets. */
const hostOf = (text: string): string => {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1")
  return host.includes(":") ? host : asciiDomain(host)
}

export type Needs = MailServers | SecretBox | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction

export const make: Effect.Effect<Transports, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const servers = yield* MailServers
  const box = yield* SecretBox
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const audit = audited(sql)
  const all = sql.literal(transportColumns)

  const find = Effect.fnUntraced(function* (project: ProjectId, id: TransportId) {
    const [found] = yield* Effect.orDie(
      Effect.flatMap(sql`select ${all} from transports where project_id = ${project} and id = ${id}`, transportRows)
    )
    return found === undefined ? yield* notFound(id) : found
  })

  /** Until the transaction ends, no other request changes transports or routes of the project. */
  const hold = (project: ProjectId) =>
    Effect.orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:transports:${project}`}, 0))`)

  const requireName = Effect.fnUntraced(function* (project: ProjectId, name: string, id?: TransportId) {
    const taken = yield* Effect.orDie(sql`
        select 1 from transports where project_id = ${project} and name = ${name} and id <> ${id ?? project}`)
    if (taken.length > 0) return yield* new Conflict({ reason: "name_taken" })
  })

  const requireRoom = Effect.fnUntraced(function* (project: ProjectId) {
    const rows = yield* Effect.orDie(sql`select 1 from transports where project_id = ${project}`)
    if (rows.length >= maxTransports) {
      return yield* fault("name", "too_big", `A project has at most ${maxTransports} transports.`)
    }
  })

  const requirePlace = Effect.fnUntraced(function* ({ host, port }: Pick<MailServer, "host" | "port">) {
    const judged = servers.judge(host)
    if (judged === "refused") return yield* fault("host", "custom", "Must be a DNS name or a public address.")
    if (judged === "allowed" && !transportPorts.includes(port)) {
      return yield* fault("port", "custom", `Must be one of ${transportPorts.join(", ")}.`)
    }
  })

  const requireBoth = Effect.fnUntraced(function* (hasUser: boolean, hasPassword: boolean) {
    if (hasUser && !hasPassword) return yield* fault("password", "required", "Required with a user.")
    if (hasPassword && !hasUser) return yield* fault("user", "required", "Required with a password.")
  })

  /** Counts a try to connect. At most 30 in an hour. */
  const countTry = Effect.fnUntraced(function* (project: ProjectId) {
    const now = yield* DateTime.now
    const since = DateTime.toDate(DateTime.subtractDuration(now, triesWithin))
    const wait = yield* Effect.gen(function* () {
      yield* hold(project)
      yield* sql`delete from transport_tries where project_id = ${project} and at <= ${since}::timestamptz`
      const [{ count, oldest }] = yield* counts(
        yield* sql`select count(*)::int as count, min(at) as oldest from transport_tries where project_id = ${project}`
      )
      if (count >= maxTries && oldest !== null) {
        const free = DateTime.addDuration(oldest, triesWithin)
        return Math.max(1, Math.ceil((DateTime.toEpochMillis(free) - DateTime.toEpochMillis(now)) / 1000))
      }
      yield* sql`insert into transport_tries (project_id, at) values (${project}, ${DateTime.toDate(now)})`
      return undefined
    }).pipe(Effect.orDie, transaction.run)
    if (wait !== undefined) return yield* new RateLimitExceeded({ limit: maxTries, retryAfter: wait })
  })

  const checkedBy = (server: MailServer) =>
    Effect.map(servers.check(server), (greeting): CheckedTransport => ({ ok: true, ...greeting, error: null }))

  const tryServer = Effect.fnUntraced(function* (project: ProjectId, server: MailServer) {
    yield* countTry(project)
    return yield* Effect.mapError(checkedBy(server), ({ reason, reply }) =>
      fault(reason === "authentication" ? "password" : "host", "custom", reply)
    )
  })

  const sealed = (id: TransportId, secret: "notifications" | "password", text: string | null | undefined) =>
    text ? seal(box, id, secret, Redacted.make(text)) : Effect.succeed(null)

  const entry =
    (project: ProjectId, action: string) =>
    ({ id, name }: Pick<StoredTransport, "id" | "name">) => ({ project, action, details: { transportId: id, name } })

  const create = Effect.fn("Transports.create")(function* (project: ProjectId, input: CreateTransport) {
    const { enabled, name, notificationSecret, password, pool, port, snsTopicArns, user } = input
    const host = hostOf(input.host)
    yield* requirePlace({ host, port })
    yield* requireBoth(Boolean(user), Boolean(password))
    yield* requireName(project, name)
    yield* requireRoom(project)
    const id = TransportId.make(yield* random.uuidV7())
    const server: MailServer = {
      ...{ id, name, host, port, tls: input.tls ?? tlsOf(port), pool: pool ?? defaultPool },
      login: user && password ? { user, password: Redacted.make(password) } : null
    }
    const checked = yield* tryServer(project, server)
    const secrets = {
      password: yield* sealed(id, "password", password),
      notifications: yield* sealed(id, "notifications", notificationSecret)
    }
    const at = DateTime.toDate(yield* DateTime.now)
    return yield* Effect.gen(function* () {
      yield* hold(project)
      yield* requireName(project, name)
      yield* requireRoom(project)
      const rows = yield* Effect.orDie(
        Effect.flatMap(
          sql`
              insert into transports (project_id, id, name, host, port, tls, username, password, pool, enabled,
                sns_topic_arns, notification_secret, checked_at, checked, created_at, updated_at)
              values (${project}, ${id}, ${name}, ${host}, ${port}, ${server.tls}, ${user ?? null}, ${secrets.password},
                ${server.pool}, ${enabled ?? true}, ${snsTopicArns ?? []}::text[], ${secrets.notifications}, ${at},
                ${JSON.stringify(checked)}::text::jsonb, ${at}, ${at})
              returning ${all}`,
          transportRows
        )
      )
      const [stored] = rows
      return stored === undefined ? yield* Effect.die(new Error("A transport was not stored")) : stored
    }).pipe((change) => audit(change, entry(project, "transport.created")), transaction.run, Effect.map(shownTransport))
  })

  const update = Effect.fn("Transports.update")(function* (
    project: ProjectId,
    id: TransportId,
    input: UpdateTransport
  ) {
    const before = yield* find(project, id)
    const host = input.host ? hostOf(input.host) : before.host
    const port = input.port ?? before.port
    const tls = input.tls ?? (input.port ? tlsOf(input.port) : before.tls)
    const user = input.user === undefined ? before.user : input.user
    const keepsPassword = !input.password && user !== null
    yield* requirePlace({ host, port })
    if (keepsPassword && before.password !== null && host !== before.host) {
      return yield* fault("password", "required", "Required, because the stored password is for another host.")
    }
    yield* requireBoth(user !== null, Boolean(input.password) || (keepsPassword && before.password !== null))
    if (input.name) yield* requireName(project, input.name, id)
    const name = input.name ?? before.name
    const pool = input.pool ?? before.pool
    const { login: stored } = yield* serverOf(box, before)
    const password = input.password ? Redacted.make(input.password) : stored?.password
    const server: MailServer = {
      ...{ id, name, host, port, tls, pool },
      login: user !== null && password !== undefined ? { user, password } : null
    }
    const reconnects =
      (["host", "port", "tls", "user", "password"] as const).some((field) => input[field] !== undefined) &&
      (host !== before.host ||
        port !== before.port ||
        tls !== before.tls ||
        user !== before.user ||
        Boolean(input.password))
    const checked = reconnects ? yield* tryServer(project, server) : null
    const sealedPassword = keepsPassword ? before.password : yield* sealed(id, "password", input.password)
    const notifications =
      input.notificationSecret === undefined
        ? before.notificationSecret
        : yield* sealed(id, "notifications", input.notificationSecret)
    const at = DateTime.toDate(yield* DateTime.now)
    return yield* Effect.gen(function* () {
      yield* hold(project)
      if (input.name) yield* requireName(project, input.name, id)
      const [changed] = yield* Effect.orDie(
        Effect.flatMap(
          sql`
              update transports set name = ${name}, host = ${host}, port = ${port}, tls = ${tls}, username = ${user},
                password = ${sealedPassword}, pool = ${pool}, enabled = ${input.enabled ?? before.enabled},
                sns_topic_arns = ${input.snsTopicArns ?? before.snsTopicArns}::text[],
                notification_secret = ${notifications}, revision = revision + 1, updated_at = ${at},
                checked_at = case when ${checked !== null} then ${at}::timestamptz else checked_at end,
                checked = case when ${checked !== null} then ${JSON.stringify(checked)}::text::jsonb else checked end
              where project_id = ${project} and id = ${id} returning ${all}`,
          transportRows
        )
      )
      if (changed === undefined) return yield* notFound(id)
      if (checked !== null) yield* TransportHealth.worked(sql, changed)
      return yield* find(project, id)
    }).pipe((change) => audit(change, entry(project, "transport.updated")), transaction.run, Effect.map(shownTransport))
  })

  const storedRoutes = Effect.fnUntraced(function* (project: ProjectId) {
    const [row] = yield* Effect.orDie(
      Effect.flatMap(sql`select mail_routes as routes from projects where id = ${project}`, routesRows)
    )
    return row?.routes ?? []
  })

  const remove = Effect.fn("Transports.remove")(function* (project: ProjectId, id: TransportId) {
    yield* Effect.gen(function* () {
      yield* hold(project)
      const found = yield* find(project, id)
      const routes = (yield* storedRoutes(project)).flatMap(({ transportIds }, n) =>
        transportIds.includes(id) ? [n] : []
      )
      if (routes.length > 0) return yield* new ResourceInUse({ routes })
      yield* Effect.orDie(sql`delete from transports where project_id = ${project} and id = ${id}`)
      return found
    }).pipe((change) => audit(change, entry(project, "transport.deleted")), transaction.run)
  })

  const isFresh = ({ checkedAt }: StoredTransport, now: DateTime.Utc) =>
    checkedAt !== null && DateTime.isLessThan(now, DateTime.addDuration(checkedAt, checkIsFresh))

  const failedCheck = ({ reply, tls }: MailerError): CheckedTransport => ({
    ok: false,
    tls: tls ?? null,
    extensions: [],
    size: null,
    error: reply
  })

  const verify = Effect.fn("Transports.verify")(function* (project: ProjectId, id: TransportId) {
    const transport = yield* find(project, id)
    if (transport.checked !== null && isFresh(transport, yield* DateTime.now)) return transport.checked
    const result = yield* Effect.result(Effect.flatMap(serverOf(box, transport), checkedBy))
    const checked = Result.isSuccess(result) ? result.success : failedCheck(result.failure)
    if (Result.isSuccess(result)) yield* TransportHealth.worked(sql, transport)
    else if (isNotHandedOver(result.failure)) yield* TransportHealth.failed(sql, transport, result.failure)
    yield* Effect.orDie(sql`
        update transports set checked_at = ${DateTime.toDate(yield* DateTime.now)},
               checked = ${JSON.stringify(checked)}::text::jsonb
        where project_id = ${project} and id = ${id} and revision = ${transport.revision}`)
    return checked
  })

  const setRoutes = Effect.fn("Transports.setRoutes")(function* (project: ProjectId, input: SetRoutes) {
    const routes = input.routes.map(({ fallbackToServer, senderDomain, sourceType, transportIds, type }) => ({
      senderDomain: senderDomain ?? null,
      type: type ?? null,
      sourceType: sourceType ?? null,
      transportIds: [...new Set(transportIds)],
      fallbackToServer: fallbackToServer ?? true
    }))
    yield* Effect.gen(function* () {
      yield* hold(project)
      const known = yield* Effect.orDie(
        Effect.flatMap(sql`select ${all} from transports where project_id = ${project}`, transportRows)
      )
      const ids = new Set(known.map(({ id }) => id))
      const errors = input.routes.flatMap(({ transportIds }, n) =>
        transportIds.flatMap((id, m) =>
          ids.has(id)
            ? []
            : [
                {
                  field: `routes.${n}.transportIds.${m}`,
                  code: "custom",
                  message: "No such transport.",
                  received: id
                } as const
              ]
        )
      )
      if (errors.length > 0) return yield* new ValidationError({ errors: errors.slice(0, 50) })
      yield* Effect.orDie(sql`
          update projects set mail_routes = ${routes.length === 0 ? null : JSON.stringify(routes)}::text::jsonb
          where id = ${project}`)
    }).pipe(
      (change) => audit(change, () => ({ project, action: "routes.changed", details: { routes: routes.length } })),
      transaction.run
    )
    return { routes }
  })

  return {
    list: Effect.fn("Transports.list")(function* (project) {
      const rows = yield* Effect.flatMap(
        sql`select ${all} from transports where project_id = ${project} order by created_at desc, id desc`,
        transportRows
      )
      return rows.map(shownTransport)
    }, Effect.orDie),
    get: (project, id) => Effect.map(find(project, id), shownTransport),
    create,
    update,
    remove,
    verify,
    routes: (project) => Effect.map(storedRoutes(project), (routes) => ({ routes })),
    setRoutes
  } satisfies Transports
})
