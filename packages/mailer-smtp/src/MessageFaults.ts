/**
 * Rejects messages that cannot be sent safely. Callers of the composer validate their input. This is a second check, so
 * that no text can add a header, a recipient or a parameter.
 */
import type { DkimKey, Message, MessageAttachment } from "@posthorn/core/platform/Mailer"

const breaksLine = (text: string) => /[\r\n\0]/.test(text)

const special = '\\x00-\\x20\\x7f()<>[\\]:;@\\\\,"'
const internationalAddress = new RegExp(`^[^${special}]+@[^${special}]+$`)
const asciiAddress = new RegExp(`^[^${special}\\x80-\\uffff]+@[^${special}\\x80-\\uffff]+$`)
const messageId = asciiAddress
const token = /^[!-9;-~]{1,76}$/
const contentId = /^[!-;=?-~]{1,255}$/
const contentType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[^\r\n\0]*)?$/
const dnsName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i
const lengthLimit = 255

/**
 * Headers that have their own field in the message, that belong to the transport, or that only a receiver may write.
 */
const isReserved = (name: string) =>
  /^(from|to|cc|bcc|reply-to|subject|sender|date|message-id|mime-version|content-.+|return-path|received|dkim-signature|arc-.+|authentication-results)$/i.test(
    name
  )

const headerFault = ([name, value]: readonly [string, string]): string | undefined => {
  if (!token.test(name)) return "A header name has an invalid character"
  if (isReserved(name)) return `The header ${name} is set by the service`
  return breaksLine(value) ? `The header ${name} has a line break` : undefined
}

const attachmentFault = (attachment: MessageAttachment): string | undefined => {
  if (breaksLine(attachment.filename) || attachment.filename.length > lengthLimit) return "A file name cannot be sent"
  if (!contentType.test(attachment.contentType) || attachment.contentType.length > lengthLimit) {
    return "A content type does not have the form type/subtype"
  }
  return attachment.contentId !== undefined && !contentId.test(attachment.contentId)
    ? "A content id has an invalid character"
    : undefined
}

const keyFault = ({ domain, selector }: DkimKey): string | undefined =>
  dnsName.test(domain) && dnsName.test(selector) ? undefined : "A DKIM domain or selector is not a DNS name"

/**
 * The first fault, as a sentence. Only the address of a single recipient may be non-ASCII: with such a sender, or such an
 * address among several, every message would need SMTPUTF8 (RFC 6531), whatever its recipient.
 */
export const faultOf = (message: Message): string | undefined => {
  if (!asciiAddress.test(message.from.address)) return "The sender's address is not an addr-spec in ASCII"
  const shown = [...message.to, ...message.cc]
  const address = shown.length > 1 ? asciiAddress : internationalAddress
  if (!shown.every((party) => address.test(party.address))) return "A recipient's address is not an addr-spec"
  if (message.replyTo !== undefined && !asciiAddress.test(message.replyTo.address))
    return "Reply-To is not an addr-spec in ASCII"
  if (!messageId.test(message.messageId)) return "The message id does not have the form id@domain"
  if (breaksLine(message.subject)) return "The subject has a line break"
  if ([message.from, ...shown, message.replyTo].some((party) => breaksLine(party?.name ?? "")))
    return "A name has a line break"
  const faults = [
    ...message.headers.map(headerFault),
    ...message.attachments.map(attachmentFault),
    ...message.dkim.map(keyFault)
  ]
  return faults.find((fault) => fault !== undefined)
}
