/** Posthorn inside an application. */
export { createPosthorn, type Posthorn } from "./createPosthorn.ts"
export type { Services } from "./Doors.ts"
export { InvalidOption, type LogRecord, type PosthornOptions } from "./Options.ts"
