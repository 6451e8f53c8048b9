/** How the public pages of a project look and what they link to, as the project has set it. Pure. */
import { type Html, html } from "./Html.ts"
import type { Language } from "./Languages.ts"

/** The settings `pages.*` of a project. */
export interface PageBrand {
  /** Null: the name of the project. */
  readonly name: string | null
  readonly logoUrl: string | null
  /** `#rrggbb`, or null for the colour of the service. */
  readonly color: string | null
  readonly websiteUrl: string | null
  readonly privacyUrl: string | null
  readonly imprintUrl: string | null
}

const words: Readonly<Record<Language, { readonly privacy: string; readonly imprint: string }>> = {
  en: { privacy: "Privacy policy", imprint: "Legal notice" },
  de: { privacy: "Datenschutz", imprint: "Impressum" },
  fr: { privacy: "Protection des données", imprint: "Mentions légales" },
  es: { privacy: "Política de privacidad", imprint: "Aviso legal" },
  nl: { privacy: "Privacyverklaring", imprint: "Colofon" },
  pt: { privacy: "Política de privacidade", imprint: "Aviso legal" },
  it: { privacy: "Informativa sulla privacy", imprint: "Note legali" },
  pl: { privacy: "Polityka prywatności", imprint: "Nota prawna" },
  ja: { privacy: "プライバシーポリシー", imprint: "運営者情報" },
  "zh-CN": { privacy: "隐私政策", imprint: "法律声明" }
}

/** The colour as the address of the stylesheet has it. Undefined for the colour of the service. */
export const accentOf = ({ color }: Pick<PageBrand, "color">): string | undefined => color?.slice(1).toLowerCase()

const channel = (hex: string, at: number): number => {
  const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** Black or white, whichever has a contrast of 4.5 on the colour (WCAG 2.2, relative luminance). One of them has. */
export const textOn = (hex: string): "#000000" | "#ffffff" => {
  const luminance = 0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 2) + 0.0722 * channel(hex, 4)
  return 1.05 / (luminance + 0.05) >= 4.5 ? "#ffffff" : "#000000"
}

/**
 * Rules behind the stylesheet of the pages. Only filled buttons have the colour, because links and outlines in it could
 * be hard to read on the page.
 */
export const accentStyle = (hex: string): string => `button, button:hover {
  border-color: #${hex};
  background: #${hex};
  color: ${textOn(hex)};
}
button:hover { text-decoration: underline; }
button.second, button.second:hover { border-color: var(--quiet); background: transparent; color: var(--text); }
a, a:hover { color: var(--text); }
:focus-visible { outline-color: var(--text); }
`

/** The name of the project with its logo, as a link where the project has a website. */
export const masthead = (brand: PageBrand | undefined, project: string): Html => {
  const name = html`${
    brand?.logoUrl != null && html`<img class="logo" src="${brand.logoUrl}" alt=""> `
  }<bdi>${brand?.name ?? project}</bdi>`
  return html`<p class="project">${
    brand?.websiteUrl == null ? name : html`<a href="${brand.websiteUrl}">${name}</a>`
  }</p>`
}

export const brandLinks = (brand: PageBrand | undefined, language: Language): Html | false => {
  const { privacy, imprint } = words[language]
  const links = [
    { url: brand?.privacyUrl, text: privacy },
    { url: brand?.imprintUrl, text: imprint }
  ].flatMap(({ url, text }) => (url == null ? [] : [html`<li><a href="${url}">${text}</a></li>`]))
  return links.length > 0 && html`<ul class="links">${links}</ul>`
}
