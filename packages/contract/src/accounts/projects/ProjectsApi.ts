/** Endpoints that a project's key calls about the project itself. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PathProject, ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { Validation } from "../../platform/Request.ts"
import { CurrentProjectInfo, SetupState } from "./Project.ts"
import { SecurityState } from "./Security.ts"

/** Compared with the credential's project, not parsed: any other text is the same 404. */
const ProjectParameter = Schema.String.annotate({ format: "uuid" })

export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("current", "/current", { success: CurrentProjectInfo, error: envelope(ResourceNotFound) })
      // The path names no project. The credential alone names it.
      .annotate(PathProject, undefined)
      .annotateMerge(
        OpenApi.annotations({
          summary: "See which project a key belongs to",
          description: "The project of the credential by id and name, and the kind of the key."
        })
      ),
    HttpApiEndpoint.get("setupState", "/:id/setup-state", {
      params: { id: ProjectParameter },
      success: Schema.Struct({ success: Schema.Literal(true), data: SetupState }).annotate({
        identifier: "SetupStateAnswer",
        description: "What is set up and what is missing."
      }),
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "See how far the project has come",
        description: "What is set up and what is missing. The project must be that of the key."
      })
    ),
    HttpApiEndpoint.get("security", "/:id/security", {
      params: { id: ProjectParameter },
      success: Schema.Struct({ success: Schema.Literal(true), data: SecurityState }).annotate({
        identifier: "SecurityAnswer",
        description: "How the project stands as a sender."
      }),
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "See how the project stands as a sender",
        description:
          "Bounce and complaint rates of seven days and of all time, what they may reach, and the last times the project was disabled. The project must be that of the key."
      })
    )
  )
  .middleware(Validation)
  .middleware(ProjectAccess)
  .annotate(PathProject, "id")
  .annotate(OpenApi.Description, "The project itself.")
  .prefix("/projects") {}
