/**
 * The part of a rendered text that is the same for all recipients: the text with a mark for each printed value.
 *
 * A mark is one character of the private use area. Equal values have the same mark. Only values that are words
 * separated by single blanks get a mark. So an operation that works word by word can run once on the skeleton, and the
 * values are filled in for each recipient.
 */
const firstMark = 0xe000
const maxMarks = 1_000
const marks = /[\ue000-\uf8ff]/g

export const hasMark = (text: string): boolean => text.search(marks) !== -1

const words = /^[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u
const maxValue = 1_000

export class Skeleton {
  text = ""
  private readonly values: Array<string> = []
  private readonly known = new Map<string, string>()
  private marked = 0

  /** Adds a piece of the rendered text. `value` is its unescaped form. */
  write(piece: string, value?: string): void {
    this.text += value === undefined ? piece : (this.mark(value) ?? piece)
  }

  /** Whether the text itself contains none of the characters that are used as marks. */
  get isUnambiguous(): boolean {
    return this.marked === (this.text.match(marks)?.length ?? 0)
  }

  /** Replaces the marks with their values in a text that was made from the skeleton. */
  fill(made: string): string {
    return this.marked === 0 ? made : made.replace(marks, (mark) => this.values[mark.charCodeAt(0) - firstMark] ?? mark)
  }

  private mark(value: string): string | undefined {
    let mark = this.known.get(value)
    if (mark === undefined) {
      if (this.values.length === maxMarks || value.length > maxValue || !words.test(value)) return undefined
      mark = String.fromCharCode(firstMark + this.values.length)
      this.values.push(value)
      this.known.set(value, mark)
    }
    this.marked++
    return mark
  }
}
