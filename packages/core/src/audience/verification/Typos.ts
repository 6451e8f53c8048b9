/** Finds domains that are probably misspelled. Pure. */

/** The most used provider domains, the most used first. */
const mostUsed = `
  gmail.com yahoo.com hotmail.com outlook.com icloud.com qq.com aol.com live.com mail.ru 163.com
  yandex.ru msn.com gmx.de web.de yahoo.co.uk hotmail.co.uk hotmail.fr yahoo.fr orange.fr comcast.net
  naver.com wanadoo.fr googlemail.com free.fr libero.it gmx.net t-online.de yahoo.co.jp me.com protonmail.com
  proton.me mac.com att.net verizon.net sbcglobal.net yahoo.com.br uol.com.br bellsouth.net rediffmail.com zoho.com
`
  .trim()
  .split(/\s+/)

const misspeltEndings: { readonly [label: string]: string } = {
  con: "com",
  cmo: "com",
  ocm: "com",
  comm: "com",
  vom: "com",
  ner: "net",
  nte: "net",
  ogr: "org"
}

/** From this length on, two edits still count as a misspelling and not as another name. */
const longEnough = 9

/** The domain that was probably meant. The caller has checked that the given domain is not a known provider. */
export const suggestedDomain = (domain: string): string | undefined => {
  const labels = domain.split(".")
  const last = labels.at(-1) ?? ""
  if (Object.hasOwn(misspeltEndings, last)) return [...labels.slice(0, -1), misspeltEndings[last]].join(".")
  const distances = mostUsed.map((known) => ({ known, edits: editsBetween(domain, known) }))
  const near = distances.filter(
    ({ known, edits }) => edits === 1 || (edits === 2 && domain.length >= longEnough && domain[0] === known[0])
  )
  return (near.find(({ edits }) => edits === 1) ?? near[0])?.known
}

/**
 * The number of letters that were inserted, removed, replaced or swapped with their neighbour. Numbers above 2 are not
 * exact. Uses optimal string alignment: no letter is edited twice.
 */
export const editsBetween = (one: string, other: string): number => {
  if (Math.abs(one.length - other.length) > 2) return 3
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    beforeLast = last
    last = row
  }
  return at(last, other.length)
}

const at = (row: ReadonlyArray<number>, n: number): number => row[n] ?? Number.POSITIVE_INFINITY
