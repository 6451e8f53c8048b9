/** The part of html-to-text 10 that is used here. The package has no types of its own. */
declare module "html-to-text" {
  interface Element {
    readonly attribs: Readonly<Record<string, string | undefined>>
    readonly children: ReadonlyArray<unknown>
  }
  interface Builder {
    addInline(text: string, options?: { readonly noWordTransform: boolean }): void
    pushWordTransform(transform: (word: string) => string): void
    popWordTransform(): void
  }
  type Formatter = (
    element: Element,
    walk: (children: ReadonlyArray<unknown>, builder: Builder) => void,
    builder: Builder
  ) => void
  interface Selector {
    readonly selector: string
    readonly format?: string
    readonly options?: Readonly<Record<string, unknown>>
  }
  interface Options {
    readonly wordwrap: false
    readonly limits: { readonly maxInputLength: number; readonly maxDepth: number; readonly ellipsis: string }
    readonly formatters: Readonly<Record<string, Formatter>>
    readonly selectors: ReadonlyArray<Selector>
  }
  export const compile: (options: Options) => (html: string) => string
}
