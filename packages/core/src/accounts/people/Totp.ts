/** Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which every app supports. */
import { Option } from "effect"
import { Secret, TOTP } from "otpauth/slim"

const period = 30
/** Steps by which the clocks of app and service may differ. */
const tolerated = 1

/** 160 bits, as RFC 4226 4 recommends. */
export const secretBytes = 20

const issuer = "Posthorn"

const totp = (secret: string, label: string) =>
  new TOTP({ issuer, label, algorithm: "SHA1", digits: 6, period, secret: Secret.fromBase32(secret) })

export const toBase32 = (bytes: Uint8Array): string => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32

/** For a QR code. Contains the secret and the address of the account. */
export const uriOf = (secret: string, email: string): string => totp(secret, email).toString()

/** The time step of a code, if the step is close to the given time. */
export const stepOf = (secret: string, code: string, epochMillis: number): Option.Option<number> => {
  const token = code.replaceAll(" ", "")
  if (!/^\d{6}$/.test(token)) return Option.none()
  const delta = totp(secret, "").validate({ token, timestamp: epochMillis, window: tolerated })
  return delta === null ? Option.none() : Option.some(Math.floor(epochMillis / 1000 / period) + delta)
}
