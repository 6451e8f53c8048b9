/** The constraints of contacts that callers can violate, as errors. */
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Data, Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql"

/** The data of a contact would exceed 64 KB after the merge. Nothing was written. */
export class DataTooLarge extends Data.TaggedError("DataTooLarge") {}

/** Another contact of the project has the external id. Nothing was written. */
export class ExternalIdTaken extends Data.TaggedError("ExternalIdTaken") {}

const isOf = (reason: { readonly cause: unknown }, constraint: string): boolean =>
  Predicate.hasProperty(reason.cause, "constraint") && reason.cause.constraint === constraint

/** Whether the unique index of external ids refused the write. */
export const isIdTaken = (reason: { readonly cause: unknown }): boolean => isOf(reason, "contacts_external_id")

/** An upsert finds contacts by their addresses, so only an external id can be taken. */
const refuseId = (reason: SqlError.UniqueViolation): Effect.Effect<never, ExternalIdTaken> =>
  isIdTaken(reason) ? Effect.fail(new ExternalIdTaken()) : Effect.die(reason)

/** The only constraint that callers without external ids can violate. Any other violation is a defect. */
export const refuseConstraint = (reason: SqlError.ConstraintError): Effect.Effect<never, DataTooLarge> =>
  isOf(reason, "contacts_data_size") ? Effect.fail(new DataTooLarge()) : Effect.die(reason)

/** The violations that callers of an upsert can cause. Any other failure is a defect. */
export const orRefused: <A>(
  effect: Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, DataTooLarge | ExternalIdTaken> = Effect.catchReasons(
  "SqlError",
  { UniqueViolation: refuseId, ConstraintError: refuseConstraint },
  (_, error) => Effect.die(error)
)

/** The error that callers get. */
export const dataTooLarge = (): Effect.Effect<never, ValidationError> =>
  Effect.fail(
    ValidationError.one("data", "too_big", `The contact's data would exceed ${maxDataBytes} bytes after the merge.`)
  )

/** The error that callers get who write many contacts. */
export const externalIdTaken = (): Effect.Effect<never, ValidationError> =>
  Effect.fail(ValidationError.one("externalId", "custom", "Another contact has this external id."))
