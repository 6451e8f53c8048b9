/** How the data of a request changes the data of a contact. Pure. The store applies the change in SQL. */
import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { Predicate, type Schema } from "effect"

/** Keys to remove, then keys to set. The result is `(data - remove) || set`. */
export interface DataChange {
  readonly remove: ReadonlyArray<string>
  readonly set: Schema.JsonObject
}

/** Top-level keys that the service reserves. They are dropped from all input. */
export const reservedKeys: ReadonlySet<string> = new Set([
  "id",
  "svc_id",
  "svc_email",
  "email",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl"
])

/** `{value, persistent: false}`: a variable for one request. It is never stored. */
export const isOneShot = (value: Schema.Json): value is { readonly value: Schema.Json; readonly persistent: false } =>
  Predicate.isObject(value) &&
  Object.hasOwn(value, "value") &&
  Object.hasOwn(value, "persistent") &&
  value["persistent"] === false

export const noDataChange: DataChange = { remove: [], set: {} }

/** Both changes, one after the other. */
export const followedBy = (first: DataChange, { remove, set }: DataChange): DataChange => ({
  remove: [...new Set([...first.remove, ...remove])],
  set: { ...Object.fromEntries(Object.entries(first.set).filter(([key]) => !remove.includes(key))), ...set }
})

/** `null` removes a key. `""`, one-shots and reserved keys do nothing. Everything else replaces the stored value. */
export const dataChange = (given: ContactData): DataChange => {
  const entries = Object.entries(given).filter(
    ([key, value]) => !reservedKeys.has(key) && value !== "" && !isOneShot(value)
  )
  return {
    remove: entries.filter(([, value]) => value === null).map(([key]) => key),
    set: Object.fromEntries(entries.filter(([, value]) => value !== null))
  }
}

/** The data after the change, as the store computes it. */
export const dataAfter = (data: Schema.JsonObject, { remove, set }: DataChange): Schema.JsonObject => ({
  ...Object.fromEntries(Object.entries(data).filter(([key]) => !remove.includes(key))),
  ...set
})

/** The data that an event stores: as sent, with one-shots unwrapped and reserved keys removed. */
export const trackedData = (given: ContactData): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => !reservedKeys.has(key))
      .map(([key, value]) => [key, isOneShot(value) ? value.value : value])
  )
