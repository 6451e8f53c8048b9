/** The whole API. The server, the client and the OpenAPI document all derive from this one definition. */

import { HttpApi, OpenApi } from "effect/http-api"
import { BillingApi } from "./accounts/billing/BillingApi.ts"
import { ApiKeysApi } from "./accounts/keys/ApiKeysApi.ts"
import { InvitationsApi, InvitedApi, MembersApi, OwnInvitationsApi } from "./accounts/members/MembersApi.ts"
import { AuthApi, SessionApi } from "./accounts/people/AuthApi.ts"
import { AccountSessionsApi, PasskeysApi, TwoFactorApi } from "./accounts/people/SignInSecurityApi.ts"
import { OwnProjectsApi, UsersApi } from "./accounts/people/UsersApi.ts"
import { ProjectsApi } from "./accounts/projects/ProjectsApi.ts"
import { ConsentsApi } from "./audience/consents/ConsentsApi.ts"
import { ContactsApi } from "./audience/contacts/ContactsApi.ts"
import { EventsApi } from "./audience/events/EventsApi.ts"
import { FormsApi } from "./audience/forms/FormsApi.ts"
import { OptInsApi } from "./audience/optins/OptInsApi.ts"
import { PrivacyRequestsApi } from "./audience/privacy/PrivacyRequestsApi.ts"
import { SegmentsApi } from "./audience/segments/SegmentsApi.ts"
import { SuppressionsApi } from "./audience/suppressions/SuppressionsApi.ts"
import { TopicsApi } from "./audience/topics/TopicsApi.ts"
import { CampaignsApi } from "./automation/campaigns/CampaignsApi.ts"
import { ExecutionsApi } from "./automation/workflows/ExecutionsApi.ts"
import { documented as stepConfigs } from "./automation/workflows/StepConfig.ts"
import { WorkflowsApi } from "./automation/workflows/WorkflowsApi.ts"
import { PartialsApi } from "./content/partials/PartialsApi.ts"
import { TemplatesApi } from "./content/templates/TemplatesApi.ts"
import { UploadsApi } from "./content/uploads/UploadsApi.ts"
import { ActivityApi } from "./insight/activity/ActivityApi.ts"
import { AnalyticsApi } from "./insight/analytics/AnalyticsApi.ts"
import { DeliverabilityApi } from "./insight/deliverability/DeliverabilityApi.ts"
import { liveEvents } from "./insight/live/Live.ts"
import { LiveApi } from "./insight/live/LiveApi.ts"
import { SearchApi } from "./insight/search/SearchApi.ts"
import { ViewsApi } from "./insight/views/ViewsApi.ts"
import { DomainsApi } from "./mail/domains/DomainsApi.ts"
import { EmailsApi } from "./mail/emails/EmailsApi.ts"
import { ReceiversApi } from "./mail/receivers/ReceiversApi.ts"
import { TransportsApi } from "./mail/transports/TransportsApi.ts"
import { published } from "./published.ts"
import { ServiceApi } from "./service/ServiceApi.ts"
import { SettingsApi } from "./service/settings/SettingsApi.ts"
import { V1Api } from "./service/v1/V1Api.ts"
import { webhookEvents } from "./webhooks/WebhookEvent.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

const about = `Email delivery and audiences: transactional mail, events, contacts, segments, templates, workflows and sender domains.

A request acts for one project, the one its key belongs to. \`POST /v1/track\` takes the public key, every other endpoint the secret key, an API key with a scope for it, or a session.

Each operation has two extensions. \`x-posthorn-role\` is the lowest role that a member of the project needs with a session, and null where no member is asked. \`x-posthorn-scope\` lists the scopes of API keys that open it: one of them is enough, \`*\` means any key, and an empty list is closed to API keys.

Bodies are JSON in UTF-8. Unknown fields of a body are ignored and listed in the response: in \`warnings\` of an envelope, else in the header \`Posthorn-Warnings\`. \`Prefer: handling=strict\` refuses them instead. Responses may get new fields. Dates are ISO 8601 in UTC, ids are UUIDs. An \`X-Request-Id\` of the request is repeated in the response and in \`error.requestId\`. A project may send 1,000 requests a minute.

Lists come in pages. A cursor list has a \`cursor\` for the next page while \`hasMore\` is true; an offset list has numbered pages.

Programs that only support SMTP can use the submission service; \`GET /config\` has its host and ports (\`features.smtp\`). They log in over TLS (\`AUTH PLAIN\` or \`LOGIN\`) with any user name; the password is the secret key, or an API key with the scope \`send\`. Each recipient gets a separate mail with the headers \`To\` and \`Cc\` of the message; texts are sent as written. The reply \`250 2.0.0 Ok: queued as <id>\` has the id of the first mail, and \`GET /emails?groupId=\` finds the others. A message with a Message-ID that is submitted again to the same recipients is not sent again. These header fields control how the message is sent, and are removed from it:

| Header | Meaning |
|---|---|
| \`X-Posthorn-Template\` | id or alias of a template, which has subject and texts; the message has one recipient |
| \`X-Posthorn-Data\` | JSON object, as \`data\` of \`POST /v1/send\` |
| \`X-Posthorn-Locale\` | language of the mail |
| \`X-Posthorn-Strict\` | \`true\` or \`false\`: whether a variable without a value refuses the message |
| \`X-Posthorn-Interpolate\` | \`true\`: placeholders in the texts of the message are replaced |
| \`X-Posthorn-Tracking\` | \`true\` or \`false\`: overrides the setting of the project |
| \`X-Posthorn-Tag\` | \`key=value\`, repeated for several tags |
| \`X-Posthorn-Scheduled-For\` | when to send |
| \`X-Posthorn-Idempotency-Key\` | a message of equal content with this key is sent once |
| \`X-Posthorn-Contacts\` | \`off\`: recipients become no contacts |

After a 4xx reply, try again, as relays do automatically: \`421\` for too many connections or failed logins, \`451\` for a disabled project, a cap or a rate, \`452\` for more than 100 recipients or not enough memory. \`535\` refuses a key, \`550\` an unverified sender domain, \`552\` a message that is too large, \`553\` a malformed recipient, and \`554\` a fault of the message, which it names.

Errors have one envelope, \`Error\`, with a \`code\` from a closed list.`

export class Api extends HttpApi.make("posthorn")
  .add(
    V1Api,
    ContactsApi,
    OptInsApi,
    SegmentsApi,
    TopicsApi,
    ConsentsApi,
    PrivacyRequestsApi,
    FormsApi,
    TemplatesApi,
    PartialsApi,
    CampaignsApi,
    WorkflowsApi,
    ExecutionsApi,
    DomainsApi,
    EmailsApi,
    SuppressionsApi,
    EventsApi,
    ActivityApi,
    AnalyticsApi,
    DeliverabilityApi,
    LiveApi,
    SearchApi,
    ViewsApi,
    UploadsApi,
    SettingsApi,
    ProjectsApi,
    ApiKeysApi,
    TransportsApi,
    WebhooksApi,
    ReceiversApi,
    ServiceApi
  )
  .add(
    AuthApi,
    SessionApi,
    UsersApi,
    AccountSessionsApi,
    TwoFactorApi,
    PasskeysApi,
    OwnProjectsApi,
    BillingApi,
    MembersApi,
    InvitationsApi,
    InvitedApi,
    OwnInvitationsApi
  )
  .annotate(HttpApi.AdditionalSchemas, [...Object.values(webhookEvents), ...stepConfigs, ...Object.values(liveEvents)])
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
