/** Endpoints about the project of the key. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PathProject, ProjectAccess } from "../../platform/Auth.ts"
import { envelope, InvalidCursor, ResourceNotFound } from "../../platform/Errors.ts"
import { Validation } from "../../platform/Request.ts"
import { AuditQuery, ProjectAuditPage } from "./Audit.ts"
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
          summary: "Read the project of a key",
          description: "The project of the credential by id and name, and the kind of the key."
        })
      ),
    HttpApiEndpoint.get("setupState", "/:id/setup-state", {
      params: { id: ProjectParameter },
      success: Schema.Struct({ success: Schema.Literal(true), data: SetupState }).annotate({
        identifier: "SetupStateAnswer",
        description: "The parts that are set up and those that are missing."
      }),
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the setup state of the project",
        description: "The parts that are set up and those that are missing. The project must be that of the key."
      })
    ),
    HttpApiEndpoint.get("audit", "/:id/audit", {
      params: { id: ProjectParameter },
      query: AuditQuery,
      success: ProjectAuditPage,
      error: [envelope(ResourceNotFound), envelope(InvalidCursor)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List changes of the project",
        description:
          "For OWNER and ADMIN, and the secret key; closed to API keys. Who changed what, newest first. The project must be that of the key."
      })
    ),
    HttpApiEndpoint.get("security", "/:id/security", {
      params: { id: ProjectParameter },
      success: Schema.Struct({ success: Schema.Literal(true), data: SecurityState }).annotate({
        identifier: "SecurityAnswer",
        description: "The sender reputation of the project."
      }),
      error: envelope(ResourceNotFound)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the sender reputation of the project",
        description:
          "Bounce and complaint rates of seven days and of all time, their limits, and the last suspensions of the project. The project must be that of the key."
      })
    )
  )
  .middleware(Validation)
  .middleware(ProjectAccess)
  .annotate(PathProject, "id")
  .annotate(OpenApi.Description, "The project itself.")
  .prefix("/projects") {}
