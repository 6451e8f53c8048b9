/**
 * Names of projects and campaigns in system emails. Users choose these names, and the emails also go to strangers. A
 * name must not become a link in a mail program, and must not contain characters that reverse the text around it.
 */

/** Invisible, direction-changing and line-breaking characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** A dot before a letter makes a host name, a colon before a character a scheme, and an at sign an address. */
const linking = /[.\u3002\uFF0E\uFF61](?=\p{L})|[:\uFF1A](?=\S)|[@\uFF20]/gu

const longest = 100

const shown = (name: string) => [...name.replace(hidden, "")].slice(0, longest).join("")

/** The name in a text: `acme.io` becomes `acme[.]io`. */
export const inText = (name: string): string => shown(name).replace(linking, "[$&]")

/** The name in a subject, or `instead` if a mail program would turn the name into a link. */
export const inSubject = (name: string, instead: string): string => {
  const text = shown(name)
  return text.search(linking) === -1 ? text : instead
}
