/**
 * A newsletter with double opt-in: a new contact is unsubscribed until it opens the link in an email to its address.
 * `node main.ts anna@example.com` sends this email to one address.
 */
import { Posthorn } from "@posthorn/client"

const [email = "anna@example.com"] = process.argv.slice(2)
const { POSTHORN_URL, POSTHORN_KEY, FROM = "news@posthorn.test" } = process.env
const posthorn = new Posthorn({ baseUrl: POSTHORN_URL, secretKey: POSTHORN_KEY })

const contact = await posthorn.contacts.upsert({ email, subscribed: false }).orThrow()
if (contact.subscribed) console.log(`${email} is already subscribed.`)
else {
  await posthorn
    .send({
      to: email,
      from: FROM,
      subject: "Please confirm",
      body: '<p>You asked for our newsletter. <a href="{{subscribeUrl}}">Yes, send it to me</a></p><p>If not, do nothing.</p>'
    })
    .orThrow()
  console.log(`${email} gets the confirmation mail.`)
}
