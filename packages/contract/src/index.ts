/** Exports for other packages. `package.json` names the modules that are subpaths of the package. */
export { Api } from "./Api.ts"
export { CurrentProject, ProjectId } from "./platform/Auth.ts"
export { catalogue } from "./platform/ErrorCatalogue.ts"
export { ErrorEnvelope, Fault } from "./platform/Errors.ts"
