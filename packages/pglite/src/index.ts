/** PostgreSQL inside the process, as a layer. */
export { FolderInUse, holderOf } from "./FolderLock.ts"
export { layer, type Options } from "./Pglite.ts"
