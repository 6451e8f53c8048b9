/** The projects of a user: list, create, change, reset and delete. */

import type { AuditQuery, ProjectAuditPage } from "@posthorn/contract/accounts/projects/Audit"
import type {
  ProjectWithSecret,
  SetupState,
  Project as Shown,
  UpdateProject
} from "@posthorn/contract/accounts/projects/Project"
import {
  type AccountId,
  type CurrentUser,
  EmailVerificationRequired,
  type MemberRole,
  ProjectDisabled,
  type ProjectId
} from "@posthorn/contract/platform/Auth"
import {
  type BadRequest,
  type InvalidCursor,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Array, Clock, DateTime, Duration, Effect, Option, Order, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Subscriptions } from "../../accounts/billing/Subscriptions.ts"
import { keysReplacedEmail } from "../../accounts/people/AccountEmails.ts"
import { Accounts, mostOwned } from "../../accounts/people/Accounts.ts"
import type { StoredProject } from "../../accounts/projects/Project.ts"
import { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import { type Keys, Projects } from "../../accounts/projects/Projects.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { Images } from "../../content/uploads/Images.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import type { Cursors } from "../../platform/Cursors.ts"
import type { NextDue } from "../../platform/jobs/Agenda.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as ProjectAudit from "./ProjectAudit.ts"
import * as ProjectData from "./ProjectData.ts"

/** How long a request waits for the end of a wipe. After that, a worker continues it. */
const maxWait = Duration.seconds(5)

/**
 * The owner of a project that is disabled for one of these reasons cannot create another one. A failed payment does not
 * block.
 */
const blockingReasons: ReadonlyArray<string | null> = ["EMAIL_REPUTATION", "PHISHING_DETECTED", "MANUAL"]

/** A service: HTTP handlers and the worker call it. */
export interface OwnProjects {
  /** Newest first. */
  readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Shown>>
  /** The projects of a user without an account, newest first. Those that do not exist are left out. */
  readonly listed: (roles: ReadonlyMap<ProjectId, MemberRole>) => Effect.Effect<ReadonlyArray<Shown>>
  readonly create: (
    user: CurrentUser["Service"],
    name: string
  ) => Effect.Effect<ProjectWithSecret, EmailVerificationRequired | ProjectDisabled | ValidationError>
  readonly update: (
    project: ProjectId,
    role: MemberRole,
    settings: UpdateProject
  ) => Effect.Effect<Shown, ResourceNotFound>
  /** When it returns, both old keys are invalid. Emails the OWNER. */
  readonly regenerateKeys: (project: ProjectId, role: MemberRole) => Effect.Effect<ProjectWithSecret, ResourceNotFound>
  /** Wipes the data and keeps the project. False when a worker has to continue it in the background. */
  readonly reset: (project: ProjectId) => Effect.Effect<boolean, ResourceNotFound>
  /** The project is deleted at once. The next run of `wipeAll` ends its subscription and deletes its data. */
  readonly remove: (project: ProjectId) => Effect.Effect<void, ResourceNotFound>
  readonly setupState: (project: ProjectId) => Effect.Effect<SetupState>
  /** Entries of the audit log about the project, newest first. Dates are in the time zone of the project. */
  readonly audit: (project: ProjectId, query: AuditQuery) => Effect.Effect<ProjectAuditPage, BadRequest | InvalidCursor>
  /** Continues resets and deletions that have begun, also in processes that have died. */
  readonly wipeAll: Effect.Effect<void>
  /** Whether `wipeAll` has work. Absent: unknown. */
  readonly nextWipe: NextDue | undefined
}

const shown = ({ publicKey, disabled, ...project }: StoredProject, role: MemberRole): Shown => ({
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
  smtpDialogue: project.smtpDialogue,
  publicKeyPolicy: project.publicKeyPolicy,
  sendRatePerSecond: project.sendRatePerSecond,
  requireTwoFactor: project.requireTwoFactor,
  rejectDmarcFailures: project.rejectDmarcFailures,
  resetting: project.resetting,
  createdAt: project.createdAt,
  updatedAt: project.updatedAt
})

const noProject = (id: ProjectId) => new ResourceNotFound({ resource: "project", id })

const logRetry = (defect: unknown) => Effect.logError("A project could not be wiped; it will be tried again", defect)

const withSecret = (project: StoredProject, role: MemberRole, { secretKey }: Keys): ProjectWithSecret => ({
  ...shown(project, role),
  secret: Redacted.value(secretKey)
})

export type Needs =
  | Accounts
  | Billing
  | Cursors
  | Domains
  | Images
  | Projects
  | ProjectStore
  | SqlClient.SqlClient
  | Subscriptions
  | SystemMail
  | Transaction

export const make: Effect.Effect<OwnProjects, never, Needs> = Effect.gen(function* () {
  const store = yield* ProjectStore
  const projects = yield* Projects
  const accounts = yield* Accounts
  const billing = yield* Billing
  const domains = yield* Domains
  const data = yield* ProjectData.make
  const audit = yield* ProjectAudit.make
  const images = yield* Images
  const mail = yield* SystemMail
  const subscriptions = yield* Subscriptions
  const transaction = yield* Transaction
  const { emailVerificationRequired } = yield* Settings

  const list = Effect.fn("OwnProjects.list")(function* (user: AccountId) {
    return (yield* store.listOf(user)).map(({ project, role }) => shown(project, role))
  })

  const listed = Effect.fn("OwnProjects.listed")(function* (roles: ReadonlyMap<ProjectId, MemberRole>) {
    const found = yield* Effect.forEach(roles, ([id, role]) =>
      Effect.map(
        store.find(id),
        Option.map((project) => shown(project, role))
      )
    )
    return Array.sortWith(Array.getSomes(found), ({ createdAt }) => createdAt, Order.flip(DateTime.Order))
  })

  const create = Effect.fn("OwnProjects.create")(function* (user: CurrentUser["Service"], name: string) {
    if (emailVerificationRequired && !user.emailVerified) return yield* new EmailVerificationRequired()
    const mayOwnAnother = Effect.gen(function* () {
      const owned = (yield* store.listOf(user.id)).filter(({ role }) => role === "OWNER")
      const barred = owned.find(({ project }) => blockingReasons.includes(project.disabled))?.project.disabled
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
    if (owner !== undefined) yield* mail.post([keysReplacedEmail(now.name)(owner)])
    return withSecret(now, role, keys)
  })

  /** Wipes images first, because their rows contain the names of the stored files. */
  const wipeSome = Effect.fnUntraced(function* (project: ProjectId, resetting: DateTime.Utc | null) {
    return (
      (yield* Effect.orDie(images.wipeSome(project))) || (yield* transaction.run(data.wipeSome(project, resetting)))
    )
  })

  const reset = Effect.fn("OwnProjects.reset")(function* (project: ProjectId) {
    const limit = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(maxWait)
    const since = yield* store.beginReset(project, yield* DateTime.now)
    if (Option.isNone(since)) return yield* noProject(project)
    // Until every process knows about the reset, emails may still be stored. They count as usage too.
    yield* projects.invalidate
    yield* billing.carryOver(project, since.value)
    const wiped = Effect.gen(function* () {
      while (yield* wipeSome(project, since.value)) {
        if ((yield* Clock.monotonicTimeNanos) > limit) return false
      }
      yield* store.endReset(project, since.value)
      return true
    })
    // The reset has begun. If this fails, a worker completes it.
    const isOver = yield* Effect.catchDefect(wiped, (defect) => Effect.as(logRetry(defect), false))
    if (isOver) yield* projects.invalidate
    return isOver
  })

  const remove = Effect.fn("OwnProjects.remove")(function* (project: ProjectId) {
    if (!(yield* projects.end(project))) return yield* noProject(project)
    yield* projects.invalidate
  })

  const setupState = Effect.fn("OwnProjects.setupState")(function* (project: ProjectId) {
    const { lastCampaignSentAt, firstEmailSentAt, firstEventAt, ...found } = yield* data.setup(project)
    const ofProject = yield* Effect.orDie(domains.list(project, project))
    const dateOf = (date: Date | null) => (date === null ? null : DateTime.fromDateUnsafe(date))
    return {
      hasSubscription: yield* billing.isSubscribed(project),
      hasVerifiedDomain: ofProject.some(({ verified }) => verified),
      domainCount: ofProject.length,
      firstEmailSentAt: dateOf(firstEmailSentAt),
      firstEventAt: dateOf(firstEventAt),
      lastCampaignSentAt: dateOf(lastCampaignSentAt),
      ...found
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
    if (going.length > 0) yield* projects.invalidate
    for (const { id, resetting } of going) {
      yield* wipe(id, resetting).pipe(
        // A project whose images or subscription cannot be reached does not delay the others.
        Effect.catchDefect(logRetry),
        Effect.annotateLogs({ project: id })
      )
    }
  }).pipe(Effect.withSpan("OwnProjects.wipeAll"))

  return {
    nextWipe: store.nextGoing,
    list,
    listed,
    create,
    update,
    regenerateKeys,
    reset,
    remove,
    setupState,
    audit,
    wipeAll
  } satisfies OwnProjects
})
