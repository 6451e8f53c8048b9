/** Endpoints of the user of the session, and of the user's projects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EmailVerificationRequired, OwnProject, ProjectDisabled, Session } from "../../platform/Auth.ts"
import { Conflict, envelope } from "../../platform/Errors.ts"
import { body, required } from "../../platform/Primitives.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  Project,
  ProjectName,
  ProjectWithSecret,
  ResetAnswer,
  ResetRunning,
  UpdateProject
} from "../projects/Project.ts"
import { SecurityState } from "../projects/Security.ts"
import { ChangePassword, Done, InvalidCredentials, TooManyAttempts, User } from "./Account.ts"

/** Body of `POST /users/@me/projects`. */
export const CreateProject = Schema.Struct({ name: required(ProjectName) }).annotate({ identifier: "CreateProject" })
export type CreateProject = typeof CreateProject.Type

export class UsersApi extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("me", "/@me", { success: User }).annotateMerge(
      OpenApi.annotations({ summary: "Read the current user", description: "The user of the session." })
    ),
    HttpApiEndpoint.delete("remove", "/@me", {
      success: HttpApiSchema.NoContent,
      error: envelope(Conflict)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete the account",
        description: "Ends every session and every membership. Refused while the user owns a project."
      })
    ),
    HttpApiEndpoint.post("changePassword", "/@me/password", {
      payload: body(ChangePassword),
      success: Done,
      error: [envelope(InvalidCredentials), envelope(TooManyAttempts)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the password",
        description: "Ends all other sessions. A wrong current password counts as a failed login."
      })
    ),
    HttpApiEndpoint.get("projects", "/@me/projects", {
      success: Schema.Array(Project).annotate({ description: "Every project in which the user is a member." })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the user's projects",
        description: "Newest first, with the user's role in each. Secret keys are not shown."
      })
    ),
    HttpApiEndpoint.post("createProject", "/@me/projects", {
      payload: body(CreateProject),
      success: ProjectWithSecret.pipe(HttpApiSchema.status(201)),
      error: [envelope(ProjectDisabled), envelope(EmailVerificationRequired)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a project",
        description:
          "The user becomes its OWNER. The secret key is shown only here. An account owns at most 50 projects, and cannot create one while one of them is disabled for its mail."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(Session)
  .annotate(OpenApi.Description, "The user of the session.")
  .prefix("/users") {}

/** Not parsed as an id: the middleware looks it up and answers 404 for any other text. */
const params = { id: Schema.String.annotate({ format: "uuid" }) }

export class OwnProjectsApi extends HttpApiGroup.make("ownProjects")
  .add(
    HttpApiEndpoint.patch("update", "/:id", { params, payload: body(UpdateProject), success: Project }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the settings of a project",
        description: "For OWNER and ADMIN. Tracking applies to mail accepted afterwards."
      })
    ),
    HttpApiEndpoint.post("regenerateKeys", "/:id/regenerate-keys", {
      params,
      success: ProjectWithSecret
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace both keys of a project",
        description:
          "For OWNER and ADMIN. Both old keys stop working at once, in every process. The secret key is shown only here."
      })
    ),
    HttpApiEndpoint.post("reset", "/:id/reset", {
      params,
      success: [ResetAnswer, ResetRunning]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete the data of a project",
        description:
          "For the OWNER. Irreversible: deletes contacts, templates, events, mail and everything else except settings, keys, members and domains. 202 if it takes longer than 5 seconds; `resetting` of the project becomes false when it is done."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a project",
        description: "For the OWNER. Keys and memberships end at once; the data is removed within 24 hours."
      })
    ),
    HttpApiEndpoint.get("security", "/:id/security", { params, success: SecurityState }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the sender reputation of a project of the user",
        description: "Bounce and complaint rates of seven days and of all time, and the last times it was disabled."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(OwnProject)
  .annotate(OpenApi.Description, "The projects of the user.")
  .prefix("/users/@me/projects") {}
