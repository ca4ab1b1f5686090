/** An apology in a language that the agent does not speak, before it continues in English. */
export const ONLY_SPOKEN: Readonly<Record<string, string>> = {
  ar: 'عذراً، أتحدث الإنجليزية والإسبانية والفرنسية والألمانية فقط.',
  zh: '抱歉，我只会说英语、西班牙语、法语和德语。',
  el: 'Συγγνώμη, μιλάω μόνο αγγλικά, ισπανικά, γαλλικά και γερμανικά.',
  hi: 'क्षमा करें, मैं केवल अंग्रेज़ी, स्पेनिश, फ़्रेंच और जर्मन बोलता हूँ।',
  it: 'Mi dispiace, parlo solo inglese, spagnolo, francese e tedesco.',
  ja: '申し訳ありません。英語、スペイン語、フランス語、ドイツ語のみ話せます。',
  pt: 'Desculpe, só falo inglês, espanhol, francês e alemão.',
}
