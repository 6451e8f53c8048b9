/** The settings of one block. What is typed is kept in the source as long as the source stays MJML. */
import { Fragment, type ReactNode, useState } from "react"
import { Select, TextField } from "../../kit/Field.tsx"
import { Stack } from "../../kit/Layout.tsx"
import { editorWords } from "../words.ts"
import { attributeOf, contentOf, type Edit, withAttribute, withContent, withSource } from "./edits.ts"
import { ImagePicker } from "./ImagePicker.tsx"
import { contentAs, type Setting, settingsOf } from "./kinds.ts"
import type { Entry } from "./outline.ts"

interface BlockSettingsProps {
  readonly source: string
  readonly entry: Entry
  /** False if the source would be no MJML any more. */
  readonly onEdit: (edit: Edit, field: string) => boolean
}

/** A text that is shown as typed while it cannot be kept. */
const useKept = (value: string, onKeep: (value: string) => boolean) => {
  const [unkept, setUnkept] = useState<string | null>(null)
  return {
    value: unkept ?? value,
    isInvalid: unkept !== null,
    onChange: (next: string) => setUnkept(onKeep(next) ? null : next)
  }
}

const Content = ({
  source,
  entry,
  as,
  onEdit
}: BlockSettingsProps & { readonly as: "content" | "label" | "source" }) => {
  const words = editorWords().blocks
  const { block } = entry
  const isSource = as === "source"
  const kept = useKept(isSource ? source.slice(block.start, block.end) : contentOf(source, block), (text) =>
    onEdit(isSource ? withSource(source, block, text) : withContent(source, block, text), as)
  )
  return (
    <TextField
      label={words.fields[as]}
      help={kept.isInvalid ? words.breaks : as === "content" ? words.contentHelp : undefined}
      {...(as !== "label" && { rows: isSource ? 12 : 6 })}
      {...kept}
    />
  )
}

export const BlockSettings = (props: BlockSettingsProps): ReactNode => {
  const words = editorWords().blocks
  const { source, entry, onEdit } = props
  const { block, kind } = entry
  const as = contentAs(kind)
  const change = (name: Setting) => (value: string) => void onEdit(withAttribute(source, block, name, value), name)
  const examples: { readonly [name: string]: string } = words.examples
  return (
    <Stack>
      <h3>{words.kinds[kind]}</h3>
      {as !== null && <Content {...props} as={as} />}
      {settingsOf[kind].map((name) =>
        name === "align" ? (
          <Select
            key={name}
            label={words.fields[name]}
            choices={(["", "left", "center", "right"] as const).map((id) => ({ id, name: words.aligns[id] }))}
            value={attributeOf(block, name) as "" | "left" | "center" | "right"}
            onChange={change(name)}
          />
        ) : (
          <Fragment key={name}>
            <TextField
              label={words.fields[name]}
              placeholder={examples[name]}
              value={attributeOf(block, name)}
              onChange={change(name)}
            />
            {name === "src" && <ImagePicker onChoose={change(name)} />}
          </Fragment>
        )
      )}
    </Stack>
  )
}
