/** Endpoints of a project itself, for its key (contract-2 13.2). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PathProject, ProjectAccess } from "../Auth.ts"
import { envelope, ResourceNotFound } from "../Errors.ts"
import { Validation } from "../Request.ts"
import { SetupState } from "./Project.ts"
import { SecurityState } from "./Security.ts"

/** Compared with the credential's project, so that whatever else stands there is the same 404. */
const ProjectParameter = Schema.String.annotate({ format: "uuid" })

export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
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
