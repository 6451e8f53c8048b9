/** Passkeys: the API speaks the JSON form of WebAuthn level 3, and so does the browser. */
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from "@posthorn/client/session"

/** Whether this browser can have passkeys. They need https, or this machine. */
export const hasPasskeys = (): boolean =>
  isSecureContext && typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential

const json = (credential: Credential | null) =>
  credential instanceof PublicKeyCredential ? credential.toJSON() : undefined

type JsonOf<A> = A | undefined

/** Makes a passkey. Undefined if the person stops. */
export const createPasskey = async (options: PasskeyCreation): Promise<JsonOf<PasskeyRegistration>> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    structuredClone(options) as PublicKeyCredentialCreationOptionsJSON
  )
  return json(await navigator.credentials.create({ publicKey })) as JsonOf<PasskeyRegistration>
}

/** Answers with a passkey. Undefined if the person stops. */
export const answerWithPasskey = async (options: PasskeyRequest): Promise<JsonOf<PasskeyAssertion>> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    structuredClone(options) as PublicKeyCredentialRequestOptionsJSON
  )
  return json(await navigator.credentials.get({ publicKey })) as JsonOf<PasskeyAssertion>
}
