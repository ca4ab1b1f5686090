/** What a call says that tells a code: each digit by itself, and all of them twice. */
interface Wording {
  readonly hello: string
  readonly code: (digits: string) => string
  readonly again: (digits: string) => string
  readonly goodbye: string
}

const ENGLISH: Wording = {
  hello: 'Hello. This is an automated call from Parley, with the code that you asked for.',
  code: (digits) => `Your code is: ${digits}.`,
  again: (digits) => `Once more: ${digits}.`,
  goodbye: 'If you did not ask for it, press 9, and you will not be called again. Goodbye.',
}

const WORDINGS: Record<string, Wording> = {
  es: {
    hello: 'Hola. Esta es una llamada automática de Parley, con el código que ha pedido.',
    code: (digits) => `Su código es: ${digits}.`,
    again: (digits) => `Otra vez: ${digits}.`,
    goodbye: 'Si no lo ha pedido, pulse 9 y no volveremos a llamarle. Adiós.',
  },
  fr: {
    hello: 'Bonjour. Ceci est un appel automatique de Parley, avec le code que vous avez demandé.',
    code: (digits) => `Votre code est : ${digits}.`,
    again: (digits) => `Encore une fois : ${digits}.`,
    goodbye: "Si vous ne l'avez pas demandé, appuyez sur 9 et nous ne vous appellerons plus. Au revoir.",
  },
  de: {
    hello: 'Guten Tag. Dies ist ein automatischer Anruf von Parley mit dem Code, den Sie angefordert haben.',
    code: (digits) => `Ihr Code lautet: ${digits}.`,
    again: (digits) => `Noch einmal: ${digits}.`,
    goodbye: 'Wenn Sie ihn nicht angefordert haben, drücken Sie die 9. Dann rufen wir nicht mehr an. Auf Wiederhören.',
  },
  it: {
    hello: 'Buongiorno. Questa è una chiamata automatica di Parley, con il codice che ha richiesto.',
    code: (digits) => `Il suo codice è: ${digits}.`,
    again: (digits) => `Ancora una volta: ${digits}.`,
    goodbye: 'Se non lo ha richiesto, prema 9 e non la chiameremo più. Arrivederci.',
  },
  pt: {
    hello: 'Olá. Esta é uma chamada automática da Parley, com o código que pediu.',
    code: (digits) => `O seu código é: ${digits}.`,
    again: (digits) => `Mais uma vez: ${digits}.`,
    goodbye: 'Se não o pediu, prima 9 e não voltaremos a ligar. Adeus.',
  },
  ja: {
    hello: 'こんにちは。Parleyからの自動音声です。ご依頼のコードをお伝えします。',
    code: (digits) => `コードは、${digits}。`,
    again: (digits) => `もう一度、${digits}。`,
    goodbye: 'お心当たりがない場合は9を押してください。今後お電話いたしません。失礼いたします。',
  },
  zh: {
    hello: '您好。这是Parley的自动来电，告知您所要求的验证码。',
    code: (digits) => `您的验证码是：${digits}。`,
    again: (digits) => `再说一遍：${digits}。`,
    goodbye: '如果您没有要求，请按9，我们不会再打给您。再见。',
  },
}

/** Sentences, and the language that they are in. */
export function wordCode(code: string, language: string): { readonly sentences: string[]; readonly language: string } {
  const own = WORDINGS[language.slice(0, 2)]
  const { hello, code: tell, again, goodbye } = own ?? ENGLISH
  const digits = code.split('').join(', ')
  return { sentences: [hello, tell(digits), again(digits), goodbye], language: own ? language : 'en' }
}
