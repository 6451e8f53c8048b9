/** The whole core over a database in memory, with one project. For tests. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { PasswordHash } from "../accounts/people/PasswordHash.ts"
import { hashKey } from "../accounts/projects/ApiKeyCache.ts"
import { ProjectStore } from "../accounts/projects/ProjectStore.ts"
import * as DnsResolverMemory from "../mail/domains/DnsResolverMemory.ts"
import * as Posthorn from "../Posthorn.ts"
import * as SecretBox from "../platform/SecretBox.ts"
import { Secrets } from "../platform/Secrets.ts"
import { defaults, Settings } from "../platform/Settings.ts"
import * as ServiceStatus from "../service/ServiceStatus.ts"
import * as SecretRotation from "../service/secrets/SecretRotation.ts"
import { pglite } from "./Databases.ts"
import * as MailerMemory from "./MailerMemory.ts"
import * as SafeFetchMemory from "./SafeFetchMemory.ts"

export const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
export const key = `sk_${"a".repeat(43)}`
export const publicKey = `pk_${"a".repeat(43)}`

/** The cryptography of the web platform, as a host provides it. */
export const crypto = Layer.mergeAll(
  Digest.layerWebCrypto,
  Mac.layerWebCrypto,
  Aead.layerWebCrypto,
  Kdf.layerWebCrypto,
  Signature.layerWebCrypto
).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

/** The secret of the installation, and the secret that replaces it in some tests. */
export const [secret, nextSecret] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]

/** The secrets after a replacement, newest first. */
export const secretsUnder = (current: string, ...previous: ReadonlyArray<string>) =>
  Layer.succeed(Secrets, { current: Redacted.make(current), previous: previous.map((text) => Redacted.make(text)) })

export const secrets = secretsUnder(secret)

/** A `SecretBox` under these secrets. */
export const boxUnder = (current: string, ...previous: ReadonlyArray<string>) =>
  SecretBox.layer.pipe(Layer.provideMerge(crypto), Layer.provideMerge(secretsUnder(current, ...previous)))

/** A `SecretRotation` under these secrets. */
export const rotationUnder = (current: string, ...previous: ReadonlyArray<string>) =>
  SecretRotation.layer.pipe(Layer.provide(boxUnder(current, ...previous)), Layer.fresh)

/** One project whose keys the tests know. */
export const seed = Effect.gen(function* () {
  const store = yield* ProjectStore
  const secretHash = yield* hashKey(key)
  yield* store.insert({ id: project, name: "Example", publicKey, secretHash, secretHint: "aaaa" }, yield* DateTime.now)
})

/** Domains under `.test` are verified at once. */
export const settings: Settings = {
  ...defaults,
  publicUrl: "https://posthorn.example",
  dashboardOrigins: ["https://dashboard.example"],
  signups: "open",
  devMode: true
}

/** How often passwords were hashed and compared since the start of this test file. */
export const passwordWork = { hashed: 0, compared: 0 }

/** The "hash" is the password itself. The real hash has its own tests. */
const plainPasswords = PasswordHash.of({
  hash: (password) =>
    Effect.sync(() => {
      passwordWork.hashed++
      return `plain:${Redacted.value(password)}`
    }),
  verify: (hash, password) =>
    Effect.sync(() => {
      passwordWork.compared++
      return hash === `plain:${Redacted.value(password)}`
    }),
  isOutdated: () => false
})

/** The zone that domains are checked against. */
export const zone: DnsResolverMemory.Zone = new Map()

/** Everything that a host provides, in memory, with outside servers as the test sets them, under these secrets. */
export const hostUnder = (current: string, ...previous: ReadonlyArray<string>) =>
  Layer.mergeAll(
    crypto,
    secretsUnder(current, ...previous),
    MailerMemory.layer,
    DnsResolverMemory.layerMemory(zone),
    SafeFetchMemory.layer,
    Layer.succeed(PasswordHash, plainPasswords)
  )

export const host = hostUnder(secret)

/** Over any migrated database. */
export const servicesOn = (database: Layer.Layer<SqlClient.SqlClient>, own: Settings = settings) =>
  Layer.effectDiscard(seed).pipe(
    Layer.provideMerge(Layer.mergeAll(Posthorn.layer, ServiceStatus.layer)),
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, own))
  )

export const services = servicesOn(pglite)
export type TestServices = Layer.Success<typeof services>
