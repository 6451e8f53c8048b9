/** An example of each error of the catalogue, by its row: what a caller gets, with typical details. */
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { InvalidCredentials, InvalidToken, SignupsDisabled } from "../../accounts/people/Account.ts"
import { SecondFactorRequired } from "../../accounts/people/SignInSecurity.ts"
import { ContactNotFound, EmailAlreadyExists } from "../../audience/contacts/Contact.ts"
import { SegmentNotFound } from "../../audience/segments/Segment.ts"
import { CampaignNotFound, EmptyAudience } from "../../automation/campaigns/Campaign.ts"
import { StepNotFound } from "../../automation/workflows/Step.ts"
import { WorkflowNotFound } from "../../automation/workflows/Workflow.ts"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { InvalidSignature } from "../../mail/receivers/ReceiversApi.ts"
import {
  EmailVerificationRequired,
  Forbidden,
  InvalidApiKey,
  ProjectAccessDenied,
  ProjectDisabled,
  TwoFactorRequired,
  Unauthorized
} from "../../platform/Auth.ts"
import { catalogue, type Row } from "../../platform/ErrorCatalogue.ts"
import {
  BadRequest,
  Conflict,
  InternalError,
  InvalidCursor,
  InvalidJson,
  PayloadTooLarge,
  RateLimitExceeded,
  RequestTimeout,
  ResourceInUse,
  ResourceNotFound,
  RouteNotFound,
  SenderDomainUnverified,
  ServiceUnavailable,
  UnsupportedMediaType,
  UriTooLong,
  ValidationError
} from "../../platform/Errors.ts"
import { IdempotencyKeyReused } from "../../platform/Request.ts"
import { ids, token } from "./Ids.ts"

const id = (resource: string): string => ids[resource] ?? ""

/** An error of each row of the catalogue. */
export const failures = {
  INVALID_JSON: new InvalidJson({}),
  BAD_REQUEST: new BadRequest({
    errors: [{ field: "limit", code: "invalid_string", message: "Must be an integer.", received: "many" }]
  }),
  INVALID_CURSOR: new InvalidCursor({}),
  INVALID_TOKEN: new InvalidToken({}),
  EMPTY_AUDIENCE: new EmptyAudience({}),
  INVALID_API_KEY: new InvalidApiKey({ reason: "missing" }),
  UNAUTHORIZED: new Unauthorized({}),
  INVALID_CREDENTIALS: new InvalidCredentials({}),
  TWO_FACTOR_REQUIRED: new SecondFactorRequired({ token, methods: ["totp", "recoveryCode"] }),
  BILLING_LIMIT_EXCEEDED: new BillingLimitExceeded({
    category: "campaigns",
    limit: 10_000,
    used: 9_990,
    requested: 1_258,
    resetsAt: "2026-04-01T00:00:00.000Z"
  }),
  FORBIDDEN: new Forbidden({ reason: "role" }),
  PROJECT_ACCESS_DENIED: new ProjectAccessDenied({}),
  PROJECT_DISABLED: new ProjectDisabled({ reason: "EMAIL_REPUTATION" }),
  EMAIL_VERIFICATION_REQUIRED: new EmailVerificationRequired({}),
  PROJECT_REQUIRES_TWO_FACTOR: new TwoFactorRequired({}),
  SIGNUPS_DISABLED: new SignupsDisabled({}),
  INVALID_SIGNATURE: new InvalidSignature({}),
  SENDER_DOMAIN_UNVERIFIED: new SenderDomainUnverified({ domain: "news.example.com" }),
  CONTACT_NOT_FOUND: new ContactNotFound({ id: id("contact") }),
  TEMPLATE_NOT_FOUND: new TemplateNotFound({ id: id("template") }),
  CAMPAIGN_NOT_FOUND: new CampaignNotFound({ id: id("campaign") }),
  SEGMENT_NOT_FOUND: new SegmentNotFound({ id: id("segment") }),
  WORKFLOW_NOT_FOUND: new WorkflowNotFound({ id: id("workflow") }),
  STEP_NOT_FOUND: new StepNotFound({ id: id("step") }),
  RESOURCE_NOT_FOUND: new ResourceNotFound({ resource: "domain", id: id("domain") }),
  ROUTE_NOT_FOUND: new RouteNotFound({}),
  REQUEST_TIMEOUT: new RequestTimeout({}),
  IDEMPOTENCY_KEY_REUSED: new IdempotencyKeyReused({
    key: "order-4711",
    originalRequest: "POST /v1/send",
    originalRequestAt: "2026-03-01T09:00:00.000Z",
    originalStatusCode: 200
  }),
  EMAIL_ALREADY_EXISTS: new EmailAlreadyExists({ email: "ada@example.com" }),
  RESOURCE_IN_USE: new ResourceInUse({ campaigns: [{ id: id("campaign"), name: "Launch" }] }),
  CONFLICT: new Conflict({ reason: "name_taken" }),
  PAYLOAD_TOO_LARGE: new PayloadTooLarge({ limitBytes: 1_048_576 }),
  URI_TOO_LONG: new UriTooLong({ limit: 2_048 }),
  UNSUPPORTED_MEDIA_TYPE: new UnsupportedMediaType({}),
  VALIDATION_ERROR: new ValidationError({
    errors: [{ field: "to", code: "required", message: "This field is required." }]
  }),
  RATE_LIMIT_EXCEEDED: new RateLimitExceeded({ limit: 1_000, retryAfter: 2 }),
  INTERNAL_SERVER_ERROR: new InternalError({}),
  SERVICE_UNAVAILABLE: new ServiceUnavailable({})
} satisfies { readonly [R in Row]: { readonly _tag: R; readonly message: string } }

/** Fields of every JavaScript error, and those that stand outside the details. */
const outside = new Set(["_tag", "message", "name", "stack", "cause", "errors"])

const detailsOf = (failure: object): { readonly [name: string]: unknown } =>
  Object.fromEntries(Object.entries(failure).filter(([name]) => !outside.has(name)))

/** The body of the answer, as `envelope` encodes it. */
export const errorExample = (row: Row): object => {
  const failure: { readonly message: string; readonly errors?: unknown } = failures[row]
  const entry: { readonly code?: string; readonly status: number; readonly suggestion: string } = catalogue[row]
  const details = detailsOf(failure)
  return {
    success: false,
    error: {
      code: entry.code ?? row,
      message: failure.message,
      statusCode: entry.status,
      requestId: id("request"),
      ...(failure.errors !== undefined && { errors: failure.errors }),
      ...(Object.keys(details).length > 0 && { details }),
      suggestion: entry.suggestion
    },
    timestamp: "2026-03-01T09:30:00.000Z"
  }
}
