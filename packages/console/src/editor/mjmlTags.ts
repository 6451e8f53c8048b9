/** The tags of MJML with their attributes, for proposals in the code. */
const box = { padding: null, "css-class": null }
const letters = {
  color: null,
  "font-family": null,
  "font-size": null,
  "line-height": null,
  align: ["left", "center", "right"]
}
const ground = { "background-color": null, "border-radius": null, ...box }

export const mjmlTags = {
  mjml: { children: ["mj-head", "mj-body"] },
  "mj-head": { children: ["mj-title", "mj-preview", "mj-attributes", "mj-style", "mj-font"] },
  "mj-attributes": { children: ["mj-all", "mj-class", "mj-text", "mj-button"] },
  "mj-style": { attrs: { inline: ["inline"] } },
  "mj-font": { attrs: { name: null, href: null } },
  "mj-body": { attrs: { width: null, "background-color": null } },
  "mj-wrapper": { attrs: ground },
  "mj-section": { attrs: { ...ground, "full-width": ["full-width"], "text-align": ["left", "center", "right"] } },
  "mj-group": { attrs: { width: null } },
  "mj-column": { attrs: { ...ground, width: null, "vertical-align": ["top", "middle", "bottom"] } },
  "mj-text": { attrs: { ...letters, ...box } },
  "mj-button": { attrs: { ...letters, ...ground, href: null, width: null } },
  "mj-image": { attrs: { ...box, src: null, alt: null, href: null, width: null, align: ["left", "center", "right"] } },
  "mj-divider": { attrs: { ...box, "border-color": null, "border-width": null, "border-style": null } },
  "mj-spacer": { attrs: { height: null } },
  "mj-social": { attrs: { ...letters, ...box, mode: ["horizontal", "vertical"] } },
  "mj-social-element": { attrs: { name: null, href: null } },
  "mj-table": { attrs: { ...letters, ...box } },
  "mj-raw": {}
}
