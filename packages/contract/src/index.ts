/** Exports for other packages. Each module is also a subpath of the package. */
export { Api } from "./Api.ts"
export { CurrentProject, ProjectId } from "./platform/Auth.ts"
export { catalogue } from "./platform/ErrorCatalogue.ts"
export { Envelope, Fault } from "./platform/Errors.ts"
