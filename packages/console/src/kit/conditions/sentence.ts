/** A condition as a sentence: `Contacts where plan is "pro" and (purchase happened or seats is above 10).` */
import type { FilterTree } from "@posthorn/client/session"
import {
  kindOf,
  type MailActivity,
  nameOf,
  shapeOf,
  subjectOf,
  type TreeFilter,
  type TreeGroup,
  typeOfValue
} from "./grammar.ts"
import type { SentenceWords } from "./sentenceWords.ts"

/** The names of segments by their ids. */
type SegmentNames = ReadonlyMap<string, string>

interface Part {
  readonly text: string
  /** How its own parts are joined. Parts joined otherwise around it need brackets. */
  readonly joined: "and" | "or" | null
}

const join = (parts: ReadonlyArray<Part>, joined: "and" | "or", words: SentenceWords): Part => {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const texts = parts.map((part) => (part.joined === null || part.joined === joined ? part.text : `(${part.text})`))
  return { text: texts.join(words[joined]), joined }
}

const recordOf = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown }) : {}

class Writer {
  private readonly words: SentenceWords
  private readonly segments: SegmentNames

  constructor(words: SentenceWords, segments: SegmentNames) {
    this.words = words
    this.segments = segments
  }

  tree({ logic, groups }: FilterTree): Part {
    return join(
      groups.map((group) => this.group(group)),
      logic === "OR" ? "or" : "and",
      this.words
    )
  }

  private group({ filters, conditions }: TreeGroup): Part {
    const parts: Array<Part> = (filters ?? []).map((filter) => ({ text: this.filter(filter), joined: null }))
    if (conditions && conditions.groups.length > 0) parts.push(this.tree(conditions))
    return parts.length === 0 ? { text: this.words.missing, joined: null } : join(parts, "and", this.words)
  }

  private filter(filter: TreeFilter): string {
    const { words } = this
    switch (subjectOf(filter)) {
      case "segment": {
        const name = this.segmentName(nameOf(filter))
        return filter.operator === "memberOfSegment" ? words.member(name) : words.noMember(name)
      }
      case "event":
        return this.history(filter, words.event, nameOf(filter) || words.missing) + this.where(filter)
      case "mail":
        return this.history(filter, words.mail, words.activities[nameOf(filter) as MailActivity]) + this.where(filter)
      default:
        return this.comparison(filter)
    }
  }

  private segmentName(id: string): string {
    return this.words.segment(this.segments.get(id.toLowerCase()) ?? (id || this.words.missing))
  }

  private history(filter: TreeFilter, words: SentenceWords["event"], name: string): string {
    const { operator, value, unit } = filter
    const { amount = value, atLeast } = recordOf(value)
    const times = typeof atLeast === "number" ? atLeast : 1
    const span = this.span(amount, unit)
    switch (operator) {
      case "notTriggered":
        return words.never(name)
      case "triggeredWithin":
        return words.happened(name, times) + this.words.inLast(span)
      case "notTriggeredWithin":
        return words.notWithin(name) + this.words.inLast(span)
      case "triggeredOlderThan":
        return words.older(name, span)
      default:
        return words.happened(name, times)
    }
  }

  /** What the data of the event must be. */
  private where({ where }: TreeFilter): string {
    if (where == null || where.length === 0) return ""
    const tests = where.map(({ path, ...test }) => this.comparison({ ...test, field: `data.${path}` }))
    return this.words.where(tests.join(this.words.and))
  }

  private comparison(filter: TreeFilter): string {
    const { words } = this
    const { operator, value, unit } = filter
    const kind = kindOf(filter)
    if (kind === "flag") {
      const isTrue = value !== false && value !== "false"
      return isTrue === (operator !== "notEquals") ? words.subscribed : words.unsubscribed
    }
    const field = this.fieldName(nameOf(filter))
    if (operator === "between") {
      const [low, high] = Array.isArray(value) ? value : []
      return words.between(field, this.value(low), this.value(high))
    }
    if (kind === "time" && operator === "greaterThan") return words.after(field, this.value(value))
    if (kind === "time" && operator === "lessThan") return words.before(field, this.value(value))
    const write = (words.values as { readonly [name: string]: (field: string, value: string) => string })[operator]
    if (write === undefined) return `${field} ${operator} ${this.value(value)}`
    if (shapeOf(operator) === "span") return write(field, this.span(value, unit))
    return write(field, shapeOf(operator) === "list" ? this.list(value) : this.value(value))
  }

  /** `data.plan` reads as `plan`, but a key that has the name of a standard field keeps its prefix. */
  private fieldName(name: string): string {
    const { fields, missing } = this.words
    if (Object.hasOwn(fields, name)) return fields[name as keyof typeof fields]
    const key = name.replace(/^data\./, "")
    return (Object.hasOwn(fields, key) || key === "subscribed" ? name : key) || missing
  }

  private span(amount: unknown, unit: TreeFilter["unit"] | null): string {
    const given = typeof amount === "number" || typeof amount === "string" ? String(amount) : ""
    const form = given === "1" ? "one" : "other"
    return `${given || this.words.missing} ${unit ? this.words.units[unit][form] : this.words.missing}`
  }

  private value(value: unknown): string {
    const { missing, nothing, flags } = this.words
    if (value === undefined || value === "") return missing
    if (value === null) return nothing
    if (typeof value === "boolean") return flags[`${value}`]
    const type = typeOfValue(value)
    return type === "number" || type === "day" || type === "moment" ? String(value) : JSON.stringify(value)
  }

  private list(value: unknown): string {
    const entries = Array.isArray(value) ? value.map((entry) => this.value(entry)) : []
    const last = entries.at(-1)
    if (last === undefined) return this.words.missing
    return entries.length === 1 ? last : `${entries.slice(0, -1).join(", ")}${this.words.listEnd}${last}`
  }
}

export const sentenceOf = (tree: FilterTree, words: SentenceWords, segments: SegmentNames = new Map()): string =>
  tree.groups.length === 0 ? words.everyone : words.contacts(new Writer(words, segments).tree(tree).text)
