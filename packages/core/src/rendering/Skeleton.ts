/**
 * What a rendered text has in common with that of other recipients: itself, with a mark where a value was printed.
 *
 * A mark is one character of the private use area, the same wherever the same value stands. A value is marked that is
 * words with single blanks between them, so whatever is done with a text word by word can be done with its skeleton once,
 * and the values put in place for each recipient.
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

  /** A piece of the rendered text; `value` is what was escaped to it. */
  write(piece: string, value?: string): void {
    this.text += value === undefined ? piece : (this.mark(value) ?? piece)
  }

  /** None of the characters that are taken for marks was part of the text itself. */
  get isUnambiguous(): boolean {
    return this.marked === (this.text.match(marks)?.length ?? 0)
  }

  /** What was made of the skeleton, with its values in place of the marks. */
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
