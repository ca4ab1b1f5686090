/** Names of private values, in every language of the call forms. */

type PrivateLanguage = 'en' | 'ar' | 'zh' | 'fr' | 'de' | 'el' | 'hi' | 'it' | 'ja' | 'pt' | 'pt-BR' | 'es'

interface Names {
  /** Passwords, PINs and the check digits of cards: always refused. */
  readonly secret: readonly string[]
  /** Never said in a call. */
  readonly private: readonly string[]
  /** Personal data: said only if marked {"private": false}. */
  readonly personal: readonly string[]
}

const list = (names: string) => names.split(',').map((name) => name.trim())

/** With "=" before it a name counts only as a whole, not as a part of another. */
export const PRIVATE_NAMES: Readonly<Record<PrivateLanguage, Names>> = {
  en: {
    secret: list(
      `password, passwords, passphrase, passwd, pwd, pw, psw, pword, pin, pincode, pin number, cvv, cvc, cvv2, cvc2, card security code`,
    ),
    private: list(
      `passcode, pass code, secret, private, internal, confidential, card, card number, security code, access code, door code,
       gate code, entry code, alarm code, verification code, one time code, otp, iban, bank account, account number,
       account no, routing number, sort code, ssn, social security, national insurance number, tax id, token, api key,
       credential, credentials, maiden name, security question, security answer, salary, income`,
    ),
    personal: list(
      `passport, passport number, passport no, driver license, drivers license, driver's license, driving licence, driving license, drivers licence, licence number, license number, insurance number, insurance no, insurance id, health insurance number, policy holder number, member id, member number, membership number, membership id, patient id, patient number, medical record number, diagnosis, diagnoses, medical condition, medication, date of birth, birth date, birthdate, dob, birthday`,
    ),
  },
  es: {
    secret: list(`contraseña, contraseñas, código pin, número pin, clave secreta, clave de acceso`),
    private: list(
      `=clave, clave personal, clave bancaria, secreto, secreta, confidencial, privado, privada, tarjeta, código de seguridad,
       código de acceso, código de verificación, cuenta bancaria, cuenta corriente, número de cuenta, dni, nif,
       número de identidad, seguridad social, credenciales, apellido de soltera, nombre de soltera, pregunta de seguridad,
       salario, ingresos`,
    ),
    personal: list(
      `pasaporte, número de pasaporte, carné de conducir, carnet de conducir, permiso de conducir, licencia de conducir, número de seguro, número del seguro, número de póliza sanitaria, tarjeta sanitaria, número de socio, número de miembro, número de paciente, historia clínica, diagnóstico, medicación, fecha de nacimiento, nacimiento, cumpleaños`,
    ),
  },
  fr: {
    secret: list(`mot de passe, mots de passe, code pin, code secret, cryptogramme`),
    private: list(
      `secret, secrète, confidentiel, confidentielle, privé, privée, carte bancaire, carte bleue, carte de crédit,
       carte de débit, numéro de carte, numéro de la carte, code d'accès, code de sécurité, code de vérification, rib,
       compte bancaire, numéro de compte, sécurité sociale, numéro fiscal, jeton, identifiants, nom de jeune fille,
       question de sécurité, salaire, revenu, revenus`,
    ),
    personal: list(
      `passeport, numéro de passeport, permis de conduire, numéro d'assurance, numéro d'assuré, assurance maladie, carte vitale, numéro de membre, numéro d'adhérent, numéro de patient, dossier médical, diagnostic, traitement médical, date de naissance, naissance, anniversaire`,
    ),
  },
  de: {
    secret: list(`passwort, passwörter, kennwort, geheimzahl, kartenprüfnummer`),
    private: list(
      `geheim, geheimnis, geheimwort, vertraulich, privat, zugangscode, zugangsdaten, türcode, kreditkarte, bankkarte,
       girokarte, ec karte, kartennummer, prüfziffer, prüfnummer, sicherheitscode, transaktionsnummer, kontonummer, bankkonto,
       bankverbindung, sozialversicherungsnummer, rentenversicherungsnummer, steuernummer, steuer id, ausweisnummer,
       mädchenname, sicherheitsfrage, gehalt, einkommen`,
    ),
    personal: list(
      `reisepass, passnummer, pass nr, führerschein, führerscheinnummer, versicherungsnummer, versichertennummer, krankenversicherungsnummer, krankenkassennummer, krankenversichertennummer, mitgliedsnummer, mitglieds id, patientennummer, patienten id, patientenakte, diagnose, diagnosen, medikamente, geburtsdatum, geburtstag, geboren am`,
    ),
  },
  it: {
    secret: list(`parola d'ordine, parola segreta, codice pin, codice segreto`),
    private: list(
      `segreto, segreta, confidenziale, privato, privata, carta di credito, carta di debito, numero carta, numero di carta,
       numero della carta, bancomat, codice di sicurezza, codice di accesso, codice di verifica, conto bancario,
       conto corrente, numero di conto, numero conto, codice fiscale, cognome da nubile, credenziali, stipendio, reddito`,
    ),
    personal: list(
      `passaporto, numero di passaporto, patente, patente di guida, numero di assicurazione, numero assicurazione, tessera sanitaria, numero di socio, numero di tessera, numero paziente, id paziente, cartella clinica, diagnosi, farmaci, data di nascita, nascita, compleanno`,
    ),
  },
  pt: {
    secret: list(`palavra-passe, palavra passe, código pin, código secreto`),
    private: list(
      `segredo, secreto, secreta, confidencial, privado, cartão, cartão de crédito, número do cartão, código de segurança,
       código de acesso, conta bancária, conta corrente, número da conta, número de conta, segurança social, niss,
       número de contribuinte, credenciais, nome de solteira, apelido de solteira, salário, rendimento`,
    ),
    personal: list(
      `passaporte, número do passaporte, carta de condução, número do seguro, número de seguro, cartão de saúde, número de utente, número de sócio, número de membro, número do paciente, número de paciente, processo clínico, diagnóstico, medicação, data de nascimento, nascimento, aniversário`,
    ),
  },
  'pt-BR': {
    secret: list(`senha, senhas, código de segurança do cartão`),
    private: list(
      `sigiloso, cartão, número do cartão, conta bancária, número da conta, chave pix, cpf, código de verificação,
       nome de solteira, sobrenome de solteira, renda, salário`,
    ),
    personal: list(
      `carteira de motorista, cnh, número do convênio, carteirinha do plano, plano de saúde, número de associado, prontuário, prontuário médico, id do paciente, data de nascimento, nascimento, diagnóstico, passaporte`,
    ),
  },
  el: {
    secret: list(`κωδικός πρόσβασης, συνθηματικό, κωδικός pin`),
    private: list(
      `=κωδικός, μυστικό, μυστικός, εμπιστευτικό, κάρτα, κάρτας, αριθμός κάρτας, κωδικός ασφαλείας, τραπεζικός λογαριασμός,
       αριθμός λογαριασμού, αφμ, αμκα, αριθμός ταυτότητας, πατρικό όνομα, μισθός, εισόδημα`,
    ),
    personal: list(
      `διαβατήριο, αριθμός διαβατηρίου, δίπλωμα οδήγησης, άδεια οδήγησης, αριθμός ασφάλισης, αριθμός ασφαλισμένου, αριθμός μέλους, αριθμός ασθενούς, ιατρικός φάκελος, διάγνωση, φαρμακευτική αγωγή, ημερομηνία γέννησης, γέννηση, γενέθλια`,
    ),
  },
  hi: {
    secret: list(`पासवर्ड, पिन, सीवीवी, कूटशब्द`),
    private: list(
      `गुप्त, गोपनीय, कार्ड, कार्ड नंबर, सुरक्षा कोड, ओटीपी, बैंक खाता, खाता संख्या, खाता नंबर, आधार, आधार संख्या, टोकन,
       विवाह पूर्व नाम, मायके का नाम, वेतन, आय`,
    ),
    personal: list(
      `पासपोर्ट, पासपोर्ट नंबर, पासपोर्ट संख्या, ड्राइविंग लाइसेंस, लाइसेंस नंबर, बीमा नंबर, बीमा संख्या, सदस्य संख्या, सदस्यता संख्या, सदस्य आईडी, रोगी संख्या, रोगी आईडी, मरीज संख्या, निदान, दवाइयाँ, जन्म तिथि, जन्मतिथि, जन्मदिन, जन्म की तारीख`,
    ),
  },
  ar: {
    secret: list(`كلمة المرور, كلمة مرور, كلمة السر, كلمة سر, الرقم السري, رقم سري, رقم التعريف الشخصي`),
    private: list(
      `سر, سري, سرية, خاص, بطاقة, البطاقة, رقم البطاقة, رمز الأمان, رمز التحقق, رمز الدخول, رمز سري, آيبان, حساب بنكي,
       الحساب البنكي, رقم الحساب, رقم حساب, الضمان الاجتماعي, رقم الهوية, الهوية الوطنية, رمز الوصول, اسم الأم قبل الزواج,
       قبل الزواج, الراتب, الدخل`,
    ),
    personal: list(
      `جواز السفر, جواز سفر, رقم الجواز, رقم جواز السفر, رخصة القيادة, رخصة قيادة, رقم التأمين, رقم تأمين, رقم التأمين الصحي, رقم العضوية, رقم عضوية, معرف العضو, رقم المريض, رقم مريض, الملف الطبي, التشخيص, تشخيص, تاريخ الميلاد, تاريخ ميلاد, عيد الميلاد`,
    ),
  },
  zh: {
    secret: list(`密码, 密碼, 口令`),
    private: list(
      `秘密, 机密, 機密, 保密, 卡号, 卡號, 信用卡, 银行卡, 銀行卡, 借记卡, 安全码, 安全碼, 验证码, 驗證碼, 门禁码, 账号, 帐号, 賬號, 帳號, 银行账户, 銀行帳戶, 社会保障, 社保, 身份证, 身分證,
       令牌, 密钥, 娘家姓, 婚前姓, 工资, 收入`,
    ),
    personal: list(
      `护照, 護照, 驾照, 驾驶证, 駕照, 駕駛執照, 保险号, 保險號, 保险单号, 医保, 醫保, 社保号, 会员号, 会员编号, 會員編號, 会员卡号, 患者编号, 患者号, 病历号, 病歷, 病历, 诊断, 診斷, 出生日期, 出生, 生日`,
    ),
  },
  ja: {
    secret: list(`パスワード, 暗証番号, ピンコード, ピン番号`),
    private: list(
      `=ピン, 秘密, 機密, 合言葉, カード, クレジット, セキュリティコード, 認証コード, 口座番号, 口座, マイナンバー, 個人番号, 社会保障番号, トークン, 旧姓, 年収, 収入, 給料`,
    ),
    personal: list(
      `パスポート, 旅券, 旅券番号, 運転免許, 免許証, 免許番号, 保険証, 保険番号, 被保険者, 会員番号, 会員id, 患者番号, 患者id, 診察券, カルテ, 診断, 病名, 生年月日, 誕生日`,
    ),
  },
}
