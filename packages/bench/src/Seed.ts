/** Projects for the load, created by the core services in this process. */
import { NodeCrypto } from "@effect/platform-node"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Templates } from "@posthorn/core/content/templates/Templates"
import * as DnsResolverMemory from "@posthorn/core/mail/domains/DnsResolverMemory"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { trust } from "@posthorn/core/mail/domains/DomainTrust"
import * as Posthorn from "@posthorn/core/Posthorn"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import { Compose, ProjectServers } from "@posthorn/mailer-smtp"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import * as PooledRandom from "@posthorn/platform-node/crypto/PooledRandom"
import * as NodeSafeFetch from "@posthorn/platform-node/outbound/NodeSafeFetch"
import { Array, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import * as Letter from "./load/Letter.ts"

/** The secret of every server and database of the rows. */
export const secret = "a secret of the benchmarks, which keeps nothing secret"

/** Names under `.test` are verified at once. */
const settings: Settings = { ...defaults, publicUrl: "https://posthorn.example", devMode: true }

const host = Layer.mergeAll(
  NodeCrypto.layer,
  PooledRandom.layer,
  Argon2.layer,
  Compose.layer,
  ProjectServers.layer(),
  NodeSafeFetch.layer(),
  DnsResolverMemory.layerMemory(new Map()),
  Layer.succeed(Secrets, { current: Redacted.make(secret), previous: [] })
)

/** The core services over a database that has their schema. */
export const core = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Posthorn.layer.pipe(
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

/** All values are strings, as request bodies need them. */
export interface Seeded {
  readonly id: string
  /** The secret key. */
  readonly key: string
  readonly publicKey: string
}

export interface Sender extends Seeded {
  /** An address of its verified domain, which signs with its own keys. */
  readonly from: string
  /** A transactional template: the benchmark email with the variables `name` and `plan`. */
  readonly template: string
}

const project = Effect.fnUntraced(function* (number: number) {
  const projects = yield* Projects
  const { keys, project } = yield* projects.create(`Bench ${number}`)
  return {
    project: project.id,
    seeded: { id: project.id, key: Redacted.value(keys.secretKey), publicKey: keys.publicKey }
  }
})

const sender = Effect.fnUntraced(function* (number: number) {
  const domains = yield* Domains
  const templates = yield* Templates
  const { project: id, seeded } = yield* project(number)
  const domain = `bench-${number}.test`
  yield* Effect.orDie(domains.add(id, { domain }))
  // The servers of the rows do not run in dev mode and would query DNS.
  yield* Effect.orDie(trust(domain, id))
  const from = `hello@${domain}`
  const body = Letter.html("{{name}}", "{{plan}}")
  const template = yield* Effect.orDie(
    templates.create(id, { name: "Letter", subject: Letter.subject("{{name}}"), body, from, type: "TRANSACTIONAL" })
  )
  return { ...seeded, from, template: template.id } satisfies Sender
})

const numbered = (count: number) => Array.range(1, count)

/** Projects that do not send. */
export const projects = (count: number) =>
  Effect.forEach(numbered(count), (number) => Effect.map(project(number), ({ seeded }) => seeded))

/** Projects that send. Creating the keys takes more than a tenth of a second each. */
export const senders = (count: number) => Effect.forEach(numbered(count), sender, { concurrency: 4 })
