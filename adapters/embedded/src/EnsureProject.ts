/**
 * The project of the application itself. The first start creates it; later starts find it.
 *
 * Only a hash of a secret key is stored. So that each start gets the same key, it derives from the secret of the
 * installation and the id of the project by HKDF-SHA-256 (RFC 5869).
 */
import { hkdfSync, randomBytes } from "node:crypto"
import { ProjectName } from "@posthorn/contract/accounts/projects/Project"
import type { AccountId } from "@posthorn/core/accounts/people/AccountStore"
import { type AccountExists, Accounts, type InvalidAccount } from "@posthorn/core/accounts/people/Accounts"
import { hashKey } from "@posthorn/core/accounts/projects/ApiKeyCache"
import type { StoredProject } from "@posthorn/core/accounts/projects/Project"
import { ProjectStore } from "@posthorn/core/accounts/projects/ProjectStore"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Transaction } from "@posthorn/core/platform/Transaction"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import type { EmbeddedServices } from "./Layers.ts"
import { InvalidOption, type PosthornOptions } from "./Options.ts"

export interface EnsureOptions {
  /**
   * The email address of the account that owns the project. It gets the warnings about the project, and its owner can
   * sign in after a reset of the password. Default `owner@posthorn.invalid`, which has no mailbox.
   */
  readonly owner?: string | undefined
}

/** A project of the application. */
export interface EnsuredProject {
  /** For `client` and `transaction`. */
  readonly id: string
  readonly name: string
  /** `pk_...`: may only track events, also from browsers. */
  readonly publicKey: string
  /**
   * `sk_...`: for `fetch`, `node` and other programs. The same at every call with the same secret. Null if the keys of
   * the project were replaced, or if `ensureProject` did not create it.
   */
  readonly secretKey: string | null
}

const defaultOwner = "owner@posthorn.invalid"

const decodeName = Schema.decodeUnknownOption(ProjectName)

const secretKeyOf = (secret: string, project: string): string =>
  `sk_${Buffer.from(hkdfSync("sha256", secret, "", `posthorn/embedded/secret-key/${project}`, 32)).toString("base64url")}`

const storedKeys = Effect.fnUntraced(function* ({ id, publicKey }: StoredProject, secret: string) {
  const secretKey = secretKeyOf(secret, id)
  return { publicKey, secretHash: yield* hashKey(secretKey), secretHint: secretKey.slice(-4) }
})

class Known {
  readonly _tag = "Known"
  readonly project: StoredProject
  constructor(project: StoredProject) {
    this.project = project
  }
}

/** The oldest project with the name that the account owns. Another user cannot add a project to the account. */
const find = Effect.fnUntraced(function* (account: AccountId, name: string) {
  const owned = yield* Accounts.use(({ ownedProjects }) => ownedProjects(account))
  const projects = yield* Effect.forEach(owned, (id) => Effect.option(Projects.use(({ get }) => get(id))))
  const [oldest] = projects.filter(Option.isSome).filter(({ value }) => value.name === name)
  return Option.map(Option.fromUndefinedOr(oldest), ({ value }) => value)
})

/** Concurrent calls lock the row of the account, so only one of them creates the project. */
const make = Effect.fnUntraced(function* (email: string, name: string) {
  const accounts = yield* Accounts
  const known = yield* accounts.find(email)
  if (Option.isNone(known)) {
    const password = Redacted.make(randomBytes(32).toString("base64url"))
    return (yield* accounts.create({ email, password, projectName: name })).project
  }
  const check = Effect.flatMap(find(known.value.id, name), (project) =>
    Option.isSome(project) ? Effect.fail(new Known(project.value)) : Effect.void
  )
  const services = yield* Effect.context<Accounts | Projects>()
  return (yield* accounts.createProjectIf(known.value.id, name, Effect.provideContext(check, services))).project
})

const made = Effect.fnUntraced(function* (email: string, name: string, secret: string) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const project = yield* make(email, name)
      const keys = yield* storedKeys(project, secret)
      yield* ProjectStore.use((store) =>
        Effect.flatMap(DateTime.now, (now) => store.replaceKeys(project.id, keys, now))
      )
      return project
    })
  )
})

const invalid = ({ message }: InvalidAccount) => new InvalidOption({ message })

export const ensureProject = Effect.fn("ensureProject")(function* (
  given: string,
  { owner = defaultOwner }: EnsureOptions,
  { secret, previousSecret, previousSecrets = [] }: PosthornOptions
): Effect.fn.Return<EnsuredProject, InvalidOption, EmbeddedServices> {
  const name = decodeName(given)
  if (Option.isNone(name)) {
    return yield* new InvalidOption({ message: "The name of the project must have 1 to 100 characters on one line." })
  }
  const attempt = made(owner, name.value, secret).pipe(
    Effect.catchTag("Known", ({ project }) => Effect.succeed(project)),
    Effect.catchTag("InvalidAccount", invalid)
  )
  // Another call has just created the account; the second attempt finds its project.
  const project = yield* Effect.catchTag(attempt, "AccountExists", () =>
    Effect.catchTag(attempt, "AccountExists", (error: AccountExists) => Effect.die(error))
  )
  const store = yield* ProjectStore
  for (const one of [secret, ...(previousSecret === undefined ? [] : [previousSecret]), ...previousSecrets]) {
    const found = yield* store.findBySecretHash((yield* storedKeys(project, one)).secretHash)
    if (Option.exists(found, ({ id }) => id === project.id)) {
      const { id, publicKey } = project
      return { id, name: name.value, publicKey, secretKey: secretKeyOf(one, id) }
    }
  }
  return { id: project.id, name: name.value, publicKey: project.publicKey, secretKey: null }
})
