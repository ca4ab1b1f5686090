/** What the guard says in place of a sentence, where a language has no phrasebook. `{owner}`: on whose behalf is called. */
export interface SafeWording {
  readonly cannotAgree: string
  readonly private: string
  readonly who: string
  readonly decline: string
  readonly optedOut: string
  readonly notUnderstood: string
  readonly confirm: string
}

/** By the tag of a language, whole or its first part. */
export const SAFE_WORDINGS: Readonly<Record<string, SafeWording>> = {
  it: {
    cannotAgree: 'Non posso accettarlo in questa chiamata; verifico e la richiamo.',
    private: 'Non posso dare questa informazione in questa chiamata.',
    who: 'Sono un assistente di intelligenza artificiale e chiamo per conto di {owner}.',
    decline: 'Mi dispiace, non posso farlo in questa chiamata.',
    optedOut: 'È fuori dalla nostra lista e non verrà più chiamato. Arrivederci.',
    notUnderstood: 'Mi scusi, non ho capito bene.',
    confirm: 'Me lo può confermare, per favore?',
  },
  pt: {
    cannotAgree: 'Não posso aceitar isso nesta chamada; vou confirmar e volto a ligar.',
    private: 'Não posso dar essa informação nesta chamada.',
    who: 'Sou um assistente de inteligência artificial e ligo em nome de {owner}.',
    decline: 'Lamento, não posso fazer isso nesta chamada.',
    optedOut: 'Saiu da nossa lista e não voltaremos a ligar-lhe. Adeus.',
    notUnderstood: 'Desculpe, não percebi bem.',
    confirm: 'Pode confirmar-me isso, por favor?',
  },
  'pt-BR': {
    cannotAgree: 'Não posso aceitar isso nesta ligação; vou verificar e retorno depois.',
    private: 'Não posso passar essa informação nesta ligação.',
    who: 'Sou um assistente de inteligência artificial e estou ligando em nome de {owner}.',
    decline: 'Sinto muito, não posso fazer isso nesta ligação.',
    optedOut: 'Você saiu da nossa lista e não ligaremos mais para você. Tchau.',
    notUnderstood: 'Desculpe, não entendi bem.',
    confirm: 'Você pode me confirmar isso, por favor?',
  },
  el: {
    cannotAgree: 'Δεν μπορώ να το δεχτώ σε αυτή την κλήση· θα το ελέγξω και θα σας ξανακαλέσω.',
    private: 'Δεν μπορώ να δώσω αυτό το στοιχείο σε αυτή την κλήση.',
    who: 'Είμαι βοηθός τεχνητής νοημοσύνης και καλώ εκ μέρους: {owner}.',
    decline: 'Λυπάμαι, δεν μπορώ να το κάνω αυτό σε αυτή την κλήση.',
    optedOut: 'Βγήκατε από τη λίστα μας και δεν θα σας ξανακαλέσουμε. Αντίο.',
    notUnderstood: 'Συγγνώμη, δεν το κατάλαβα καλά.',
    confirm: 'Μπορείτε να μου το επιβεβαιώσετε, παρακαλώ;',
  },
  hi: {
    cannotAgree: 'मैं इस कॉल में इसके लिए हाँ नहीं कह सकता; मैं पूछकर आपको फिर बताऊँगा।',
    private: 'मैं यह जानकारी इस कॉल में नहीं दे सकता।',
    who: 'मैं एक एआई सहायक हूँ और {owner} की ओर से कॉल कर रहा हूँ।',
    decline: 'माफ़ कीजिए, मैं इस कॉल में यह नहीं कर सकता।',
    optedOut: 'आपका नंबर हमारी सूची से हटा दिया गया है और आपको दोबारा कॉल नहीं किया जाएगा। नमस्ते।',
    notUnderstood: 'माफ़ कीजिए, मैं ठीक से समझ नहीं पाया।',
    confirm: 'क्या आप कृपया मेरे लिए इसकी पुष्टि कर सकते हैं?',
  },
  zh: {
    cannotAgree: '这通电话里我不能答应这一点，我确认后再给您回电。',
    private: '这项信息我不能在电话里提供。',
    who: '我是人工智能助手，代表{owner}给您打电话。',
    decline: '抱歉，这通电话里我不能这样做。',
    optedOut: '您已从我们的名单中移除，我们不会再给您打电话。再见。',
    notUnderstood: '抱歉，我没太听明白。',
    confirm: '请问您能为我确认一下吗？',
  },
  ja: {
    cannotAgree: 'このお電話ではお約束できかねますので、確認のうえ改めてご連絡いたします。',
    private: 'その情報はこのお電話ではお伝えできません。',
    who: '私はAIアシスタントで、{owner}の代理でお電話しております。',
    decline: '申し訳ありません、このお電話ではいたしかねます。',
    optedOut: 'リストから削除しました。今後お電話はいたしません。失礼いたします。',
    notUnderstood: '申し訳ありません、よくわかりませんでした。',
    confirm: 'ご確認いただけますでしょうか？',
  },
  ko: {
    cannotAgree: '이 통화에서는 동의해 드릴 수 없습니다. 확인한 뒤 다시 연락드리겠습니다.',
    private: '그 정보는 이 통화에서 알려 드릴 수 없습니다.',
    who: '저는 {owner} 님을 대신해 전화드리는 인공지능 비서입니다.',
    decline: '죄송합니다. 이 통화에서는 그렇게 해 드릴 수 없습니다.',
    optedOut: '저희 명단에서 삭제했으며 다시는 전화드리지 않겠습니다. 안녕히 계세요.',
    notUnderstood: '죄송합니다. 잘 이해하지 못했습니다.',
    confirm: '확인해 주시겠습니까?',
  },
  ar: {
    cannotAgree: 'لا أستطيع الموافقة على ذلك في هذه المكالمة؛ سأتحقق وأعاود الاتصال بك.',
    private: 'لا أستطيع إعطاء هذه المعلومة في هذه المكالمة.',
    who: 'أنا مساعد ذكاء اصطناعي وأتصل نيابةً عن {owner}.',
    decline: 'عذرًا، لا أستطيع فعل ذلك في هذه المكالمة.',
    optedOut: 'تمت إزالتك من قائمتنا ولن نتصل بك مرة أخرى. مع السلامة.',
    notUnderstood: 'عذرًا، لم أفهم ذلك جيدًا.',
    confirm: 'هل يمكنك تأكيد ذلك لي من فضلك؟',
  },
}
