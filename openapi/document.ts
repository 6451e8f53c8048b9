/** The OpenAPI document of the contract, which every server has at `/openapi.json`. */
import { Api } from "@posthorn/contract/Api"
import { OpenApi } from "effect/http-api"
import type { OpenAPIObject } from "openapi3-ts/oas31"

/** The text of the committed file. */
export const text = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`

/** The document as a reader of the file parses it. */
export const document: OpenAPIObject = JSON.parse(text)
