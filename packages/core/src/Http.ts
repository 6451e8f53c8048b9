/** All handlers behind their middlewares, ready for any host's router. */
import { Api } from "@posthorn/contract/Api"
import { type FileSystem, Layer, type Path } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as AccountPagesHttp from "./accountpages/AccountPagesHttp.ts"
import * as AuthHttp from "./accounts/AuthHttp.ts"
import * as OauthHttp from "./accounts/OauthHttp.ts"
import * as ActivityHttp from "./activity/ActivityHttp.ts"
import * as AnalyticsHttp from "./analytics/AnalyticsHttp.ts"
import * as BillingHttp from "./billing/BillingHttp.ts"
import * as CampaignsHttp from "./campaigns/CampaignsHttp.ts"
import * as ContactsHttp from "./contacts/ContactsHttp.ts"
import * as DomainsHttp from "./domains/DomainsHttp.ts"
import * as EmailsHttp from "./emails/EmailsHttp.ts"
import * as EventsHttp from "./events/EventsHttp.ts"
import * as Edge from "./http/Edge.ts"
import * as Idempotency from "./http/Idempotency.ts"
import * as JsonBody from "./http/JsonBody.ts"
import * as Validation from "./http/Validation.ts"
import * as MembersHttp from "./members/MembersHttp.ts"
import type { Services } from "./Posthorn.ts"
import * as PagesHttp from "./pages/PagesHttp.ts"
import * as ProjectAuthHttp from "./projects/ProjectAuthHttp.ts"
import * as UsersHttp from "./projects/UsersHttp.ts"
import * as ReceiversHttp from "./receivers/ReceiversHttp.ts"
import * as ProjectsHttp from "./security/ProjectsHttp.ts"
import * as SegmentsHttp from "./segments/SegmentsHttp.ts"
import * as ServiceHttp from "./service/ServiceHttp.ts"
import type { ServiceStatus } from "./service/ServiceStatus.ts"
import * as SuppressionsHttp from "./suppression/SuppressionsHttp.ts"
import * as TemplatesHttp from "./templates/TemplatesHttp.ts"
import * as TrackingHttp from "./tracking/TrackingHttp.ts"
import * as UploadsHttp from "./uploads/UploadsHttp.ts"
import * as V1Http from "./v1/V1Http.ts"
import * as WebhooksHttp from "./webhooks/WebhooksHttp.ts"
import * as ExecutionsHttp from "./workflows/executions/ExecutionsHttp.ts"
import * as WorkflowsHttp from "./workflows/WorkflowsHttp.ts"

/** One for each group of the API. */
const handlers = Layer.mergeAll(
  ActivityHttp.layer,
  AnalyticsHttp.layer,
  AuthHttp.layer,
  BillingHttp.layer,
  CampaignsHttp.layer,
  ContactsHttp.layer,
  DomainsHttp.layer,
  EmailsHttp.layer,
  EventsHttp.layer,
  ExecutionsHttp.layer,
  MembersHttp.layer,
  ProjectsHttp.layer,
  ReceiversHttp.layer,
  SegmentsHttp.layer,
  ServiceHttp.layer,
  SuppressionsHttp.layer,
  TemplatesHttp.layer,
  UploadsHttp.layer,
  UsersHttp.layer,
  V1Http.layer,
  WebhooksHttp.layer,
  WorkflowsHttp.layer
)

const middlewares = Layer.mergeAll(Idempotency.layer, JsonBody.layer, ProjectAuthHttp.layer, Validation.layer)

/** What the handlers call, what the middlewares call, and what any HTTP platform of Effect brings along. */
type Needs =
  | Digest.Digest
  | Etag.Generator
  | FileSystem.FileSystem
  | HttpPlatform.HttpPlatform
  | HttpRouter.HttpRouter
  | Path.Path
  | SecureRandom.SecureRandom
  | Services
  | ServiceStatus

/** For the host's router: signed tokens in a path are longer than its default allows; what is too long we refuse. */
export const routerConfig = { maxParamLength: 16 * 1024 }

/** The API, and the routes beside it: pages, the links of mails, images, and the way to identity providers and back. */
export const layer: Layer.Layer<never, never, Needs> = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide(handlers),
  Layer.provide(middlewares),
  Layer.merge(
    Layer.mergeAll(AccountPagesHttp.layer, OauthHttp.layer, PagesHttp.layer, TrackingHttp.layer, UploadsHttp.routes)
  ),
  Layer.merge(Edge.layer)
)
