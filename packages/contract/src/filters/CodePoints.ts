/** Below, at or above 0 as the first text comes before, with or after the second, by code point; not by UTF-16 unit. */
export const compareCodePoints = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  // Texts that part within a surrogate pair share its first half: the whole pair decides.
  const start = at > 0 && isHighSurrogate(one.charCodeAt(at - 1)) ? at - 1 : at
  return (one.codePointAt(start) ?? -1) - (other.codePointAt(start) ?? -1)
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
