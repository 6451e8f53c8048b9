/** Projects as their people see and change them (contract-2 10). */
import {
  type AccountId,
  type CurrentUser,
  EmailVerificationRequired,
  type MemberRole,
  ProjectDisabled,
  type ProjectId
} from "@posthorn/contract/Auth"
import { ResourceNotFound, ValidationError } from "@posthorn/contract/Errors"
import type {
  ProjectWithSecret,
  SetupState,
  Project as Shown,
  UpdateProject
} from "@posthorn/contract/projects/Project"
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { keysReplacedLetter } from "../accounts/AccountLetters.ts"
import { Accounts, mostOwned } from "../accounts/Accounts.ts"
import { Billing } from "../billing/Billing.ts"
import { Subscriptions } from "../billing/Subscriptions.ts"
import { Domains } from "../domains/Domains.ts"
import { Settings } from "../Settings.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { Images } from "../uploads/Images.ts"
import type { Project } from "./Project.ts"
import { ProjectData } from "./ProjectData.ts"
import { ProjectStore } from "./ProjectStore.ts"
import { type Keys, Projects } from "./Projects.ts"

/** How long a request waits for the end of a wipe; then the worker goes on with it. */
const patience = Duration.seconds(5)

/** Who owns a project that was disabled for one of these makes no other one; a payment that failed bars nobody. */
const barring: ReadonlyArray<string | null> = ["EMAIL_REPUTATION", "PHISHING_DETECTED", "MANUAL"]

export class OwnProjects extends Context.Service<
  OwnProjects,
  {
    /** Newest first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Shown>>
    readonly create: (
      user: CurrentUser["Service"],
      name: string
    ) => Effect.Effect<ProjectWithSecret, EmailVerificationRequired | ProjectDisabled | ValidationError>
    readonly update: (
      project: ProjectId,
      role: MemberRole,
      settings: UpdateProject
    ) => Effect.Effect<Shown, ResourceNotFound>
    /** Both old keys stop before it returns. The OWNER is mailed. */
    readonly regenerateKeys: (
      project: ProjectId,
      role: MemberRole
    ) => Effect.Effect<ProjectWithSecret, ResourceNotFound>
    /** Wipes the data and keeps the project; false when a worker has to go on with it in the background. */
    readonly reset: (project: ProjectId) => Effect.Effect<boolean, ResourceNotFound>
    /** The project is gone at once; its subscription and its data end with the next round of `wipeAll`. */
    readonly remove: (project: ProjectId) => Effect.Effect<void, ResourceNotFound>
    readonly setupState: (project: ProjectId) => Effect.Effect<SetupState>
    /** Goes on with resets and deletions that were begun, also by a process that has died since. */
    readonly wipeAll: Effect.Effect<void>
  }
>()("@posthorn/core/projects/OwnProjects") {}

const shown = ({ publicKey, disabled, ...project }: Project, role: MemberRole): Shown => ({
  id: project.id,
  name: project.name,
  public: publicKey,
  secretHint: project.secretHint,
  role,
  disabled: disabled !== null,
  disabledReason: disabled,
  disabledAt: project.disabledAt,
  tracking: project.tracking,
  language: project.language,
  timezone: project.timezone,
  ambiguousPolicy: project.ambiguousPolicy,
  sendRatePerSecond: project.sendRatePerSecond,
  resetting: project.resetting,
  createdAt: project.createdAt,
  updatedAt: project.updatedAt
})

const noProject = (id: ProjectId) => new ResourceNotFound({ resource: "project", id })

const triedAgain = (defect: unknown) => Effect.logError("A project could not be wiped; it will be tried again", defect)

const withSecret = (project: Project, role: MemberRole, { secretKey }: Keys): ProjectWithSecret => ({
  ...shown(project, role),
  secret: Redacted.value(secretKey)
})

export const layer: Layer.Layer<
  OwnProjects,
  never,
  | Accounts
  | Billing
  | Domains
  | Images
  | ProjectData
  | Projects
  | ProjectStore
  | Subscriptions
  | SystemMail
  | Transaction
> = Layer.effect(
  OwnProjects,
  Effect.gen(function* () {
    const store = yield* ProjectStore
    const projects = yield* Projects
    const accounts = yield* Accounts
    const billing = yield* Billing
    const domains = yield* Domains
    const data = yield* ProjectData
    const images = yield* Images
    const mail = yield* SystemMail
    const subscriptions = yield* Subscriptions
    const transaction = yield* Transaction
    const { emailVerificationRequired } = yield* Settings

    const list = Effect.fn("OwnProjects.list")(function* (user: AccountId) {
      return (yield* store.listOf(user)).map(({ project, role }) => shown(project, role))
    })

    const create = Effect.fn("OwnProjects.create")(function* (user: CurrentUser["Service"], name: string) {
      if (emailVerificationRequired && !user.emailVerified) return yield* new EmailVerificationRequired()
      const mayOwnAnother = Effect.gen(function* () {
        const owned = (yield* store.listOf(user.id)).filter(({ role }) => role === "OWNER")
        const barred = owned.find(({ project }) => barring.includes(project.disabled))?.project.disabled
        if (barred) return yield* new ProjectDisabled({ reason: barred })
        if (owned.length >= mostOwned) {
          return yield* ValidationError.one("name", "too_big", `At most ${mostOwned} projects of one owner.`)
        }
      })
      const { project, keys } = yield* accounts.createProjectIf(user.id, name, mayOwnAnother)
      return withSecret(project, "OWNER", keys)
    })

    const update = Effect.fn("OwnProjects.update")(function* (
      project: ProjectId,
      role: MemberRole,
      settings: UpdateProject
    ) {
      return shown(yield* projects.update(project, settings), role)
    })

    const regenerateKeys = Effect.fn("OwnProjects.regenerateKeys")(function* (project: ProjectId, role: MemberRole) {
      const keys = yield* projects.rotateKeys(project)
      const now = yield* projects.get(project)
      const [owner] = yield* accounts.administrators(project)
      if (owner !== undefined) yield* mail.post([keysReplacedLetter(now.name)(owner)])
      return withSecret(now, role, keys)
    })

    /** Images first: their rows tell what is in storage. */
    const wipeSome = Effect.fnUntraced(function* (project: ProjectId, resetting: DateTime.Utc | null) {
      return (
        (yield* Effect.orDie(images.wipeSome(project))) || (yield* transaction.run(data.wipeSome(project, resetting)))
      )
    })

    const reset = Effect.fn("OwnProjects.reset")(function* (project: ProjectId) {
      const limit = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(patience)
      const since = yield* store.beginReset(project, yield* DateTime.now)
      if (Option.isNone(since)) return yield* noProject(project)
      // Until every process knows, mail may still be stored, and that counts as used as well.
      yield* projects.forgotten
      yield* billing.carryOver(project, since.value)
      const wiped = Effect.gen(function* () {
        while (yield* wipeSome(project, since.value)) {
          if ((yield* Clock.monotonicTimeNanos) > limit) return false
        }
        yield* store.endReset(project, since.value)
        return true
      })
      // It has begun, and the worker ends it, whatever happens here.
      const isOver = yield* Effect.catchDefect(wiped, (defect) => Effect.as(triedAgain(defect), false))
      if (isOver) yield* projects.forgotten
      return isOver
    })

    const remove = Effect.fn("OwnProjects.remove")(function* (project: ProjectId) {
      if (!(yield* store.markDeleted(project, yield* DateTime.now))) return yield* noProject(project)
      yield* projects.forgotten
    })

    const setupState = Effect.fn("OwnProjects.setupState")(function* (project: ProjectId) {
      const { contacts, lastCampaignSentAt, hasEnabledWorkflow } = yield* data.counts(project)
      const ofProject = yield* Effect.orDie(domains.list(project, project))
      return {
        hasSubscription: yield* billing.isSubscribed(project),
        hasVerifiedDomain: ofProject.some(({ verified }) => verified),
        contactCount: contacts,
        lastCampaignSentAt: lastCampaignSentAt === null ? null : DateTime.fromDateUnsafe(lastCampaignSentAt),
        hasEnabledWorkflow
      }
    })

    const wipe = Effect.fnUntraced(function* (project: ProjectId, resetting: DateTime.Utc | null) {
      if (resetting !== null) yield* billing.carryOver(project, resetting)
      while (yield* wipeSome(project, resetting));
      if (resetting !== null) return yield* store.endReset(project, resetting)
      yield* Effect.orDie(subscriptions.end(project))
      yield* store.remove(project)
    })

    const wipeAll = Effect.gen(function* () {
      const going = yield* store.going
      if (going.length > 0) yield* projects.forgotten
      for (const { id, resetting } of going) {
        yield* wipe(id, resetting).pipe(
          // One whose images or subscription cannot be reached keeps no other waiting.
          Effect.catchDefect(triedAgain),
          Effect.annotateLogs({ project: id })
        )
      }
    }).pipe(Effect.withSpan("OwnProjects.wipeAll"))

    return OwnProjects.of({ list, create, update, regenerateKeys, reset, remove, setupState, wipeAll })
  })
)
