/** Compares two texts by code point, not by UTF-16 unit. Negative, 0 or positive, as `Array.sort` takes it. */
export const compareCodePoints = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  // Texts that differ within a surrogate pair share its first half. The whole pair decides.
  const start = at > 0 && isHighSurrogate(one.charCodeAt(at - 1)) ? at - 1 : at
  return (one.codePointAt(start) ?? -1) - (other.codePointAt(start) ?? -1)
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
