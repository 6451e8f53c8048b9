/** The email of all rows: 3 kB of HTML, like a typical template, and its text part. */
import { plainText } from "@posthorn/core/content/rendering/PlainText"

const sentence =
  "Thank you for your order, which we have received and which leaves our house as soon as everything in it is packed."

const line = (n: number) =>
  `<tr><td style="padding:8px 16px;font-family:Helvetica,Arial,sans-serif;font-size:14px">${n}. ${sentence}</td></tr>`

export const subject = (name: string) => `${name}, your order is on its way`

export const html = (name: string, plan: string) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Your order</title></head>
<body style="margin:0;background:#f4f4f4">
<table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" style="background:#ffffff">
<tr><td style="padding:16px;font-family:Helvetica,Arial,sans-serif;font-size:20px">Hello ${name}</td></tr>
${Array.from({ length: 11 }, (_, n) => line(n + 1)).join("\n")}
<tr><td style="padding:16px"><a href="https://shop.example.com/orders/${name}">See the order</a>, plan ${plan}</td></tr>
</table></body></html>`

export const text = (name: string, plan: string) => plainText(html(name, plan))
