/**
 * The domains of big mailbox providers, whose addresses belong to their users. None of them can be a sender domain.
 *
 * Domains that a company also uses for itself are left out: their owner may want to send from them.
 */
export const mailboxProviders: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com
  outlook.com outlook.fr outlook.de outlook.es outlook.it outlook.com.br
  hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.es hotmail.it
  live.com live.co.uk live.fr live.nl msn.com
  yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.ca yahoo.in yahoo.co.in yahoo.co.jp yahoo.com.br
  yahoo.com.au ymail.com rocketmail.com myyahoo.com
  icloud.com me.com mac.com
  aol.com aim.com
  gmx.de gmx.net gmx.com gmx.at gmx.ch web.de mail.com email.com freenet.de t-online.de
  proton.me protonmail.com pm.me tutanota.com tuta.com tutamail.com fastmail.com fastmail.fm posteo.de zohomail.com
  mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com
  naver.com hanmail.net daum.net
  docomo.ne.jp ezweb.ne.jp i.softbank.jp
  laposte.net wanadoo.fr libero.it virgilio.it tiscali.it alice.it
  comcast.net sbcglobal.net bellsouth.net btinternet.com talktalk.net bigpond.com
  uol.com.br bol.com.br terra.com.br rediffmail.com seznam.cz wp.pl o2.pl interia.pl ukr.net abv.bg bluewin.ch
  `
    .trim()
    .split(/\s+/)
)
