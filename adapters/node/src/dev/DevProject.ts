/** What the dev mode has from the start: an owner, a project with keys, a verified domain (doors 1). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { AccountId } from "@posthorn/core/accounts/AccountStore"
import { Accounts } from "@posthorn/core/accounts/Accounts"
import { Domains } from "@posthorn/core/domains/Domains"
import { KeyRing } from "@posthorn/core/projects/KeyRing"
import { type Keys, Projects } from "@posthorn/core/projects/Projects"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { type DevState, DevStateFile } from "./DevState.ts"

const email = "dev@posthorn.test"
const projectName = "Development"
const domain = "posthorn.test"

/** What a person needs to begin. */
export class DevProject extends Context.Service<DevProject, Omit<DevState, "clockOffsetMillis">>()(
  "@posthorn/node/dev/DevProject"
) {}

const newPassword = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(12)),
  Base64Url.encode
)

const plain = (project: ProjectId, { publicKey, secretKey }: Keys) => ({
  projectId: project,
  publicKey,
  secretKey: Redacted.value(secretKey)
})

/** The account of an earlier start whose `dev.json` is lost gets a new password, and its project new keys. */
const recovered = Effect.fnUntraced(function* (account: AccountId, password: Redacted.Redacted<string>) {
  const accounts = yield* Accounts
  const projects = yield* Projects
  yield* accounts.setPassword(account, password)
  const [owned] = yield* accounts.ownedProjects(account)
  if (owned !== undefined) return plain(owned, yield* projects.rotateKeys(owned))
  const { project, keys } = yield* accounts.createProject(account, projectName)
  return plain(project.id, keys)
}, Effect.orDie)

const created = Effect.fnUntraced(function* (password: Redacted.Redacted<string>) {
  const accounts = yield* Accounts
  const { project, keys } = yield* accounts.create({ email, password, projectName })
  return plain(project.id, keys)
}, Effect.orDie)

/** A domain that the project has stays as it is. */
const addDomain = Effect.fnUntraced(function* (project: ProjectId) {
  const domains = yield* Domains
  yield* domains.add(project, { domain }).pipe(
    Effect.catchIf(
      (error) => error._tag === "CONFLICT",
      ({ reason }) =>
        reason === "domain_exists" ? Effect.void : Effect.logWarning(`${domain} belongs to another project`, { reason })
    ),
    Effect.orDie
  )
})

const isKnown = Effect.fnUntraced(function* ({ projectId, secretKey }: DevState) {
  const ring = yield* KeyRing
  const found = yield* Effect.option(ring.authenticate("secret", secretKey))
  return Option.exists(found, ({ id }) => id === projectId)
})

/** The same as last time, for as long as the database still knows it. */
const make = Effect.gen(function* () {
  const file = yield* DevStateFile
  const last = yield* file.current
  if (Option.isSome(last) && (yield* isKnown(last.value))) return last.value

  const password = yield* newPassword
  const account = yield* (yield* Accounts).find(email)
  const project = Option.isSome(account)
    ? yield* recovered(account.value.id, Redacted.make(password))
    : yield* created(Redacted.make(password))
  yield* addDomain(project.projectId)
  const clockOffsetMillis = Option.match(last, { onNone: () => 0, onSome: (state) => state.clockOffsetMillis })
  const state = { ...project, email, password, domain, clockOffsetMillis }
  yield* file.save(state)
  return state
})

export const layer: Layer.Layer<
  DevProject,
  never,
  Accounts | DevStateFile | Domains | KeyRing | Projects | SecureRandom.SecureRandom
> = Layer.effect(DevProject, make)
