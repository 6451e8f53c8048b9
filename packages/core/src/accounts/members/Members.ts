/** Members of a project, and invitations to it. */

import {
  type ActiveMember,
  type Invitation,
  InvitationId,
  type InviteMember,
  type PendingMember,
  type ReceivedInvitation
} from "@posthorn/contract/accounts/members/Member"
import { InvalidToken, TooManyAttempts } from "@posthorn/contract/accounts/people/Account"
import {
  type AccountId,
  type ActorOf,
  type CurrentUser,
  EmailVerificationRequired,
  Forbidden,
  type MemberRole,
  ProjectDisabled,
  type ProjectId
} from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { isAtLeast } from "@posthorn/contract/platform/Roles"
import { DateTime, Duration, Effect, Option } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import {
  changedByKeyEmail,
  handedOverEmail,
  invitationEmail,
  ownershipEmail,
  withLink
} from "../people/AccountEmails.ts"
import { Accounts, mostOwned } from "../people/Accounts.ts"
import * as Attempts from "../people/Attempts.ts"
import { hashToken, makeToken } from "../people/MailedTokens.ts"
import { Projects } from "../projects/Projects.ts"
import { type SystemEmail, SystemMail } from "../systemmail/SystemMail.ts"
import * as MemberStore from "./MemberStore.ts"

export type { HeldInvitation } from "./MemberStore.ts"

const mostMembers = 100
const invitationLifetime = Duration.days(7)

export interface JoinedProject {
  readonly projectId: ProjectId
  readonly role: MemberRole
}

/** A service: the checks of every endpoint, the account pages and the sign-in call it. */
export interface Members {
  readonly role: (project: ProjectId, user: AccountId) => Effect.Effect<Option.Option<MemberRole>>
  /** Members, oldest first, then invitations. */
  readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<ActiveMember | PendingMember>>
  /**
   * Emails an invitation. The inviting user needs a confirmed address; with the secret key, the invitation counts for
   * the OWNER. An address gets at most three invitations an hour, and an account sends at most a hundred a day.
   * Withdrawn invitations count too.
   */
  readonly invite: (
    project: ProjectId,
    actor: ActorOf,
    invitation: InviteMember
  ) => Effect.Effect<
    PendingMember,
    Conflict | EmailVerificationRequired | Forbidden | ResourceNotFound | TooManyAttempts | ValidationError
  >
  /**
   * Changes the role of another member, except the OWNER. The role `OWNER` offers the project to the member by an
   * email that counts as an invitation. Only the OWNER can make this offer, and withdraws it by giving another role.
   */
  readonly update: (
    project: ProjectId,
    actor: ActorOf,
    user: string,
    role: MemberRole
  ) => Effect.Effect<
    ActiveMember,
    EmailVerificationRequired | Forbidden | ResourceNotFound | TooManyAttempts | ValidationError
  >
  /** An ADMIN removes other members. Every member except the OWNER can leave. */
  readonly remove: (
    project: ProjectId,
    actor: ActorOf,
    user: string
  ) => Effect.Effect<void, Forbidden | ResourceNotFound>
  readonly invitations: (project: ProjectId) => Effect.Effect<ReadonlyArray<Invitation>>
  /** Only the OWNER withdraws an offer of the ownership. */
  readonly uninvite: (
    project: ProjectId,
    actor: ActorOf,
    id: string
  ) => Effect.Effect<void, Forbidden | ResourceNotFound>
  readonly held: (
    token: string
  ) => Effect.Effect<MemberStore.HeldInvitation & { readonly hasAccount: boolean }, InvalidToken>
  /**
   * Makes the user a member, or the OWNER, if the invitation is to the user's address, and confirms the address. A
   * user who is a member already keeps the role. Invitation and membership change in one transaction: the caller's,
   * if there is one.
   */
  readonly accept: (
    user: Pick<CurrentUser["Service"], "email" | "id">,
    token: string
  ) => Effect.Effect<JoinedProject, Forbidden | InvalidToken | ProjectDisabled | ValidationError>
  /** Ends the invitation. The token is sufficient, since it was sent to the invited mailbox. */
  readonly decline: (token: string) => Effect.Effect<void, InvalidToken>
  /**
   * Open invitations to the user, oldest first. None for an unconfirmed address, since anyone could have registered
   * it.
   */
  readonly received: (user: CurrentUser["Service"]) => Effect.Effect<ReadonlyArray<ReceivedInvitation>>
  readonly acceptReceived: (
    user: CurrentUser["Service"],
    id: string
  ) => Effect.Effect<JoinedProject, EmailVerificationRequired | ProjectDisabled | ResourceNotFound | ValidationError>
  readonly declineReceived: (
    user: CurrentUser["Service"],
    id: string
  ) => Effect.Effect<void, EmailVerificationRequired | ResourceNotFound>
  readonly sweep: Effect.Effect<void>
}

export type Needs =
  | Accounts
  | Digest.Digest
  | Projects
  | SecretBox
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SystemMail
  | Transaction

export const make: Effect.Effect<Members, never, Needs> = Effect.gen(function* () {
  const store = yield* MemberStore.make
  const accounts = yield* Accounts
  const attempts = yield* Attempts.make
  const projects = yield* Projects
  const mail = yield* SystemMail
  const transaction = yield* Transaction
  const crypto = yield* Effect.context<Digest.Digest | SecretBox | SecureRandom.SecureRandom>()
  const random = yield* SecureRandom.SecureRandom

  /** Runs one change of a project's members at a time. */
  const changing = <A, E, R>(project: ProjectId, change: Effect.Effect<A, E, R>) =>
    transaction.run(Effect.andThen(store.lock(project), change))

  const list = Effect.fn("Members.list")(function* (project: ProjectId) {
    const open = yield* store.invitations(project, yield* DateTime.now)
    const members = (yield* store.members(project)).map((member) =>
      offerTo(member.email, open) === undefined ? member : { ...member, pendingRole: "OWNER" as const }
    )
    return [...members, ...open.filter(({ kind }) => kind === "MEMBERSHIP").map(pending)]
  })

  const find = Effect.fnUntraced(function* (project: ProjectId, user: string) {
    const found = (yield* store.members(project)).find(({ userId }) => userId === user.toLowerCase())
    return found ?? (yield* new ResourceNotFound({ resource: "member", id: user }))
  })

  const emailOwner = Effect.fnUntraced(function* (
    project: ProjectId,
    actor: ActorOf,
    change: "changed" | "invited" | "removed",
    member: string
  ) {
    if (actor.kind !== "key") return
    const owner = (yield* store.members(project)).find(({ role }) => role === "OWNER")
    const { name } = yield* Effect.orDie(projects.get(project))
    if (owner) yield* mail.post([changedByKeyEmail(name, change, member)(owner.email)])
  })

  /** The account that the invitation counts for: the member's own, or the OWNER's for the secret key. */
  const inviterOf = Effect.fnUntraced(function* (project: ProjectId, actor: ActorOf) {
    const owner = (yield* store.members(project)).find(({ role }) => role === "OWNER")
    const id = actor.kind === "member" ? actor.user : owner?.userId
    const account = id === undefined ? Option.none() : yield* accounts.lock(id)
    // The account was deleted in the meantime.
    if (Option.isNone(account)) return yield* new Forbidden({ reason: "role" })
    if (!account.value.emailVerified) return yield* new EmailVerificationRequired()
    return account.value.id
  })

  const takeAttempt = Effect.fnUntraced(function* (limit: Attempts.AttemptLimit, who: string, now: DateTime.Utc) {
    const wait = yield* attempts.take(limit, who, now)
    if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: limit.limit, retryAfter: wait.value })
  })

  /** Stores the invitation and posts its email, within the limits. The caller has locked the project. */
  const post = Effect.fnUntraced(function* (
    project: ProjectId,
    inviter: AccountId,
    actor: ActorOf,
    { kind, email, role }: Pick<Invitation, "email" | "kind" | "role">,
    emailOf: (name: string, role: MemberRole) => (to: string) => SystemEmail
  ) {
    const now = yield* DateTime.now
    const { name } = yield* projects.get(project)
    yield* takeAttempt(Attempts.limits.invitationMail, `${project} ${email}`, now)
    yield* takeAttempt(Attempts.limits.invitationsOfAccount, inviter, now)
    const token = yield* makeToken
    const invitation = {
      id: InvitationId.make(yield* random.uuidV7()),
      kind,
      email,
      role,
      invitedBy: actor.kind === "member" ? actor.user : null,
      expiresAt: DateTime.addDuration(now, invitationLifetime)
    }
    yield* store.invite(project, { ...invitation, tokenHash: yield* hashToken(token) }, now)
    yield* mail.post([yield* withLink(emailOf(name, role)(email), "invitation", token)])
    return invitation
  }, Effect.provideContext(crypto))

  const invite = Effect.fn("Members.invite")(function* (
    project: ProjectId,
    actor: ActorOf,
    { email, role: given }: InviteMember
  ) {
    return yield* transaction.run(
      Effect.gen(function* () {
        const inviter = yield* inviterOf(project, actor)
        yield* store.lock(project)
        const members = yield* store.members(project)
        if (members.some((member) => member.email === email)) return yield* new Conflict({ reason: "already_member" })
        const others = (yield* store.invitations(project, yield* DateTime.now)).filter(
          (invitation) => invitation.email !== email && invitation.kind === "MEMBERSHIP"
        )
        if (members.length + others.length >= mostMembers) {
          return yield* ValidationError.one("email", "too_big", `At most ${mostMembers} members and invitations.`)
        }
        const wanted = { kind: "MEMBERSHIP" as const, email, role: given ?? "MEMBER" }
        const invitation = yield* post(project, inviter, actor, wanted, invitationEmail)
        yield* emailOwner(project, actor, "invited", email)
        return pending(invitation)
      })
    )
  })

  const mayOwnAnother = Effect.fnUntraced(function* (user: AccountId) {
    if ((yield* accounts.ownedProjects(user)).length >= mostOwned) {
      return yield* ValidationError.one("role", "too_big", `One user owns at most ${mostOwned} projects.`)
    }
  })

  const offer = Effect.fnUntraced(function* (
    project: ProjectId,
    inviter: AccountId,
    actor: ActorOf,
    { email, userId }: ActiveMember
  ) {
    const isOwner = actor.kind === "member" && Option.contains(yield* store.role(project, actor.user), "OWNER")
    if (!isOwner) return yield* new Forbidden({ reason: "role" })
    yield* mayOwnAnother(userId)
    yield* post(project, inviter, actor, { kind: "OWNERSHIP", email, role: "OWNER" }, ownershipEmail)
  })

  const withdrawOffer = Effect.fnUntraced(function* (project: ProjectId, { email }: ActiveMember) {
    const open = offerTo(email, yield* store.invitations(project, yield* DateTime.now))
    if (open !== undefined) yield* store.withdrawInvitation(project, open.id)
  })

  const update = Effect.fn("Members.update")(function* (
    project: ProjectId,
    actor: ActorOf,
    user: string,
    role: MemberRole
  ) {
    return yield* transaction.run(
      Effect.gen(function* () {
        if (role === "OWNER" && (actor.kind === "key" || actor.role !== "OWNER")) {
          return yield* new Forbidden({ reason: "role" })
        }
        const inviter = role === "OWNER" ? yield* inviterOf(project, actor) : undefined
        yield* store.lock(project)
        const member = yield* find(project, user)
        const isOneself = actor.kind === "member" && actor.user === member.userId
        if (isOneself || member.role === "OWNER") return yield* new Forbidden({ reason: "role" })
        if (inviter !== undefined) {
          yield* offer(project, inviter, actor, member)
          return { ...member, pendingRole: "OWNER" as const }
        }
        if (actor.kind === "member" && actor.role === "OWNER") yield* withdrawOffer(project, member)
        yield* store.setRole(project, member.userId, role)
        yield* emailOwner(project, actor, "changed", member.email)
        return { ...member, role }
      })
    )
  })

  const remove = Effect.fn("Members.remove")(function* (project: ProjectId, actor: ActorOf, user: string) {
    yield* changing(
      project,
      Effect.gen(function* () {
        const member = yield* find(project, user)
        const isOneself = actor.kind === "member" && actor.user === member.userId
        const may = actor.kind === "key" || isOneself || isAtLeast(actor.role, "ADMIN")
        if (!may || member.role === "OWNER") return yield* new Forbidden({ reason: "role" })
        yield* withdrawOffer(project, member)
        yield* store.remove(project, member.userId)
        yield* emailOwner(project, actor, "removed", member.email)
      })
    )
  })

  const uninvite = Effect.fn("Members.uninvite")(function* (project: ProjectId, actor: ActorOf, id: string) {
    yield* changing(
      project,
      Effect.gen(function* () {
        const open = yield* store.invitations(project, yield* DateTime.now)
        const found = open.find((invitation) => invitation.id === id.toLowerCase())
        if (found === undefined) return yield* new ResourceNotFound({ resource: "invitation", id })
        const may = found.kind === "MEMBERSHIP" || (actor.kind === "member" && actor.role === "OWNER")
        if (!may) return yield* new Forbidden({ reason: "role" })
        yield* store.withdrawInvitation(project, found.id)
      })
    )
  })

  const invitationOf = Effect.fnUntraced(function* (token: string) {
    const hash = yield* Effect.provideContext(hashToken(token), crypto)
    const found = yield* store.held(hash, yield* DateTime.now)
    return Option.isSome(found) ? found.value : yield* new InvalidToken()
  })

  const held = Effect.fn("Members.held")(function* (token: string) {
    const invitation = yield* invitationOf(token)
    return { ...invitation, hasAccount: Option.isSome(yield* accounts.find(invitation.email)) }
  })

  /** Demotes the old OWNER first, so that the project never has two. A disabled project keeps its owner. */
  const handOver = Effect.fnUntraced(function* (project: ProjectId, user: AccountId) {
    const { disabled, name } = yield* Effect.orDie(projects.get(project))
    if (disabled !== null) return yield* new ProjectDisabled({ reason: disabled })
    yield* mayOwnAnother(user)
    const members = yield* store.members(project)
    const successor = members.find(({ userId }) => userId === user)
    const owner = members.find(({ role }) => role === "OWNER")
    if (owner !== undefined) {
      yield* store.setRole(project, owner.userId, "ADMIN")
      yield* mail.post([handedOverEmail(name, successor?.email ?? "")(owner.email)])
    }
    yield* store.setRole(project, user, "OWNER")
  })

  /**
   * Uses up the invitation and changes the role, both or neither. None when the invitation was answered or withdrawn,
   * the project or the account was deleted, or the member to whom the project was offered has left.
   */
  const take = Effect.fnUntraced(function* (
    user: Pick<CurrentUser["Service"], "id">,
    { project, id, kind, role }: MemberStore.HeldInvitation
  ) {
    return yield* transaction.run(
      Effect.gen(function* () {
        if (Option.isNone(yield* accounts.lock(user.id))) return Option.none<JoinedProject>()
        yield* store.lock(project)
        const before = yield* store.role(project, user.id)
        if (kind === "OWNERSHIP" && Option.isNone(before)) return Option.none<JoinedProject>()
        if (!(yield* store.useInvitation(project, id))) return Option.none<JoinedProject>()
        yield* accounts.verifyEmail(user.id)
        if (kind === "OWNERSHIP") yield* handOver(project, user.id)
        else if (Option.isSome(before)) return Option.some({ projectId: project, role: before.value })
        else yield* store.add(project, user.id, role, yield* DateTime.now)
        return Option.some({ projectId: project, role })
      })
    )
  })

  const accept = Effect.fn("Members.accept")(function* (
    user: Pick<CurrentUser["Service"], "email" | "id">,
    token: string
  ) {
    const invitation = yield* invitationOf(token)
    if (invitation.email !== user.email) return yield* new Forbidden({ reason: "recipient" })
    const accepted = yield* take(user, invitation)
    return Option.isSome(accepted) ? accepted.value : yield* new InvalidToken()
  })

  const decline = Effect.fn("Members.decline")(function* (token: string) {
    const { project, id } = yield* invitationOf(token)
    if (!(yield* store.declineInvitation(project, id))) return yield* new InvalidToken()
  })

  const received = Effect.fn("Members.received")(function* (user: CurrentUser["Service"]) {
    if (!user.emailVerified) return []
    return (yield* store.heldBy(user.email, yield* DateTime.now)).map(
      ({ id, kind, project: projectId, projectName, role, invitedBy, createdAt }) => ({
        id,
        kind,
        projectId,
        projectName,
        role,
        invitedBy,
        createdAt
      })
    )
  })

  const receivedAs = Effect.fnUntraced(function* (user: CurrentUser["Service"], id: string) {
    if (!user.emailVerified) return yield* new EmailVerificationRequired()
    const open = yield* store.heldBy(user.email, yield* DateTime.now)
    const found = open.find((invitation) => invitation.id === id.toLowerCase())
    return found ?? (yield* new ResourceNotFound({ resource: "invitation", id }))
  })

  const acceptReceived = Effect.fn("Members.acceptReceived")(function* (user: CurrentUser["Service"], id: string) {
    const accepted = yield* take(user, yield* receivedAs(user, id))
    return Option.isSome(accepted) ? accepted.value : yield* new ResourceNotFound({ resource: "invitation", id })
  })

  const declineReceived = Effect.fn("Members.declineReceived")(function* (user: CurrentUser["Service"], id: string) {
    const invitation = yield* receivedAs(user, id)
    const declined = yield* store.declineInvitation(invitation.project, invitation.id)
    if (!declined) return yield* new ResourceNotFound({ resource: "invitation", id })
  })

  return {
    role: store.role,
    list,
    invite,
    update,
    remove,
    invitations: (project) => Effect.flatMap(DateTime.now, (now) => store.invitations(project, now)),
    uninvite,
    held,
    accept,
    decline,
    received,
    acceptReceived,
    declineReceived,
    sweep: Effect.flatMap(DateTime.now, store.sweep)
  } satisfies Members
})

/** At most one, since an address has at most one invitation to a project. */
const offerTo = (email: string, invitations: ReadonlyArray<Invitation>) =>
  invitations.find((invitation) => invitation.kind === "OWNERSHIP" && invitation.email === email)

const pending = ({ id, email, role, expiresAt }: Omit<Invitation, "createdAt" | "invitedBy">): PendingMember => ({
  userId: null,
  invitationId: id,
  email,
  role,
  status: "PENDING",
  expiresAt
})
