/** Texts of the pages of sign-up forms in every language. */
import type { Language } from "../../platform/web/Languages.ts"

export interface FormWords {
  readonly email: string
  /** Behind the label of a field that may stay empty. */
  readonly optional: string
  /** Above the boxes of topics. */
  readonly topics: string
  readonly done: { readonly title: string; readonly text: string }
  /** The page of a browser that has no solved ticket. */
  readonly step: { readonly title: string; readonly text: string; readonly button: string }
  readonly faults: {
    readonly title: string
    readonly required: string
    readonly box: string
    readonly email: string
    readonly invalid: string
    readonly tooLong: string
  }
  readonly gone: { readonly title: string; readonly text: string }
  readonly forbidden: { readonly title: string; readonly text: string }
  /** For people whose browser shows the field that must stay empty. */
  readonly leaveEmpty: string
}

export const formWords: Readonly<Record<Language, FormWords>> = {
  en: {
    email: "Email address",
    optional: "optional",
    topics: "What would you like to receive?",
    done: {
      title: "Thank you",
      text: "Your details have been received. If a confirmation is needed, you will find a message in your inbox."
    },
    step: { title: "One more step", text: "Please confirm that you want to send the form.", button: "Send" },
    faults: {
      title: "Please check your entries.",
      required: "This field is required.",
      box: "Please tick this box.",
      email: "This is not a valid email address.",
      invalid: "This value is not valid.",
      tooLong: "This text is too long."
    },
    gone: { title: "This form is not available", text: "It may have been closed or moved." },
    forbidden: { title: "This form cannot be sent from there", text: "Please use the form on its own page." },
    leaveEmpty: "Leave this field empty"
  },
  de: {
    email: "E-Mail-Adresse",
    optional: "freiwillig",
    topics: "Was möchten Sie erhalten?",
    done: {
      title: "Vielen Dank",
      text: "Ihre Angaben sind angekommen. Falls eine Bestätigung nötig ist, finden Sie eine Nachricht in Ihrem Postfach."
    },
    step: {
      title: "Noch ein Schritt",
      text: "Bitte bestätigen Sie, dass Sie das Formular senden möchten.",
      button: "Senden"
    },
    faults: {
      title: "Bitte prüfen Sie Ihre Angaben.",
      required: "Bitte füllen Sie dieses Feld aus.",
      box: "Bitte setzen Sie dieses Häkchen.",
      email: "Das ist keine gültige E-Mail-Adresse.",
      invalid: "Dieser Wert ist nicht gültig.",
      tooLong: "Dieser Text ist zu lang."
    },
    gone: { title: "Dieses Formular gibt es nicht", text: "Es wurde geschlossen oder verschoben." },
    forbidden: {
      title: "Von dort kann dieses Formular nicht gesendet werden",
      text: "Bitte nutzen Sie das Formular auf seiner eigenen Seite."
    },
    leaveEmpty: "Dieses Feld leer lassen"
  },
  fr: {
    email: "Adresse e-mail",
    optional: "facultatif",
    topics: "Que souhaitez-vous recevoir ?",
    done: {
      title: "Merci",
      text: "Vos informations ont bien été reçues. Si une confirmation est nécessaire, vous trouverez un message dans votre boîte de réception."
    },
    step: {
      title: "Encore une étape",
      text: "Veuillez confirmer que vous souhaitez envoyer le formulaire.",
      button: "Envoyer"
    },
    faults: {
      title: "Veuillez vérifier vos informations.",
      required: "Ce champ est obligatoire.",
      box: "Veuillez cocher cette case.",
      email: "Cette adresse e-mail n’est pas valide.",
      invalid: "Cette valeur n’est pas valide.",
      tooLong: "Ce texte est trop long."
    },
    gone: { title: "Ce formulaire n’est pas disponible", text: "Il a peut-être été fermé ou déplacé." },
    forbidden: {
      title: "Ce formulaire ne peut pas être envoyé de là",
      text: "Veuillez utiliser le formulaire sur sa propre page."
    },
    leaveEmpty: "Laissez ce champ vide"
  },
  es: {
    email: "Correo electrónico",
    optional: "opcional",
    topics: "¿Qué le gustaría recibir?",
    done: {
      title: "Gracias",
      text: "Hemos recibido sus datos. Si hace falta una confirmación, encontrará un mensaje en su bandeja de entrada."
    },
    step: { title: "Un paso más", text: "Confirme que desea enviar el formulario.", button: "Enviar" },
    faults: {
      title: "Revise sus datos.",
      required: "Este campo es obligatorio.",
      box: "Marque esta casilla.",
      email: "No es una dirección de correo válida.",
      invalid: "Este valor no es válido.",
      tooLong: "Este texto es demasiado largo."
    },
    gone: { title: "Este formulario no está disponible", text: "Es posible que se haya cerrado o movido." },
    forbidden: {
      title: "Este formulario no se puede enviar desde ahí",
      text: "Utilice el formulario en su propia página."
    },
    leaveEmpty: "Deje este campo vacío"
  },
  nl: {
    email: "E-mailadres",
    optional: "optioneel",
    topics: "Wat wilt u ontvangen?",
    done: {
      title: "Bedankt",
      text: "Uw gegevens zijn ontvangen. Als een bevestiging nodig is, vindt u een bericht in uw inbox."
    },
    step: { title: "Nog één stap", text: "Bevestig dat u het formulier wilt versturen.", button: "Versturen" },
    faults: {
      title: "Controleer uw gegevens.",
      required: "Dit veld is verplicht.",
      box: "Vink dit vakje aan.",
      email: "Dit is geen geldig e-mailadres.",
      invalid: "Deze waarde is niet geldig.",
      tooLong: "Deze tekst is te lang."
    },
    gone: { title: "Dit formulier is niet beschikbaar", text: "Het is misschien gesloten of verplaatst." },
    forbidden: {
      title: "Dit formulier kan daar niet worden verstuurd",
      text: "Gebruik het formulier op zijn eigen pagina."
    },
    leaveEmpty: "Laat dit veld leeg"
  },
  pt: {
    email: "Endereço de e-mail",
    optional: "opcional",
    topics: "O que gostaria de receber?",
    done: {
      title: "Obrigado",
      text: "Os seus dados foram recebidos. Se for necessária uma confirmação, encontrará uma mensagem na sua caixa de entrada."
    },
    step: { title: "Só mais um passo", text: "Confirme que deseja enviar o formulário.", button: "Enviar" },
    faults: {
      title: "Verifique os seus dados.",
      required: "Este campo é obrigatório.",
      box: "Marque esta caixa.",
      email: "Este não é um endereço de e-mail válido.",
      invalid: "Este valor não é válido.",
      tooLong: "Este texto é demasiado longo."
    },
    gone: { title: "Este formulário não está disponível", text: "Pode ter sido encerrado ou movido." },
    forbidden: {
      title: "Este formulário não pode ser enviado daí",
      text: "Utilize o formulário na sua própria página."
    },
    leaveEmpty: "Deixe este campo vazio"
  },
  it: {
    email: "Indirizzo e-mail",
    optional: "facoltativo",
    topics: "Che cosa desidera ricevere?",
    done: {
      title: "Grazie",
      text: "I suoi dati sono stati ricevuti. Se serve una conferma, troverà un messaggio nella sua casella di posta."
    },
    step: { title: "Ancora un passo", text: "Confermi di voler inviare il modulo.", button: "Invia" },
    faults: {
      title: "Controlli i suoi dati.",
      required: "Questo campo è obbligatorio.",
      box: "Selezioni questa casella.",
      email: "Questo non è un indirizzo e-mail valido.",
      invalid: "Questo valore non è valido.",
      tooLong: "Questo testo è troppo lungo."
    },
    gone: { title: "Questo modulo non è disponibile", text: "Potrebbe essere stato chiuso o spostato." },
    forbidden: {
      title: "Questo modulo non può essere inviato da lì",
      text: "Utilizzi il modulo nella sua pagina."
    },
    leaveEmpty: "Lasci vuoto questo campo"
  },
  pl: {
    email: "Adres e-mail",
    optional: "opcjonalnie",
    topics: "Co chcesz otrzymywać?",
    done: {
      title: "Dziękujemy",
      text: "Otrzymaliśmy Twoje dane. Jeśli potrzebne jest potwierdzenie, znajdziesz wiadomość w swojej skrzynce."
    },
    step: { title: "Jeszcze jeden krok", text: "Potwierdź, że chcesz wysłać formularz.", button: "Wyślij" },
    faults: {
      title: "Sprawdź wpisane dane.",
      required: "To pole jest wymagane.",
      box: "Zaznacz to pole.",
      email: "To nie jest prawidłowy adres e-mail.",
      invalid: "Ta wartość jest nieprawidłowa.",
      tooLong: "Ten tekst jest za długi."
    },
    gone: { title: "Ten formularz jest niedostępny", text: "Mógł zostać zamknięty lub przeniesiony." },
    forbidden: {
      title: "Tego formularza nie można stamtąd wysłać",
      text: "Skorzystaj z formularza na jego własnej stronie."
    },
    leaveEmpty: "Pozostaw to pole puste"
  },
  ja: {
    email: "メールアドレス",
    optional: "任意",
    topics: "どの配信を希望しますか？",
    done: {
      title: "ありがとうございます",
      text: "入力内容を受け付けました。確認が必要な場合は、受信トレイにメールが届きます。"
    },
    step: { title: "あと一歩です", text: "フォームを送信してよいか確認してください。", button: "送信" },
    faults: {
      title: "入力内容をご確認ください。",
      required: "この項目は必須です。",
      box: "このボックスにチェックを入れてください。",
      email: "有効なメールアドレスではありません。",
      invalid: "この値は正しくありません。",
      tooLong: "文字数が多すぎます。"
    },
    gone: { title: "このフォームは利用できません", text: "終了したか、移動した可能性があります。" },
    forbidden: {
      title: "このページからは送信できません",
      text: "フォーム自体のページからご利用ください。"
    },
    leaveEmpty: "この欄は空のままにしてください"
  },
  "zh-CN": {
    email: "电子邮箱地址",
    optional: "选填",
    topics: "您希望接收哪些内容？",
    done: {
      title: "谢谢",
      text: "您的信息已收到。如果需要确认，您会在收件箱中收到一封邮件。"
    },
    step: { title: "还差一步", text: "请确认要发送此表单。", button: "发送" },
    faults: {
      title: "请检查您填写的内容。",
      required: "此项为必填项。",
      box: "请勾选此框。",
      email: "这不是有效的电子邮箱地址。",
      invalid: "此值无效。",
      tooLong: "文字过长。"
    },
    gone: { title: "此表单不可用", text: "它可能已关闭或已移动。" },
    forbidden: { title: "无法从该页面发送此表单", text: "请使用表单自己的页面。" },
    leaveEmpty: "请将此字段留空"
  }
}
