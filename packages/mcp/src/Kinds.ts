/** Which operations become tools, and what a tool may do. */
import type { Endpoint, Operation } from "@posthorn/docs/document/OpenApiDocument"

/** What a tool does: it reads, it writes, or it does what cannot be undone. */
export type Kind = "reads" | "writes" | "destroys"

/**
 * Operations without a tool. Their answers hold secrets, or links that act for a person, and their bodies passwords; or
 * they change who has access. None of this belongs into the context of a model. The last ones repeat other tools.
 */
export const withoutTool: ReadonlySet<string> = new Set([
  "apiKeys.create",
  "apiKeys.update",
  "apiKeys.rotate",
  "contacts.links",
  "members.invite",
  "members.update",
  "members.remove",
  "transports.create",
  "transports.update",
  "webhooks.create",
  "webhooks.rotateSecret",
  "workflows.signingSecret",
  "workflows.rotateSigningSecret",
  "contacts.verify",
  "emails.send"
])

/** Operations that cannot be undone, in addition to all that delete. Sent mail cannot be called back. */
export const irreversible: ReadonlySet<string> = new Set([
  "campaigns.cancel",
  "campaigns.decideExperiment",
  "campaigns.followUp",
  "campaigns.retryFailed",
  "campaigns.send",
  "campaigns.setRecurrence",
  "contacts.bulk",
  "contacts.bulkDelete",
  "contacts.erase",
  "contacts.merge",
  "executions.cancelAll",
  "privacyRequests.complete",
  "transports.setRoutes",
  "workflows.decideExperiment",
  "workflows.migrate",
  "workflows.replaceGraph"
])

const isJson = (content: { readonly [type: string]: unknown } | undefined): boolean =>
  content === undefined || Object.keys(content).length === 0 || "application/json" in content

/** Files and streams are no answers for a model: lists have the same in pages. */
const isPlain = ({ requestBody, responses }: Operation): boolean =>
  isJson(requestBody?.content) &&
  Object.entries(responses).every(
    ([status, response]) => !status.startsWith("2") || "$ref" in response || isJson(response.content)
  )

const takesSecretKey = ({ security = [] }: Operation): boolean => security.some((scheme) => "secretKey" in scheme)

export const hasTool = ({ operation }: Endpoint): boolean =>
  takesSecretKey(operation) && isPlain(operation) && !withoutTool.has(operation.operationId)

/** An operation reads if a scope for reading opens it, or if it is a GET that no scope for writing guards. */
const isReading = ({ method, operation }: Endpoint): boolean => {
  const scopes = operation["x-posthorn-scope"] ?? []
  if (scopes.some((scope) => scope.endsWith(":read") || scope === "verify")) return true
  return method === "GET" && !scopes.some((scope) => scope.endsWith(":write"))
}

export const kindOf = (endpoint: Endpoint): Kind => {
  if (isReading(endpoint)) return "reads"
  return endpoint.method === "DELETE" || irreversible.has(endpoint.operation.operationId) ? "destroys" : "writes"
}
