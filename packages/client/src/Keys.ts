/** The key of a call. */
import type { PosthornOptions } from "./Options.ts"
import type { Identify } from "./Requests.ts"

/** A call without the key that it needs is not sent. */
export const keyOf =
  ({ secretKey, publicKey, userAgent }: PosthornOptions): Identify =>
  (call, input) => {
    const [name, form, key] = input.publicKey
      ? ["publicKey", /^pk_/, publicKey]
      : ["secretKey", /^(?:sk|ph)_/, secretKey]
    if (key === undefined || !form.test(key)) {
      const begin = input.publicKey ? "pk_" : "sk_ or ph_"
      const message = `${call} needs a key that begins with ${begin}: new Posthorn({ ${name} }).`
      return { code: "MISSING_KEY", message }
    }
    return {
      headers: { authorization: `Bearer ${key}`, ...(userAgent !== undefined && { "user-agent": userAgent }) }
    }
  }
