/** What other packages see of the contract; each module is a subpath too. */
export { Api } from "./Api.ts"
export { CurrentProject, ProjectId } from "./Auth.ts"
export { catalogue } from "./ErrorCatalogue.ts"
export { Envelope, Fault } from "./Errors.ts"
