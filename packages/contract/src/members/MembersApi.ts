/** Endpoints of members and invitations (contract-2 11.2). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PathProject, ProjectAccess, Session } from "../Auth.ts"
import { GivenToken, InvalidToken, TooManyAttempts } from "../accounts/Account.ts"
import { Conflict, envelope, ResourceNotFound } from "../Errors.ts"
import { JsonBody, Validation } from "../Request.ts"
import { body, described } from "../Wire.ts"
import {
  AcceptedInvitation,
  InvitationList,
  InvitationView,
  InvitedMember,
  InviteMember,
  MemberAnswer,
  MemberList,
  UpdateMember
} from "./Member.ts"

const notFound = envelope(ResourceNotFound)

/** Compared, not parsed: whatever is not there is the same 404. */
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
        description: "Members, oldest first, and after them the invitations that are open."
      })
    ),
    HttpApiEndpoint.post("invite", "/:id/members", {
      params: project,
      payload: body(InviteMember),
      success: InvitedMember.pipe(HttpApiSchema.status(201)),
      error: [notFound, envelope(Conflict), envelope(TooManyAttempts)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Invite a member",
        description:
          "For OWNER and ADMIN. An address with a confirmed account becomes a member at once; another one gets a mail with a link, good for 7 days. At most 100 members and invitations."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id/members/:userId", {
      params: { ...project, userId: Text },
      payload: body(UpdateMember),
      success: MemberAnswer,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the role of a member",
        description: "For OWNER and ADMIN. Nobody changes their own role or the OWNER's; the OWNER can hand over."
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
  .annotate(OpenApi.Description, "Who may act for the project.")
  .prefix("/projects") {}

export class InvitationsApi extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/:id/invitations", {
      params: project,
      success: InvitationList,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "List invitations", description: "The invitations that are open, oldest first." })
    ),
    HttpApiEndpoint.delete("remove", "/:id/invitations/:invitationId", {
      params: { ...project, invitationId: Text },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Take an invitation back", description: "For OWNER and ADMIN. Its link ends." })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(PathProject, "id")
  .annotate(OpenApi.Description, "Invitations to the project.")
  .prefix("/projects") {}

/** For the holder of an invitation; accepting takes a session as well. */
export class InvitedApi extends HttpApiGroup.make("invited")
  .add(
    HttpApiEndpoint.get("view", "/:token", {
      params: { token: Schema.String.pipe(described("The token of the link in the mail.")) },
      success: InvitationView,
      error: envelope(InvalidToken)
    })
      .middleware(Validation)
      .annotateMerge(
        OpenApi.annotations({ summary: "Look at an invitation", description: "What the link in the mail is for." })
      ),
    HttpApiEndpoint.post("accept", "/accept", {
      payload: body(GivenToken),
      success: AcceptedInvitation,
      error: envelope(InvalidToken)
    })
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(Session)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Accept an invitation",
          description: "The user of the session must have the invited address. Confirms the address."
        })
      )
  )
  .annotate(OpenApi.Description, "Invitations, for those who hold one.")
  .prefix("/invitations") {}
