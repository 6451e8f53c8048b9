/** A mail as a component. In a `.tsx` file it is written with tags: `<p>Thank you, {name}.</p>`. */
import { createElement as h } from "react"

export interface Order {
  readonly number: string
  readonly name: string
  readonly items: ReadonlyArray<string>
}

export const Receipt = ({ number, name, items }: Order) =>
  h(
    "html",
    { lang: "en" },
    h(
      "body",
      null,
      h("h1", null, `Receipt ${number}`),
      h("p", null, `Thank you, ${name}.`),
      h(
        "ul",
        null,
        items.map((item) => h("li", { key: item }, item))
      )
    )
  )
