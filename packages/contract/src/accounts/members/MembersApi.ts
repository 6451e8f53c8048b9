/** Endpoints of members and invitations. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EmailVerificationRequired, PathProject, ProjectAccess, ProjectDisabled, Session } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body, described } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import { Done, GivenToken, InvalidToken, TooManyAttempts } from "../people/Account.ts"
import {
  AcceptedInvitation,
  InvitationList,
  InvitationView,
  InvitedMember,
  InviteMember,
  MemberAnswer,
  MemberList,
  ReceivedInvitation,
  UpdateMember
} from "./Member.ts"

const notFound = envelope(ResourceNotFound)

/** Compared, not parsed: any other text is the same 404. */
const Text = Schema.String.annotate({ format: "uuid" })
const project = { id: Text }

export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/:id/members", {
      params: project,
      success: MemberList,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List members",
        description: "Members, oldest first, then open invitations."
      })
    ),
    HttpApiEndpoint.post("invite", "/:id/members", {
      params: project,
      payload: body(InviteMember),
      success: InvitedMember.pipe(HttpApiSchema.status(201)),
      error: [notFound, envelope(Conflict), envelope(EmailVerificationRequired), envelope(TooManyAttempts)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Invite a member",
        description:
          "For OWNER and ADMIN with a confirmed address; with the secret key the OWNER's address must be confirmed. The address gets an email with a link that is valid for 7 days; its owner becomes a member by accepting. At most 100 members and invitations, 3 emails an hour to one address, and 100 emails a day from one inviting account, including withdrawn invitations; invitations with the secret key count for the OWNER."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id/members/:userId", {
      params: { ...project, userId: Text },
      payload: body(UpdateMember),
      success: MemberAnswer,
      error: [notFound, envelope(EmailVerificationRequired), envelope(TooManyAttempts)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the role of a member",
        description:
          "For OWNER and ADMIN. A member cannot change their own role or the OWNER's. The OWNER can offer the project to a member: the response has `pendingRole`, and the member gets an email with a link that is valid for 7 days. Giving the member another role withdraws the offer."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id/members/:userId", {
      params: { ...project, userId: Text },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a member",
        description: "For OWNER and ADMIN; members may leave. The OWNER can neither be removed nor leave."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(PathProject, "id")
  .annotate(OpenApi.Description, "Users who may act for the project.")
  .prefix("/projects") {}

export class InvitationsApi extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/:id/invitations", {
      params: project,
      success: InvitationList,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "List invitations", description: "The open invitations, oldest first." })
    ),
    HttpApiEndpoint.delete("remove", "/:id/invitations/:invitationId", {
      params: { ...project, invitationId: Text },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Withdraw an invitation",
        description: "For OWNER and ADMIN; only the OWNER withdraws an offer of ownership. The link stops working."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(PathProject, "id")
  .annotate(OpenApi.Description, "Invitations to the project.")
  .prefix("/projects") {}

/** For the recipient of an invitation. Accepting also requires a session. */
export class InvitedApi extends HttpApiGroup.make("invited")
  .add(
    HttpApiEndpoint.get("view", "/:token", {
      params: { token: Schema.String.pipe(described("The token of the link in the email.")) },
      success: InvitationView,
      error: envelope(InvalidToken)
    })
      .middleware(Validation)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read an invitation",
          description: "The invitation that the link in the email belongs to."
        })
      ),
    HttpApiEndpoint.post("accept", "/accept", {
      payload: body(GivenToken),
      success: AcceptedInvitation,
      error: [envelope(InvalidToken), envelope(ProjectDisabled)]
    })
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(Session)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Accept an invitation",
          description:
            "The user of the session must have the invited address. Confirms the address. An existing member keeps the role. With an offer of ownership, the old OWNER becomes ADMIN; a disabled project keeps its OWNER."
        })
      )
  )
  .annotate(OpenApi.Description, "Invitations, for their recipients.")
  .prefix("/invitations") {}

const received = { id: Text }

/** The user's own invitations, without the links from the emails. */
export class OwnInvitationsApi extends HttpApiGroup.make("ownInvitations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Array(ReceivedInvitation).annotate({ description: "Open invitations to the user, oldest first." })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the user's invitations",
        description: "Open invitations to the address of the user, oldest first; none until the address is confirmed."
      })
    ),
    HttpApiEndpoint.post("accept", "/:id/accept", {
      params: received,
      success: AcceptedInvitation,
      error: [notFound, envelope(EmailVerificationRequired), envelope(ProjectDisabled)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Accept one of the user's invitations",
        description:
          "Makes the user a member, or with an offer of ownership the OWNER. An existing member keeps the role. Only the first answer to an invitation counts."
      })
    ),
    HttpApiEndpoint.post("decline", "/:id/decline", {
      params: received,
      success: Done,
      error: [notFound, envelope(EmailVerificationRequired)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Decline one of the user's invitations",
        description: "The invitation ends; nothing else changes."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "Invitations to the user of the session.")
  .prefix("/users/@me/invitations") {}
