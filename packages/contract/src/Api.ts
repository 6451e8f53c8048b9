/** The whole API: one definition for server, client and OpenAPI document. */
import { HttpApi, OpenApi } from "effect/http-api"
import { ContactsApi } from "./contacts/ContactsApi.ts"
import { DomainsApi } from "./domains/DomainsApi.ts"
import { EmailsApi } from "./emails/EmailsApi.ts"
import { published } from "./published.ts"
import { ServiceApi } from "./service/ServiceApi.ts"
import { TemplatesApi } from "./templates/TemplatesApi.ts"
import { V1Api } from "./v1/V1Api.ts"

export class Api extends HttpApi.make("posthorn")
  .add(V1Api, ContactsApi, TemplatesApi, DomainsApi, EmailsApi, ServiceApi)
  .annotate(HttpApi.ParseOptions, { errors: "all", reportInput: true })
  .annotateMerge(OpenApi.annotations({ title: "Posthorn", version: "1.0.0", transform: published })) {}
