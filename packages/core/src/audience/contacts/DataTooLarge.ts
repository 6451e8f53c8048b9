/** The size limit of contact data, as a database constraint and as an error to callers. */
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Data, Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql"

/** The data of a contact would exceed 64 KB after the merge. Nothing was written. */
export class DataTooLarge extends Data.TaggedError("DataTooLarge") {}

/** The only constraint that callers can violate. Any other violation is a defect. */
export const refuseConstraint = (reason: SqlError.ConstraintError): Effect.Effect<never, DataTooLarge> =>
  Predicate.hasProperty(reason.cause, "constraint") && reason.cause.constraint === "contacts_data_size"
    ? Effect.fail(new DataTooLarge())
    : Effect.die(reason)

/** The error that callers get. */
export const dataTooLarge = (): Effect.Effect<never, ValidationError> =>
  Effect.fail(
    ValidationError.one("data", "too_big", `The contact's data would exceed ${maxDataBytes} bytes after the merge.`)
  )
