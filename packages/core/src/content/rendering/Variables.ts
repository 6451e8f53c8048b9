/** Collects the variables of a text and defines which one wins if names collide. */
import type { Schema } from "effect"
import { isOneShot, reservedKeys } from "../../audience/contacts/DataChange.ts"

export interface VariableSources {
  readonly contact: {
    /** Null if there is no contact, as in a test mail to a member of the project. */
    readonly id: string | null
    readonly email: string
    readonly subscribed: boolean
    /** The stored custom data, after this request's data was merged into it. */
    readonly data: Schema.JsonObject
  }
  /** Empty strings if a mail has no such links. */
  readonly urls: {
    readonly unsubscribeUrl: string
    readonly subscribeUrl: string
    readonly manageUrl: string
  }
  /** Values for this request only, unwrapped: see `oneShots`. */
  readonly oneShots?: Schema.JsonObject | undefined
  readonly project: {
    readonly name: string
    /** The value of `locale` for contacts without one. */
    readonly language: string
  }
  /** The context of a workflow execution. */
  readonly event?: Schema.JsonObject | undefined
  /** Values of this mail alone, such as the link to confirm. They come first. */
  readonly own?: Schema.JsonObject | undefined
}

/**
 * Priority, highest first: values of the mail, reserved built-ins, one-shots, the contact's data, other built-ins. The result has no
 * prototype.
 */
export const variables = ({ contact, urls, oneShots, project, event, own }: VariableSources): Schema.JsonObject => {
  const data = merge(contact.data, oneShots)
  const others = { data, project: { name: project.name }, subscribed: contact.subscribed, locale: project.language }
  const { id, email } = contact
  return merge(others, event && { event }, data, { ...urls, id, svc_id: id, email, svc_email: email }, own)
}

const merge = (...layers: ReadonlyArray<Schema.JsonObject | undefined>): Schema.JsonObject =>
  Object.assign(Object.create(null), ...layers)

/** The one-shots of a request's data, unwrapped. Reserved names are dropped. */
export const oneShots = (data: Schema.JsonObject): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      isOneShot(value) && !reservedKeys.has(key) ? [[key, value.value] as const] : []
    )
  )
