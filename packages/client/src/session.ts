/** The client for pages of the service's own origin, which call with the session of their user. */
export type { Answer, Call, ClientErrorCode, Meta } from "./Answer.ts"
export { PosthornError } from "./Answer.ts"
export type { List, WholeList } from "./List.ts"
export type { CallOptions, KeyedCallOptions, SessionOptions } from "./Options.ts"
export { PosthornSession } from "./PosthornSession.ts"
export type * from "./resources.generated.ts"
export type * from "./session.generated.ts"
export type * from "./types.generated.ts"
