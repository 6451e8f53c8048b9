/** The identity of a mail on the wire, the same on every try (RFC 5322 3.6.4): without angle brackets. Pure. */
export const messageId = ({ id, from }: { readonly id: string; readonly from: string }): string =>
  `${id}@${senderDomain(from)}`

export const senderDomain = (from: string): string => from.slice(from.lastIndexOf("@") + 1)
