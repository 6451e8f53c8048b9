/** Images for the bodies of mails. They are validated, stored once, and public. */

import {
  type ImagePage,
  type ImageQuery,
  NotAnImage,
  type StoredImage,
  type UploadedImage
} from "@posthorn/contract/content/uploads/Image"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type InvalidCursor,
  PayloadTooLarge,
  ResourceNotFound,
  ServiceUnavailable
} from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
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
    /** The public address of an image, by the two parts of its key. */
    readonly url: (project: string, name: string) => string
    /** Stores the image unless the project already has it. On failure nothing is stored and no space is used. */
    readonly upload: (
      project: ProjectId,
      file: { readonly bytes: Uint8Array; readonly filename: string }
    ) => Effect.Effect<UploadedImage, NotAnImage | PayloadTooLarge | ServiceUnavailable>
    /** Newest first. */
    readonly list: (project: ProjectId, query: ImageQuery) => Effect.Effect<ImagePage, InvalidCursor>
    /** Deletes an image by its name, which is the second part of its key. Accepts any text. */
    readonly delete: (project: ProjectId, name: string) => Effect.Effect<void, ResourceNotFound | ServiceUnavailable>
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

const typeOf = (name: string): StoredImage["contentType"] | undefined => {
  const extension = nameForm.exec(name)?.groups?.["extension"]
  return Object.entries(imageTypes).find(([known]) => known === extension)?.[1]
}

const unavailable = <A>(stored: Effect.Effect<A, StorageFailed>) =>
  stored.pipe(
    Effect.tapError(({ cause }) => Effect.logError("The storage of images failed", cause)),
    Effect.mapError(() => new ServiceUnavailable())
  )

export const layer: Layer.Layer<Images, never, Cursors | Digest.Digest | SqlClient.SqlClient> = Layer.effect(
  Images,
  Effect.gen(function* () {
    const store = yield* ImageStore.make
    const cursors = yield* Cursors
    const storage = yield* ObjectStorage
    const digest = yield* Digest.Digest
    const { publicUrl } = yield* Settings

    const urlOf = (key: string) => storage.publicUrl(key) ?? `${publicUrl}/uploads/${key}`

    /** Stores the image unless it is there. False if it was deleted meanwhile. */
    const keep = Effect.fnUntraced(function* (
      project: ProjectId,
      name: string,
      bytes: Uint8Array,
      contentType: StoredImage["contentType"]
    ) {
      const key = `${project}/${name}`
      const room = yield* store.reserve(project, { name, size: bytes.length }, maxProjectBytes, yield* DateTime.now)
      if (room === "full") return yield* new PayloadTooLarge({ limitBytes: maxProjectBytes })
      // A deletion that died halfway leaves the record of an image without its content.
      if (room === "there" && Option.isSome(yield* unavailable(storage.look(key)))) return true
      return yield* unavailable(storage.put(key, bytes, contentType)).pipe(
        Effect.andThen(store.markStored(project, name)),
        Effect.onError(() => store.release(project, name))
      )
    })

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
      // A deletion of the same image may come between. The upload is then the later of the two.
      while (!(yield* keep(project, name, bytes, contentType)));
      return {
        url: urlOf(key),
        key,
        filename: shown(filename),
        contentType,
        size: bytes.length,
        width,
        height
      }
    })

    const list = Effect.fn("Images.list")(function* (project: ProjectId, query: ImageQuery) {
      const scope = JSON.stringify(["images", project])
      const page = yield* cursorPage(
        cursors,
        { scope, cursor: query.cursor, limit: pageSize(query) },
        {
          count: store.count(project),
          list: (limit, after) => store.list(project, limit, after),
          positionOf: ({ createdAt, name }) => ({ key: DateTime.formatIso(createdAt), id: name })
        }
      )
      const data = page.data.flatMap(({ name, size, createdAt }): ReadonlyArray<StoredImage> => {
        const contentType = typeOf(name)
        const key = `${project}/${name}`
        return contentType === undefined ? [] : [{ url: urlOf(key), key, contentType, size, createdAt }]
      })
      return { ...page, data }
    })

    const remove = Effect.fn("Images.delete")(function* (project: ProjectId, name: string) {
      const isGone =
        typeOf(name) !== undefined &&
        (yield* store.remove(project, name, unavailable(storage.delete(`${project}/${name}`))))
      if (!isGone) return yield* new ResourceNotFound({ resource: "image", id: name.slice(0, 100) })
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

    const url = (project: string, name: string) => urlOf(`${project}/${name}`)

    return Images.of({ storage: storage.kind, url, upload, list, delete: remove, find, look, wipeSome })
  })
)
