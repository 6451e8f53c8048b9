/** An address as people write it: `ada@example.com`, or `Ada Lovelace <ada@example.com>`. */

interface NamedAddress {
  readonly email: string
  readonly name: string
}

const named = /^\s*(?:"(?<quoted>[^"]*)"|(?<plain>[^<"]*?))\s*<(?<email>[^<>]*)>\s*$/

/** Without a name it stays as it is: whether it is an address is for the service to say. */
export const partyOf = (text: string): string | NamedAddress => {
  const { quoted, plain, email } = named.exec(text)?.groups ?? {}
  if (email === undefined) return text.trim()
  const name = (quoted ?? plain ?? "").trim()
  return name === "" ? email.trim() : { email: email.trim(), name }
}
