/** Chooses the picture of an image block: one of the project, or a new one. */
import type { StoredImage } from "@posthorn/client/session"
import { Trash2 } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { useList } from "../../app/Lists.ts"
import { useMissingRole } from "../../app/Permission.ts"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { bytesText } from "../../kit/bytes.ts"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import kit from "../../kit/kit.module.css"
import { Bar, Empty, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import styles from "../editor.module.css"
import { editorWords } from "../words.ts"

const nameOf = ({ key }: StoredImage) => key.split("/").at(-1) ?? key

interface LibraryProps {
  readonly onChoose: (url: string) => void
}

const Library = ({ onChoose }: LibraryProps) => {
  const words = editorWords().images
  const fileId = useId()
  const missing = useMissingRole("uploads.removeImage")
  const [leaving, setLeaving] = useState<StoredImage | null>(null)
  const list = useList(["images"], (api, position, options) => api.uploads.images({ limit: 24, ...position }, options))
  const upload = useWrite((api, image: File) => api.uploads.image({ image }), {
    changes: ["images"],
    onDone: ({ url }) => onChoose(url)
  })
  const remove = useWrite((api, image: StoredImage) => api.uploads.removeImage(nameOf(image)), {
    changes: ["images"],
    onDone: () => notify(words.deleted)
  })
  return (
    <Stack>
      <div className={kit.field}>
        <label htmlFor={fileId} className={kit.label}>
          {words.upload}
        </label>
        <input
          id={fileId}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          className={kit.input}
          aria-describedby={`${fileId}-about`}
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file !== undefined) upload.mutate(file)
          }}
        />
        <span id={`${fileId}-about`} className={kit.help} role="status">
          {upload.isPending ? words.uploading : words.uploadHelp}
        </span>
      </div>
      {upload.error !== null && <Problem error={upload.error} />}
      {remove.error !== null && <Problem error={remove.error} />}
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading && <Bar height={160} />}
      {!list.isLoading && list.error === null && list.rows.length === 0 && <Empty about={words.none} />}
      <ul className={styles.pictures} aria-label={words.library}>
        {list.rows.map((image) => (
          <li key={image.key} className={styles.picture}>
            <AriaButton
              className={styles.pictureChoice ?? ""}
              aria-label={words.choose(nameOf(image).slice(0, 8), bytesText(image.size))}
              onPress={() => onChoose(image.url)}
            >
              <img src={image.url} alt="" loading="lazy" />
            </AriaButton>
            <Row>
              <span>
                {bytesText(image.size)}, <Time at={image.createdAt} />
              </span>
              <Button
                kind="quiet"
                isIcon
                missing={missing}
                aria-label={words.deleteOne(nameOf(image).slice(0, 8))}
                onPress={() => setLeaving(image)}
              >
                <Trash2 size={16} aria-hidden />
              </Button>
            </Row>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button isPending={list.isLoadingMore} onPress={list.more}>
          {words.more}
        </Button>
      )}
      <ConfirmDialog
        title={words.deleteTitle}
        action={words.delete}
        isDanger
        isOpen={leaving !== null}
        onOpenChange={(isOpen) => !isOpen && setLeaving(null)}
        onConfirm={() => leaving !== null && remove.mutate(leaving)}
      >
        <p>{words.deleteAbout}</p>
      </ConfirmDialog>
    </Stack>
  )
}

export const ImagePicker = ({ onChoose }: LibraryProps): ReactNode => {
  const words = editorWords().images
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>{words.open}</Button>
      {isOpen && (
        <Dialog title={words.title} isWide isOpen onOpenChange={setOpen}>
          {(close) => (
            <Library
              onChoose={(url) => {
                onChoose(url)
                close()
              }}
            />
          )}
        </Dialog>
      )}
    </>
  )
}
