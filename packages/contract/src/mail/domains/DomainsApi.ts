/** Endpoints of sender domains. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PathProject, ProjectAccess } from "../../platform/Auth.ts"
import { DomainName } from "../../platform/DomainName.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body, described, Id, isLength, optional, required } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { DmarcQuery, DmarcSummary } from "./DmarcReport.ts"
import { CheckedDomain, Domain, DomainId } from "./Domain.ts"
import { DomainHealth, DomainHealthQuery } from "./DomainHealth.ts"
import { SetWarmup, Warmup, WarmupQuery } from "./Warmup.ts"

const notFound = envelope(ResourceNotFound)
const params = { id: DomainId }

/** Compared with the credential's project, not parsed: any other text is the same 404. */
const ProjectParameter = Schema.String.annotate({ format: "uuid" })

/** Body of `POST /domains`. `projectId` may repeat the credential's project. It never selects another project. */
export const AddDomain = Schema.Struct({
  domain: required(DomainName).pipe(
    described(
      "Name of the domain; a final dot and upper case are ignored, and other scripts are converted to their ASCII form."
    )
  ),
  projectId: optional(Id).pipe(described("May repeat the project of the key; another one is 404."))
}).annotate({ identifier: "AddDomain" })
export type AddDomain = typeof AddDomain.Type

export const UpdateDomain = Schema.Struct({
  linkHost: Schema.optionalKey(Schema.NullOr(Schema.String.check(isLength(1, 253)))).pipe(
    described("Host name below the domain for the links in its mail; `null` removes it.")
  )
}).annotate({ identifier: "UpdateDomain", description: "Absent fields keep their values." })
export type UpdateDomain = typeof UpdateDomain.Type

export class DomainsApi extends HttpApiGroup.make("domains")
  .add(
    HttpApiEndpoint.get("list", "/project/:projectId", {
      params: { projectId: ProjectParameter },
      success: Schema.Array(Domain).annotate({ description: "Every domain of the project." }),
      error: notFound
    })
      .annotate(PathProject, "projectId")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List domains",
          description:
            "All domains of the project, verified and pending, newest first. The project must be that of the key."
        })
      ),
    HttpApiEndpoint.post("add", "/", {
      payload: body(AddDomain),
      success: Domain.pipe(HttpApiSchema.status(201)),
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a domain",
        description:
          "Returns the DNS records to publish; the first check follows within 10 seconds. IP addresses, public suffixes and domains of mailbox providers are refused; at most 100 domains in a project."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Domain, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a domain",
        description: "One domain with its DNS records and the values found in DNS."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateDomain),
      success: Domain,
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a domain",
        description:
          "Sets the host of the links in its mail. Publish the CNAME record of the response, and give the host a certificate; links use it once both are valid. Former hosts keep working."
      })
    ),
    HttpApiEndpoint.get("health", "/:id/health", {
      params,
      query: DomainHealthQuery,
      success: DomainHealth,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the health of a domain",
        description:
          "What mailbox providers require of bulk senders, and whether it is so. DNS is asked once a day, and now with `refresh=true`, at most once a minute. Figures are those of the mail of this domain."
      })
    ),
    HttpApiEndpoint.get("dmarc", "/:id/dmarc", {
      params,
      query: DmarcQuery,
      success: DmarcSummary,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read DMARC reports of a domain",
        description:
          "What mailbox providers report about mail with this domain in From; by default of the last 30 days. Anyone can send such reports, so they inform and change nothing. Sums are kept for 400 days."
      })
    ),
    HttpApiEndpoint.get("warmup", "/:id/warmup", {
      params,
      query: WarmupQuery,
      success: Warmup,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the warm-up of a domain",
        description: "The plan, its step and cap of today, the mail that waits, and every day that is over."
      })
    ),
    HttpApiEndpoint.get("warmups", "/:id/warmups", {
      params,
      success: Schema.Array(Warmup).annotate({ description: "Every plan of the domain." }),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the warm-ups of a domain",
        description:
          "The plan of all mail of the domain, and those of single transports. Empty without a plan: at most one for each transport."
      })
    ),
    HttpApiEndpoint.put("setWarmup", "/:id/warmup", {
      params,
      query: WarmupQuery,
      payload: body(SetWarmup),
      success: Warmup,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Warm up a domain",
        description:
          "Sets the plan, or replaces it; the step stays if `preset` and `caps` do. Campaigns, workflow mail and single mail with a MARKETING or HEADLESS template wait when the cap of the day is used up. Where a plan of the domain and one of a transport fit, the tighter one holds."
      })
    ),
    HttpApiEndpoint.delete("removeWarmup", "/:id/warmup", {
      params,
      query: WarmupQuery,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End the warm-up of a domain",
        description: "Removes the plan with its days. The mail that waits is sent at once."
      })
    ),
    HttpApiEndpoint.post("pauseWarmup", "/:id/warmup/pause", {
      params,
      query: WarmupQuery,
      success: Warmup,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Pause the warm-up of a domain",
        description:
          "No bulk mail of the domain leaves until `resume`. A plan that is paused or completed stays as it is."
      })
    ),
    HttpApiEndpoint.post("resumeWarmup", "/:id/warmup/resume", {
      params,
      query: WarmupQuery,
      success: Warmup,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Resume the warm-up of a domain",
        description: "Begins the same step again on the next local day. A plan that is not paused stays as it is."
      })
    ),
    HttpApiEndpoint.get("verify", "/:id/verify", { params, success: CheckedDomain, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Check a domain now",
        description:
          "Checks DNS at once instead of waiting for the check every 5 minutes. Returns the result of an earlier check if it is less than 10 seconds old."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a domain",
        description:
          "Deletes its signing keys. Refused while a template, a workflow step, an unfinished campaign or unsent mail sends from it."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "domain", id })))
  .annotate(OpenApi.Description, "Sender domains, with the DNS records for their ownership and signatures.")
  .prefix("/domains") {}
