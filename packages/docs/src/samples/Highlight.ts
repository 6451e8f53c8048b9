/** Colours code: comments, texts, numbers and words of the language. */
import { type HtmlValue, html } from "@posthorn/core/platform/web/Html"

export const languageNames: { readonly [language: string]: string | undefined } = {
  ts: "TypeScript",
  sh: "Shell",
  json: "JSON",
  ini: "Settings",
  yaml: "YAML"
}

const words = {
  ts: /^(?:import|from|const|await|for|of|if|else|new|async|return|export|as|true|false|null|undefined)$/,
  sh: /^(?:curl|posthorn|npx|npm|export)$/,
  json: /^(?:true|false|null)$/
}

/** The first that matches wins: a comment, a text, a number or a word. */
const pieces = {
  ts: /(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(\b\d[\d_.]*\b)|([A-Za-z_$][\w$]*)/g,
  sh: /((?<=^|\s)#[^\n]*)|("(?:[^"\\]|\\.)*"|'[^']*')|(\B-{1,2}[A-Za-z][\w-]*)|([A-Za-z_][\w]*)/g,
  json: /(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*")|(-?\b\d[\d.]*\b)|([a-z]+)/g
}

type Language = keyof typeof pieces

const isLanguage = (name: string): name is Language => Object.hasOwn(pieces, name)

const classOf = (language: Language, found: RegExpExecArray, text: string): string | undefined => {
  const [, comment, quoted, number, word] = found
  if (comment !== undefined) return "c"
  // The key of an object in JSON is no value.
  if (quoted !== undefined) {
    return language === "json" && text.slice(found.index + quoted.length, found.index + quoted.length + 1) === ":"
      ? "k"
      : "s"
  }
  if (number !== undefined) return "n"
  // A field may be called like a word of the language.
  const next = text.charAt(found.index + found[0].length)
  const isField = language === "ts" && (next === ":" || text.charAt(found.index - 1) === ".")
  return word !== undefined && !isField && words[language].test(word) ? "w" : undefined
}

/** The code as markup. A language that is not known stays plain. */
export const highlighted = (text: string, language: string): HtmlValue => {
  if (!isLanguage(language)) return text
  const parts: Array<HtmlValue> = []
  let end = 0
  for (const found of text.matchAll(pieces[language])) {
    const name = classOf(language, found, text)
    if (name === undefined) continue
    parts.push(text.slice(end, found.index), html`<span class="${name}">${found[0]}</span>`)
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}
