/** What the server says of its own in one language. */
export interface ServerWording {
  readonly disclosure: (onBehalfOf: string) => string
  readonly recorded: string
  readonly ask_record: string
  readonly not_recorded: string
  readonly handed_back: string
  readonly one_moment: string
  /** The owner's phone is rung. */
  readonly connecting: string
  readonly not_reached: string
  /** For the owner: which call they are put through to, by the last digits of its number. */
  readonly on_the_line: (digits: string) => string
  /** For the owner, who has to accept: a mailbox presses no key. */
  readonly press_one: string
  readonly say_again: string
  readonly passed_on: string
  readonly trouble: string
  readonly silence_goodbye: string
  readonly time_up: string
  readonly opt_out: string
}

const ENGLISH: ServerWording = {
  disclosure: (onBehalfOf) => `Hello, this is an AI assistant calling on behalf of ${onBehalfOf}.`,
  recorded: 'This call is recorded.',
  ask_record: 'May I record this call?',
  not_recorded: 'All right, this call is not recorded.',
  handed_back: 'This is the AI assistant again.',
  one_moment: 'One moment, please.',
  connecting: "One moment, I'll connect you.",
  not_reached: "I'm sorry, I couldn't reach them just now. Let's go on without them.",
  on_the_line: (digits) => `Your call with the number that ends in ${digits} is on the line.`,
  press_one: 'Press 1 to be connected.',
  say_again: "I'm sorry, I didn't catch that. Could you say it again?",
  passed_on: 'I will pass that question on.',
  trouble: "I'm sorry, I'm having a technical problem and have to end this call. Goodbye.",
  silence_goodbye: "I can't hear anyone, so I'll hang up now. Goodbye.",
  time_up: "I'm sorry, my time for this call is up. Thank you, and goodbye.",
  opt_out: 'Understood, you will not be called again. Goodbye.',
}

/** By the languages of the call forms: each has its own wording. */
const WORDINGS: Readonly<Record<string, ServerWording>> = {
  en: ENGLISH,
  es: {
    disclosure: (onBehalfOf) => `Hola, soy un asistente de inteligencia artificial y llamo en nombre de ${onBehalfOf}.`,
    recorded: 'Esta llamada se graba.',
    ask_record: '¿Me permite grabar esta llamada?',
    not_recorded: 'De acuerdo, esta llamada no se graba.',
    handed_back: 'Le habla de nuevo el asistente de inteligencia artificial.',
    one_moment: 'Un momento, por favor.',
    connecting: 'Un momento, le pongo en contacto.',
    not_reached: 'Lo siento, ahora no he podido localizar a esa persona. Sigamos sin ella.',
    on_the_line: (digits) => `Su llamada con el número que termina en ${digits} está en línea.`,
    press_one: 'Pulse 1 para que le conecte.',
    say_again: 'Perdone, no le he entendido. ¿Puede repetirlo?',
    passed_on: 'Transmitiré esa pregunta.',
    trouble: 'Lo siento, tengo un problema técnico y debo terminar la llamada. Adiós.',
    silence_goodbye: 'No oigo a nadie, así que voy a colgar. Adiós.',
    time_up: 'Lo siento, se me acaba el tiempo de esta llamada. Gracias y adiós.',
    opt_out: 'Entendido, no volveremos a llamarle. Adiós.',
  },
  fr: {
    disclosure: (onBehalfOf) =>
      `Bonjour, je suis un assistant d'intelligence artificielle et j'appelle de la part de ${onBehalfOf}.`,
    recorded: 'Cet appel est enregistré.',
    ask_record: 'Puis-je enregistrer cet appel ?',
    not_recorded: "D'accord, cet appel n'est pas enregistré.",
    handed_back: "C'est de nouveau l'assistant d'intelligence artificielle.",
    one_moment: 'Un instant, je vous prie.',
    connecting: 'Un instant, je vous mets en relation.',
    not_reached: "Désolé, je n'ai pas pu joindre cette personne. Continuons sans elle.",
    on_the_line: (digits) => `Votre appel avec le numéro qui se termine par ${digits} est en ligne.`,
    press_one: 'Appuyez sur 1 pour être mis en relation.',
    say_again: "Pardon, je n'ai pas compris. Pouvez-vous répéter ?",
    passed_on: 'Je transmettrai cette question.',
    trouble: 'Je suis désolé, un problème technique m’oblige à terminer cet appel. Au revoir.',
    silence_goodbye: "Je n'entends personne, je vais donc raccrocher. Au revoir.",
    time_up: 'Je suis désolé, mon temps pour cet appel est écoulé. Merci et au revoir.',
    opt_out: 'Entendu, nous ne vous appellerons plus. Au revoir.',
  },
  de: {
    disclosure: (onBehalfOf) => `Guten Tag, hier spricht ein KI-Assistent im Auftrag von ${onBehalfOf}.`,
    recorded: 'Dieses Gespräch wird aufgezeichnet.',
    ask_record: 'Darf ich dieses Gespräch aufzeichnen?',
    not_recorded: 'In Ordnung, dieses Gespräch wird nicht aufgezeichnet.',
    handed_back: 'Hier spricht wieder der KI-Assistent.',
    one_moment: 'Einen Moment, bitte.',
    connecting: 'Einen Moment, ich verbinde Sie.',
    not_reached: 'Entschuldigung, ich konnte die Person gerade nicht erreichen. Machen wir ohne sie weiter.',
    on_the_line: (digits) => `Ihr Anruf mit der Nummer, die auf ${digits} endet, ist in der Leitung.`,
    press_one: 'Drücken Sie die 1, um verbunden zu werden.',
    say_again: 'Entschuldigung, das habe ich nicht verstanden. Können Sie es wiederholen?',
    passed_on: 'Ich gebe diese Frage weiter.',
    trouble: 'Es tut mir leid, ich habe ein technisches Problem und muss das Gespräch beenden. Auf Wiederhören.',
    silence_goodbye: 'Ich höre niemanden und lege deshalb auf. Auf Wiederhören.',
    time_up: 'Es tut mir leid, meine Zeit für dieses Gespräch ist um. Danke und auf Wiederhören.',
    opt_out: 'Verstanden, Sie werden nicht mehr angerufen. Auf Wiederhören.',
  },
  it: {
    disclosure: (onBehalfOf) =>
      `Buongiorno, sono un assistente di intelligenza artificiale e chiamo per conto di ${onBehalfOf}.`,
    recorded: 'Questa chiamata viene registrata.',
    ask_record: 'Posso registrare questa chiamata?',
    not_recorded: 'Va bene, questa chiamata non viene registrata.',
    handed_back: 'Le parla di nuovo l’assistente di intelligenza artificiale.',
    one_moment: 'Un momento, per favore.',
    connecting: 'Un momento, la metto in contatto.',
    not_reached: 'Mi dispiace, ora non sono riuscito a raggiungere la persona. Continuiamo senza.',
    on_the_line: (digits) => `La chiamata con il numero che termina con ${digits} è in linea.`,
    press_one: 'Prema 1 per essere messo in contatto.',
    say_again: 'Mi scusi, non ho capito. Può ripetere?',
    passed_on: 'Riferirò la domanda.',
    trouble: 'Mi dispiace, ho un problema tecnico e devo terminare la chiamata. Arrivederci.',
    silence_goodbye: 'Non sento nessuno, quindi riaggancio. Arrivederci.',
    time_up: 'Mi dispiace, il mio tempo per questa chiamata è finito. Grazie e arrivederci.',
    opt_out: 'Ho capito, non la chiameremo più. Arrivederci.',
  },
  pt: {
    disclosure: (onBehalfOf) =>
      `Bom dia, sou um assistente de inteligência artificial e ligo em nome de ${onBehalfOf}.`,
    recorded: 'Esta chamada é gravada.',
    ask_record: 'Posso gravar esta chamada?',
    not_recorded: 'Está bem, esta chamada não é gravada.',
    handed_back: 'Fala de novo o assistente de inteligência artificial.',
    one_moment: 'Um momento, por favor.',
    connecting: 'Um momento, vou passar a chamada.',
    not_reached: 'Lamento, não consegui contactar a pessoa agora. Continuemos sem ela.',
    on_the_line: (digits) => `A sua chamada com o número que termina em ${digits} está em linha.`,
    press_one: 'Prima 1 para ser ligado.',
    say_again: 'Desculpe, não percebi. Pode repetir?',
    passed_on: 'Vou transmitir essa pergunta.',
    trouble: 'Lamento, tenho um problema técnico e preciso de terminar a chamada. Adeus.',
    silence_goodbye: 'Não ouço ninguém, por isso vou desligar. Adeus.',
    time_up: 'Lamento, o meu tempo para esta chamada terminou. Obrigado e adeus.',
    opt_out: 'Entendido, não voltaremos a ligar-lhe. Adeus.',
  },
  'pt-BR': {
    disclosure: (onBehalfOf) =>
      `Olá, sou um assistente de inteligência artificial e estou ligando em nome de ${onBehalfOf}.`,
    recorded: 'Esta ligação está sendo gravada.',
    ask_record: 'Posso gravar esta ligação?',
    not_recorded: 'Tudo bem, esta ligação não será gravada.',
    handed_back: 'Aqui é o assistente de inteligência artificial de novo.',
    one_moment: 'Um momento, por favor.',
    connecting: 'Um momento, vou transferir.',
    not_reached: 'Sinto muito, não consegui falar com a pessoa agora. Vamos continuar sem ela.',
    on_the_line: (digits) => `Sua ligação com o número que termina em ${digits} está na linha.`,
    press_one: 'Pressione 1 para ser conectado.',
    say_again: 'Desculpe, não entendi. Pode repetir?',
    passed_on: 'Vou passar essa pergunta adiante.',
    trouble: 'Sinto muito, estou com um problema técnico e preciso encerrar a ligação. Tchau.',
    silence_goodbye: 'Não estou ouvindo ninguém, então vou desligar. Tchau.',
    time_up: 'Sinto muito, meu tempo para esta ligação acabou. Obrigado e tchau.',
    opt_out: 'Entendido, não ligaremos mais para você. Tchau.',
  },
  el: {
    disclosure: (onBehalfOf) => `Γεια σας, είμαι βοηθός τεχνητής νοημοσύνης και καλώ εκ μέρους: ${onBehalfOf}.`,
    recorded: 'Η κλήση αυτή ηχογραφείται.',
    ask_record: 'Μπορώ να ηχογραφήσω αυτή την κλήση;',
    not_recorded: 'Εντάξει, η κλήση αυτή δεν ηχογραφείται.',
    handed_back: 'Σας μιλά ξανά ο βοηθός τεχνητής νοημοσύνης.',
    one_moment: 'Μια στιγμή, παρακαλώ.',
    connecting: 'Μια στιγμή, σας συνδέω.',
    not_reached: 'Λυπάμαι, δεν μπόρεσα να επικοινωνήσω μαζί τους τώρα. Ας συνεχίσουμε.',
    on_the_line: (digits) => `Η κλήση σας με τον αριθμό που λήγει σε ${digits} είναι στη γραμμή.`,
    press_one: 'Πατήστε 1 για να συνδεθείτε.',
    say_again: 'Συγγνώμη, δεν κατάλαβα. Μπορείτε να το επαναλάβετε;',
    passed_on: 'Θα μεταφέρω αυτή την ερώτηση.',
    trouble: 'Λυπάμαι, έχω ένα τεχνικό πρόβλημα και πρέπει να τερματίσω την κλήση. Αντίο.',
    silence_goodbye: 'Δεν ακούω κανέναν, οπότε θα κλείσω. Αντίο.',
    time_up: 'Λυπάμαι, ο χρόνος μου για αυτή την κλήση τελείωσε. Ευχαριστώ και αντίο.',
    opt_out: 'Κατάλαβα, δεν θα σας ξανακαλέσουμε. Αντίο.',
  },
  hi: {
    disclosure: (onBehalfOf) => `नमस्ते, मैं एक एआई सहायक हूँ और ${onBehalfOf} की ओर से कॉल कर रहा हूँ।`,
    recorded: 'यह कॉल रिकॉर्ड की जा रही है।',
    ask_record: 'क्या मैं यह कॉल रिकॉर्ड कर सकता हूँ?',
    not_recorded: 'ठीक है, यह कॉल रिकॉर्ड नहीं की जाएगी।',
    handed_back: 'मैं एआई सहायक फिर से बोल रहा हूँ।',
    one_moment: 'एक क्षण, कृपया।',
    connecting: 'एक क्षण, मैं आपको जोड़ रहा हूँ।',
    not_reached: 'माफ़ कीजिए, अभी उनसे संपर्क नहीं हो पाया। हम आगे बढ़ते हैं।',
    on_the_line: (digits) => `${digits} पर समाप्त होने वाले नंबर के साथ आपकी कॉल लाइन पर है।`,
    press_one: 'जुड़ने के लिए 1 दबाएँ।',
    say_again: 'माफ़ कीजिए, मैं समझ नहीं पाया। क्या आप दोहरा सकते हैं?',
    passed_on: 'मैं यह प्रश्न आगे पहुँचा दूँगा।',
    trouble: 'माफ़ कीजिए, एक तकनीकी समस्या के कारण मुझे यह कॉल समाप्त करनी होगी। नमस्ते।',
    silence_goodbye: 'मुझे कोई सुनाई नहीं दे रहा, इसलिए मैं कॉल समाप्त कर रहा हूँ। नमस्ते।',
    time_up: 'माफ़ कीजिए, इस कॉल के लिए मेरा समय समाप्त हो गया है। धन्यवाद, नमस्ते।',
    opt_out: 'समझ गया, आपको दोबारा कॉल नहीं किया जाएगा। नमस्ते।',
  },
  zh: {
    disclosure: (onBehalfOf) => `您好，我是人工智能助手，代表${onBehalfOf}给您打电话。`,
    recorded: '本次通话会被录音。',
    ask_record: '请问我可以录音吗？',
    not_recorded: '好的，本次通话不录音。',
    handed_back: '我又是刚才的人工智能助手。',
    one_moment: '请稍等。',
    connecting: '请稍等，我为您接通。',
    not_reached: '抱歉，现在联系不上对方，我们继续吧。',
    on_the_line: (digits) => `您与尾号${digits}的通话已在线上。`,
    press_one: '接通请按1。',
    say_again: '抱歉，我没听清，您能再说一遍吗？',
    passed_on: '我会转达这个问题。',
    trouble: '抱歉，我遇到了技术问题，必须结束通话。再见。',
    silence_goodbye: '我听不到声音，所以先挂断了。再见。',
    time_up: '抱歉，这次通话的时间到了。谢谢，再见。',
    opt_out: '明白了，我们不会再给您打电话。再见。',
  },
  ja: {
    disclosure: (onBehalfOf) => `こんにちは。AIアシスタントです。${onBehalfOf}の代理でお電話しております。`,
    recorded: 'この通話は録音されています。',
    ask_record: 'この通話を録音してもよろしいですか？',
    not_recorded: '承知しました。この通話は録音しません。',
    handed_back: '再びAIアシスタントです。',
    one_moment: '少々お待ちください。',
    connecting: '少々お待ちください。おつなぎします。',
    not_reached: '申し訳ありません、ただいま連絡がつきませんでした。このまま続けさせていただきます。',
    on_the_line: (digits) => `末尾${digits}の番号とのお電話がつながっています。`,
    press_one: 'おつなぎする場合は1を押してください。',
    say_again: '申し訳ありません、聞き取れませんでした。もう一度お願いできますか？',
    passed_on: 'そのご質問を伝えておきます。',
    trouble: '申し訳ありません。技術的な問題のため、通話を終了いたします。失礼いたします。',
    silence_goodbye: 'お声が聞こえませんので、電話を切らせていただきます。失礼いたします。',
    time_up: '申し訳ありません、お時間となりました。ありがとうございました。失礼いたします。',
    opt_out: '承知しました。今後お電話はいたしません。失礼いたします。',
  },
  ar: {
    disclosure: (onBehalfOf) => `مرحبًا، أنا مساعد ذكاء اصطناعي وأتصل نيابةً عن ${onBehalfOf}.`,
    recorded: 'يتم تسجيل هذه المكالمة.',
    ask_record: 'هل يمكنني تسجيل هذه المكالمة؟',
    not_recorded: 'حسنًا، لن يتم تسجيل هذه المكالمة.',
    handed_back: 'معك مساعد الذكاء الاصطناعي من جديد.',
    one_moment: 'لحظة من فضلك.',
    connecting: 'لحظة من فضلك، سأوصلك.',
    not_reached: 'عذرًا، لم أتمكن من الوصول إليهم الآن. لنكمل بدونهم.',
    on_the_line: (digits) => `مكالمتك مع الرقم الذي ينتهي بـ ${digits} على الخط.`,
    press_one: 'اضغط 1 ليتم توصيلك.',
    say_again: 'عذرًا، لم أفهم. هل يمكنك الإعادة؟',
    passed_on: 'سأنقل هذا السؤال.',
    trouble: 'عذرًا، لدي مشكلة تقنية ويجب أن أنهي المكالمة. مع السلامة.',
    silence_goodbye: 'لا أسمع أحدًا، لذلك سأنهي المكالمة. مع السلامة.',
    time_up: 'عذرًا، انتهى وقتي لهذه المكالمة. شكرًا ومع السلامة.',
    opt_out: 'مفهوم، لن نتصل بك مرة أخرى. مع السلامة.',
  },
}

/** The wording of a language, and the language that it is in: English where the language has none of its own. */
export function serverWording(language: string): { readonly wording: ServerWording; readonly language: string } {
  const own = WORDINGS[language] ?? WORDINGS[language.slice(0, 2)]
  return own ? { wording: own, language } : { wording: ENGLISH, language: 'en' }
}
