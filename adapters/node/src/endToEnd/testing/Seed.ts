/** Every endpoint that the interface specification names, as method and path. */

const rows = (text: string): ReadonlyArray<readonly [method: string, path: string]> =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [method = "", path = ""] = line.trim().split(" ")
      return [method, path] as const
    })

/** Specified with their fields. */
const described = rows(`
  POST /v1/track
  POST /v1/send
  POST /v1/verify
  POST /contacts
  GET /contacts
  GET /contacts/{id}
  PATCH /contacts/{id}
  DELETE /contacts/{id}
  GET /templates
  POST /templates
  GET /campaigns
  POST /campaigns
  POST /campaigns/{id}/send
  POST /segments
  GET /segments
`)

/** "Endpoints listed by purpose only", and the internal receivers. */
const listed = rows(`
  POST /contacts/lookup
  GET /contacts/fields
  GET /contacts/fields/{field}/values
  GET /contacts/fields/{field}/usage
  DELETE /contacts/fields/{field}
  POST /contacts/import
  GET /contacts/import/{jobId}
  POST /contacts/bulk-subscribe
  POST /contacts/bulk-unsubscribe
  POST /contacts/bulk-delete
  GET /contacts/bulk/{jobId}
  GET /templates/{id}
  PATCH /templates/{id}
  DELETE /templates/{id}
  POST /templates/{id}/duplicate
  GET /templates/{id}/usage
  GET /campaigns/{id}
  PUT /campaigns/{id}
  DELETE /campaigns/{id}
  POST /campaigns/{id}/duplicate
  POST /campaigns/{id}/cancel
  POST /campaigns/{id}/test
  GET /campaigns/{id}/stats
  GET /segments/{id}
  PATCH /segments/{id}
  DELETE /segments/{id}
  GET /segments/{id}/contacts
  POST /segments/{id}/members
  DELETE /segments/{id}/members
  POST /segments/{id}/compute
  POST /segments/{id}/refresh
  GET /workflows
  GET /workflows/fields
  POST /workflows
  GET /workflows/{id}
  PATCH /workflows/{id}
  DELETE /workflows/{id}
  POST /workflows/{id}/steps
  PATCH /workflows/{id}/steps/{stepId}
  DELETE /workflows/{id}/steps/{stepId}
  POST /workflows/{id}/transitions
  DELETE /workflows/{id}/transitions/{transitionId}
  POST /workflows/{id}/executions
  GET /workflows/{id}/executions
  GET /workflows/{id}/executions/{executionId}
  DELETE /workflows/{id}/executions/{executionId}
  POST /workflows/{id}/executions/cancel-all
  POST /events/track
  GET /events
  GET /events/stats
  GET /events/contact/{contactId}
  GET /events/names
  GET /events/{eventName}/usage
  DELETE /events/{eventName}
  GET /domains/project/{projectId}
  POST /domains
  GET /domains/{id}/verify
  DELETE /domains/{id}
  GET /activity
  GET /activity/stats
  GET /activity/recent-count
  GET /activity/types
  GET /activity/upcoming
  GET /analytics/timeseries
  GET /analytics/top-campaigns
  GET /analytics/campaign-stats
  GET /analytics/top-events
  POST /uploads/image
  GET /config
  POST /auth/login
  POST /auth/signup
  GET /auth/logout
  GET /auth/oauth-config
  POST /auth/verify-email
  POST /auth/request-verification
  POST /auth/request-password-reset
  POST /auth/reset-password
  GET /users/@me
  GET /users/@me/projects
  POST /users/@me/projects
  PATCH /users/@me/projects/{id}
  POST /users/@me/projects/{id}/regenerate-keys
  POST /users/@me/projects/{id}/checkout
  POST /users/@me/projects/{id}/billing-portal
  GET /users/@me/projects/{id}/billing-limits
  PUT /users/@me/projects/{id}/billing-limits
  GET /users/@me/projects/{id}/billing-consumption
  GET /users/@me/projects/{id}/billing-invoices
  GET /users/@me/projects/{id}/security
  POST /users/@me/projects/{id}/reset
  DELETE /users/@me/projects/{id}
  GET /projects/{id}/setup-state
  GET /projects/{id}/security
  GET /projects/{id}/members
  POST /projects/{id}/members
  PATCH /projects/{id}/members/{userId}
  DELETE /projects/{id}/members/{userId}
  POST /webhooks/notifications
  POST /webhooks/incoming/payments
`)

export const named = [...described, ...listed]
