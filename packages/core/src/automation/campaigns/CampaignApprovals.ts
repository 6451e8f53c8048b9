/** The approval of campaigns: who needs it, who asks for it, and who decides. */

import type { ApprovalParty, Campaign, CampaignApproval } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ApprovalRule } from "@posthorn/contract/mail/sending/SendingSettings"
import { Actor, type ActorOf, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect } from "effect"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { inSubject, inText } from "../../accounts/systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../../accounts/systemmail/SystemMail.ts"
import { SendingPolicy } from "../../mail/policy/SendingPolicy.ts"
import { CampaignStore } from "./CampaignStore.ts"

type Note = string | null | undefined

const partyOf = (actor: ActorOf): ApprovalParty =>
  actor.kind === "key" ? { kind: "KEY", userId: null } : { kind: "USER", userId: actor.user }

const isMember = (actor: ActorOf): boolean => actor.kind !== "key" && actor.role === "MEMBER"

/** Whether the person who asked is the one who decides. */
const isOwn = (asked: ApprovalParty | null, decides: ApprovalParty | null): boolean =>
  asked !== null && asked.userId !== null && asked.userId === decides?.userId

const requestedEmail = (project: string, campaign: string): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The campaign ${campaign}`, "A campaign")} waits for an approval`,
    `Somebody asked for the approval of the campaign ${inText(campaign)} of the project ${inText(project)}.`,
    "An OWNER or ADMIN approves or rejects it in the console, or with `posthorn campaigns approve` and `reject`. A change of the campaign ends the request."
  )

const isRequestable = (state: CampaignApproval["state"]) => state === "NONE" || state === "REJECTED"

const refused = (status: string, ...allowed: ReadonlyArray<string>) =>
  new Conflict({ reason: "approval_state", status, allowed })

/** Every function takes a campaign that the caller has locked. */
export const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const mail = yield* SystemMail
  const policy = yield* SendingPolicy
  const projects = yield* Projects
  const store = yield* CampaignStore

  /** The rule that asks the caller for an approval. Undefined if there is none. */
  const ruleFor = Effect.fnUntraced(function* (project: ProjectId) {
    const { campaignApproval } = yield* policy.get(project)
    if (campaignApproval === "MEMBERS") return isMember(yield* Actor) ? campaignApproval : undefined
    return campaignApproval === "ALL" ? campaignApproval : undefined
  })

  /** Whether the rule allows this decision: with `ALL`, a person approves an own request only as the sole administrator. */
  const allows = Effect.fnUntraced(function* (
    project: ProjectId,
    rule: ApprovalRule,
    asked: ApprovalParty | null,
    decides: ApprovalParty | null
  ) {
    return rule !== "ALL" || !isOwn(asked, decides) || (yield* accounts.administrators(project)).length <= 1
  })

  /** Refuses to send a campaign without the approval that the caller needs. */
  const require = Effect.fn("CampaignApprovals.require")(function* (project: ProjectId, { approval }: Campaign) {
    const rule = yield* ruleFor(project)
    if (rule === undefined) return
    const { state, requestedBy, decidedBy } = approval
    if (state === "APPROVED" && (yield* allows(project, rule, requestedBy, decidedBy))) return
    return yield* new Conflict({ reason: "approval_required", status: state })
  })

  /** A changed campaign that is planned would be sent without a new approval, so only a caller who needs none may change it. */
  const requireChange = Effect.fnUntraced(function* (project: ProjectId, { status, approval, recurrence }: Campaign) {
    const isPlanned = status === "SCHEDULED" || recurrence?.enabled === true
    if (!isPlanned || (yield* ruleFor(project)) === undefined) return
    return yield* new Conflict({ reason: "approval_required", status: approval.state })
  })

  /** Returns whether anything changed. */
  const request = Effect.fn("CampaignApprovals.request")(function* (
    project: ProjectId,
    { id, name, status, approval }: Campaign,
    note: Note
  ) {
    if (status !== "DRAFT") return yield* refused(status, "DRAFT")
    if (approval.state === "REQUESTED") return false
    if (!isRequestable(approval.state)) return yield* refused(approval.state, "NONE", "REJECTED")
    const now = yield* DateTime.now
    const requestedBy = partyOf(yield* Actor)
    yield* store.setApproval(
      project,
      id,
      { state: "REQUESTED", requestedBy, decidedBy: null, note: note ?? null, at: now },
      now
    )
    const { name: projectName } = yield* Effect.orDie(projects.get(project))
    yield* mail.post((yield* accounts.administrators(project)).map(requestedEmail(projectName, name)))
    return true
  })

  /** Returns whether anything changed. */
  const decide = Effect.fn("CampaignApprovals.decide")(function* (
    project: ProjectId,
    { id, status, approval }: Campaign,
    state: "APPROVED" | "REJECTED",
    note: Note
  ) {
    if (status !== "DRAFT") return yield* refused(status, "DRAFT")
    if (approval.state === state) return false
    if (approval.state !== "REQUESTED") return yield* refused(approval.state, "REQUESTED")
    const { requestedBy } = approval
    const decidedBy = partyOf(yield* Actor)
    const { campaignApproval } = yield* policy.get(project)
    if (state === "APPROVED" && !(yield* allows(project, campaignApproval, requestedBy, decidedBy))) {
      return yield* new Forbidden({ reason: "own_request" })
    }
    const now = yield* DateTime.now
    yield* store.setApproval(project, id, { state, requestedBy, decidedBy, note: note ?? null, at: now }, now)
    return true
  })

  return { require, requireChange, request, decide }
})
