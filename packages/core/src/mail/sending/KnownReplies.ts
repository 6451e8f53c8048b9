/**
 * The replies of mailbox providers whose meaning is known, and what follows from each. The first row that fits counts.
 *
 * The patterns see the reply on one line, as `421 4.7.28 Our system has detected ...`: see `lineOf`.
 */
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { Reply } from "./Replies.ts"

export type KnownAction =
  /** The provider wants less mail. */
  | { readonly kind: "slow" }
  /** The provider takes no bulk mail for a time. */
  | { readonly kind: "suspend"; readonly minutes: number }
  /** Only this recipient gets too much mail. */
  | { readonly kind: "recipient" }
  /** The sender domain does not prove itself. Sending more slowly does not help. */
  | { readonly kind: "authentication" }

export interface KnownReply {
  /** Undefined: any provider. */
  readonly providers?: ReadonlyArray<Provider>
  /** The code and the enhanced code, at the start of the line. */
  readonly code: RegExp
  /** Somewhere in the line. */
  readonly text?: RegExp
  readonly action: KnownAction
}

const slow: KnownAction = { kind: "slow" }
const suspend = (minutes: number): KnownAction => ({ kind: "suspend", minutes })

export const knownReplies: ReadonlyArray<KnownReply> = [
  {
    providers: ["GMAIL", "OUTLOOK", "MICROSOFT365"],
    code: /^[45]\d\d [45]\.7\.(?:2[5-7]|29|3[0-2]) /,
    action: { kind: "authentication" }
  },
  {
    providers: ["GMAIL", "OUTLOOK", "MICROSOFT365"],
    code: /^5\d\d 5\.7\.515 /,
    action: { kind: "authentication" }
  },
  { providers: ["GMAIL"], code: /^421 4\.7\.28 /, action: slow },
  { providers: ["GMAIL"], code: /^4\d\d 4\.7\.0 /, text: /try again later/i, action: slow },
  { providers: ["GMAIL"], code: /^4\d\d 4\.2\.1 /, action: { kind: "recipient" } },
  { providers: ["YAHOO"], code: /^4\d\d /, text: /\[TS0[23]\]/, action: slow },
  { providers: ["YAHOO"], code: /^4\d\d /, text: /\[(?:TSS|IPTS)04\]/, action: suspend(120) },
  { providers: ["YAHOO"], code: /^4\d\d /, text: /\[(?:TSS|IPTS)05\]/, action: suspend(240) },
  { providers: ["OUTLOOK", "MICROSOFT365"], code: /^4\d\d 4\.7\.65[0-2] /, action: slow },
  { providers: ["OUTLOOK", "MICROSOFT365"], code: /^[45]\d\d /, text: /\bRP-00[1-3]\b/, action: slow },
  { providers: ["OUTLOOK", "MICROSOFT365"], code: /^[45]\d\d /, text: /\bS31[45]0\b/, action: suspend(120) },
  { providers: ["APPLE"], code: /^[45]\d\d /, text: /\[(?:HCM1|BS02)\]/, action: suspend(15) },
  {
    providers: ["GMX", "ORANGE", "QQ", "NETEASE"],
    code: /^[45]\d\d /,
    text: /(?:too many connections|trop de connexions|frequency limited)/i,
    action: slow
  },
  { code: /^421 /, action: slow },
  { code: /^4\d\d 4\.7\.\d/, action: slow },
  { code: /^450 4\.2\.1 /, action: slow },
  { code: /^4\d\d /, text: /(?:\brate\b|too many)/i, action: slow }
]

/** The characters of a reply that are looked at. */
const longest = 1_000

const inText = /^(\d{3})(?:[ -]|$)/
const enhancedInText = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?: |$)/

/** Code, enhanced code and text on one line. The code at the start of each line of a long reply is left out. */
export const lineOf = ({ code, enhancedCode, reply }: Reply): string => {
  const lines = reply.slice(0, longest).split(/\r?\n/)
  const first = lines[0] ?? ""
  const number = code ?? inText.exec(first)?.[1] ?? (enhancedCode ?? enhancedInText.exec(first)?.[1])?.[0]?.concat("50")
  const enhanced = enhancedCode ?? enhancedInText.exec(first)?.[1] ?? "-"
  const text = lines.map((line) =>
    line
      .replace(inText, "")
      .replace(/^[245]\.\d{1,3}\.\d{1,3} /, "")
      .trim()
  )
  return `${number ?? "000"} ${enhanced} ${text.join(" ")}`
}

/** The row that fits a reply. Undefined if none does. */
export const knownReply = (provider: Provider | null, reply: Reply): KnownReply | undefined => {
  const line = lineOf(reply)
  return knownReplies.find(
    ({ code, providers, text }) =>
      (providers === undefined || (provider !== null && providers.includes(provider))) &&
      code.test(line) &&
      (text === undefined || text.test(line))
  )
}
