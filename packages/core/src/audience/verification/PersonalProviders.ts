/**
 * Providers of personal mailboxes that the list of the package lacks. Most are within two edits of a widely used domain
 * and would otherwise count as a misspelling of it.
 */
export const morePersonalProviders: ReadonlyArray<string> = `
  googlemail.com
  ymail.com rocketmail.com myyahoo.com email.com xmail.com zmail.com fmail.com qmail.com hmail.com cmail.com dmail.com
  imail.com jmail.com pmail.com tmail.com vmail.com wmail.com gmail.ru email.ru gmail.de email.de email.it email.cz
  gawab.com gmx.ch gmx.fr gmx.es gmx.it gmx.us gmx.co.uk gmx.eu gmx.li
  yahoo.at yahoo.be yahoo.bg yahoo.ca yahoo.cl yahoo.cn yahoo.co.id yahoo.co.in yahoo.co.kr yahoo.co.nz yahoo.co.th
  yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.cn yahoo.com.co yahoo.com.hk yahoo.com.mx yahoo.com.my yahoo.com.ph
  yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.gr yahoo.hu
  yahoo.ie yahoo.in yahoo.it yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se
  hotmail.at hotmail.be hotmail.ca hotmail.ch hotmail.cl hotmail.co.il hotmail.co.jp hotmail.co.kr hotmail.co.nz
  hotmail.co.th hotmail.co.za hotmail.com.ar hotmail.com.au hotmail.com.br hotmail.com.mx hotmail.com.tr hotmail.cz
  hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.gr hotmail.hu hotmail.it hotmail.jp hotmail.nl hotmail.no
  hotmail.pt hotmail.se hotmail.sg
  outlook.at outlook.be outlook.cl outlook.co.id outlook.co.nz outlook.co.th outlook.com.ar outlook.com.au
  outlook.com.br outlook.com.gr outlook.com.tr outlook.cz outlook.de outlook.dk outlook.es outlook.fr outlook.hu
  outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.lv outlook.my outlook.ph outlook.pt outlook.sa
  outlook.sg outlook.sk
  live.at live.be live.ca live.ch live.cl live.cn live.co.uk live.co.za live.com.ar live.com.au live.com.mx
  live.com.my live.com.pt live.com.sg live.de live.dk live.fi live.fr live.hk live.ie live.in live.it live.jp live.nl
  live.no live.ru live.se love.com windowslive.com passport.com
  orange.be orange.es orange.lu orange.net orange.pl orange.ro orange.sk orange.com
  yandex.by yandex.com yandex.kz yandex.ua yandex.uz yandex.com.tr narod.ru
  bk.ru inbox.ru internet.ru list.ru mail.ua mail.com mail.de mail.ee mail.bg mail.pt mail.kz vk.com xmail.ru
  aol.de aol.fr aol.it aol.es aol.in aol.jp aol.com.au aol.com.br aol.co.nz aim.com
  139.com 189.com 188.com vip.163.com vip.qq.com foxmail.com sohu.com aliyun.com hanmail.net daum.net
  pm.me tuta.io tuta.com tutanota.com tutanota.de tutamail.com keemail.me posteo.de posteo.net mailbox.org
  fastmail.com fastmail.fm hey.com zoho.eu zoho.in zohomail.com zohomail.eu mailfence.com runbox.com disroot.org
  laposte.net bbox.fr numericable.fr aliceadsl.fr sfr.fr free.com freemail.hu freenet.de
  tiscali.it alice.it virgilio.it tin.it inwind.it iol.it
  bol.com.br terra.com.br ig.com.br globo.com globomail.com
  ntlworld.com btinternet.com blueyonder.co.uk talktalk.net virginmedia.com sky.com
  verizon.com bell.net sympatico.ca videotron.ca shaw.ca telus.net rogers.com
  wp.pl o2.pl onet.eu onet.pl op.pl poczta.fm interia.eu seznam.cz email.cz centrum.cz azet.sk
  ukr.net i.ua meta.ua abv.bg walla.com walla.co.il rediff.com indiatimes.com
`
  .trim()
  .split(/\s+/)

/** Names in the package's list that are not mailbox providers. */
export const placeholders: ReadonlyArray<string> = [
  "example.com",
  "mail-tester.com",
  "mydomain.com",
  "name.com",
  "test.com",
  "test.de",
  "www.com",
  "yourdomain.com"
]
