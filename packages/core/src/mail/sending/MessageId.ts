/** The Message-ID of a mail (RFC 5322 section 3.6.4), without angle brackets, the same on every try. Pure. */
export const messageId = ({ id, from }: { readonly id: string; readonly from: string }): string =>
  `${id}@${senderDomain(from)}`

export const senderDomain = (from: string): string => from.slice(from.lastIndexOf("@") + 1)
