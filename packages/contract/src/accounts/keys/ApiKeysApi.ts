/** Endpoints of API keys. They accept the secret key or a session, but no API key. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { ApiKey, ApiKeyId, ApiKeyWithKey, CreateApiKey, maxApiKeys, RotateApiKey, UpdateApiKey } from "./ApiKey.ts"

const notFound = envelope(ResourceNotFound)
const params = { id: ApiKeyId }

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Array(ApiKey).annotate({ description: "Every API key of the project." })
    }).annotateMerge(
      OpenApi.annotations({ summary: "List API keys", description: "Newest first, without the keys themselves." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateApiKey),
      success: ApiKeyWithKey.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create an API key",
        description: `A key with its own scopes, sent as \`Authorization: Bearer\`. Within its scopes it is accepted wherever the secret key is. It is shown only in this response. At most ${maxApiKeys} in a project.`
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: ApiKey, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read an API key", description: "One API key, without the key itself." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateApiKey),
      success: ApiKey,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change an API key",
        description: "When the response arrives, the change applies in every process."
      })
    ),
    HttpApiEndpoint.post("rotate", "/:id/rotate", {
      params,
      payload: body(RotateApiKey),
      success: ApiKeyWithKey,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace an API key",
        description:
          "Creates a new key with the same settings. The old key is accepted until `previousValidUntil`; a key from an earlier rotation stops working at once."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key",
        description:
          "When the response arrives, no process accepts the key. Mail that is already accepted is still delivered."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "api_key", id })))
  .annotate(OpenApi.Description, "Credentials with their own scopes, in addition to the two keys of the project.")
  .prefix("/api-keys") {}
