/** Where the columns of a file go. */

export const fixedTargets = ["email", "externalId", "subscribed", "locale", "timezone"] as const
export type FixedTarget = (typeof fixedTargets)[number]

export interface Target {
  readonly to: FixedTarget | "data" | "skip" | "topic"
  /** The name of the field of data, or the key of the topic. */
  readonly key: string
}

/** A topic of the project that a column may be about. */
export interface KnownTopic {
  readonly key: string
  readonly name: string
  readonly doubleOptIn: boolean | null
}

/** What the project says about consent. */
export interface ProjectConsent {
  readonly mode: "all" | "off" | "public" | undefined
  readonly topics: ReadonlyArray<KnownTopic>
}

const usual: { readonly [T in FixedTarget]: RegExp } = {
  email: /^(?:e[-_ ]?mail(?:[-_ ]?address)?|mail|address)$/i,
  externalId: /^external[-_ ]?id$/i,
  subscribed: /^(?:subscribed|subscription|opt[-_ ]?in|newsletter)$/i,
  locale: /^(?:locale|lang(?:uage)?)$/i,
  timezone: /^(?:time[-_ ]?zone|tz)$/i
}

/** What the header of each column suggests. */
export const guess = (
  columns: ReadonlyArray<string>,
  topics: ReadonlyArray<Pick<KnownTopic, "key">>
): ReadonlyArray<Target> => {
  const taken = new Set<FixedTarget>()
  return columns.map((column) => {
    const topic = topics.find(({ key }) => column === `topic.${key}`)
    if (topic !== undefined) return { to: "topic", key: topic.key }
    const found = fixedTargets.find((target) => !taken.has(target) && usual[target].test(column))
    if (found !== undefined) taken.add(found)
    return { to: found ?? (column === "" ? "skip" : "data"), key: column }
  })
}

/** What is missing before the file can be imported. */
export const lackOf = (targets: ReadonlyArray<Target>): "needsEmail" | "needsKey" | "twoEmails" | null => {
  const fixed = targets.flatMap(({ to, key }) =>
    to === "data" || to === "skip" ? [] : [to === "topic" ? `topic.${key}` : to]
  )
  if (!fixed.includes("email") && !fixed.includes("externalId")) return "needsEmail"
  if (new Set(fixed).size < fixed.length) return "twoEmails"
  return targets.some(({ to, key }) => to === "data" && key.trim() === "") ? "needsKey" : null
}

export const mappingOf = (columns: ReadonlyArray<string>, targets: ReadonlyArray<Target>): string =>
  JSON.stringify(
    Object.fromEntries(
      columns.flatMap((column, index) => {
        const target = targets[index]
        if (column === "" || target === undefined) return []
        const { to, key } = target
        return [[column, to === "skip" ? null : to === "data" || to === "topic" ? `${to}.${key.trim()}` : to]]
      })
    )
  )
