/** The port for file storage. Only the service creates keys, and a key begins with its project. */
import { Context, Data, Effect, type Option, type Stream } from "effect"

/** The storage does not respond, or responds incorrectly. The cause is for the log. */
export class StorageFailed extends Data.TaggedError("StorageFailed")<{ readonly cause: unknown }> {}

export interface StoredObject {
  /** In bytes, if known in advance. */
  readonly size: number | undefined
  readonly content: Stream.Stream<Uint8Array, StorageFailed>
}

export interface ObjectStorage {
  /** The kind of storage that a deployment reports about itself. */
  readonly kind: "none" | "folder" | "s3"
  /** Stores the whole content or nothing. The same key always has the same content. */
  readonly put: (key: string, content: Uint8Array, contentType: string) => Effect.Effect<void, StorageFailed>
  readonly get: (key: string) => Effect.Effect<Option.Option<StoredObject>, StorageFailed>
  /** As `get`, without fetching the content. */
  readonly look: (key: string) => Effect.Effect<Option.Option<Pick<StoredObject, "size">>, StorageFailed>
  /** Deleting a missing file succeeds. */
  readonly delete: (key: string) => Effect.Effect<void, StorageFailed>
  /** Succeeds if the storage responds and grants access. Writes nothing. */
  readonly check: Effect.Effect<void, StorageFailed>
  /** The URL if the storage itself serves the file. Undefined if the service serves it. */
  readonly publicUrl: (key: string) => string | undefined
}

const failure = Effect.fail(new StorageFailed({ cause: new Error("No storage is configured.") }))

/** The default: a host without storage accepts no files. */
const none: ObjectStorage = {
  kind: "none",
  put: () => failure,
  get: () => failure,
  look: () => failure,
  delete: () => failure,
  check: failure,
  publicUrl: () => undefined
}

export const ObjectStorage = Context.Reference<ObjectStorage>("@posthorn/core/content/uploads/ObjectStorage", {
  defaultValue: () => none
})
