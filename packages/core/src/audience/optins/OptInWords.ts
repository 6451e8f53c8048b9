/** Texts of the confirmation mail and of the page behind its link, in every language. */
import type { Language } from "../../platform/web/Languages.ts"

export interface OptInWords {
  readonly mail: {
    readonly subject: (project: string) => string
    readonly question: (project: string) => string
    readonly button: string
    /** What to do if somebody else gave the address. */
    readonly ignore: string
  }
  /** Before the names of the topics. */
  readonly topics: string
  readonly page: {
    readonly title: string
    readonly question: (project: string) => string
    readonly button: string
    readonly decline: string
  }
  readonly confirmed: { readonly title: string; readonly text: (project: string) => string }
  readonly declined: { readonly title: string; readonly text: string }
  /** The link was used too late, or its request was ended. */
  readonly ended: { readonly title: string; readonly text: string }
}

export const optInWords: Readonly<Record<Language, OptInWords>> = {
  en: {
    mail: {
      subject: (project) => `Please confirm your subscription to ${project}`,
      question: (project) => `Please confirm that you want to receive messages from ${project} at this address.`,
      button: "Confirm",
      ignore: "If you did not ask for this, ignore this message. You will then receive nothing."
    },
    topics: "Topics",
    page: {
      title: "Confirm your subscription",
      question: (project) => `Would you like to receive messages from ${project} at this address?`,
      button: "Yes, confirm",
      decline: "This was not me"
    },
    confirmed: {
      title: "Your subscription is confirmed.",
      text: (project) => `You will receive messages from ${project}.`
    },
    declined: { title: "Thank you for telling us.", text: "You will receive no messages because of this request." },
    ended: { title: "This link has expired", text: "Nothing was changed. Please sign up again." }
  },
  de: {
    mail: {
      subject: (project) => `Bitte bestätigen Sie Ihre Anmeldung bei ${project}`,
      question: (project) =>
        `Bitte bestätigen Sie, dass Sie Nachrichten von ${project} an diese Adresse erhalten möchten.`,
      button: "Bestätigen",
      ignore:
        "Wenn Sie das nicht angefordert haben, beachten Sie diese Nachricht nicht. Sie erhalten dann nichts weiter."
    },
    topics: "Themen",
    page: {
      title: "Anmeldung bestätigen",
      question: (project) => `Möchten Sie Nachrichten von ${project} an diese Adresse erhalten?`,
      button: "Ja, bestätigen",
      decline: "Das war ich nicht"
    },
    confirmed: {
      title: "Ihre Anmeldung ist bestätigt.",
      text: (project) => `Sie erhalten Nachrichten von ${project}.`
    },
    declined: { title: "Danke für den Hinweis.", text: "Sie erhalten aufgrund dieser Anfrage keine Nachrichten." },
    ended: {
      title: "Dieser Link ist abgelaufen",
      text: "Es wurde nichts geändert. Bitte melden Sie sich noch einmal an."
    }
  },
  fr: {
    mail: {
      subject: (project) => `Veuillez confirmer votre abonnement à ${project}`,
      question: (project) =>
        `Veuillez confirmer que vous souhaitez recevoir les messages de ${project} à cette adresse.`,
      button: "Confirmer",
      ignore: "Si vous n'avez rien demandé, ignorez ce message. Vous ne recevrez alors rien d'autre."
    },
    topics: "Thèmes",
    page: {
      title: "Confirmer votre abonnement",
      question: (project) => `Souhaitez-vous recevoir les messages de ${project} à cette adresse ?`,
      button: "Oui, confirmer",
      decline: "Ce n'était pas moi"
    },
    confirmed: {
      title: "Votre abonnement est confirmé.",
      text: (project) => `Vous recevrez les messages de ${project}.`
    },
    declined: {
      title: "Merci de nous l'avoir signalé.",
      text: "Vous ne recevrez aucun message à la suite de cette demande."
    },
    ended: { title: "Ce lien a expiré", text: "Rien n'a été modifié. Veuillez vous inscrire à nouveau." }
  },
  es: {
    mail: {
      subject: (project) => `Confirme su suscripción a ${project}`,
      question: (project) => `Confirme que desea recibir mensajes de ${project} en esta dirección.`,
      button: "Confirmar",
      ignore: "Si no lo ha solicitado, ignore este mensaje. En ese caso no recibirá nada más."
    },
    topics: "Temas",
    page: {
      title: "Confirmar la suscripción",
      question: (project) => `¿Desea recibir mensajes de ${project} en esta dirección?`,
      button: "Sí, confirmar",
      decline: "No he sido yo"
    },
    confirmed: {
      title: "Su suscripción está confirmada.",
      text: (project) => `Recibirá mensajes de ${project}.`
    },
    declined: { title: "Gracias por avisarnos.", text: "No recibirá ningún mensaje por esta solicitud." },
    ended: { title: "Este enlace ha caducado", text: "No se ha cambiado nada. Vuelva a suscribirse." }
  },
  nl: {
    mail: {
      subject: (project) => `Bevestig uw aanmelding bij ${project}`,
      question: (project) => `Bevestig dat u berichten van ${project} op dit adres wilt ontvangen.`,
      button: "Bevestigen",
      ignore: "Hebt u hier niet om gevraagd? Negeer dit bericht dan. U ontvangt verder niets."
    },
    topics: "Onderwerpen",
    page: {
      title: "Aanmelding bevestigen",
      question: (project) => `Wilt u berichten van ${project} op dit adres ontvangen?`,
      button: "Ja, bevestigen",
      decline: "Dit was ik niet"
    },
    confirmed: {
      title: "Uw aanmelding is bevestigd.",
      text: (project) => `U ontvangt berichten van ${project}.`
    },
    declined: { title: "Bedankt voor uw melding.", text: "U ontvangt geen berichten naar aanleiding van dit verzoek." },
    ended: { title: "Deze link is verlopen", text: "Er is niets gewijzigd. Meld u opnieuw aan." }
  },
  pt: {
    mail: {
      subject: (project) => `Confirme a sua subscrição de ${project}`,
      question: (project) => `Confirme que deseja receber mensagens de ${project} neste endereço.`,
      button: "Confirmar",
      ignore: "Se não fez este pedido, ignore esta mensagem. Não receberá mais nada."
    },
    topics: "Temas",
    page: {
      title: "Confirmar a subscrição",
      question: (project) => `Deseja receber mensagens de ${project} neste endereço?`,
      button: "Sim, confirmar",
      decline: "Não fui eu"
    },
    confirmed: {
      title: "A sua subscrição está confirmada.",
      text: (project) => `Receberá mensagens de ${project}.`
    },
    declined: { title: "Obrigado por nos avisar.", text: "Não receberá nenhuma mensagem devido a este pedido." },
    ended: { title: "Este link expirou", text: "Nada foi alterado. Volte a inscrever-se." }
  },
  it: {
    mail: {
      subject: (project) => `Conferma l'iscrizione a ${project}`,
      question: (project) => `Conferma di voler ricevere i messaggi di ${project} a questo indirizzo.`,
      button: "Conferma",
      ignore: "Se non hai fatto questa richiesta, ignora questo messaggio. Non riceverai altro."
    },
    topics: "Argomenti",
    page: {
      title: "Conferma l'iscrizione",
      question: (project) => `Vuoi ricevere i messaggi di ${project} a questo indirizzo?`,
      button: "Sì, confermo",
      decline: "Non sono stato io"
    },
    confirmed: {
      title: "L'iscrizione è confermata.",
      text: (project) => `Riceverai i messaggi di ${project}.`
    },
    declined: {
      title: "Grazie per la segnalazione.",
      text: "Non riceverai alcun messaggio in seguito a questa richiesta."
    },
    ended: { title: "Questo link è scaduto", text: "Non è stato modificato nulla. Iscriviti di nuovo." }
  },
  pl: {
    mail: {
      subject: (project) => `Potwierdź subskrypcję: ${project}`,
      question: (project) => `Potwierdź, że chcesz otrzymywać wiadomości od ${project} na ten adres.`,
      button: "Potwierdź",
      ignore: "Jeśli to nie była Twoja prośba, zignoruj tę wiadomość. Nie otrzymasz nic więcej."
    },
    topics: "Tematy",
    page: {
      title: "Potwierdź subskrypcję",
      question: (project) => `Czy chcesz otrzymywać wiadomości od ${project} na ten adres?`,
      button: "Tak, potwierdzam",
      decline: "To nie ja"
    },
    confirmed: {
      title: "Subskrypcja została potwierdzona.",
      text: (project) => `Będziesz otrzymywać wiadomości od ${project}.`
    },
    declined: { title: "Dziękujemy za informację.", text: "Z powodu tej prośby nie otrzymasz żadnych wiadomości." },
    ended: { title: "Ten link wygasł", text: "Nic nie zostało zmienione. Zapisz się ponownie." }
  },
  ja: {
    mail: {
      subject: (project) => `${project} の登録を確認してください`,
      question: (project) => `このアドレスで ${project} からのメッセージを受け取ることを確認してください。`,
      button: "確認する",
      ignore: "お心当たりがない場合は、このメッセージを無視してください。今後は何も届きません。"
    },
    topics: "トピック",
    page: {
      title: "登録の確認",
      question: (project) => `このアドレスで ${project} からのメッセージを受け取りますか?`,
      button: "はい、確認します",
      decline: "心当たりがありません"
    },
    confirmed: {
      title: "登録が確認されました。",
      text: (project) => `${project} からメッセージが届きます。`
    },
    declined: { title: "お知らせいただきありがとうございます。", text: "このリクエストによるメッセージは届きません。" },
    ended: { title: "このリンクは期限切れです", text: "何も変更されていません。もう一度登録してください。" }
  },
  "zh-CN": {
    mail: {
      subject: (project) => `请确认订阅 ${project}`,
      question: (project) => `请确认您希望在此地址接收来自 ${project} 的邮件。`,
      button: "确认",
      ignore: "如果这不是您的请求,请忽略此邮件。您将不会再收到任何邮件。"
    },
    topics: "主题",
    page: {
      title: "确认订阅",
      question: (project) => `您希望在此地址接收来自 ${project} 的邮件吗?`,
      button: "是的,确认",
      decline: "不是我本人"
    },
    confirmed: { title: "您的订阅已确认。", text: (project) => `您将收到来自 ${project} 的邮件。` },
    declined: { title: "感谢您的告知。", text: "您不会因此请求收到任何邮件。" },
    ended: { title: "此链接已过期", text: "没有任何更改。请重新订阅。" }
  }
}
