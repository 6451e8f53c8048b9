/** All HTTP handlers with their middlewares, for the router of any host. */
import { Api } from "@posthorn/contract/Api"
import { type Effect, type FileSystem, Layer, type Path } from "effect"
import type { Digest, Mac, SecureRandom } from "effect/crypto"
import type { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import * as BillingHttp from "./accounts/billing/BillingHttp.ts"
import * as MembersHttp from "./accounts/members/MembersHttp.ts"
import * as AccountPagesHttp from "./accounts/pages/AccountPagesHttp.ts"
import * as AuthHttp from "./accounts/people/AuthHttp.ts"
import * as OauthHttp from "./accounts/people/OauthHttp.ts"
import * as SignInSecurityHttp from "./accounts/people/SignInSecurityHttp.ts"
import * as ApiKeysHttp from "./accounts/projects/ApiKeysHttp.ts"
import * as ProjectAuthHttp from "./accounts/projects/ProjectAuthHttp.ts"
import * as ConsentsHttp from "./audience/consents/ConsentsHttp.ts"
import * as ContactsHttp from "./audience/contacts/ContactsHttp.ts"
import * as EventsHttp from "./audience/events/EventsHttp.ts"
import * as FormPagesHttp from "./audience/forms/FormPagesHttp.ts"
import * as FormsHttp from "./audience/forms/FormsHttp.ts"
import * as IngestHttp from "./audience/ingest/IngestHttp.ts"
import * as ConfirmHttp from "./audience/optins/ConfirmHttp.ts"
import * as OptInsHttp from "./audience/optins/OptInsHttp.ts"
import * as PagesHttp from "./audience/pages/PagesHttp.ts"
import * as PrivacyPagesHttp from "./audience/privacy/PrivacyPagesHttp.ts"
import * as PrivacyRequestsHttp from "./audience/privacy/PrivacyRequestsHttp.ts"
import * as SegmentsHttp from "./audience/segments/SegmentsHttp.ts"
import * as SuppressionsHttp from "./audience/suppression/SuppressionsHttp.ts"
import * as TopicsHttp from "./audience/topics/TopicsHttp.ts"
import * as ArchiveHttp from "./automation/campaigns/archive/ArchiveHttp.ts"
import * as CampaignsHttp from "./automation/campaigns/CampaignsHttp.ts"
import * as ExecutionsHttp from "./automation/workflows/executions/ExecutionsHttp.ts"
import * as WorkflowsHttp from "./automation/workflows/WorkflowsHttp.ts"
import * as PartialsHttp from "./content/partials/PartialsHttp.ts"
import * as TemplatesHttp from "./content/templates/TemplatesHttp.ts"
import * as UploadsHttp from "./content/uploads/UploadsHttp.ts"
import * as ActivityHttp from "./insight/activity/ActivityHttp.ts"
import * as AnalyticsHttp from "./insight/analytics/AnalyticsHttp.ts"
import * as DeliverabilityHttp from "./insight/deliverability/DeliverabilityHttp.ts"
import * as LiveHttp from "./insight/live/LiveHttp.ts"
import * as SearchHttp from "./insight/search/SearchHttp.ts"
import * as ViewsHttp from "./insight/views/ViewsHttp.ts"
import * as DomainsHttp from "./mail/domains/DomainsHttp.ts"
import * as LinkHostsHttp from "./mail/domains/LinkHostsHttp.ts"
import * as EmailsHttp from "./mail/ledger/EmailsHttp.ts"
import * as ContactSending from "./mail/policy/ContactSending.ts"
import * as ReceiversHttp from "./mail/receivers/ReceiversHttp.ts"
import * as TrackingHttp from "./mail/tracking/TrackingHttp.ts"
import * as TransportsHttp from "./mail/transports/TransportsHttp.ts"
import type { Services } from "./Posthorn.ts"
import * as BaseMiddleware from "./platform/http/BaseMiddleware.ts"
import * as Idempotency from "./platform/http/Idempotency.ts"
import * as JsonBody from "./platform/http/JsonBody.ts"
import * as Validation from "./platform/http/Validation.ts"
import type { MailServers } from "./platform/Mailer.ts"
import type { SafeFetch } from "./platform/outbound/SafeFetch.ts"
import * as ApiDocument from "./service/ApiDocument.ts"
import * as ContactMerges from "./service/ContactMerges.ts"
import * as ProjectsHttp from "./service/projects/ProjectsHttp.ts"
import * as UsersHttp from "./service/projects/UsersHttp.ts"
import * as SecurityText from "./service/SecurityText.ts"
import * as ServiceHttp from "./service/ServiceHttp.ts"
import type { ServiceStatus } from "./service/ServiceStatus.ts"
import * as SettingsHttp from "./service/settings/SettingsHttp.ts"
import * as V1Http from "./service/v1/V1Http.ts"
import * as WebhooksHttp from "./webhooks/WebhooksHttp.ts"

/** One handler for each group of the API. */
const handlers = Layer.mergeAll(
  ActivityHttp.layer,
  AnalyticsHttp.layer,
  DeliverabilityHttp.layer,
  ApiKeysHttp.layer,
  AuthHttp.layer,
  BillingHttp.layer,
  CampaignsHttp.layer,
  ContactsHttp.layer<Effect.Services<typeof ContactMerges.make | typeof ContactSending.make>>({
    makeMerges: ContactMerges.make,
    makeStates: ContactSending.make
  }),
  DomainsHttp.layer,
  EmailsHttp.layer,
  EventsHttp.layer,
  ExecutionsHttp.layer,
  FormsHttp.layer,
  LiveHttp.layer,
  MembersHttp.layer,
  OptInsHttp.layer,
  PrivacyRequestsHttp.layer,
  ProjectsHttp.layer,
  ReceiversHttp.layer,
  SearchHttp.layer,
  SegmentsHttp.layer,
  ServiceHttp.layer,
  SettingsHttp.layer,
  SignInSecurityHttp.layer,
  SuppressionsHttp.layer,
  TemplatesHttp.layer,
  TopicsHttp.layer,
  ConsentsHttp.layer,
  PartialsHttp.layer,
  TransportsHttp.layer,
  UploadsHttp.layer,
  UsersHttp.layer,
  V1Http.layer,
  ViewsHttp.layer,
  WebhooksHttp.layer,
  WorkflowsHttp.layer
)

const middlewares = Layer.mergeAll(Idempotency.layer, JsonBody.layer, ProjectAuthHttp.layer, Validation.layer)

/** The services that handlers and middlewares call, and those that every HTTP platform of Effect provides. */
type Needs =
  | Digest.Digest
  | Etag.Generator
  | FileSystem.FileSystem
  | HttpPlatform.HttpPlatform
  | HttpRouter.HttpRouter
  | Mac.Mac
  | Path.Path
  | SafeFetch
  | SecureRandom.SecureRandom
  | Services
  | ServiceStatus
  | MailServers
  | SqlClient.SqlClient

/**
 * For the host's router. Signed tokens in a path are longer than the router's default allows. The HTTP middleware
 * refuses longer paths. The case of a path counts, as it does in the rules of a proxy in front.
 */
export const routerConfig = { maxParamLength: 16 * 1024, caseSensitive: true }

/** The API and the other routes: pages, links in emails, images, and sign-in at identity providers. */
export const layer: Layer.Layer<never, never, Needs> = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(handlers),
  Layer.provide(middlewares),
  Layer.merge(
    Layer.mergeAll(
      AccountPagesHttp.layer,
      ApiDocument.layer,
      ArchiveHttp.layer,
      IngestHttp.layer,
      FormPagesHttp.layer,
      OauthHttp.layer,
      ConfirmHttp.layer,
      PrivacyPagesHttp.layer,
      PagesHttp.layer,
      SecurityText.layer,
      TrackingHttp.layer,
      UploadsHttp.routes
    )
  ),
  Layer.merge(BaseMiddleware.layer),
  (everything) => Layer.provideMerge(LinkHostsHttp.layer, everything)
)
