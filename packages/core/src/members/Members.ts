/** Who may act for a project (contract-2 11). */

import {
  type AccountId,
  type ActorOf,
  type CurrentUser,
  Forbidden,
  type MemberRole,
  type ProjectId
} from "@posthorn/contract/Auth"
import { InvalidToken, TooManyAttempts } from "@posthorn/contract/accounts/Account"
import { Conflict, ResourceNotFound, ValidationError } from "@posthorn/contract/Errors"
import {
  type ActiveMember,
  type Invitation,
  InvitationId,
  type InviteMember,
  type PendingMember
} from "@posthorn/contract/members/Member"
import { isAtLeast } from "@posthorn/contract/Roles"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { addedLetter, changedByKeyLetter, invitationLetter, withLink } from "../accounts/AccountLetters.ts"
import { Accounts, mostOwned } from "../accounts/Accounts.ts"
import { Attempts, limits } from "../accounts/Attempts.ts"
import { hashToken, makeToken } from "../accounts/MailedTokens.ts"
import { Projects } from "../projects/Projects.ts"
import type { SecretBox } from "../SecretBox.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { type HeldInvitation, MemberStore } from "./MemberStore.ts"

export type { HeldInvitation }

const mostMembers = 100
const invitationLifetime = Duration.days(7)

export class Members extends Context.Service<
  Members,
  {
    readonly role: (project: ProjectId, user: AccountId) => Effect.Effect<Option.Option<MemberRole>>
    /** Members, oldest first, then who is invited. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<ActiveMember | PendingMember>>
    /**
     * An address with a confirmed account becomes a member at once; any other one, also that of an unconfirmed account
     * (anybody could have registered it), is sent an invitation. Beyond three times an hour for an address nothing changes,
     * as it is mailed each time.
     */
    readonly invite: (
      project: ProjectId,
      actor: ActorOf,
      invitation: InviteMember
    ) => Effect.Effect<ActiveMember | PendingMember, Conflict | ResourceNotFound | TooManyAttempts | ValidationError>
    /** Changes another's role, but not the OWNER's. Giving away `OWNER` hands the project over; only the OWNER can. */
    readonly update: (
      project: ProjectId,
      actor: ActorOf,
      user: string,
      role: MemberRole
    ) => Effect.Effect<ActiveMember, Forbidden | ResourceNotFound | ValidationError>
    /** An ADMIN removes others; anybody but the OWNER can remove themselves. */
    readonly remove: (
      project: ProjectId,
      actor: ActorOf,
      user: string
    ) => Effect.Effect<void, Forbidden | ResourceNotFound>
    readonly invitations: (project: ProjectId) => Effect.Effect<ReadonlyArray<Invitation>>
    readonly uninvite: (project: ProjectId, id: string) => Effect.Effect<void, ResourceNotFound>
    readonly held: (token: string) => Effect.Effect<HeldInvitation & { readonly hasAccount: boolean }, InvalidToken>
    /**
     * Makes the user a member, if the invitation is to their address. Whoever is a member already keeps their role. Joins
     * the caller's transaction.
     */
    readonly accept: (
      user: Pick<CurrentUser["Service"], "email" | "id">,
      token: string
    ) => Effect.Effect<{ readonly projectId: ProjectId; readonly role: MemberRole }, Forbidden | InvalidToken>
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/members/Members") {}

const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const layer: Layer.Layer<
  Members,
  never,
  | Accounts
  | Attempts
  | Digest.Digest
  | MemberStore
  | Projects
  | SecretBox
  | SecureRandom.SecureRandom
  | SystemMail
  | Transaction
> = Layer.effect(
  Members,
  Effect.gen(function* () {
    const store = yield* MemberStore
    const accounts = yield* Accounts
    const attempts = yield* Attempts
    const projects = yield* Projects
    const mail = yield* SystemMail
    const transaction = yield* Transaction
    const crypto = yield* Effect.context<Digest.Digest | SecretBox | SecureRandom.SecureRandom>()
    const random = yield* SecureRandom.SecureRandom

    /** One change of a project's members at a time. */
    const changing = <A, E, R>(project: ProjectId, change: Effect.Effect<A, E, R>) =>
      transaction.run(Effect.andThen(store.lock(project), change))

    const list = Effect.fn("Members.list")(function* (project: ProjectId) {
      const members = yield* store.members(project)
      const invited = yield* store.invitations(project, yield* DateTime.now)
      return [...members, ...invited.map(pending)]
    })

    const find = Effect.fnUntraced(function* (project: ProjectId, user: string) {
      const found = (yield* store.members(project)).find(({ userId }) => userId === user.toLowerCase())
      return found ?? (yield* new ResourceNotFound({ resource: "member", id: user }))
    })

    const tellOwner = Effect.fnUntraced(function* (
      project: ProjectId,
      actor: ActorOf,
      deed: "added" | "changed" | "invited" | "removed",
      member: string
    ) {
      if (actor.kind !== "key") return
      const owner = (yield* store.members(project)).find(({ role }) => role === "OWNER")
      const { name } = yield* Effect.orDie(projects.get(project))
      if (owner) yield* mail.post([changedByKeyLetter(name, deed, member)(owner.email)])
    })

    const invite = Effect.fn("Members.invite")(function* (
      project: ProjectId,
      actor: ActorOf,
      { email, role: given }: InviteMember
    ) {
      const role = given ?? "MEMBER"
      const { name } = yield* projects.get(project)
      const now = yield* DateTime.now
      return yield* changing(
        project,
        Effect.gen(function* () {
          const members = yield* store.members(project)
          if (members.some((member) => member.email === email)) return yield* new Conflict({ reason: "already_member" })
          const others = (yield* store.invitations(project, now)).filter((invitation) => invitation.email !== email)
          if (members.length + others.length >= mostMembers) {
            return yield* ValidationError.one("email", "too_big", `At most ${mostMembers} members and invitations.`)
          }
          const wait = yield* attempts.take(limits.invitationMail, `${project} ${email}`, now)
          if (Option.isSome(wait)) {
            return yield* new TooManyAttempts({ limit: limits.invitationMail.limit, retryAfter: wait.value })
          }
          const account = yield* accounts.find(email)
          if (Option.isSome(account) && account.value.emailVerified) {
            yield* store.removeInvitationOf(project, email)
            yield* store.add(project, account.value.id, role, now)
            yield* mail.post([addedLetter(name, role)(email)])
            yield* tellOwner(project, actor, "added", email)
            return { userId: account.value.id, email, role, status: "ACTIVE" as const, createdAt: now }
          }
          const token = yield* Effect.provideContext(makeToken, crypto)
          const invitation = {
            id: InvitationId.make(yield* random.uuidV7()),
            email,
            role,
            invitedBy: actor.kind === "member" ? actor.user : null,
            expiresAt: DateTime.addDuration(now, invitationLifetime)
          }
          const tokenHash = yield* Effect.provideContext(hashToken(token), crypto)
          yield* store.invite(project, { ...invitation, tokenHash }, now)
          const letter = withLink(invitationLetter(name, role)(email), "invitation", token)
          yield* mail.post([yield* Effect.provideContext(letter, crypto)])
          yield* tellOwner(project, actor, "invited", email)
          return pending(invitation)
        })
      )
    })

    const handOver = Effect.fnUntraced(function* (project: ProjectId, actor: ActorOf, member: ActiveMember) {
      if (actor.kind !== "member") return yield* new Forbidden({ reason: "role" })
      const role = yield* store.role(project, actor.user)
      if (!Option.contains(role, "OWNER")) return yield* new Forbidden({ reason: "role" })
      if ((yield* accounts.ownedProjects(member.userId)).length >= mostOwned) {
        return yield* ValidationError.one("role", "too_big", `At most ${mostOwned} projects of one owner.`)
      }
      // There is one OWNER at every moment, so the old one goes first.
      yield* store.setRole(project, actor.user, "ADMIN")
      yield* store.setRole(project, member.userId, "OWNER")
    })

    const update = Effect.fn("Members.update")(function* (
      project: ProjectId,
      actor: ActorOf,
      user: string,
      role: MemberRole
    ) {
      return yield* changing(
        project,
        Effect.gen(function* () {
          const member = yield* find(project, user)
          const isOneself = actor.kind === "member" && actor.user === member.userId
          if (isOneself || member.role === "OWNER") return yield* new Forbidden({ reason: "role" })
          if (role === "OWNER") yield* handOver(project, actor, member)
          else yield* store.setRole(project, member.userId, role)
          yield* tellOwner(project, actor, "changed", member.email)
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
          yield* store.remove(project, member.userId)
          yield* tellOwner(project, actor, "removed", member.email)
        })
      )
    })

    const uninvite = Effect.fn("Members.uninvite")(function* (project: ProjectId, id: string) {
      const removed = isUuid(id) && (yield* store.withdrawInvitation(project, InvitationId.make(id.toLowerCase())))
      if (!removed) return yield* new ResourceNotFound({ resource: "invitation", id })
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

    const accept = Effect.fn("Members.accept")(function* (
      user: Pick<CurrentUser["Service"], "email" | "id">,
      token: string
    ) {
      const { project: projectId, role, id, email } = yield* invitationOf(token)
      if (email !== user.email) return yield* new Forbidden({ reason: "recipient" })
      return yield* changing(
        projectId,
        Effect.gen(function* () {
          if (!(yield* store.useInvitation(projectId, id))) return yield* new InvalidToken()
          yield* accounts.verifyEmail(user.id)
          const before = yield* store.role(projectId, user.id)
          if (Option.isSome(before)) return { projectId, role: before.value }
          yield* store.add(projectId, user.id, role, yield* DateTime.now)
          return { projectId, role }
        })
      )
    })

    return Members.of({
      role: store.role,
      list,
      invite,
      update,
      remove,
      invitations: (project) => Effect.flatMap(DateTime.now, (now) => store.invitations(project, now)),
      uninvite,
      held,
      accept,
      sweep: Effect.flatMap(DateTime.now, store.sweep)
    })
  })
)

const pending = ({ id, email, role, expiresAt }: Omit<Invitation, "createdAt" | "invitedBy">): PendingMember => ({
  userId: null,
  invitationId: id,
  email,
  role,
  status: "PENDING",
  expiresAt
})
