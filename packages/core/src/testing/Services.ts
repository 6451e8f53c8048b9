/** The whole core over a database in memory, and one project in it. For tests. */
import { ProjectId } from "@posthorn/contract/Auth"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { PasswordHash } from "../accounts/PasswordHash.ts"
import * as DnsResolverMemory from "../dns/DnsResolverMemory.ts"
import * as Posthorn from "../Posthorn.ts"
import { hashKey } from "../projects/KeyRing.ts"
import { ProjectStore } from "../projects/ProjectStore.ts"
import * as SecretBox from "../SecretBox.ts"
import { Secrets } from "../Secrets.ts"
import { defaults, Settings } from "../Settings.ts"
import * as ServiceStatus from "../service/ServiceStatus.ts"
import { pglite } from "./Databases.ts"
import * as MailerMemory from "./MailerMemory.ts"
import * as SafeFetchMemory from "./SafeFetchMemory.ts"

export const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
export const key = `sk_${"a".repeat(43)}`
export const publicKey = `pk_${"a".repeat(43)}`

/** The cryptography of the web platform, as a host would provide it. */
export const crypto = Layer.mergeAll(
  Digest.layerWebCrypto,
  Mac.layerWebCrypto,
  Aead.layerWebCrypto,
  Kdf.layerWebCrypto,
  Signature.layerWebCrypto
).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

/** Of the installation, and the one that follows it where a test replaces it. */
export const [secret, nextSecret] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]

export const secrets = Layer.succeed(Secrets, {
  current: Redacted.make(secret),
  previous: Option.none()
})

/** What is sealed, under a secret and the one before it, as after an installation's secret was replaced. */
export const boxUnder = (current: string, previous?: string) =>
  SecretBox.layer.pipe(
    Layer.provideMerge(crypto),
    Layer.provide(
      Layer.succeed(Secrets, {
        current: Redacted.make(current),
        previous: Option.map(Option.fromUndefinedOr(previous), (text) => Redacted.make(text))
      })
    )
  )

/** One project whose keys the tests know. */
export const seed = Effect.gen(function* () {
  const store = yield* ProjectStore
  const secretHash = yield* hashKey(key)
  yield* store.insert({ id: project, name: "Example", publicKey, secretHash, secretHint: "aaaa" }, yield* DateTime.now)
})

/** Names under `.test` are verified at once. */
export const settings: Settings = {
  ...defaults,
  publicUrl: "https://posthorn.example",
  dashboardOrigins: ["https://dashboard.example"],
  devMode: true
}

/** How often passwords were hashed and compared since the start, in this test file. */
export const passwordWork = { hashed: 0, compared: 0 }

/** Says what it was given; what a real one promises is tested with the real one. */
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

/** Domains are checked against this zone. */
export const zone: DnsResolverMemory.Zone = new Map()

/** Everything a host would bring, in memory, and the world outside as the test says. */
export const host = Layer.mergeAll(
  crypto,
  secrets,
  MailerMemory.layer,
  DnsResolverMemory.layerMemory(zone),
  SafeFetchMemory.layer,
  Layer.succeed(PasswordHash, plainPasswords)
)

/** Over any migrated database. */
export const servicesOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Layer.effectDiscard(seed).pipe(
    Layer.provideMerge(Layer.mergeAll(Posthorn.layer, ServiceStatus.layer)),
    Layer.provideMerge(Layer.merge(host, database)),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

export const services = servicesOn(pglite)
export type TestServices = Layer.Success<typeof services>
