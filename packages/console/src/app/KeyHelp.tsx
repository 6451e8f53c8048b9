/** All keys, in a dialog that `?` opens. */
import type { ReactNode } from "react"
import { Dialog } from "../kit/Dialog.tsx"
import { Facts } from "../kit/Layout.tsx"
import { placeGroups } from "./navigation.ts"
import { paletteWords } from "./paletteWords.ts"
import { shellWords } from "./shellWords.ts"

const Key = ({ children }: { readonly children: string }) => <kbd>{children}</kbd>

const KeyHelp = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const words = paletteWords()
  const names = shellWords().places
  const places = placeGroups.flatMap((group) => group.places).filter(({ key }) => key !== undefined)
  return (
    <Dialog title={words.keys} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Facts
        facts={[
          [words.keyNames.palette, <Key key="palette">Ctrl K</Key>],
          [words.keyNames.search, <Key key="search">/</Key>],
          [words.keyNames.help, <Key key="help">?</Key>],
          [words.keyNames.close, <Key key="close">Esc</Key>],
          ...places.map(({ id, key }) => [names[id], <Key key={id}>{`g ${key}`}</Key>] as const)
        ]}
      />
    </Dialog>
  )
}

export default KeyHelp
