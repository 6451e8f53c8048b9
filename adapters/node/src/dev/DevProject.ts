/** What dev mode creates at the start: an owner, and a project with keys and a verified domain. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { AccountId } from "@posthorn/core/accounts/people/AccountStore"
import { Accounts } from "@posthorn/core/accounts/people/Accounts"
import { type Keys, Projects } from "@posthorn/core/accounts/projects/Projects"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { type DevState, DevStateFile } from "./DevState.ts"

const email = "dev@posthorn.test"
const projectName = "Development"
const domain = "posthorn.test"

/** What a person needs to start. A service, because it is created once and several pages show it. */
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

/** If `dev.json` is lost, the existing account gets a new password and its project new keys. */
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

/** A domain that the project already has is unchanged. */
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
  const projects = yield* Projects
  const found = yield* Effect.option(projects.authenticate("secret", secretKey))
  return Option.exists(found, ({ id }) => id === projectId)
})

/** The same project as last time, if the database still has it. */
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
  Accounts | DevStateFile | Domains | Projects | SecureRandom.SecureRandom
> = Layer.effect(DevProject, make)
