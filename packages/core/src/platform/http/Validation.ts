/** Turns decode failures into error envelopes. */

import { BadRequest, InvalidJson, ValidationError } from "@posthorn/contract/platform/Errors"
import { MalformedId, PlainRefusal, Validation } from "@posthorn/contract/platform/Request"
import { Context, Effect, type Layer, Predicate, SchemaIssue } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { type FaultWithAllowed, faultsOf } from "./Faults.ts"
import { notJson, refuse, respond } from "./Respond.ts"

export const layer: Layer.Layer<Validation> = HttpApiMiddleware.layerSchemaErrorTransform(
  Validation,
  Effect.fnUntraced(function* (error, { endpoint, group }) {
    const issue = error.cause.issue
    const faults = faultsOf(issue)
    switch (error.kind) {
      case "Params": {
        const notFound = Context.get(Context.merge(group.annotations, endpoint.annotations), MalformedId)
        if (notFound === undefined) return yield* new BadRequest({ errors: faults })
        return respond(yield* notFound(faults[0]?.received ?? ""))
      }
      case "Query":
      case "Headers":
        return yield* new BadRequest({ errors: faults, ...closedSet(faults) })
      case "Payload": {
        const plain = Context.get(endpoint.annotations, PlainRefusal)
        if (isSyntaxError(issue)) {
          return plain ? notJson : yield* new InvalidJson()
        }
        const missing =
          (plain?.or !== undefined && lacks(issue, [plain.field, plain.or])) ||
          faults.some(({ code, field }) => field === "" || (field === plain?.field && code === "required"))
        return plain && missing ? refuse(plain.text) : yield* new ValidationError({ errors: faults })
      }
      // A response that does not fit its schema is a bug of the service.
      case "Body":
      case "ResponseHeaders":
        return yield* Effect.die(error.cause)
    }
  })
)

/** The first parameter with a value outside a closed set, and the set. */
const closedSet = (faults: ReadonlyArray<FaultWithAllowed>) => {
  const found = faults.find(({ allowed }) => allowed !== undefined)
  return found?.allowed && { parameter: found.field, received: found.received ?? "", allowed: found.allowed }
}

/** Whether the body is an object with none of these fields, or with null in them. */
const lacks = (issue: SchemaIssue.Issue, fields: ReadonlyArray<string>): boolean =>
  SchemaIssue.hasInput(issue) &&
  Predicate.isObject(issue.input) &&
  Object.entries(issue.input).every(([name, value]) => !fields.includes(name) || value === null)

/** HttpApi reports broken JSON as a bare `InvalidValue`. Every other issue of a whole body carries its input. */
const isSyntaxError = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidValue" && !SchemaIssue.hasInput(issue)
