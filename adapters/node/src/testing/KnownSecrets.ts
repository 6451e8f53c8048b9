/**
 * Every secret that a test used or received: keys, passwords, tokens, sessions. When a server process ends, its log is
 * searched for all of them.
 */

/** Shorter values are made up by tests and could be part of any text. */
const shortest = 12

const known = new Set<string>()

const noteSecret = (text: string | undefined): void => {
  if (text !== undefined && text.length >= shortest) known.add(text)
}

/** Body fields that hold a secret, and settings that are a secret or have one in their URL. */
const inBody = /"(?:key|secret|secretKey|password|newPassword|currentPassword|token|invitationToken)":"([^"\\]+)"/g
const isSetting = /SECRET|TOKEN|KEY/
const login = /:\/\/[^:/]*:([^@/]+)@/

/** Records the secrets in a request and its answer. */
export const noteSecretsOf = (
  init: RequestInit,
  answer: { readonly headers: Headers; readonly text: string }
): void => {
  const sent = new Headers(init.headers)
  noteSecret(/^Bearer ((?:sk|ph)_.+)$/.exec(sent.get("authorization") ?? "")?.[1])
  noteSecret(/=(.+)$/.exec(sent.get("cookie") ?? "")?.[1])
  for (const cookie of answer.headers.getSetCookie()) noteSecret(/^[^=]+=([^;]+)/.exec(cookie)?.[1])
  for (const text of [typeof init.body === "string" ? init.body : "", answer.text]) {
    for (const [, secret] of text.matchAll(inBody)) noteSecret(secret)
  }
}

export const noteSecretsIn = (env: Record<string, string>): void => {
  for (const [name, value] of Object.entries(env)) noteSecret(isSetting.test(name) ? value : login.exec(value)?.[1])
}

/** The first known secret in a text, with its line. */
export const secretIn = (text: string): string | undefined => {
  const found = [...known].find((secret) => text.includes(secret))
  if (found === undefined) return
  return `A secret stands in the log: ${text.split("\n").find((line) => line.includes(found))}`
}
