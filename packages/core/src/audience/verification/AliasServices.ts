/** Services whose addresses only forward to another mailbox, as of November 2026. */
export const aliasServices: ReadonlySet<string> = new Set(
  `
  simplelogin.com simplelogin.co simplelogin.fr simplelogin.io aleeas.com slmail.me slmails.com silomails.com
  8alias.com 8shield.net dralias.com
  addy.io anonaddy.com anonaddy.me
  mozmail.com relay.firefox.com
  duck.com
  privaterelay.appleid.com
  passmail.net passinbox.com passfwd.com
  33mail.com erine.email forwardemail.net mailsac.com
  opayq.com ironvest.com
  spamgourmet.com spamgourmet.net spamex.com sneakemail.com
  `
    .trim()
    .split(/\s+/)
)
