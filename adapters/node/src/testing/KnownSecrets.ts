/**
 * Every secret that a test has used or been given: keys, passwords, tokens, sessions. What a server process has logged is
 * searched for all of them when it ends.
 */

/** Shorter ones are made up, and could be part of anything. */
const shortest = 12

const known = new Set<string>()

const noteSecret = (text: string | undefined): void => {
  if (text !== undefined && text.length >= shortest) known.add(text)
}

/** Fields of bodies that hold a secret, and settings that are one or have one in their URL. */
const inBody = /"(?:secret|secretKey|password|newPassword|currentPassword|token|invitationToken)":"([^"\\]+)"/g
const isSetting = /SECRET|TOKEN|KEY/
const login = /:\/\/[^:/]*:([^@/]+)@/

/** What a request sends and its answer brings. */
export const noteSecretsOf = (
  init: RequestInit,
  answer: { readonly headers: Headers; readonly text: string }
): void => {
  const sent = new Headers(init.headers)
  noteSecret(/^Bearer (sk_.+)$/.exec(sent.get("authorization") ?? "")?.[1])
  noteSecret(/=(.+)$/.exec(sent.get("cookie") ?? "")?.[1])
  for (const cookie of answer.headers.getSetCookie()) noteSecret(/^[^=]+=([^;]+)/.exec(cookie)?.[1])
  for (const text of [typeof init.body === "string" ? init.body : "", answer.text]) {
    for (const [, secret] of text.matchAll(inBody)) noteSecret(secret)
  }
}

export const noteSecretsIn = (env: Record<string, string>): void => {
  for (const [name, value] of Object.entries(env)) noteSecret(isSetting.test(name) ? value : login.exec(value)?.[1])
}

/** The first secret that stands in a text, with the line around it. */
export const secretIn = (text: string): string | undefined => {
  const found = [...known].find((secret) => text.includes(secret))
  if (found === undefined) return
  return `A secret stands in the log: ${text.split("\n").find((line) => line.includes(found))}`
}
