/** The sentence and the link text of the unsubscribe footer, by language. */
import type { Language } from "../../platform/web/Languages.ts"

interface Words {
  readonly reason: (project: string) => string
  readonly reasonOfTopic: (topic: string, project: string) => string
  readonly unsubscribe: string
  /** The link to the preference page. */
  readonly preferences: string
}

export const footerWords: Readonly<Record<Language, Words>> = {
  en: {
    reason: (project) => `You are receiving this email because you are subscribed to messages from ${project}.`,
    reasonOfTopic: (topic, project) =>
      `You are receiving this email because you are subscribed to “${topic}” from ${project}.`,
    unsubscribe: "Unsubscribe",
    preferences: "Email preferences"
  },
  de: {
    reason: (project) => `Sie erhalten diese E-Mail, weil Sie Nachrichten von ${project} abonniert haben.`,
    reasonOfTopic: (topic, project) => `Sie erhalten diese E-Mail, weil Sie „${topic}“ von ${project} abonniert haben.`,
    unsubscribe: "Abbestellen",
    preferences: "E-Mail-Einstellungen"
  },
  fr: {
    reason: (project) =>
      `Vous recevez cet e-mail dans le cadre de votre abonnement aux messages envoyés par ${project}.`,
    reasonOfTopic: (topic, project) =>
      `Vous recevez cet e-mail dans le cadre de votre abonnement à « ${topic} » de ${project}.`,
    unsubscribe: "Se désabonner",
    preferences: "Préférences d’e-mail"
  },
  es: {
    reason: (project) => `Ha recibido este correo porque tiene una suscripción a los mensajes de ${project}.`,
    reasonOfTopic: (topic, project) =>
      `Ha recibido este correo porque tiene una suscripción a «${topic}» de ${project}.`,
    unsubscribe: "Cancelar la suscripción",
    preferences: "Preferencias de correo"
  },
  nl: {
    reason: (project) => `U ontvangt deze e-mail omdat u zich hebt aangemeld voor berichten van ${project}.`,
    reasonOfTopic: (topic, project) =>
      `U ontvangt deze e-mail omdat u zich hebt aangemeld voor ‘${topic}’ van ${project}.`,
    unsubscribe: "Afmelden",
    preferences: "E-mailvoorkeuren"
  },
  pt: {
    reason: (project) =>
      `Este e-mail foi enviado porque existe uma inscrição ativa para receber mensagens de ${project}.`,
    reasonOfTopic: (topic, project) =>
      `Este e-mail foi enviado porque existe uma inscrição ativa em “${topic}” de ${project}.`,
    unsubscribe: "Cancelar a inscrição",
    preferences: "Preferências de e-mail"
  },
  it: {
    reason: (project) => `Ricevi questa email perché la tua iscrizione ai messaggi di ${project} è attiva.`,
    reasonOfTopic: (topic, project) =>
      `Ricevi questa email perché la tua iscrizione a «${topic}» di ${project} è attiva.`,
    unsubscribe: "Annulla l'iscrizione",
    preferences: "Preferenze email"
  },
  pl: {
    reason: (project) => `Otrzymujesz tę wiadomość, ponieważ subskrybujesz wiadomości od ${project}.`,
    reasonOfTopic: (topic, project) => `Otrzymujesz tę wiadomość, ponieważ subskrybujesz „${topic}” od ${project}.`,
    unsubscribe: "Zrezygnuj z subskrypcji",
    preferences: "Ustawienia wiadomości"
  },
  ja: {
    reason: (project) => `このメールは、${project}からのメール配信にご登録いただいている方にお送りしています。`,
    reasonOfTopic: (topic, project) =>
      `このメールは、${project}の「${topic}」にご登録いただいている方にお送りしています。`,
    unsubscribe: "配信を停止する",
    preferences: "メール配信の設定"
  },
  "zh-CN": {
    reason: (project) => `您收到这封邮件，是因为您订阅了 ${project} 的邮件。`,
    reasonOfTopic: (topic, project) => `您收到这封邮件，是因为您订阅了 ${project} 的“${topic}”。`,
    unsubscribe: "退订",
    preferences: "邮件偏好设置"
  }
}
