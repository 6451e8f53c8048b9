/**
 * Host names of customers in the links of their mail. A host is used once its CNAME is right and it answers with the
 * proof of this installation over a valid certificate.
 */
import { type Domain, DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { UpdateDomain } from "@posthorn/contract/mail/domains/DomainsApi"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { asciiDomain } from "@posthorn/contract/platform/DomainName"
import { Conflict, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import type { Mac } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import * as SignedTokens from "../../platform/links/SignedTokens.ts"
import { SafeFetch } from "../../platform/outbound/SafeFetch.ts"
import type { Secrets } from "../../platform/Secrets.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { DomainStore } from "./DomainStore.ts"
import { linkTarget, shown } from "./DomainView.ts"

/** Changes, checks and serves link hosts. A service, because HTTP handlers, middlewares and jobs call it. */
export class LinkHosts extends Context.Service<
  LinkHosts,
  {
    /** Sets or removes the link host of a domain. The first check follows within 10 seconds. */
    readonly update: (
      project: ProjectId,
      id: DomainId,
      input: UpdateDomain
    ) => Effect.Effect<Domain, Conflict | ResourceNotFound | ValidationError>
    /** Checks the link host of a domain, if it has one, unless the last check is less than 10 seconds old. */
    readonly refresh: (project: ProjectId, id: DomainId) => Effect.Effect<void>
    /** Checks all link hosts. */
    readonly checkAll: Effect.Effect<void>
    /** The projects that have or had this link host. Undefined for any other host. At most a second old. */
    readonly projectsOf: (host: string) => Effect.Effect<ReadonlySet<ProjectId> | undefined>
    /** What this installation answers on a link host. */
    readonly proof: (host: string) => Effect.Effect<string>
    /** Whether a proxy may request a certificate for the name: the public host, or a link host whose CNAME is right. */
    readonly mayHaveCertificate: (name: string) => Effect.Effect<boolean>
  }
>()("@posthorn/core/mail/domains/LinkHosts") {}

/** The path of the proof. */
export const proofPath = "/.well-known/posthorn-link"

const maxFailures = 3
const firstCheckAfter = Duration.seconds(3)
const checkIsFresh = Duration.seconds(10)
const fetchTime = Duration.seconds(10)
const checkedAtOnce = 20

const utf8 = new TextEncoder()
const ascii = new TextDecoder()
/** The payload of a token has at most 64 bytes. The token covers the whole host. */
const payloadOf = (host: string) => utf8.encode(host.slice(0, 60))

const hostForm = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const hostRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const linkRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      id: DomainId,
      host: Schema.String,
      checkedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
    })
  )
)
type Link = Effect.Success<ReturnType<typeof linkRows>>[number]

const isTaken = (error: { readonly _tag: string }): boolean =>
  "reason" in error &&
  typeof error.reason === "object" &&
  error.reason !== null &&
  "_tag" in error.reason &&
  error.reason._tag === "UniqueViolation"

const fault = (message: string) => ValidationError.one("linkHost", "custom", message)

export const layer: Layer.Layer<
  LinkHosts,
  never,
  DnsResolver | DomainStore | Mac.Mac | ReturnPath | SafeFetch | Secrets | SqlClient.SqlClient
> = Layer.effect(
  LinkHosts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* DomainStore
    const { cname } = yield* DnsResolver
    const { reportAddress } = yield* ReturnPath
    const { request } = yield* SafeFetch
    const settings = yield* Settings
    const scope = yield* Effect.scope
    const tokens = yield* SignedTokens.make("link host")
    const audit = audited(sql)
    const target = linkTarget(settings)

    const cache = ShortCache.make((host: string) =>
      sql`select project_id as project from link_hosts where host = ${host}`.pipe(
        Effect.flatMap(hostRows),
        Effect.map((rows): ReadonlySet<ProjectId> | undefined =>
          rows.length === 0 ? undefined : new Set(rows.map(({ project }) => project))
        ),
        Effect.orDie
      )
    )

    const proof = (host: string) => tokens.seal(payloadOf(host), host)

    /** Undefined if there was no answer. */
    const pointsHere = (host: string) =>
      Effect.map(Effect.result(cname(host)), (answer) => {
        if (Result.isFailure(answer)) return { right: undefined, error: answer.failure.message }
        const names = answer.success.values.map((name) => name.toLowerCase().replace(/\.$/, ""))
        if (target !== undefined && names.includes(target)) return { right: true, error: null }
        const [found] = names
        return {
          right: false,
          error: found === undefined ? "There is no CNAME record." : `The CNAME leads to ${found.slice(0, 253)}.`
        }
      })

    const answers = Effect.fnUntraced(function* (host: string) {
      const url = `https://${host}${proofPath}`
      const answer = yield* Effect.result(request({ method: "GET", url, timeout: fetchTime, byDnsServers: true }))
      if (Result.isFailure(answer)) return `The host does not answer over https: ${answer.failure.message}`
      const { body, status } = answer.success
      const isProof =
        status === 200 && Option.isSome(yield* tokens.open(ascii.decode(body.subarray(0, 300)).trim(), host))
      return isProof ? null : "The host answers over https, but it does not lead to this service."
    })

    /** Null if the host is right. `counts` is false where nothing is known. */
    const faultOf = Effect.fnUntraced(function* (host: string) {
      const dns = yield* pointsHere(host)
      if (dns.right !== true) return { message: dns.error ?? "There is no CNAME record.", counts: dns.right === false }
      const message = yield* answers(host)
      return message === null ? null : { message, counts: true }
    })

    const check = Effect.fn("LinkHosts.check")(function* ({ host, id, project }: Link) {
      const found = yield* faultOf(host)
      const at = DateTime.toDate(yield* DateTime.now)
      yield* sql`
        update domains set link_checked_at = ${at}, link_error = ${found?.message ?? null},
          link_failures = case when ${found === null} then 0 when ${found?.counts === true} then link_failures + 1
                               else link_failures end,
          link_status = case when ${found === null} then 'ACTIVE'
                             when link_status = 'ACTIVE' and ${found?.counts === true} and link_failures + 1 >= ${maxFailures}
                               then 'FAILING'
                             else link_status end
        where project_id = ${project} and id = ${id} and link_host = ${host}`.pipe(Effect.orDie)
    })

    const safely = (link: Link) =>
      Effect.catchDefect(check(link), (defect) => Effect.logError("Check of a link host failed", defect))

    const links = (condition: Statement.Fragment) =>
      sql`
        select project_id as project, id, link_host as host, link_checked_at as "checkedAt" from domains
        where link_host is not null and ${condition} order by project_id, id`.pipe(
        Effect.flatMap(linkRows),
        Effect.orDie
      )

    const refresh = Effect.fn("LinkHosts.refresh")(function* (project: ProjectId, id: DomainId) {
      const now = yield* DateTime.now
      for (const link of yield* links(sql`project_id = ${project} and id = ${id}`)) {
        const isFresh =
          link.checkedAt !== null && DateTime.isLessThan(now, DateTime.addDuration(link.checkedAt, checkIsFresh))
        if (!isFresh) yield* safely(link)
      }
    })

    const hostOf = Effect.fnUntraced(function* (text: string, domain: string) {
      if (target === undefined)
        return yield* fault("This installation has no POSTHORN_LINK_HOST, so links cannot use other hosts.")
      const host = asciiDomain(text.trim().replace(/\.$/, "").toLowerCase())
      if (!hostForm.test(host) || !host.endsWith(`.${domain}`))
        return yield* fault(`Must be a host name below ${domain}.`)
      if (host === target) return yield* fault("This is the host of the installation.")
      return host
    })

    const update = Effect.fn("LinkHosts.update")(function* (
      project: ProjectId,
      id: DomainId,
      { linkHost }: UpdateDomain
    ) {
      const notFound = new ResourceNotFound({ resource: "domain", id })
      const before = Option.getOrUndefined(yield* store.find(project, id))
      if (before === undefined) return yield* notFound
      const host = linkHost == null ? null : yield* hostOf(linkHost, before.domain)
      if (host !== null && !before.verified) return yield* new Conflict({ reason: "domain_unverified" })
      if (linkHost !== undefined && host !== (before.linkHost?.host ?? null)) {
        const at = DateTime.toDate(yield* DateTime.now)
        const change = Effect.gen(function* () {
          yield* sql`
            update domains set link_host = ${host}, link_status = ${host === null ? null : "PENDING"},
              link_checked_at = null, link_error = null, link_failures = 0, updated_at = ${at}
            where project_id = ${project} and id = ${id}`
          if (host !== null) {
            yield* sql`insert into link_hosts (host, project_id) values (${host}, ${project}) on conflict do nothing`
          }
        }).pipe(
          Effect.catchIf(isTaken, () => Effect.fail(new Conflict({ reason: "host_taken" }))),
          Effect.catchTag("SqlError", Effect.die)
        )
        const { domain } = before
        yield* audit(change, () => ({ project, action: "domain.link_host", details: { domain, host } }))
        if (host !== null) {
          yield* cache.invalidate(host)
          const first = Effect.andThen(Effect.sleep(firstCheckAfter), refresh(project, id))
          yield* Effect.forkIn(
            Effect.catchDefect(first, (defect) => Effect.logError("First check of a link host failed", defect)),
            scope
          )
        }
      }
      const stored = Option.getOrUndefined(yield* store.find(project, id))
      return stored === undefined ? yield* notFound : shown(stored, settings, yield* reportAddress(id))
    })

    return LinkHosts.of({
      update,
      refresh,
      checkAll: Effect.gen(function* () {
        yield* Effect.forEach(yield* links(sql`true`), safely, { concurrency: checkedAtOnce, discard: true })
      }).pipe(Effect.withSpan("LinkHosts.checkAll")),
      projectsOf: cache.get,
      proof,
      mayHaveCertificate: Effect.fn("LinkHosts.mayHaveCertificate")(function* (text) {
        const name = text.trim().toLowerCase().replace(/\.$/, "")
        if (!hostForm.test(name)) return false
        if (name === new URL(settings.publicUrl).hostname) return true
        if ((yield* cache.get(name)) === undefined) return false
        return (yield* pointsHere(name)).right === true
      })
    })
  })
)
