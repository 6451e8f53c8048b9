/** Posthorn as a process: `dev`, `serve` and `doctor` for a command line, and `runMain` to run them. */
export * as Config from "./Config.ts"
export { type DevOptions, dev } from "./Dev.ts"
export { doctor, type Finding } from "./Doctor.ts"
export * as Host from "./Host.ts"
export * as Logs from "./Logs.ts"
export { runMain, standardError } from "./Process.ts"
export { type Readiness, type ServeOptions, serve } from "./Serve.ts"
export { version } from "./Version.ts"
