/** Where files are kept: a port. Keys are made by this service only, and name their project first. */
import { Context, Data, Effect, type Option, type Stream } from "effect"

/** Storage does not answer, or not as it should; the cause is for the log. */
export class StorageFailed extends Data.TaggedError("StorageFailed")<{ readonly cause: unknown }> {}

export interface StoredObject {
  /** In bytes, where it is known beforehand. */
  readonly size: number | undefined
  readonly content: Stream.Stream<Uint8Array, StorageFailed>
}

export interface ObjectStorage {
  /** What a deployment tells about itself. */
  readonly kind: "none" | "folder" | "s3"
  /** All of it or nothing is there afterwards; the same key always has the same content. */
  readonly put: (key: string, content: Uint8Array, contentType: string) => Effect.Effect<void, StorageFailed>
  readonly get: (key: string) => Effect.Effect<Option.Option<StoredObject>, StorageFailed>
  /** As `get`, without asking for the content. */
  readonly look: (key: string) => Effect.Effect<Option.Option<Pick<StoredObject, "size">>, StorageFailed>
  /** What is not there is as good as deleted. */
  readonly delete: (key: string) => Effect.Effect<void, StorageFailed>
  /** Succeeds when it answers and lets this service in; writes nothing. */
  readonly check: Effect.Effect<void, StorageFailed>
  /** Where the storage itself serves it; nothing where this service does. */
  readonly publicUrl: (key: string) => string | undefined
}

const failure = Effect.fail(new StorageFailed({ cause: new Error("No storage is configured.") }))

/** A host that has none takes no files. */
const none: ObjectStorage = {
  kind: "none",
  put: () => failure,
  get: () => failure,
  look: () => failure,
  delete: () => failure,
  check: failure,
  publicUrl: () => undefined
}

export const ObjectStorage = Context.Reference<ObjectStorage>("@posthorn/core/uploads/ObjectStorage", {
  defaultValue: () => none
})
