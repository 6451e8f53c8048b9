/** All pages of the documentation, made from the OpenAPI document and the guides. */
import { groupsOf } from "./document/Groups.ts"
import type { OpenApiDocument } from "./document/OpenApiDocument.ts"
import { errorsPage, groupPage, schemasPage } from "./pages/ApiPages.ts"
import { firstPage, guidePages } from "./pages/GuidePages.ts"
import { addressOf, framed, markdownAddressOf, type Page, type Site } from "./pages/Page.ts"

export interface Options {
  /** The address of the console; absent if the server has none. */
  readonly console?: string | undefined
}

export const siteOf = (document: OpenApiDocument, options: Options = {}): Site => {
  const groups = groupsOf(document)
  const guides = guidePages(groups)
  return {
    title: document.info.title,
    version: document.info.version,
    console: options.console,
    sections: [
      { title: "Guides", pages: [firstPage(document, groups, guides), ...guides] },
      { title: "API", pages: groups.map(groupPage) },
      { title: "Reference", pages: [errorsPage(document), schemasPage(document)] }
    ]
  }
}

export interface File {
  readonly type: string
  /** Joined, they are the text of the file. */
  readonly parts: () => Iterable<string>
}

export const pagesOf = (site: Site): ReadonlyArray<Page> => site.sections.flatMap(({ pages }) => pages)

/** Every page as HTML and as Markdown, by its address. */
export const filesOf = (site: Site): ReadonlyMap<string, File> =>
  new Map(
    pagesOf(site).flatMap(
      (page): ReadonlyArray<readonly [string, File]> => [
        [
          addressOf(page),
          { type: "text/html; charset=utf-8", parts: () => Iterator.from(framed(site, page)).map(String) }
        ],
        [markdownAddressOf(page), { type: "text/markdown; charset=utf-8", parts: () => [page.markdown()] }]
      ]
    )
  )
