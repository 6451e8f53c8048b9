/** The whole API: one definition for server, client and OpenAPI document. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AuthApi, SessionApi } from "./accounts/AuthApi.ts"
import { OwnProjectsApi, UsersApi } from "./accounts/UsersApi.ts"
import { ActivityApi } from "./activity/ActivityApi.ts"
import { AnalyticsApi } from "./analytics/AnalyticsApi.ts"
import { BillingApi } from "./billing/BillingApi.ts"
import { CampaignsApi } from "./campaigns/CampaignsApi.ts"
import { ContactsApi } from "./contacts/ContactsApi.ts"
import { DomainsApi } from "./domains/DomainsApi.ts"
import { EmailsApi } from "./emails/EmailsApi.ts"
import { EventsApi } from "./events/EventsApi.ts"
import { InvitationsApi, InvitedApi, MembersApi } from "./members/MembersApi.ts"
import { ProjectsApi } from "./projects/ProjectsApi.ts"
import { published } from "./published.ts"
import { ReceiversApi } from "./receivers/ReceiversApi.ts"
import { SegmentsApi } from "./segments/SegmentsApi.ts"
import { ServiceApi } from "./service/ServiceApi.ts"
import { SuppressionsApi } from "./suppressions/SuppressionsApi.ts"
import { TemplatesApi } from "./templates/TemplatesApi.ts"
import { UploadsApi } from "./uploads/UploadsApi.ts"
import { V1Api } from "./v1/V1Api.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"
import { ExecutionsApi } from "./workflows/ExecutionsApi.ts"
import { WorkflowsApi } from "./workflows/WorkflowsApi.ts"

const about = `Email delivery and audiences: transactional mail, events, contacts, segments, templates, workflows and sender domains.

A request acts for one project, the one its key belongs to. \`POST /v1/track\` takes the public key, every other endpoint the secret key, or the session of the dashboard.

Bodies are JSON in UTF-8. Unknown fields are ignored, and responses may grow new ones. Dates are ISO 8601 in UTC, ids are UUIDs. An \`X-Request-Id\` that is sent comes back, on the response and in \`error.requestId\`. A project may make 1,000 requests a minute.

Lists come in pages. A cursor list gives a \`cursor\` for the next page while \`hasMore\` is true; an offset list numbers its pages.

Errors have one envelope, \`Error\`, with a \`code\` from a closed list.`

export class Api extends HttpApi.make("posthorn")
  .add(
    V1Api,
    ContactsApi,
    SegmentsApi,
    TemplatesApi,
    CampaignsApi,
    WorkflowsApi,
    ExecutionsApi,
    DomainsApi,
    EmailsApi,
    SuppressionsApi,
    EventsApi,
    ActivityApi,
    AnalyticsApi,
    UploadsApi,
    ProjectsApi,
    WebhooksApi,
    ReceiversApi,
    ServiceApi
  )
  .add(AuthApi, SessionApi, UsersApi, OwnProjectsApi, BillingApi, MembersApi, InvitationsApi, InvitedApi)
  .annotate(HttpApi.ParseOptions, { errors: "all", reportInput: true })
  .annotateMerge(
    OpenApi.annotations({
      title: "Posthorn",
      version: "1.0.0",
      description: about,
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/", description: "The server this document comes from." }],
      transform: published
    })
  ) {}
