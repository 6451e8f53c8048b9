/** Images for the bodies of mails. They are validated, stored once, and public. */

import { NotAnImage, type UploadedImage } from "@posthorn/contract/content/uploads/Image"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { PayloadTooLarge, ServiceUnavailable } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { Settings } from "../../platform/Settings.ts"
import { imageHeader, imageTypes } from "./ImageHeader.ts"
import * as ImageStore from "./ImageStore.ts"
import { ObjectStorage, type StorageFailed, type StoredObject } from "./ObjectStorage.ts"

export interface ServedImage extends StoredObject {
  readonly contentType: string
}

/** A service, because HTTP handlers and the deletion of projects call it. */
export class Images extends Context.Service<
  Images,
  {
    /** The kind of storage in use. */
    readonly storage: ObjectStorage["kind"]
    /** Stores the image unless the project already has it. On failure nothing is stored and no space is used. */
    readonly upload: (
      project: ProjectId,
      file: { readonly bytes: Uint8Array; readonly filename: string }
    ) => Effect.Effect<UploadedImage, NotAnImage | PayloadTooLarge | ServiceUnavailable>
    /** Finds an image by the two parts of its key. Accepts any text. */
    readonly find: (project: string, name: string) => Effect.Effect<Option.Option<ServedImage>, ServiceUnavailable>
    /** As `find`, without the content. */
    readonly look: (
      project: string,
      name: string
    ) => Effect.Effect<Option.Option<Omit<ServedImage, "content">>, ServiceUnavailable>
    /**
     * Removes some images of a project that is being deleted, from storage first. Returns false if there were none
     * left.
     */
    readonly wipeSome: (project: ProjectId) => Effect.Effect<boolean, StorageFailed>
  }
>()("@posthorn/core/content/uploads/Images") {}

/** The maximum total size of the images of a project, in bytes. */
export const maxProjectBytes = 1024 * 1024 * 1024
const maxFilename = 255
const wipeBatch = 100
const wipeConcurrency = 8

/** A file name for display, without a path and without invisible characters. */
const shown = (filename: string): string =>
  (filename.split(/[/\\]/).at(-1) ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").slice(0, maxFilename)

const projectForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const nameForm = /^[0-9a-f]{64}\.(?<extension>gif|jpg|png|webp)$/

const typeOf = (name: string): string | undefined => {
  const extension = nameForm.exec(name)?.groups?.["extension"]
  return Object.entries(imageTypes).find(([known]) => known === extension)?.[1]
}

const unavailable = <A>(stored: Effect.Effect<A, StorageFailed>) =>
  stored.pipe(
    Effect.tapError(({ cause }) => Effect.logError("The storage of images failed", cause)),
    Effect.mapError(() => new ServiceUnavailable())
  )

export const layer: Layer.Layer<Images, never, Digest.Digest | SqlClient.SqlClient> = Layer.effect(
  Images,
  Effect.gen(function* () {
    const store = yield* ImageStore.make
    const storage = yield* ObjectStorage
    const digest = yield* Digest.Digest
    const { publicUrl } = yield* Settings

    const upload = Effect.fn("Images.upload")(function* (
      project: ProjectId,
      { bytes, filename }: { readonly bytes: Uint8Array; readonly filename: string }
    ) {
      const header = imageHeader(bytes)
      if (header === undefined) return yield* new NotAnImage()
      const { extension, width, height } = header
      const contentType = imageTypes[extension]
      const name = `${yield* Effect.orDie(digest.digestHex(Digest.sha256, bytes))}.${extension}`
      const key = `${project}/${name}`
      const now = yield* DateTime.now
      const image = { name, size: bytes.length }
      const room = yield* store.reserve(project, image, maxProjectBytes, now)
      if (room === "full") return yield* new PayloadTooLarge({ limitBytes: maxProjectBytes })
      if (room === "reserved") {
        yield* unavailable(storage.put(key, bytes, contentType)).pipe(
          Effect.andThen(store.markStored(project, image, now)),
          Effect.onError(() => store.release(project, name))
        )
      }
      return {
        url: storage.publicUrl(key) ?? `${publicUrl}/uploads/${key}`,
        key,
        filename: shown(filename),
        contentType,
        size: bytes.length,
        width,
        height
      }
    })

    const ofKey = Effect.fnUntraced(function* <A>(
      project: string,
      name: string,
      ask: (key: string) => Effect.Effect<Option.Option<A>, StorageFailed>
    ) {
      const contentType = typeOf(name)
      if (contentType === undefined || !projectForm.test(project)) return Option.none()
      const found = yield* unavailable(ask(`${project}/${name}`))
      return Option.map(found, (object) => ({ ...object, contentType }))
    })

    const find = Effect.fn("Images.find")((project: string, name: string) => ofKey(project, name, storage.get))
    const look = Effect.fn("Images.look")((project: string, name: string) => ofKey(project, name, storage.look))

    const wipeSome = Effect.fn("Images.wipeSome")(function* (project: ProjectId) {
      const names = yield* store.some(project, wipeBatch)
      yield* Effect.forEach(names, (name) => storage.delete(`${project}/${name}`), { concurrency: wipeConcurrency })
      if (names.length > 0) yield* store.forget(project, names)
      return names.length > 0
    })

    return Images.of({ storage: storage.kind, upload, find, look, wipeSome })
  })
)
