/** The sentence and the link text of the unsubscribe footer, by language. */
import type { Language } from "../../platform/web/Languages.ts"

interface Words {
  readonly reason: (project: string) => string
  readonly unsubscribe: string
}

export const footerWords: Readonly<Record<Language, Words>> = {
  en: {
    reason: (project) => `You are receiving this email because you are subscribed to messages from ${project}.`,
    unsubscribe: "Unsubscribe"
  },
  de: {
    reason: (project) => `Sie erhalten diese E-Mail, weil Sie Nachrichten von ${project} abonniert haben.`,
    unsubscribe: "Abbestellen"
  },
  fr: {
    reason: (project) =>
      `Vous recevez cet e-mail dans le cadre de votre abonnement aux messages envoyés par ${project}.`,
    unsubscribe: "Se désabonner"
  },
  es: {
    reason: (project) => `Ha recibido este correo porque tiene una suscripción a los mensajes de ${project}.`,
    unsubscribe: "Cancelar la suscripción"
  },
  nl: {
    reason: (project) => `U ontvangt deze e-mail omdat u zich hebt aangemeld voor berichten van ${project}.`,
    unsubscribe: "Afmelden"
  },
  pt: {
    reason: (project) =>
      `Este e-mail foi enviado porque existe uma inscrição ativa para receber mensagens de ${project}.`,
    unsubscribe: "Cancelar a inscrição"
  },
  it: {
    reason: (project) => `Ricevi questa email perché la tua iscrizione ai messaggi di ${project} è attiva.`,
    unsubscribe: "Annulla l'iscrizione"
  },
  pl: {
    reason: (project) => `Otrzymujesz tę wiadomość, ponieważ subskrybujesz wiadomości od ${project}.`,
    unsubscribe: "Zrezygnuj z subskrypcji"
  },
  ja: {
    reason: (project) => `このメールは、${project}からのメール配信にご登録いただいている方にお送りしています。`,
    unsubscribe: "配信を停止する"
  },
  "zh-CN": {
    reason: (project) => `您收到这封邮件，是因为您订阅了 ${project} 的邮件。`,
    unsubscribe: "退订"
  }
}
