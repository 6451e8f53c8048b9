/** Texts of the account pages in every language. */
import type { MemberRole } from "@posthorn/contract/platform/Auth"
import type { Language } from "../../platform/web/Languages.ts"
import type { OauthFailure } from "../people/Oauth.ts"

export interface AccountPageWords {
  readonly verification: {
    readonly title: string
    /** Labels of the creation time and the network of the account. */
    readonly created: string
    readonly network: string
    readonly question: string
    readonly button: string
    readonly done: string
    readonly disowning: string
    readonly disown: string
    readonly disowned: string
  }
  readonly reset: {
    readonly title: string
    readonly button: string
    readonly done: string
    readonly after: string
  }
  readonly invitation: {
    readonly title: string
    readonly text: (project: string) => string
    /** The member is offered the ownership of the project. */
    readonly ownership: (project: string) => string
    readonly role: string
    readonly roles: { readonly [R in MemberRole]: string }
    /**
     * Texts for a user who enters the password of the account, who chooses a password, and who has a session of the
     * address.
     */
    readonly withAccount: string
    readonly withoutAccount: string
    readonly withSession: string
    readonly button: string
    readonly done: (project: string) => string
    readonly owned: (project: string) => string
    readonly decline: string
    readonly declined: (project: string) => string
    readonly continueWith: (provider: string) => string
  }
  readonly newPassword: string
  readonly password: string
  readonly passwordRule: string
  readonly wrongPassword: string
  readonly twoFactor: {
    readonly title: string
    readonly label: string
    readonly hint: string
    readonly button: string
    readonly wrong: string
  }
  /** The link at the end, to the console of the installation. */
  readonly toConsole: string
  readonly invalid: { readonly title: string; readonly text: string }
  readonly failed: { readonly title: string; readonly reasons: { readonly [F in OauthFailure]: string } }
}

export const accountPageWords: Readonly<Record<Language, AccountPageWords>> = {
  en: {
    verification: {
      title: "Confirm your address",
      created: "Account created",
      network: "Network",
      question: "Enter the password of the account to confirm that this address is yours.",
      button: "Confirm",
      done: "Your address is confirmed.",
      disowning: "If you did not sign up, delete the account and everything in it.",
      disown: "I did not sign up",
      disowned: "The account was deleted."
    },
    reset: {
      title: "Set a new password",
      button: "Set the password",
      done: "Your new password is set.",
      after: "All sessions have ended. You can sign in with the new password."
    },
    invitation: {
      title: "Invitation",
      text: (name) => `You are invited to the project ${name}.`,
      ownership: (name) => `You are offered the project ${name}. If you accept, you become its owner.`,
      role: "Role",
      roles: { OWNER: "owner", ADMIN: "administrator", MEMBER: "member" },
      withAccount: "This address has an account. Enter its password to accept.",
      withoutAccount: "Choose a password. This creates your account and accepts the invitation.",
      withSession: "You are signed in with this address.",
      button: "Accept",
      done: (name) => `You are now a member of ${name}.`,
      owned: (name) => `You are now the owner of ${name}.`,
      decline: "Decline",
      declined: (name) => `You have declined the invitation to ${name}.`,
      continueWith: (name) => `Continue with ${name}`
    },
    newPassword: "New password",
    password: "Password",
    passwordRule: "8 to 200 characters.",
    wrongPassword: "The password is wrong.",
    twoFactor: {
      title: "Second factor",
      label: "Code",
      hint: "Six digits from your authenticator app, or a recovery code.",
      button: "Sign in",
      wrong: "The code is wrong or was already used."
    },
    toConsole: "Open the console",
    invalid: {
      title: "This link no longer works",
      text: "It was already used, it has expired, or a newer link was sent."
    },
    failed: {
      title: "Sign-in failed",
      reasons: {
        state: "The sign-in was started in another window or took too long. Please start again.",
        refused: "The sign-in was cancelled.",
        email: "The provider has no confirmed email address for you.",
        signups_disabled: "This service does not accept new accounts.",
        provider: "The provider did not answer as expected. Please try again later.",
        too_many_attempts: "There were too many attempts. Please try again later."
      }
    }
  },
  de: {
    verification: {
      title: "Adresse bestätigen",
      created: "Konto angelegt",
      network: "Aus dem Netz",
      question: "Geben Sie das Passwort des Kontos ein, um zu bestätigen, dass diese Adresse Ihnen gehört.",
      button: "Bestätigen",
      done: "Ihre Adresse ist bestätigt.",
      disowning: "Waren Sie das nicht, so löschen Sie das Konto mit allem, was darin ist.",
      disown: "Ich habe mich nicht angemeldet",
      disowned: "Das Konto ist gelöscht."
    },
    reset: {
      title: "Neues Passwort festlegen",
      button: "Passwort festlegen",
      done: "Ihr neues Passwort ist festgelegt.",
      after: "Alle Sitzungen sind beendet. Sie können sich mit dem neuen Passwort anmelden."
    },
    invitation: {
      title: "Einladung",
      text: (name) => `Sie sind zum Projekt ${name} eingeladen.`,
      ownership: (name) => `Ihnen wird das Projekt ${name} angeboten. Nehmen Sie an, so sind Sie sein Inhaber.`,
      role: "Rolle",
      roles: { OWNER: "Inhaber", ADMIN: "Administrator", MEMBER: "Mitglied" },
      withAccount: "Diese Adresse hat ein Konto. Geben Sie zum Annehmen sein Passwort ein.",
      withoutAccount: "Wählen Sie ein Passwort. Damit wird Ihr Konto angelegt und die Einladung angenommen.",
      withSession: "Sie sind mit dieser Adresse angemeldet.",
      button: "Annehmen",
      done: (name) => `Sie sind jetzt Mitglied von ${name}.`,
      owned: (name) => `Sie sind jetzt Inhaber von ${name}.`,
      decline: "Ablehnen",
      declined: (name) => `Sie haben die Einladung zu ${name} abgelehnt.`,
      continueWith: (name) => `Weiter mit ${name}`
    },
    newPassword: "Neues Passwort",
    password: "Passwort",
    passwordRule: "8 bis 200 Zeichen.",
    wrongPassword: "Das Passwort ist falsch.",
    twoFactor: {
      title: "Zweiter Faktor",
      label: "Code",
      hint: "Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.",
      button: "Anmelden",
      wrong: "Der Code ist falsch oder wurde schon benutzt."
    },
    toConsole: "Konsole öffnen",
    invalid: {
      title: "Dieser Link gilt nicht mehr",
      text: "Er wurde benutzt, ist abgelaufen oder durch einen neueren ersetzt."
    },
    failed: {
      title: "Die Anmeldung hat nicht geklappt",
      reasons: {
        state:
          "Die Anmeldung wurde in einem anderen Fenster begonnen oder hat zu lange gedauert. Bitte beginnen Sie von vorn.",
        refused: "Die Anmeldung wurde abgebrochen.",
        email: "Der Anbieter kennt keine bestätigte E-Mail-Adresse von Ihnen.",
        signups_disabled: "Dieser Dienst nimmt keine neuen Konten an.",
        provider: "Der Anbieter antwortet nicht wie erwartet. Bitte versuchen Sie es später noch einmal.",
        too_many_attempts: "Es waren zu viele Versuche. Bitte versuchen Sie es später noch einmal."
      }
    }
  },
  fr: {
    verification: {
      title: "Confirmer votre adresse",
      created: "Compte créé",
      network: "Depuis le réseau",
      question: "Saisissez le mot de passe du compte pour confirmer que cette adresse est la vôtre.",
      button: "Confirmer",
      done: "Votre adresse est confirmée.",
      disowning: "Si ce n’était pas vous, supprimez le compte et tout son contenu.",
      disown: "Je ne me suis pas inscrit",
      disowned: "Le compte est supprimé."
    },
    reset: {
      title: "Choisir un nouveau mot de passe",
      button: "Enregistrer le mot de passe",
      done: "Votre nouveau mot de passe est enregistré.",
      after: "Toutes les sessions sont terminées. Vous pouvez vous connecter avec le nouveau mot de passe."
    },
    invitation: {
      title: "Invitation",
      text: (name) => `Vous êtes invité au projet ${name}.`,
      ownership: (name) => `Le projet ${name} vous est proposé. Si vous acceptez, vous en êtes le propriétaire.`,
      role: "Rôle",
      roles: { OWNER: "propriétaire", ADMIN: "administrateur", MEMBER: "membre" },
      withAccount: "Cette adresse a un compte. Saisissez son mot de passe pour accepter.",
      withoutAccount: "Choisissez un mot de passe. Votre compte sera créé et l’invitation acceptée.",
      withSession: "Vous êtes connecté avec cette adresse.",
      button: "Accepter",
      done: (name) => `Vous êtes maintenant membre de ${name}.`,
      owned: (name) => `Vous êtes maintenant propriétaire de ${name}.`,
      decline: "Refuser",
      declined: (name) => `Vous avez refusé l’invitation à ${name}.`,
      continueWith: (name) => `Continuer avec ${name}`
    },
    newPassword: "Nouveau mot de passe",
    password: "Mot de passe",
    passwordRule: "De 8 à 200 caractères.",
    wrongPassword: "Le mot de passe est incorrect.",
    twoFactor: {
      title: "Second facteur",
      label: "Code",
      hint: "Six chiffres de votre application d’authentification, ou un code de récupération.",
      button: "Se connecter",
      wrong: "Le code est incorrect ou a déjà été utilisé."
    },
    toConsole: "Ouvrir la console",
    invalid: {
      title: "Ce lien n’est plus valable",
      text: "Il a été utilisé, a expiré, ou un lien plus récent a été envoyé."
    },
    failed: {
      title: "La connexion a échoué",
      reasons: {
        state: "La connexion a été commencée dans une autre fenêtre ou a duré trop longtemps. Veuillez recommencer.",
        refused: "La connexion a été annulée.",
        email: "Le fournisseur ne connaît aucune adresse e-mail confirmée de votre part.",
        signups_disabled: "Ce service n’accepte pas de nouveaux comptes.",
        provider: "Le fournisseur ne répond pas comme prévu. Veuillez réessayer plus tard.",
        too_many_attempts: "Trop de tentatives ont été faites. Veuillez réessayer plus tard."
      }
    }
  },
  es: {
    verification: {
      title: "Confirmar su dirección",
      created: "Cuenta creada",
      network: "Desde la red",
      question: "Introduzca la contraseña de la cuenta para confirmar que esta dirección es suya.",
      button: "Confirmar",
      done: "Su dirección está confirmada.",
      disowning: "Si no fue usted, elimine la cuenta con todo su contenido.",
      disown: "No me he registrado",
      disowned: "La cuenta se ha eliminado."
    },
    reset: {
      title: "Establecer una nueva contraseña",
      button: "Guardar la contraseña",
      done: "Su nueva contraseña está guardada.",
      after: "Todas las sesiones han terminado. Puede iniciar sesión con la nueva contraseña."
    },
    invitation: {
      title: "Invitación",
      text: (name) => `Tiene una invitación al proyecto ${name}.`,
      ownership: (name) => `Se le ofrece el proyecto ${name}. Si acepta, será su propietario.`,
      role: "Función",
      roles: { OWNER: "propietario", ADMIN: "administrador", MEMBER: "miembro" },
      withAccount: "Esta dirección tiene una cuenta. Introduzca su contraseña para aceptar.",
      withoutAccount: "Elija una contraseña. Se creará su cuenta y se aceptará la invitación.",
      withSession: "Ha iniciado sesión con esta dirección.",
      button: "Aceptar",
      done: (name) => `Ahora es miembro de ${name}.`,
      owned: (name) => `Ahora es propietario de ${name}.`,
      decline: "Rechazar",
      declined: (name) => `Ha rechazado la invitación a ${name}.`,
      continueWith: (name) => `Continuar con ${name}`
    },
    newPassword: "Nueva contraseña",
    password: "Contraseña",
    passwordRule: "De 8 a 200 caracteres.",
    wrongPassword: "La contraseña es incorrecta.",
    twoFactor: {
      title: "Segundo factor",
      label: "Código",
      hint: "Seis cifras de su aplicación de autenticación o un código de recuperación.",
      button: "Iniciar sesión",
      wrong: "El código es incorrecto o ya se ha usado."
    },
    toConsole: "Abrir la consola",
    invalid: {
      title: "Este enlace ya no es válido",
      text: "Se ha usado, ha caducado o se ha enviado uno más reciente."
    },
    failed: {
      title: "No se ha podido iniciar sesión",
      reasons: {
        state: "El inicio de sesión comenzó en otra ventana o tardó demasiado. Vuelva a empezar.",
        refused: "El inicio de sesión se ha cancelado.",
        email: "El proveedor no conoce ninguna dirección de correo confirmada suya.",
        signups_disabled: "Este servicio no admite cuentas nuevas.",
        provider: "El proveedor no responde como debería. Inténtelo de nuevo más tarde.",
        too_many_attempts: "Ha habido demasiados intentos. Inténtelo de nuevo más tarde."
      }
    }
  },
  nl: {
    verification: {
      title: "Bevestig uw adres",
      created: "Account gemaakt",
      network: "Vanaf het netwerk",
      question: "Vul het wachtwoord van het account in om te bevestigen dat dit adres van u is.",
      button: "Bevestigen",
      done: "Uw adres is bevestigd.",
      disowning: "Was u dit niet, verwijder dan het account met alles erin.",
      disown: "Ik heb me niet aangemeld",
      disowned: "Het account is verwijderd."
    },
    reset: {
      title: "Nieuw wachtwoord instellen",
      button: "Wachtwoord instellen",
      done: "Uw nieuwe wachtwoord is ingesteld.",
      after: "Alle sessies zijn beëindigd. U kunt inloggen met het nieuwe wachtwoord."
    },
    invitation: {
      title: "Uitnodiging",
      text: (name) => `U bent uitgenodigd voor het project ${name}.`,
      ownership: (name) => `U krijgt het project ${name} aangeboden. Als u accepteert, bent u de eigenaar.`,
      role: "Rol",
      roles: { OWNER: "eigenaar", ADMIN: "beheerder", MEMBER: "lid" },
      withAccount: "Dit adres heeft een account. Vul het wachtwoord in om te accepteren.",
      withoutAccount: "Kies een wachtwoord. Hiermee wordt uw account gemaakt en de uitnodiging geaccepteerd.",
      withSession: "U bent ingelogd met dit adres.",
      button: "Accepteren",
      done: (name) => `U bent nu lid van ${name}.`,
      owned: (name) => `U bent nu eigenaar van ${name}.`,
      decline: "Weigeren",
      declined: (name) => `U hebt de uitnodiging voor ${name} geweigerd.`,
      continueWith: (name) => `Doorgaan met ${name}`
    },
    newPassword: "Nieuw wachtwoord",
    password: "Wachtwoord",
    passwordRule: "8 tot 200 tekens.",
    wrongPassword: "Het wachtwoord is onjuist.",
    twoFactor: {
      title: "Tweede factor",
      label: "Code",
      hint: "Zes cijfers van uw authenticator-app, of een herstelcode.",
      button: "Inloggen",
      wrong: "De code is onjuist of al gebruikt."
    },
    toConsole: "Console openen",
    invalid: { title: "Deze link werkt niet meer", text: "Hij is gebruikt, verlopen of vervangen door een nieuwere." },
    failed: {
      title: "Inloggen is niet gelukt",
      reasons: {
        state: "Het inloggen is in een ander venster begonnen of duurde te lang. Begin opnieuw.",
        refused: "Het inloggen is geannuleerd.",
        email: "De aanbieder kent geen bevestigd e-mailadres van u.",
        signups_disabled: "Deze dienst neemt geen nieuwe accounts aan.",
        provider: "De aanbieder antwoordt niet zoals verwacht. Probeer het later opnieuw.",
        too_many_attempts: "Er waren te veel pogingen. Probeer het later opnieuw."
      }
    }
  },
  pt: {
    verification: {
      title: "Confirmar o seu endereço",
      created: "Conta criada",
      network: "A partir da rede",
      question: "Digite a senha da conta para confirmar que este endereço é seu.",
      button: "Confirmar",
      done: "O seu endereço está confirmado.",
      disowning: "Se não foi você, elimine a conta com tudo o que contém.",
      disown: "Não me registei",
      disowned: "A conta foi eliminada."
    },
    reset: {
      title: "Definir uma nova senha",
      button: "Definir a senha",
      done: "A sua nova senha está definida.",
      after: "Todas as sessões terminaram. Pode entrar com a nova senha."
    },
    invitation: {
      title: "Convite",
      text: (name) => `Tem um convite para o projeto ${name}.`,
      ownership: (name) => `O projeto ${name} é oferecido a si. Se aceitar, será o proprietário.`,
      role: "Função",
      roles: { OWNER: "proprietário", ADMIN: "administrador", MEMBER: "membro" },
      withAccount: "Este endereço tem uma conta. Digite a senha dela para aceitar.",
      withoutAccount: "Escolha uma senha. Com ela, a sua conta é criada e o convite é aceito.",
      withSession: "Entrou com este endereço.",
      button: "Aceitar",
      done: (name) => `Agora é membro de ${name}.`,
      owned: (name) => `Agora é proprietário de ${name}.`,
      decline: "Recusar",
      declined: (name) => `Recusou o convite para ${name}.`,
      continueWith: (name) => `Continuar com ${name}`
    },
    newPassword: "Nova senha",
    password: "Senha",
    passwordRule: "De 8 a 200 caracteres.",
    wrongPassword: "A senha está incorreta.",
    twoFactor: {
      title: "Segundo fator",
      label: "Código",
      hint: "Seis dígitos do seu aplicativo autenticador ou um código de recuperação.",
      button: "Entrar",
      wrong: "O código está incorreto ou já foi usado."
    },
    toConsole: "Abrir a consola",
    invalid: { title: "Este link já não funciona", text: "Foi usado, expirou ou foi enviado um mais recente." },
    failed: {
      title: "Não foi possível entrar",
      reasons: {
        state: "A entrada foi iniciada em outra janela ou demorou demais. Comece de novo.",
        refused: "A entrada foi cancelada.",
        email: "O provedor não conhece nenhum endereço de e-mail confirmado seu.",
        signups_disabled: "Este serviço não aceita novas contas.",
        provider: "O provedor não responde como deveria. Tente novamente mais tarde.",
        too_many_attempts: "Houve tentativas demais. Tente novamente mais tarde."
      }
    }
  },
  it: {
    verification: {
      title: "Conferma il tuo indirizzo",
      created: "Account creato",
      network: "Dalla rete",
      question: "Inserisci la password dell’account per confermare che questo indirizzo è tuo.",
      button: "Conferma",
      done: "Il tuo indirizzo è confermato.",
      disowning: "Se non sei stato tu, elimina l’account con tutto il suo contenuto.",
      disown: "Non mi sono registrato",
      disowned: "L’account è stato eliminato."
    },
    reset: {
      title: "Imposta una nuova password",
      button: "Imposta la password",
      done: "La nuova password è impostata.",
      after: "Tutte le sessioni sono terminate. Puoi accedere con la nuova password."
    },
    invitation: {
      title: "Invito",
      text: (name) => `Hai un invito al progetto ${name}.`,
      ownership: (name) => `Ti viene offerto il progetto ${name}. Se accetti, ne sei il proprietario.`,
      role: "Ruolo",
      roles: { OWNER: "proprietario", ADMIN: "amministratore", MEMBER: "membro" },
      withAccount: "Questo indirizzo ha un account. Inserisci la sua password per accettare.",
      withoutAccount: "Scegli una password. Il tuo account viene creato e l’invito accettato.",
      withSession: "Hai effettuato l’accesso con questo indirizzo.",
      button: "Accetta",
      done: (name) => `Ora fai parte di ${name}.`,
      owned: (name) => `Ora sei il proprietario di ${name}.`,
      decline: "Rifiuta",
      declined: (name) => `Hai rifiutato l’invito a ${name}.`,
      continueWith: (name) => `Continua con ${name}`
    },
    newPassword: "Nuova password",
    password: "Password",
    passwordRule: "Da 8 a 200 caratteri.",
    wrongPassword: "La password è errata.",
    twoFactor: {
      title: "Secondo fattore",
      label: "Codice",
      hint: "Sei cifre della tua app di autenticazione o un codice di recupero.",
      button: "Accedi",
      wrong: "Il codice è errato o è già stato usato."
    },
    toConsole: "Apri la console",
    invalid: {
      title: "Questo link non è più valido",
      text: "È stato usato, è scaduto o ne è stato inviato uno più recente."
    },
    failed: {
      title: "Accesso non riuscito",
      reasons: {
        state: "L’accesso è stato iniziato in un’altra finestra o ha richiesto troppo tempo. Ricomincia.",
        refused: "L’accesso è stato annullato.",
        email: "Il fornitore non conosce nessun tuo indirizzo e-mail confermato.",
        signups_disabled: "Questo servizio non accetta nuovi account.",
        provider: "Il fornitore non risponde come dovrebbe. Riprova più tardi.",
        too_many_attempts: "Ci sono stati troppi tentativi. Riprova più tardi."
      }
    }
  },
  pl: {
    verification: {
      title: "Potwierdź swój adres",
      created: "Konto utworzono",
      network: "Z sieci",
      question: "Wpisz hasło konta, aby potwierdzić, że ten adres należy do Ciebie.",
      button: "Potwierdź",
      done: "Twój adres został potwierdzony.",
      disowning: "Jeśli to nie Ty, usuń konto z całą zawartością.",
      disown: "To nie ja zakładałem konto",
      disowned: "Konto zostało usunięte."
    },
    reset: {
      title: "Ustaw nowe hasło",
      button: "Ustaw hasło",
      done: "Nowe hasło zostało ustawione.",
      after: "Wszystkie sesje zostały zakończone. Możesz zalogować się nowym hasłem."
    },
    invitation: {
      title: "Zaproszenie",
      text: (name) => `Masz zaproszenie do projektu ${name}.`,
      ownership: (name) => `Zaproponowano Ci projekt ${name}. Jeśli przyjmiesz, będziesz jego właścicielem.`,
      role: "Rola",
      roles: { OWNER: "właściciel", ADMIN: "administrator", MEMBER: "członek" },
      withAccount: "Ten adres ma konto. Wpisz jego hasło, aby przyjąć zaproszenie.",
      withoutAccount: "Wybierz hasło. Utworzy ono Twoje konto i przyjmie zaproszenie.",
      withSession: "Zalogowano za pomocą tego adresu.",
      button: "Przyjmij",
      done: (name) => `Należysz teraz do projektu ${name}.`,
      owned: (name) => `Jesteś teraz właścicielem projektu ${name}.`,
      decline: "Odrzuć",
      declined: (name) => `Zaproszenie do projektu ${name} zostało odrzucone.`,
      continueWith: (name) => `Kontynuuj z ${name}`
    },
    newPassword: "Nowe hasło",
    password: "Hasło",
    passwordRule: "Od 8 do 200 znaków.",
    wrongPassword: "Hasło jest nieprawidłowe.",
    twoFactor: {
      title: "Drugi składnik",
      label: "Kod",
      hint: "Sześć cyfr z aplikacji uwierzytelniającej albo kod odzyskiwania.",
      button: "Zaloguj się",
      wrong: "Kod jest nieprawidłowy albo był już użyty."
    },
    toConsole: "Otwórz konsolę",
    invalid: { title: "Ten link już nie działa", text: "Został użyty, wygasł lub wysłano nowszy." },
    failed: {
      title: "Logowanie nie powiodło się",
      reasons: {
        state: "Logowanie rozpoczęto w innym oknie lub trwało zbyt długo. Zacznij od nowa.",
        refused: "Logowanie zostało anulowane.",
        email: "Dostawca nie zna żadnego Twojego potwierdzonego adresu e-mail.",
        signups_disabled: "Ta usługa nie przyjmuje nowych kont.",
        provider: "Dostawca nie odpowiada tak, jak powinien. Spróbuj ponownie później.",
        too_many_attempts: "Było zbyt wiele prób. Spróbuj ponownie później."
      }
    }
  },
  ja: {
    verification: {
      title: "メールアドレスの確認",
      created: "アカウントの作成日時",
      network: "作成元のネットワーク",
      question: "このメールアドレスがご自身のものであることを確認するには、アカウントのパスワードを入力してください。",
      button: "確認する",
      done: "メールアドレスが確認されました。",
      disowning: "心当たりがない場合は、アカウントとその内容をすべて削除してください。",
      disown: "登録していません",
      disowned: "アカウントは削除されました。"
    },
    reset: {
      title: "新しいパスワードの設定",
      button: "パスワードを設定する",
      done: "新しいパスワードが設定されました。",
      after: "すべてのセッションが終了しました。新しいパスワードでログインできます。"
    },
    invitation: {
      title: "招待",
      text: (name) => `プロジェクト「${name}」に招待されています。`,
      ownership: (name) => `プロジェクト「${name}」の譲渡が提案されています。承諾すると、あなたがオーナーになります。`,
      role: "役割",
      roles: { OWNER: "オーナー", ADMIN: "管理者", MEMBER: "メンバー" },
      withAccount: "このアドレスにはアカウントがあります。パスワードを入力して承諾してください。",
      withoutAccount: "パスワードを選んでください。アカウントが作成され、招待が承諾されます。",
      withSession: "このアドレスでログインしています。",
      button: "承諾する",
      done: (name) => `「${name}」のメンバーになりました。`,
      owned: (name) => `「${name}」のオーナーになりました。`,
      decline: "辞退する",
      declined: (name) => `「${name}」への招待を辞退しました。`,
      continueWith: (name) => `${name} で続ける`
    },
    newPassword: "新しいパスワード",
    password: "パスワード",
    passwordRule: "8～200文字。",
    wrongPassword: "パスワードが正しくありません。",
    twoFactor: {
      title: "二段階認証",
      label: "コード",
      hint: "認証アプリの6桁の数字、またはリカバリーコード。",
      button: "ログイン",
      wrong: "コードが正しくないか、すでに使用されています。"
    },
    toConsole: "コンソールを開く",
    invalid: {
      title: "このリンクは使えなくなりました",
      text: "使用済みか、期限切れか、新しいリンクが送られています。"
    },
    failed: {
      title: "ログインできませんでした",
      reasons: {
        state: "ログインが別のウィンドウで始められたか、時間がかかりすぎました。最初からやり直してください。",
        refused: "ログインがキャンセルされました。",
        email: "プロバイダーに確認済みのメールアドレスがありません。",
        signups_disabled: "このサービスは新しいアカウントを受け付けていません。",
        provider: "プロバイダーが正しく応答しません。しばらくしてからもう一度お試しください。",
        too_many_attempts: "試行回数が多すぎます。しばらくしてからもう一度お試しください。"
      }
    }
  },
  "zh-CN": {
    verification: {
      title: "确认您的地址",
      created: "帐户创建时间",
      network: "来自网络",
      question: "请输入帐户密码，以确认此地址属于您。",
      button: "确认",
      done: "您的地址已确认。",
      disowning: "如果不是您本人操作，请删除该帐户及其全部内容。",
      disown: "我没有注册",
      disowned: "帐户已删除。"
    },
    reset: {
      title: "设置新密码",
      button: "设置密码",
      done: "新密码已设置。",
      after: "所有会话均已结束。您可以使用新密码登录。"
    },
    invitation: {
      title: "邀请",
      text: (name) => `您被邀请加入项目“${name}”。`,
      ownership: (name) => `项目“${name}”将转让给您。接受后，您将成为其所有者。`,
      role: "角色",
      roles: { OWNER: "所有者", ADMIN: "管理员", MEMBER: "成员" },
      withAccount: "此地址已有帐户。请输入其密码以接受邀请。",
      withoutAccount: "请选择密码。这将创建您的帐户并接受邀请。",
      withSession: "您已使用此地址登录。",
      button: "接受",
      done: (name) => `您现在是“${name}”的成员。`,
      owned: (name) => `您现在是“${name}”的所有者。`,
      decline: "拒绝",
      declined: (name) => `您已拒绝“${name}”的邀请。`,
      continueWith: (name) => `使用 ${name} 继续`
    },
    newPassword: "新密码",
    password: "密码",
    passwordRule: "8 至 200 个字符。",
    wrongPassword: "密码错误。",
    twoFactor: {
      title: "双重验证",
      label: "验证码",
      hint: "身份验证器应用中的六位数字，或恢复代码。",
      button: "登录",
      wrong: "验证码错误或已被使用。"
    },
    toConsole: "打开控制台",
    invalid: { title: "此链接已失效", text: "它已被使用、已过期，或已发送更新的链接。" },
    failed: {
      title: "登录未成功",
      reasons: {
        state: "登录是在另一个窗口中开始的，或耗时过长。请重新开始。",
        refused: "登录已取消。",
        email: "提供商没有您的已确认电子邮件地址。",
        signups_disabled: "此服务不接受新帐户。",
        provider: "提供商未正常响应。请稍后再试。",
        too_many_attempts: "尝试次数过多。请稍后再试。"
      }
    }
  }
}
