/**
 * The closed list of errors: when each occurs, its status and its fixed advice.
 *
 * The wire code is the name of a row. Where two rows share a code, `code` is the wire code and the row has its own
 * name.
 */
const lookElsewhere = "Check the id, and that the key belongs to the project that owns it."

export const catalogue = {
  INVALID_JSON: {
    when: "The body is not valid JSON in UTF-8, or nested deeper than 100 levels.",
    status: 400,
    suggestion: "Send valid UTF-8 JSON with 'Content-Type: application/json'."
  },
  BAD_REQUEST: {
    when: "A parameter outside the body is invalid; `errors` lists each one. A value outside a closed set: details `{parameter, received, allowed}`.",
    status: 400,
    suggestion: "Compare the named parameter with the values the documentation allows."
  },
  INVALID_CURSOR: {
    when: "The cursor was changed or cut, or belongs to another list, other filters or another sort order.",
    status: 400,
    suggestion: "Start again without a cursor, then pass each cursor back unchanged with the same filters and sort."
  },
  INVALID_TOKEN: {
    when: "A one-time token is unknown, used or expired.",
    status: 400,
    suggestion: "Request a new link."
  },
  EMPTY_AUDIENCE: {
    when: "A campaign sent at once would reach no contact.",
    status: 400,
    suggestion: "Check the audience. Marketing and headless campaigns reach subscribed contacts only."
  },
  INVALID_API_KEY: {
    when: "The key is missing, malformed, unknown, expired, or of the wrong kind for the endpoint; details `{reason}`: `missing`, `malformed`, `public`, `secret`, `unknown` or `expired`.",
    status: 401,
    suggestion:
      "Send 'Authorization: Bearer <key>'. POST /v1/track needs the public key (pk_), every other endpoint the secret key (sk_) or an API key (ph_)."
  },
  UNAUTHORIZED: {
    when: "The session cookie is invalid, expired or revoked.",
    status: 401,
    suggestion: "Log in again."
  },
  INVALID_CREDENTIALS: {
    when: "The login failed.",
    status: 401,
    suggestion: "Check email and password, or reset the password."
  },
  TWO_FACTOR_REQUIRED: {
    when: "The password of a login was right, and the account needs a second factor; details `{token, methods}`.",
    status: 401,
    suggestion: "Continue with 'POST /auth/two-factor': the token, and a code, a recovery code or a passkey."
  },
  BILLING_LIMIT_EXCEEDED: {
    when: "The send would exceed a billing cap; details `{category, limit, used, requested, resetsAt}`.",
    status: 402,
    suggestion: "Raise the limit with PUT /users/@me/projects/{id}/billing-limits, or wait for the next period."
  },
  FORBIDDEN: {
    when: "The role is too low, the request comes from a foreign page, the recipient is not allowed, or the API key does not allow the request; details `{reason}`: `role`, `origin`, `recipient`, `scope` (with `requiredScope`, null if no API key may call this), `ip_not_allowed` or `sender_domain` (with `domain`).",
    status: 403,
    suggestion: "Ask an owner or admin of the project, or use an allowed value or a key with the scope."
  },
  PROJECT_ACCESS_DENIED: {
    when: "The user of the session is not a member of the project.",
    status: 403,
    suggestion: "Choose a project you are a member of."
  },
  PROJECT_DISABLED: {
    when: "The project is disabled, and this would change it; details `{reason}`: `PAYMENT_FAILED`, `EMAIL_REPUTATION`, `PHISHING_DETECTED` or `MANUAL`.",
    status: 403,
    suggestion: "Reading still works. GET /projects/{id}/security shows why; the operator enables the project again."
  },
  EMAIL_VERIFICATION_REQUIRED: {
    when: "The user has not confirmed the email address yet.",
    status: 403,
    suggestion: "Open the link in the confirmation mail or request a new one."
  },
  PROJECT_REQUIRES_TWO_FACTOR: {
    when: "The project, or this change of it, requires an account with two-factor authentication, and the account of the session does not have it.",
    code: "TWO_FACTOR_REQUIRED",
    status: 403,
    suggestion: "Turn on two-factor authentication for the account: 'POST /users/@me/two-factor/totp'."
  },
  SIGNUPS_DISABLED: { when: "Sign-up is closed.", status: 403, suggestion: "Ask for an invitation." },
  INVALID_SIGNATURE: {
    when: "A receiver was called without a valid signature.",
    status: 403,
    suggestion: "Check the signing secret on both sides."
  },
  SENDER_DOMAIN_UNVERIFIED: {
    when: "The domain of the sender is not verified for the project; the message names it; details `{reason, domain}`, the reason always `sender_domain_unverified`.",
    code: "INTERNAL_SERVER_ERROR",
    status: 403,
    suggestion:
      "Add the domain with POST /domains or `posthorn domains add`, publish the DNS records of the response, or send from a verified domain."
  },
  CONTACT_NOT_FOUND: {
    when: "The project has no such contact; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  TEMPLATE_NOT_FOUND: {
    when: "The project has no such template; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  CAMPAIGN_NOT_FOUND: {
    when: "The project has no such campaign; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  SEGMENT_NOT_FOUND: {
    when: "The project has no such segment; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  WORKFLOW_NOT_FOUND: {
    when: "The project has no such workflow; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  STEP_NOT_FOUND: {
    when: "The workflow has no such step; details `{resource, id}`.",
    status: 404,
    suggestion: lookElsewhere
  },
  RESOURCE_NOT_FOUND: {
    when: "The project has no such resource of any other kind; details `{resource, id}`, the resource as a snake_case noun.",
    status: 404,
    suggestion: lookElsewhere
  },
  ROUTE_NOT_FOUND: {
    when: "The path does not exist, or not with this method.",
    status: 404,
    suggestion: "Check path and method against the API reference."
  },
  REQUEST_TIMEOUT: {
    when: "The body of the request did not arrive in time: 7 seconds, and longer for a long body.",
    status: 408,
    suggestion: "Send the whole body without a pause."
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: "The Idempotency-Key was used before; details `{key, originalRequest, originalRequestAt, originalStatusCode}`, the last one absent while the first request still runs.",
    status: 409,
    suggestion:
      "Use a new key for a new operation. To get the first answer again, repeat the identical request with 'Idempotency-Mode: replay'."
  },
  EMAIL_ALREADY_EXISTS: {
    when: "The address belongs to another contact of the project, or to another user; details `{email}`, and `{contactId}` if it is a contact.",
    status: 409,
    suggestion: "Use another address, or update the existing record."
  },
  RESOURCE_IN_USE: {
    when: "Something else still uses the resource to delete; the details list it.",
    status: 409,
    suggestion: "Remove the listed references first."
  },
  CONFLICT: {
    when: "The resource is in a state that does not allow the action; details `{reason}`, and `{status, allowed}` if a status is the cause.",
    status: 409,
    suggestion: "Read the resource again and choose an action its state allows."
  },
  PAYLOAD_TOO_LARGE: {
    when: "The body or the message is larger than allowed; details `{limitBytes}`.",
    status: 413,
    suggestion: "Send less in one request."
  },
  URI_TOO_LONG: {
    when: "The path of the request, without the query, is longer than 2,048 characters; details `{limit}`.",
    status: 414,
    suggestion: "Check the path against the API reference."
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: "The body has a content type, charset or content encoding that the endpoint does not accept.",
    status: 415,
    suggestion: "Send JSON, or multipart/form-data where the endpoint takes a file."
  },
  VALIDATION_ERROR: {
    when: "The body or a header breaks a rule; `errors` lists every fault, at most 50.",
    status: 422,
    suggestion: "Correct the fields listed in 'errors' and send the request again."
  },
  RATE_LIMIT_EXCEEDED: {
    when: "More requests than allowed in a minute; details `{limit, retryAfter}`, and `scope` where it is not the limit of the project: `key` for that of the API key, `streams` for the number of open streams, `test_mail` for the daily number of test mails.",
    status: 429,
    suggestion: "Wait for 'Retry-After' seconds, then continue more slowly."
  },
  INTERNAL_SERVER_ERROR: {
    when: "An unexpected error occurred in the service.",
    status: 500,
    suggestion: "Try again later; if it stays, report the requestId."
  },
  SERVICE_UNAVAILABLE: {
    when: "The storage or another necessary part of the service is down or not configured.",
    status: 503,
    suggestion:
      "Wait and repeat. If you sent an Idempotency-Key and then get 409, the first try may have worked: check before using a new key."
  }
} as const

export type Row = keyof typeof catalogue
