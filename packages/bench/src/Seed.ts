/** Projects to load the service with, made by its own services in this process. */
import { NodeCrypto } from "@effect/platform-node"
import * as DnsResolverMemory from "@posthorn/core/dns/DnsResolverMemory"
import { Domains } from "@posthorn/core/domains/Domains"
import { DomainTrust } from "@posthorn/core/domains/DomainTrust"
import * as Posthorn from "@posthorn/core/Posthorn"
import { Projects } from "@posthorn/core/projects/Projects"
import { Secrets } from "@posthorn/core/Secrets"
import { defaults, Settings } from "@posthorn/core/Settings"
import { Templates } from "@posthorn/core/templates/Templates"
import { Compose } from "@posthorn/mailer-smtp"
import * as Argon2 from "@posthorn/node/accounts/Argon2"
import * as PooledRandom from "@posthorn/node/crypto/PooledRandom"
import * as NodeSafeFetch from "@posthorn/node/outbound/NodeSafeFetch"
import { Array, Effect, Layer, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import * as Letter from "./load/Letter.ts"

/** Of every server and every database of the rows. */
export const secret = "a secret of the benchmarks, which keeps nothing secret"

/** Names under `.test` are verified at once. */
const settings: Settings = { ...defaults, publicUrl: "https://posthorn.example", devMode: true }

const host = Layer.mergeAll(
  NodeCrypto.layer,
  PooledRandom.layer,
  Argon2.layer,
  Compose.layer,
  NodeSafeFetch.layer(),
  DnsResolverMemory.layerMemory(new Map()),
  Layer.succeed(Secrets, { current: Redacted.make(secret), previous: Option.none() })
)

/** The services of the core over a database that has its schema. */
export const core = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Posthorn.layer.pipe(
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

/** All of it text, as the bodies of requests take it. */
export interface Seeded {
  readonly id: string
  /** The secret one. */
  readonly key: string
  readonly publicKey: string
}

export interface Sender extends Seeded {
  /** An address of its verified domain, which signs with keys of its own. */
  readonly from: string
  /** A transactional template: the letter with the variables `name` and `plan`. */
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
  const trust = yield* DomainTrust
  const { project: id, seeded } = yield* project(number)
  const domain = `bench-${number}.test`
  yield* Effect.orDie(domains.add(id, { domain }))
  // The servers of the rows are no servers of the dev mode and would ask the DNS.
  yield* Effect.orDie(trust.trust(domain, id))
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

/** Projects that send; making the keys takes a good tenth of a second each. */
export const senders = (count: number) => Effect.forEach(numbered(count), sender, { concurrency: 4 })
