/** Where analytics libraries put the key of a project. Pure. */
import { Option, Predicate } from "effect"

const decodeBasic = Option.liftThrowable((text: string) => atob(text))

const basic = /^basic\s+([\w+/=-]{1,1000})$/i
const bearer = /^bearer\s+(\S{1,1000})$/i

const longest = 1_000

const textIn = (value: unknown) =>
  Predicate.isString(value) && value.trim() !== "" && value.length <= longest ? value.trim() : undefined

export interface WriteKeySources {
  readonly authorization: string | undefined
  readonly header: string | undefined
  readonly body: unknown
  readonly query: unknown
}

/** The first one that is given, up to its first colon. Empty if there is none. */
export const writeKeyIn = ({ authorization = "", header, body, query }: WriteKeySources): string => {
  const [, encoded] = authorization.length <= longest ? (basic.exec(authorization.trim()) ?? []) : []
  const [, token] = authorization.length <= longest ? (bearer.exec(authorization.trim()) ?? []) : []
  const user = encoded === undefined ? undefined : Option.getOrUndefined(decodeBasic(encoded))
  const found = textIn(user) ?? textIn(header) ?? textIn(body) ?? textIn(query) ?? token ?? ""
  return found.split(":", 1)[0] ?? ""
}
