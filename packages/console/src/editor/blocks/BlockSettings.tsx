/** The settings of one block. What is typed is kept in the source as long as the source stays MJML. */
import { lazy, memo, type ReactNode, Suspense, useCallback, useId, useMemo, useRef, useState } from "react"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Bar, Row, Stack } from "../../kit/Layout.tsx"
import { editorWords } from "../words.ts"
import {
  attributeOf,
  contentOf,
  type Edit,
  inCondition,
  withAttribute,
  withContent,
  withoutCondition,
  withSource
} from "./edits.ts"
import { headEdit, themeSettingIds, themeSettings, themeValue, withTheme } from "./head.ts"
import { ImagePicker } from "./ImagePicker.tsx"
import { choicesOf, colourSettings, contentAs, kindOf, type Setting, settingsOf } from "./kinds.ts"
import { type Entry, expressionOf, staysBeside, withExpression, withStacking } from "./outline.ts"
import { Piece } from "./Piece.tsx"
import { docOf } from "./richText.ts"
import { isPair } from "./tree.ts"
import { useKept } from "./useKept.ts"

const RichText = lazy(async () => ({ default: (await import("./RichText.tsx")).RichText }))

interface BlockSettingsProps {
  readonly source: string
  readonly entry: Entry
  /** Names of variables that the mail uses or that contacts have. */
  readonly variables: ReadonlyArray<string>
  /** False if the source would be no MJML any more. A field: letters typed into it are one step of the history. */
  readonly onEdit: (edit: Edit | null, field: string | null) => boolean
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

/** Rich text where the HTML allows it; code else, and where it is asked for. */
const Writing = (props: BlockSettingsProps) => {
  const words = editorWords().blocks
  const { source, entry, variables, onEdit } = props
  const [isCode, setCode] = useState(false)
  const html = contentOf(source, entry.block)
  const doc = useMemo(() => docOf(html), [html])
  if (isCode || doc === null) {
    return (
      <>
        {doc === null && <p>{words.codeOnly}</p>}
        <Content {...props} as="content" />
        {doc !== null && <Button onPress={() => setCode(false)}>{words.asText}</Button>}
      </>
    )
  }
  return (
    <>
      <Suspense fallback={<Bar height={200} />}>
        <RichText
          label={words.fields.content}
          html={html}
          doc={doc}
          variables={variables}
          onChange={(next) => void onEdit(withContent(source, entry.block, next), "content")}
        />
      </Suspense>
      <Button onPress={() => setCode(true)}>{words.asCode}</Button>
    </>
  )
}

const Condition = ({ source, entry, variables, onEdit }: BlockSettingsProps) => {
  const words = editorWords().blocks
  const list = useId()
  const { block, kind } = entry
  const kept = useKept(expressionOf(source, block), (text) => onEdit(withExpression(source, block, text), "expression"))
  return (
    <>
      <TextField
        label={words.expressions[kind as "if" | "unless" | "each"]}
        help={kept.isInvalid ? words.noExpression : words.expressionHelp}
        list={list}
        {...kept}
      />
      <datalist id={list}>
        {variables.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

const Theme = ({ source, onEdit }: BlockSettingsProps) => {
  const words = editorWords().blocks
  const list = useId()
  return (
    <>
      <Colours id={list} source={source} />
      {themeSettingIds.map((id) => (
        <TextField
          key={id}
          label={words.theme[id]}
          value={themeValue(source, id)}
          onChange={(value) => void onEdit(headEdit(withTheme(source, id, value)), `theme ${id}`)}
          {...(colourSettings.has(themeSettings[id][1] as Setting) && { list })}
        />
      ))}
    </>
  )
}

/** The colours that the mail has, proposed wherever a colour is asked for. */
const Colours = ({ id, source }: { readonly id: string; readonly source: string }) => (
  <datalist id={id}>
    {[...new Set(source.match(/#[0-9a-fA-F]{6}\b/g))].slice(0, 12).map((colour) => (
      <option key={colour} value={colour} />
    ))}
  </datalist>
)

interface OwnFieldProps {
  readonly name: Setting
  readonly kind: Entry["kind"]
  readonly value: string
  /** The id of the proposed colours. */
  readonly list: string
  readonly onSet: (name: Setting, value: string) => void
}

/** Drawn again only if its own value changed: each letter of the text changes the source of all of them. */
const OwnField = memo(({ name, kind, value, list, onSet }: OwnFieldProps): ReactNode => {
  const words = editorWords().blocks
  const examples: { readonly [name: string]: string } = words.examples
  const values: { readonly [value: string]: string } = words.values
  const onChange = (value: string) => onSet(name, value)
  const choices = choicesOf[name]
  if (choices !== undefined) {
    const ids = ["", ...(value === "" || choices.includes(value) ? [] : [value]), ...choices]
    return (
      <Select
        label={words.fields[name]}
        choices={ids.map((id) => ({ id, name: values[id] ?? id }))}
        value={value}
        onChange={onChange}
      />
    )
  }
  return (
    <>
      <TextField
        label={words.fields[name]}
        placeholder={examples[name]}
        value={value}
        onChange={onChange}
        {...(name === "alt" && { help: words.altHelp })}
        {...(name === "src" && kind === "socialLink" && { help: words.iconHelp })}
        {...(colourSettings.has(name) && { list })}
      />
      {name === "src" && <ImagePicker onChoose={onChange} />}
    </>
  )
})

const Own = (props: BlockSettingsProps) => {
  const { source, entry } = props
  const list = useId()
  const latest = useRef(props)
  latest.current = props
  const onSet = useCallback((name: Setting, value: string) => {
    const { source, entry, onEdit } = latest.current
    onEdit(withAttribute(source, entry.block, name, value), name)
  }, [])
  return (
    <>
      <Colours id={list} source={source} />
      {settingsOf[entry.kind].map((name) => (
        <OwnField
          key={name}
          name={name}
          kind={entry.kind}
          value={attributeOf(entry.block, name)}
          list={list}
          onSet={onSet}
        />
      ))}
    </>
  )
}

export const BlockSettings = memo((props: BlockSettingsProps): ReactNode => {
  const words = editorWords().blocks
  const { source, entry, variables, onEdit } = props
  const { block, kind } = entry
  const as = contentAs(kind)
  const beside = withStacking(source, block, staysBeside(block))
  const isConditional = !["head", "body", "else", "socialLink"].includes(kind) && !isPair(block.tag)
  const hasElse = block.children.some((child) => kindOf(source, child) === "else")
  return (
    <Stack>
      <h2>{words.kinds[kind]}</h2>
      {kind === "head" && <Theme {...props} />}
      {kind === "head" && <Content {...props} as="source" />}
      {kind === "piece" && (
        <Piece
          expression={expressionOf(source, block)}
          onChange={(expression) => onEdit(withExpression(source, block, expression), "expression")}
        />
      )}
      {isPair(block.tag) && <Condition {...props} />}
      {as === "content" && <Writing {...props} />}
      {as !== null && as !== "content" && <Content {...props} as={as} />}
      <Own {...props} />
      {kind === "section" && beside !== null && (
        <Checkbox
          isSelected={!staysBeside(block)}
          onChange={(stacks) => void onEdit(withStacking(source, block, stacks), null)}
        >
          {words.stacks}
        </Checkbox>
      )}
      <Row>
        {isConditional && (
          <Button onPress={() => void onEdit(inCondition(source, block, variables[0] ?? "firstName"), null)}>
            {words.onlyIf}
          </Button>
        )}
        {isPair(block.tag) && !hasElse && (
          <Button onPress={() => void onEdit(withoutCondition(source, block), null)}>{words.always}</Button>
        )}
      </Row>
    </Stack>
  )
})
