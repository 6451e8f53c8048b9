/** Texts of the public pages in every language. */
import type { Language } from "./Languages.ts"

export interface PageWords {
  /** Name of the language, in the language itself. */
  readonly name: string
  /** Label of the list of languages. */
  readonly language: string
  readonly unsubscribe: {
    readonly title: string
    readonly question: string
    readonly button: string
    readonly done: string
    readonly undo: string
  }
  readonly subscribe: PageWords["unsubscribe"]
  readonly manage: {
    readonly title: string
    readonly question: string
  }
  /** The current state of the address that is shown above. */
  readonly isSubscribed: (project: string) => string
  readonly isNotSubscribed: (project: string) => string
  /** The address is suppressed and gets no mail, subscribed or not: after a bounce or a complaint, or by the sender. */
  readonly isBlocked: string
  readonly isBlockedBySender: string
  readonly nothing: { readonly title: string; readonly text: string }
  readonly notFound: { readonly title: string; readonly text: string }
  readonly busy: { readonly title: string; readonly text: string }
}

export const pageWords: Readonly<Record<Language, PageWords>> = {
  en: {
    name: "English",
    language: "Language",
    unsubscribe: {
      title: "Unsubscribe",
      question: "Would you like to stop receiving them?",
      button: "Unsubscribe",
      done: "You have been unsubscribed.",
      undo: "Unsubscribe instead"
    },
    subscribe: {
      title: "Subscribe",
      question: "Would you like to receive them?",
      button: "Subscribe",
      done: "You are now subscribed.",
      undo: "Subscribe again"
    },
    manage: {
      title: "Email preferences",
      question: "Would you like to receive them?"
    },
    isSubscribed: (project) => `This address is subscribed to messages from ${project}.`,
    isNotSubscribed: (project) => `This address is not subscribed to messages from ${project}.`,
    isBlocked:
      "No messages are sent to this address at the moment, because an earlier message could not be delivered or was reported as unwanted.",
    isBlockedBySender: "No messages are sent to this address at the moment, because the sender has blocked it.",
    nothing: { title: "Nothing to do", text: "This address is no longer on the list. No messages will be sent to it." },
    notFound: {
      title: "This link does not work",
      text: "The link may be incomplete. Please open it again from the message."
    },
    busy: { title: "Too many requests", text: "Please wait a minute and try again." }
  },
  de: {
    name: "Deutsch",
    language: "Sprache",
    unsubscribe: {
      title: "Abbestellen",
      question: "Möchten Sie keine mehr erhalten?",
      button: "Abbestellen",
      done: "Die Nachrichten sind abbestellt.",
      undo: "Doch abbestellen"
    },
    subscribe: {
      title: "Abonnieren",
      question: "Möchten Sie sie erhalten?",
      button: "Abonnieren",
      done: "Die Nachrichten sind abonniert.",
      undo: "Wieder abonnieren"
    },
    manage: {
      title: "E-Mail-Einstellungen",
      question: "Möchten Sie sie erhalten?"
    },
    isSubscribed: (project) => `Diese Adresse hat Nachrichten von ${project} abonniert.`,
    isNotSubscribed: (project) => `Diese Adresse hat keine Nachrichten von ${project} abonniert.`,
    isBlocked:
      "An diese Adresse wird zurzeit nichts gesendet: Eine frühere Nachricht war unzustellbar oder wurde als unerwünscht gemeldet.",
    isBlockedBySender: "An diese Adresse wird zurzeit nichts gesendet: Der Absender hat sie gesperrt.",
    nothing: {
      title: "Nichts zu tun",
      text: "Diese Adresse steht nicht mehr auf der Liste. Es werden keine Nachrichten an sie gesendet."
    },
    notFound: {
      title: "Dieser Link funktioniert nicht",
      text: "Vielleicht wurde er unterwegs abgeschnitten. Bitte öffnen Sie ihn noch einmal aus der Nachricht."
    },
    busy: { title: "Zu viele Anfragen", text: "Bitte warten Sie eine Minute und versuchen Sie es noch einmal." }
  },
  fr: {
    name: "Français",
    language: "Langue",
    unsubscribe: {
      title: "Se désabonner",
      question: "Souhaitez-vous ne plus les recevoir ?",
      button: "Se désabonner",
      done: "Votre désabonnement est enregistré.",
      undo: "Se désabonner finalement"
    },
    subscribe: {
      title: "S’abonner",
      question: "Souhaitez-vous les recevoir ?",
      button: "S’abonner",
      done: "Votre abonnement est enregistré.",
      undo: "Se réabonner"
    },
    manage: {
      title: "Préférences d’e-mail",
      question: "Souhaitez-vous les recevoir ?"
    },
    isSubscribed: (project) => `Cette adresse est abonnée aux messages de ${project}.`,
    isNotSubscribed: (project) => `Cette adresse n’est pas abonnée aux messages de ${project}.`,
    isBlocked:
      "Aucun message n’est envoyé à cette adresse pour le moment : un message précédent n’a pas pu être remis ou a été signalé comme indésirable.",
    isBlockedBySender: "Aucun message n’est envoyé à cette adresse pour le moment : l’expéditeur l’a bloquée.",
    nothing: {
      title: "Rien à faire",
      text: "Cette adresse ne figure plus sur la liste. Aucun message ne lui sera envoyé."
    },
    notFound: {
      title: "Ce lien ne fonctionne pas",
      text: "Il a peut-être été tronqué en chemin. Veuillez l’ouvrir à nouveau depuis le message."
    },
    busy: { title: "Trop de requêtes", text: "Veuillez patienter une minute, puis réessayer." }
  },
  es: {
    name: "Español",
    language: "Idioma",
    unsubscribe: {
      title: "Cancelar la suscripción",
      question: "¿Desea dejar de recibirlos?",
      button: "Cancelar la suscripción",
      done: "La suscripción se ha cancelado.",
      undo: "Cancelar la suscripción"
    },
    subscribe: {
      title: "Suscribirse",
      question: "¿Desea recibirlos?",
      button: "Suscribirse",
      done: "La suscripción está activa.",
      undo: "Volver a suscribirse"
    },
    manage: {
      title: "Preferencias de correo",
      question: "¿Desea recibirlos?"
    },
    isSubscribed: (project) => `Esta dirección está suscrita a los mensajes de ${project}.`,
    isNotSubscribed: (project) => `Esta dirección no está suscrita a los mensajes de ${project}.`,
    isBlocked:
      "Por ahora no se envía correo a esta dirección: un mensaje anterior no se pudo entregar o se denunció como no deseado.",
    isBlockedBySender: "Por ahora no se envía correo a esta dirección: el remitente la ha bloqueado.",
    nothing: {
      title: "No hay nada que hacer",
      text: "Esta dirección ya no está en la lista. No se le enviarán mensajes."
    },
    notFound: {
      title: "Este enlace no funciona",
      text: "Es posible que se haya cortado por el camino. Ábralo de nuevo desde el mensaje."
    },
    busy: { title: "Demasiadas solicitudes", text: "Espere un minuto y vuelva a intentarlo." }
  },
  nl: {
    name: "Nederlands",
    language: "Taal",
    unsubscribe: {
      title: "Afmelden",
      question: "Wilt u ze niet meer ontvangen?",
      button: "Afmelden",
      done: "U bent afgemeld.",
      undo: "Toch afmelden"
    },
    subscribe: {
      title: "Aanmelden",
      question: "Wilt u ze ontvangen?",
      button: "Aanmelden",
      done: "U bent aangemeld.",
      undo: "Opnieuw aanmelden"
    },
    manage: {
      title: "E-mailvoorkeuren",
      question: "Wilt u ze ontvangen?"
    },
    isSubscribed: (project) => `Dit adres is aangemeld voor berichten van ${project}.`,
    isNotSubscribed: (project) => `Dit adres is niet aangemeld voor berichten van ${project}.`,
    isBlocked:
      "Naar dit adres wordt op dit moment niets verzonden: een eerder bericht kon niet worden bezorgd of is als ongewenst gemeld.",
    isBlockedBySender: "Naar dit adres wordt op dit moment niets verzonden: de afzender heeft het geblokkeerd.",
    nothing: {
      title: "Niets te doen",
      text: "Dit adres staat niet meer op de lijst. Er worden geen berichten naartoe gestuurd."
    },
    notFound: {
      title: "Deze link werkt niet",
      text: "Misschien is hij onderweg afgebroken. Open hem opnieuw vanuit het bericht."
    },
    busy: { title: "Te veel verzoeken", text: "Wacht een minuut en probeer het opnieuw." }
  },
  pt: {
    name: "Português",
    language: "Idioma",
    unsubscribe: {
      title: "Cancelar a inscrição",
      question: "Deseja deixar de recebê-las?",
      button: "Cancelar a inscrição",
      done: "A inscrição foi cancelada.",
      undo: "Cancelar a inscrição"
    },
    subscribe: {
      title: "Fazer a inscrição",
      question: "Deseja recebê-las?",
      button: "Fazer a inscrição",
      done: "A inscrição está ativa.",
      undo: "Fazer a inscrição novamente"
    },
    manage: {
      title: "Preferências de e-mail",
      question: "Deseja recebê-las?"
    },
    isSubscribed: (project) => `Este endereço está inscrito para receber mensagens de ${project}.`,
    isNotSubscribed: (project) => `Este endereço não está inscrito para receber mensagens de ${project}.`,
    isBlocked:
      "No momento, nada é enviado para este endereço: uma mensagem anterior não pôde ser entregue ou foi denunciada como indesejada.",
    isBlockedBySender: "No momento, nada é enviado para este endereço: o remetente o bloqueou.",
    nothing: {
      title: "Nada a fazer",
      text: "Este endereço já não está na lista. Nenhuma mensagem será enviada para ele."
    },
    notFound: {
      title: "Este link não funciona",
      text: "Talvez tenha sido cortado no caminho. Abra-o novamente a partir da mensagem."
    },
    busy: { title: "Muitas solicitações", text: "Aguarde um minuto e tente novamente." }
  },
  it: {
    name: "Italiano",
    language: "Lingua",
    unsubscribe: {
      title: "Annulla l’iscrizione",
      question: "Vuoi smettere di riceverli?",
      button: "Annulla l’iscrizione",
      done: "L’iscrizione è stata annullata.",
      undo: "Annulla l’iscrizione"
    },
    subscribe: {
      title: "Iscriviti",
      question: "Vuoi riceverli?",
      button: "Iscriviti",
      done: "L’iscrizione è attiva.",
      undo: "Iscriviti di nuovo"
    },
    manage: {
      title: "Preferenze email",
      question: "Vuoi riceverli?"
    },
    isSubscribed: (project) => `Questo indirizzo è iscritto ai messaggi di ${project}.`,
    isNotSubscribed: (project) => `Questo indirizzo non è iscritto ai messaggi di ${project}.`,
    isBlocked:
      "Al momento non viene inviato nulla a questo indirizzo: un messaggio precedente non è stato recapitato o è stato segnalato come indesiderato.",
    isBlockedBySender: "Al momento non viene inviato nulla a questo indirizzo: il mittente lo ha bloccato.",
    nothing: {
      title: "Niente da fare",
      text: "Questo indirizzo non è più nell’elenco. Non riceverà altri messaggi."
    },
    notFound: {
      title: "Questo link non funziona",
      text: "Forse è stato troncato lungo il percorso. Aprilo di nuovo dal messaggio."
    },
    busy: { title: "Troppe richieste", text: "Attendi un minuto e riprova." }
  },
  pl: {
    name: "Polski",
    language: "Język",
    unsubscribe: {
      title: "Rezygnacja z subskrypcji",
      question: "Czy chcesz przestać je otrzymywać?",
      button: "Zrezygnuj z subskrypcji",
      done: "Subskrypcja została anulowana.",
      undo: "Jednak zrezygnuj"
    },
    subscribe: {
      title: "Subskrypcja",
      question: "Czy chcesz je otrzymywać?",
      button: "Subskrybuj",
      done: "Subskrypcja jest aktywna.",
      undo: "Subskrybuj ponownie"
    },
    manage: {
      title: "Ustawienia wiadomości",
      question: "Czy chcesz je otrzymywać?"
    },
    isSubscribed: (project) => `Ten adres subskrybuje wiadomości od ${project}.`,
    isNotSubscribed: (project) => `Ten adres nie subskrybuje wiadomości od ${project}.`,
    isBlocked:
      "Na ten adres obecnie nic nie jest wysyłane: wcześniejsza wiadomość nie mogła zostać doręczona lub została zgłoszona jako niechciana.",
    isBlockedBySender: "Na ten adres obecnie nic nie jest wysyłane: nadawca go zablokował.",
    nothing: {
      title: "Nie ma nic do zrobienia",
      text: "Tego adresu nie ma już na liście. Nie będą na niego wysyłane żadne wiadomości."
    },
    notFound: {
      title: "Ten link nie działa",
      text: "Być może został po drodze ucięty. Otwórz go jeszcze raz z wiadomości."
    },
    busy: { title: "Zbyt wiele żądań", text: "Odczekaj minutę i spróbuj ponownie." }
  },
  ja: {
    name: "日本語",
    language: "言語",
    unsubscribe: {
      title: "配信停止",
      question: "配信を停止しますか？",
      button: "配信を停止する",
      done: "配信を停止しました。",
      undo: "配信を停止する"
    },
    subscribe: {
      title: "配信登録",
      question: "メールを受け取りますか？",
      button: "配信に登録する",
      done: "配信に登録しました。",
      undo: "もう一度登録する"
    },
    manage: {
      title: "メール配信の設定",
      question: "メールを受け取りますか？"
    },
    isSubscribed: (project) => `このアドレスは${project}のメール配信に登録されています。`,
    isNotSubscribed: (project) => `このアドレスは${project}のメール配信に登録されていません。`,
    isBlocked:
      "現在、このアドレスにはメールが送信されません。以前のメールが届かなかったか、迷惑メールとして報告されたためです。",
    isBlockedBySender: "現在、このアドレスにはメールが送信されません。送信者がブロックしています。",
    nothing: {
      title: "操作は必要ありません",
      text: "このアドレスはすでに配信リストにありません。メールは送信されません。"
    },
    notFound: {
      title: "このリンクは無効です",
      text: "途中で切れてしまった可能性があります。メールからもう一度開いてください。"
    },
    busy: { title: "アクセスが集中しています", text: "1分ほど待ってから、もう一度お試しください。" }
  },
  "zh-CN": {
    name: "简体中文",
    language: "语言",
    unsubscribe: {
      title: "退订",
      question: "您想停止接收吗？",
      button: "退订",
      done: "您已退订。",
      undo: "仍要退订"
    },
    subscribe: {
      title: "订阅",
      question: "您想接收这些邮件吗？",
      button: "订阅",
      done: "您已订阅。",
      undo: "重新订阅"
    },
    manage: {
      title: "邮件偏好设置",
      question: "您想接收这些邮件吗？"
    },
    isSubscribed: (project) => `此地址已订阅 ${project} 的邮件。`,
    isNotSubscribed: (project) => `此地址未订阅 ${project} 的邮件。`,
    isBlocked: "目前不会向此地址发送邮件：之前的邮件无法送达，或被举报为不受欢迎的邮件。",
    isBlockedBySender: "目前不会向此地址发送邮件：发件人已将其屏蔽。",
    nothing: { title: "无需操作", text: "此地址已不在列表中，不会再向其发送邮件。" },
    notFound: { title: "此链接无效", text: "它可能在传送途中被截断。请从邮件中重新打开。" },
    busy: { title: "请求过多", text: "请等待一分钟后重试。" }
  }
}
