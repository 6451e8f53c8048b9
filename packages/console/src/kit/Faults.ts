/** Faults that the API names, at the fields of a form. */
import { PosthornError } from "@posthorn/client/session"

export interface FormFaults {
  /** The messages of each field of the form. */
  readonly fields: Record<string, Array<string>>
  /** What belongs to no field of the form. */
  readonly rest: PosthornError | null
}

const none: FormFaults = { fields: {}, rest: null }

/** By error, and by the names of the fields. */
const known = new WeakMap<PosthornError, Map<string, FormFaults>>()

/**
 * `names` are the names of the fields as the API knows them, such as `to` or `data.plan`. The same error gives the same
 * object: a form takes another one for a new refusal, and shows faults again that the person has removed meanwhile.
 */
export const faultsOf = (error: PosthornError | null, names: ReadonlyArray<string>): FormFaults => {
  if (error === null) return none
  const ofError = known.get(error) ?? new Map<string, FormFaults>()
  known.set(error, ofError)
  const key = names.join()
  const faults = ofError.get(key) ?? split(error, names)
  ofError.set(key, faults)
  return faults
}

const split = (error: PosthornError, names: ReadonlyArray<string>): FormFaults => {
  const fields: Record<string, Array<string>> = {}
  const others = error.errors.filter(({ field, message }) => {
    const name = names.find((each) => field === each || field.startsWith(`${each}.`))
    if (name === undefined) return true
    fields[name] = [...(fields[name] ?? []), message]
    return false
  })
  const isShown = Object.keys(fields).length > 0
  if (isShown && others.length === 0) return { fields, rest: null }
  const { code, message, details, suggestion, statusCode, requestId } = error
  const meta = { status: statusCode, requestId, rateLimit: null, idempotencyReplayed: false, warnings: [] }
  return {
    fields,
    rest: isShown ? new PosthornError({ code, message, errors: others, details, suggestion }, meta) : error
  }
}
