/** Texts about requests of recipients about their data: mails, buttons and pages, in every language. */
import type { Language } from "../../platform/web/Languages.ts"

interface Message {
  readonly title: string
  readonly text: string
}

export interface PrivacyWords {
  /** On the page of preferences. */
  readonly buttons: {
    readonly legend: string
    readonly EXPORT: string
    readonly ERASURE: string
  }
  /** After a button was used, whether a mail was sent or not. The address is masked. */
  readonly asked: { readonly title: string; readonly text: (address: string) => string }
  readonly mail: {
    readonly EXPORT: { readonly subject: (project: string) => string; readonly text: (project: string) => string }
    readonly ERASURE: { readonly subject: (project: string) => string; readonly text: (project: string) => string }
    /** What to do if somebody else asked. */
    readonly ignore: string
  }
  /** The page behind the link. */
  readonly download: { readonly title: string; readonly text: (project: string) => string; readonly button: string }
  readonly erase: {
    readonly title: string
    /** The project erases. */
    readonly later: (project: string) => string
    /** The button erases. */
    readonly atOnce: (project: string) => string
    readonly button: string
  }
  readonly received: { readonly title: string; readonly text: (project: string, day: string) => string }
  readonly erased: Message
  /** The link was used too late. */
  readonly ended: Message
  readonly refused: Message
  /** The mail that says why; the reason follows. */
  readonly refusal: { readonly subject: (project: string) => string; readonly text: (project: string) => string }
}

export const privacyWords: Readonly<Record<Language, PrivacyWords>> = {
  en: {
    buttons: { legend: "Your data", EXPORT: "Send me my data", ERASURE: "Delete my data" },
    asked: {
      title: "Check your inbox",
      text: (address) =>
        `A message with a link is sent to ${address}, unless one was sent in the last 24 hours. Nothing happens before you open the link.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: confirm that you want your data`,
        text: (project) =>
          `Somebody asked for a copy of the data that ${project} has about this address. Open the link below to get it. The link works for 24 hours.`
      },
      ERASURE: {
        subject: (project) => `${project}: confirm that you want your data deleted`,
        text: (project) =>
          `Somebody asked to delete the data that ${project} has about this address. Open the link below to confirm. Nothing is deleted before that. The link works for 24 hours.`
      },
      ignore: "If you did not ask for this, ignore this message. Then nothing happens."
    },
    download: {
      title: "Get your data",
      text: (project) => `The file has all data that ${project} has about this address.`,
      button: "Download"
    },
    erase: {
      title: "Delete your data",
      later: (project) => `${project} is asked to delete all data about this address within 30 days.`,
      atOnce: (project) => `All data that ${project} has about this address is deleted at once. This cannot be undone.`,
      button: "Yes, delete my data"
    },
    received: {
      title: "Your request has been received.",
      text: (project, day) => `${project} deletes your data by ${day}, or writes to you why it does not.`
    },
    erased: { title: "Your data has been deleted.", text: "There is nothing more to do." },
    ended: {
      title: "This link has expired",
      text: "Nothing was done. You can ask again on the page of your preferences."
    },
    refused: { title: "Your request has been answered.", text: "The answer was sent to you by mail." },
    refusal: {
      subject: (project) => `${project}: your request to delete your data`,
      text: (project) => `${project} does not delete your data, for this reason:`
    }
  },
  de: {
    buttons: { legend: "Ihre Daten", EXPORT: "Meine Daten zusenden", ERASURE: "Meine Daten löschen" },
    asked: {
      title: "Sehen Sie in Ihr Postfach",
      text: (address) =>
        `Eine Nachricht mit einem Link geht an ${address}, sofern in den letzten 24 Stunden noch keine verschickt wurde. Es geschieht nichts, bevor Sie den Link öffnen.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: Bitte bestätigen Sie, dass Sie Ihre Daten erhalten möchten`,
        text: (project) =>
          `Jemand hat eine Kopie der Daten angefordert, die ${project} zu dieser Adresse gespeichert hat. Öffnen Sie den Link unten, um sie zu erhalten. Der Link gilt 24 Stunden.`
      },
      ERASURE: {
        subject: (project) => `${project}: Bitte bestätigen Sie, dass Ihre Daten gelöscht werden sollen`,
        text: (project) =>
          `Jemand hat verlangt, die Daten zu löschen, die ${project} zu dieser Adresse gespeichert hat. Öffnen Sie den Link unten, um das zu bestätigen. Vorher wird nichts gelöscht. Der Link gilt 24 Stunden.`
      },
      ignore: "Wenn Sie das nicht verlangt haben, beachten Sie diese Nachricht nicht. Dann geschieht nichts."
    },
    download: {
      title: "Ihre Daten erhalten",
      text: (project) => `Die Datei enthält alle Daten, die ${project} zu dieser Adresse gespeichert hat.`,
      button: "Herunterladen"
    },
    erase: {
      title: "Ihre Daten löschen",
      later: (project) => `${project} wird aufgefordert, alle Daten zu dieser Adresse binnen 30 Tagen zu löschen.`,
      atOnce: (project) =>
        `Alle Daten, die ${project} zu dieser Adresse gespeichert hat, werden sofort gelöscht. Das lässt sich nicht rückgängig machen.`,
      button: "Ja, meine Daten löschen"
    },
    received: {
      title: "Ihre Anfrage ist eingegangen.",
      text: (project, day) => `${project} löscht Ihre Daten bis zum ${day} oder schreibt Ihnen, warum nicht.`
    },
    erased: { title: "Ihre Daten wurden gelöscht.", text: "Sie müssen nichts weiter tun." },
    ended: {
      title: "Dieser Link ist abgelaufen",
      text: "Es ist nichts geschehen. Auf der Seite mit Ihren Einstellungen können Sie noch einmal anfragen."
    },
    refused: { title: "Ihre Anfrage wurde beantwortet.", text: "Die Antwort wurde Ihnen per E-Mail geschickt." },
    refusal: {
      subject: (project) => `${project}: Ihre Anfrage, Ihre Daten zu löschen`,
      text: (project) => `${project} löscht Ihre Daten nicht, aus diesem Grund:`
    }
  },
  fr: {
    buttons: { legend: "Vos données", EXPORT: "M’envoyer mes données", ERASURE: "Supprimer mes données" },
    asked: {
      title: "Consultez votre boîte de réception",
      text: (address) =>
        `Un message contenant un lien est envoyé à ${address}, sauf si un autre l’a été au cours des dernières 24 heures. Rien ne se passe tant que vous n’ouvrez pas le lien.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project} : confirmez que vous souhaitez recevoir vos données`,
        text: (project) =>
          `Quelqu’un a demandé une copie des données que ${project} détient sur cette adresse. Ouvrez le lien ci-dessous pour l’obtenir. Le lien est valable 24 heures.`
      },
      ERASURE: {
        subject: (project) => `${project} : confirmez la suppression de vos données`,
        text: (project) =>
          `Quelqu’un a demandé la suppression des données que ${project} détient sur cette adresse. Ouvrez le lien ci-dessous pour confirmer. Rien n’est supprimé avant. Le lien est valable 24 heures.`
      },
      ignore: "Si vous n’avez rien demandé, ignorez ce message. Il ne se passera alors rien."
    },
    download: {
      title: "Obtenir vos données",
      text: (project) => `Le fichier contient toutes les données que ${project} détient sur cette adresse.`,
      button: "Télécharger"
    },
    erase: {
      title: "Supprimer vos données",
      later: (project) =>
        `Il est demandé à ${project} de supprimer toutes les données sur cette adresse dans un délai de 30 jours.`,
      atOnce: (project) =>
        `Toutes les données que ${project} détient sur cette adresse sont supprimées immédiatement. Cette action est irréversible.`,
      button: "Oui, supprimer mes données"
    },
    received: {
      title: "Votre demande a été reçue.",
      text: (project, day) =>
        `${project} supprimera vos données d’ici le ${day}, ou vous écrira pourquoi ce n’est pas le cas.`
    },
    erased: { title: "Vos données ont été supprimées.", text: "Vous n’avez rien d’autre à faire." },
    ended: {
      title: "Ce lien a expiré",
      text: "Rien n’a été fait. Vous pouvez refaire votre demande sur la page de vos préférences."
    },
    refused: { title: "Votre demande a reçu une réponse.", text: "La réponse vous a été envoyée par e-mail." },
    refusal: {
      subject: (project) => `${project} : votre demande de suppression de données`,
      text: (project) => `${project} ne supprime pas vos données, pour la raison suivante :`
    }
  },
  es: {
    buttons: { legend: "Sus datos", EXPORT: "Enviarme mis datos", ERASURE: "Eliminar mis datos" },
    asked: {
      title: "Revise su bandeja de entrada",
      text: (address) =>
        `Se envía un mensaje con un enlace a ${address}, salvo que ya se haya enviado uno en las últimas 24 horas. No ocurre nada hasta que abra el enlace.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: confirme que desea recibir sus datos`,
        text: (project) =>
          `Alguien ha pedido una copia de los datos que ${project} tiene sobre esta dirección. Abra el enlace de abajo para obtenerla. El enlace es válido durante 24 horas.`
      },
      ERASURE: {
        subject: (project) => `${project}: confirme que desea eliminar sus datos`,
        text: (project) =>
          `Alguien ha pedido que se eliminen los datos que ${project} tiene sobre esta dirección. Abra el enlace de abajo para confirmarlo. Antes no se elimina nada. El enlace es válido durante 24 horas.`
      },
      ignore: "Si no lo ha solicitado, ignore este mensaje. En ese caso no ocurrirá nada."
    },
    download: {
      title: "Obtener sus datos",
      text: (project) => `El archivo contiene todos los datos que ${project} tiene sobre esta dirección.`,
      button: "Descargar"
    },
    erase: {
      title: "Eliminar sus datos",
      later: (project) => `Se pide a ${project} que elimine en 30 días todos los datos sobre esta dirección.`,
      atOnce: (project) =>
        `Todos los datos que ${project} tiene sobre esta dirección se eliminan de inmediato. No se puede deshacer.`,
      button: "Sí, eliminar mis datos"
    },
    received: {
      title: "Su solicitud se ha recibido.",
      text: (project, day) => `${project} eliminará sus datos antes del ${day} o le escribirá por qué no lo hace.`
    },
    erased: { title: "Sus datos se han eliminado.", text: "No tiene que hacer nada más." },
    ended: {
      title: "Este enlace ha caducado",
      text: "No se ha hecho nada. Puede volver a pedirlo en la página de sus preferencias."
    },
    refused: { title: "Su solicitud se ha respondido.", text: "La respuesta se le ha enviado por correo." },
    refusal: {
      subject: (project) => `${project}: su solicitud de eliminar sus datos`,
      text: (project) => `${project} no elimina sus datos por este motivo:`
    }
  },
  nl: {
    buttons: { legend: "Uw gegevens", EXPORT: "Stuur mij mijn gegevens", ERASURE: "Verwijder mijn gegevens" },
    asked: {
      title: "Kijk in uw postvak",
      text: (address) =>
        `Er gaat een bericht met een link naar ${address}, tenzij er in de afgelopen 24 uur al een is verstuurd. Er gebeurt niets voordat u de link opent.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: bevestig dat u uw gegevens wilt ontvangen`,
        text: (project) =>
          `Iemand heeft gevraagd om een kopie van de gegevens die ${project} over dit adres heeft. Open de link hieronder om die te krijgen. De link werkt 24 uur.`
      },
      ERASURE: {
        subject: (project) => `${project}: bevestig dat u uw gegevens wilt laten verwijderen`,
        text: (project) =>
          `Iemand heeft gevraagd de gegevens te verwijderen die ${project} over dit adres heeft. Open de link hieronder om dat te bevestigen. Daarvoor wordt niets verwijderd. De link werkt 24 uur.`
      },
      ignore: "Hebt u hier niet om gevraagd? Negeer dit bericht dan. Er gebeurt dan niets."
    },
    download: {
      title: "Uw gegevens ontvangen",
      text: (project) => `Het bestand bevat alle gegevens die ${project} over dit adres heeft.`,
      button: "Downloaden"
    },
    erase: {
      title: "Uw gegevens verwijderen",
      later: (project) => `${project} wordt gevraagd alle gegevens over dit adres binnen 30 dagen te verwijderen.`,
      atOnce: (project) =>
        `Alle gegevens die ${project} over dit adres heeft, worden meteen verwijderd. Dit kan niet ongedaan worden gemaakt.`,
      button: "Ja, verwijder mijn gegevens"
    },
    received: {
      title: "Uw verzoek is ontvangen.",
      text: (project, day) => `${project} verwijdert uw gegevens uiterlijk op ${day}, of schrijft u waarom niet.`
    },
    erased: { title: "Uw gegevens zijn verwijderd.", text: "U hoeft niets meer te doen." },
    ended: {
      title: "Deze link is verlopen",
      text: "Er is niets gedaan. U kunt het opnieuw vragen op de pagina met uw voorkeuren."
    },
    refused: { title: "Uw verzoek is beantwoord.", text: "Het antwoord is u per e-mail gestuurd." },
    refusal: {
      subject: (project) => `${project}: uw verzoek om uw gegevens te verwijderen`,
      text: (project) => `${project} verwijdert uw gegevens niet, om deze reden:`
    }
  },
  pt: {
    buttons: { legend: "Os seus dados", EXPORT: "Enviar-me os meus dados", ERASURE: "Eliminar os meus dados" },
    asked: {
      title: "Verifique a sua caixa de entrada",
      text: (address) =>
        `É enviada uma mensagem com uma ligação para ${address}, a não ser que já tenha sido enviada uma nas últimas 24 horas. Nada acontece antes de abrir a ligação.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: confirme que deseja receber os seus dados`,
        text: (project) =>
          `Alguém pediu uma cópia dos dados que ${project} tem sobre este endereço. Abra a ligação abaixo para a obter. A ligação é válida durante 24 horas.`
      },
      ERASURE: {
        subject: (project) => `${project}: confirme que deseja eliminar os seus dados`,
        text: (project) =>
          `Alguém pediu que fossem eliminados os dados que ${project} tem sobre este endereço. Abra a ligação abaixo para confirmar. Antes disso nada é eliminado. A ligação é válida durante 24 horas.`
      },
      ignore: "Se não fez este pedido, ignore esta mensagem. Nesse caso nada acontece."
    },
    download: {
      title: "Obter os seus dados",
      text: (project) => `O ficheiro contém todos os dados que ${project} tem sobre este endereço.`,
      button: "Transferir"
    },
    erase: {
      title: "Eliminar os seus dados",
      later: (project) => `É pedido a ${project} que elimine todos os dados sobre este endereço no prazo de 30 dias.`,
      atOnce: (project) =>
        `Todos os dados que ${project} tem sobre este endereço são eliminados de imediato. Não é possível anular esta ação.`,
      button: "Sim, eliminar os meus dados"
    },
    received: {
      title: "O seu pedido foi recebido.",
      text: (project, day) => `${project} elimina os seus dados até ${day}, ou escreve-lhe a explicar porque não o faz.`
    },
    erased: { title: "Os seus dados foram eliminados.", text: "Não é necessário fazer mais nada." },
    ended: {
      title: "Esta ligação expirou",
      text: "Nada foi feito. Pode pedir novamente na página das suas preferências."
    },
    refused: { title: "O seu pedido foi respondido.", text: "A resposta foi-lhe enviada por e-mail." },
    refusal: {
      subject: (project) => `${project}: o seu pedido de eliminação de dados`,
      text: (project) => `${project} não elimina os seus dados, pelo seguinte motivo:`
    }
  },
  it: {
    buttons: { legend: "I suoi dati", EXPORT: "Inviami i miei dati", ERASURE: "Elimina i miei dati" },
    asked: {
      title: "Controlli la posta in arrivo",
      text: (address) =>
        `Un messaggio con un link viene inviato a ${address}, a meno che non ne sia già stato inviato uno nelle ultime 24 ore. Non succede nulla prima che lei apra il link.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: confermi di voler ricevere i suoi dati`,
        text: (project) =>
          `Qualcuno ha chiesto una copia dei dati che ${project} ha su questo indirizzo. Apra il link qui sotto per ottenerla. Il link è valido per 24 ore.`
      },
      ERASURE: {
        subject: (project) => `${project}: confermi di voler eliminare i suoi dati`,
        text: (project) =>
          `Qualcuno ha chiesto di eliminare i dati che ${project} ha su questo indirizzo. Apra il link qui sotto per confermare. Prima di allora non viene eliminato nulla. Il link è valido per 24 ore.`
      },
      ignore: "Se non l’ha chiesto lei, ignori questo messaggio. In tal caso non succede nulla."
    },
    download: {
      title: "Ottenere i suoi dati",
      text: (project) => `Il file contiene tutti i dati che ${project} ha su questo indirizzo.`,
      button: "Scarica"
    },
    erase: {
      title: "Eliminare i suoi dati",
      later: (project) => `Si chiede a ${project} di eliminare entro 30 giorni tutti i dati su questo indirizzo.`,
      atOnce: (project) =>
        `Tutti i dati che ${project} ha su questo indirizzo vengono eliminati subito. L’operazione non può essere annullata.`,
      button: "Sì, elimina i miei dati"
    },
    received: {
      title: "La sua richiesta è stata ricevuta.",
      text: (project, day) => `${project} elimina i suoi dati entro il ${day}, oppure le scrive perché non lo fa.`
    },
    erased: { title: "I suoi dati sono stati eliminati.", text: "Non deve fare altro." },
    ended: {
      title: "Questo link è scaduto",
      text: "Non è stato fatto nulla. Può ripetere la richiesta nella pagina delle sue preferenze."
    },
    refused: { title: "La sua richiesta ha avuto risposta.", text: "La risposta le è stata inviata per e-mail." },
    refusal: {
      subject: (project) => `${project}: la sua richiesta di eliminare i dati`,
      text: (project) => `${project} non elimina i suoi dati, per questo motivo:`
    }
  },
  pl: {
    buttons: { legend: "Twoje dane", EXPORT: "Wyślij mi moje dane", ERASURE: "Usuń moje dane" },
    asked: {
      title: "Sprawdź swoją skrzynkę",
      text: (address) =>
        `Wiadomość z linkiem jest wysyłana na adres ${address}, chyba że wysłano ją w ciągu ostatnich 24 godzin. Nic się nie stanie, zanim nie otworzysz linku.`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}: potwierdź, że chcesz otrzymać swoje dane`,
        text: (project) =>
          `Ktoś poprosił o kopię danych, które ${project} ma o tym adresie. Otwórz poniższy link, aby ją otrzymać. Link działa przez 24 godziny.`
      },
      ERASURE: {
        subject: (project) => `${project}: potwierdź, że chcesz usunąć swoje dane`,
        text: (project) =>
          `Ktoś poprosił o usunięcie danych, które ${project} ma o tym adresie. Otwórz poniższy link, aby to potwierdzić. Wcześniej nic nie zostanie usunięte. Link działa przez 24 godziny.`
      },
      ignore: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Wtedy nic się nie stanie."
    },
    download: {
      title: "Pobierz swoje dane",
      text: (project) => `Plik zawiera wszystkie dane, które ${project} ma o tym adresie.`,
      button: "Pobierz"
    },
    erase: {
      title: "Usuń swoje dane",
      later: (project) => `${project} otrzyma prośbę o usunięcie wszystkich danych o tym adresie w ciągu 30 dni.`,
      atOnce: (project) =>
        `Wszystkie dane, które ${project} ma o tym adresie, zostaną od razu usunięte. Tego nie można cofnąć.`,
      button: "Tak, usuń moje dane"
    },
    received: {
      title: "Twoja prośba dotarła.",
      text: (project, day) => `${project} usunie Twoje dane do ${day} albo napisze Ci, dlaczego tego nie zrobi.`
    },
    erased: { title: "Twoje dane zostały usunięte.", text: "Nie musisz już nic robić." },
    ended: {
      title: "Ten link wygasł",
      text: "Nic nie zrobiono. Możesz poprosić ponownie na stronie swoich preferencji."
    },
    refused: { title: "Na Twoją prośbę odpowiedziano.", text: "Odpowiedź wysłano do Ciebie e-mailem." },
    refusal: {
      subject: (project) => `${project}: Twoja prośba o usunięcie danych`,
      text: (project) => `${project} nie usunie Twoich danych z tego powodu:`
    }
  },
  ja: {
    buttons: { legend: "お客様のデータ", EXPORT: "自分のデータを受け取る", ERASURE: "自分のデータを削除する" },
    asked: {
      title: "受信トレイをご確認ください",
      text: (address) =>
        `${address} にリンク付きのメールをお送りします（過去24時間以内に送信済みの場合を除きます）。リンクを開くまでは何も行われません。`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}：データの受け取りをご確認ください`,
        text: (project) =>
          `${project} が保有するこのアドレスに関するデータの写しが請求されました。受け取るには、下のリンクを開いてください。リンクは24時間有効です。`
      },
      ERASURE: {
        subject: (project) => `${project}：データの削除をご確認ください`,
        text: (project) =>
          `${project} が保有するこのアドレスに関するデータの削除が請求されました。確認するには、下のリンクを開いてください。それまでは何も削除されません。リンクは24時間有効です。`
      },
      ignore: "お心当たりがない場合は、このメールを無視してください。何も行われません。"
    },
    download: {
      title: "データを受け取る",
      text: (project) => `このファイルには、${project} が保有するこのアドレスに関するすべてのデータが含まれています。`,
      button: "ダウンロード"
    },
    erase: {
      title: "データを削除する",
      later: (project) => `このアドレスに関するすべてのデータを30日以内に削除するよう、${project} に請求します。`,
      atOnce: (project) =>
        `${project} が保有するこのアドレスに関するすべてのデータが直ちに削除されます。元に戻すことはできません。`,
      button: "はい、削除します"
    },
    received: {
      title: "請求を受け付けました。",
      text: (project, day) => `${project} は ${day} までにデータを削除するか、削除しない理由をメールでお知らせします。`
    },
    erased: { title: "データは削除されました。", text: "これ以上の手続きは必要ありません。" },
    ended: {
      title: "このリンクは期限切れです",
      text: "何も行われませんでした。配信設定のページからもう一度請求できます。"
    },
    refused: { title: "請求には回答済みです。", text: "回答はメールでお送りしました。" },
    refusal: {
      subject: (project) => `${project}：データ削除の請求について`,
      text: (project) => `${project} は、次の理由によりデータを削除しません。`
    }
  },
  "zh-CN": {
    buttons: { legend: "您的数据", EXPORT: "把我的数据发给我", ERASURE: "删除我的数据" },
    asked: {
      title: "请查看您的收件箱",
      text: (address) =>
        `我们会向 ${address} 发送一封带有链接的邮件；如果过去 24 小时内已发送过，则不再发送。在您打开链接之前，不会进行任何操作。`
    },
    mail: {
      EXPORT: {
        subject: (project) => `${project}：请确认您要获取您的数据`,
        text: (project) =>
          `有人请求获取 ${project} 保存的与此地址有关的数据副本。请打开下面的链接获取。链接在 24 小时内有效。`
      },
      ERASURE: {
        subject: (project) => `${project}：请确认您要删除您的数据`,
        text: (project) =>
          `有人请求删除 ${project} 保存的与此地址有关的数据。请打开下面的链接确认。在此之前不会删除任何内容。链接在 24 小时内有效。`
      },
      ignore: "如果不是您提出的请求，请忽略此邮件，不会发生任何事情。"
    },
    download: {
      title: "获取您的数据",
      text: (project) => `该文件包含 ${project} 保存的与此地址有关的所有数据。`,
      button: "下载"
    },
    erase: {
      title: "删除您的数据",
      later: (project) => `将请求 ${project} 在 30 天内删除与此地址有关的所有数据。`,
      atOnce: (project) => `${project} 保存的与此地址有关的所有数据将立即被删除。此操作无法撤销。`,
      button: "是，删除我的数据"
    },
    received: {
      title: "已收到您的请求。",
      text: (project, day) => `${project} 会在 ${day} 之前删除您的数据，或写信告知您不删除的原因。`
    },
    erased: { title: "您的数据已被删除。", text: "您无需再做任何操作。" },
    ended: { title: "此链接已过期", text: "未进行任何操作。您可以在偏好设置页面再次提出请求。" },
    refused: { title: "您的请求已得到答复。", text: "答复已通过邮件发送给您。" },
    refusal: {
      subject: (project) => `${project}：关于您删除数据的请求`,
      text: (project) => `${project} 不删除您的数据，原因如下：`
    }
  }
}
