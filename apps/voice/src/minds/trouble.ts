import type { CallSummary, Outcome } from '@parley/contract'
import { isMet } from '@parley/contract'
import type { EndedCall } from '@parley/voice-ports'

/** What is said and written where no model can: the truth, in the languages of the call forms. */
interface Wording {
  /** The end of a call that cannot be led on. Promises nothing. */
  readonly trouble: string
  readonly titleDone: string
  readonly titleOpen: string
  readonly titleNobody: string
  readonly description: string
  readonly descriptionNobody: string
  readonly open: string
  readonly offered: string
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  en: {
    trouble: 'I am sorry, I have a technical problem and have to end this call. Goodbye.',
    titleDone: 'All objectives reached',
    titleOpen: 'Some points are open',
    titleNobody: 'Nobody was spoken to',
    description: 'No summary could be written. The transcript has what was said.',
    descriptionNobody: 'Nobody was spoken to in this call.',
    open: 'Still open',
    offered: 'Decide on their offer',
  },
  de: {
    trouble: 'Es tut mir leid, ich habe ein technisches Problem und muss dieses Gespräch beenden. Auf Wiederhören.',
    titleDone: 'Alle Ziele erreicht',
    titleOpen: 'Einige Punkte sind offen',
    titleNobody: 'Niemand wurde gesprochen',
    description: 'Es konnte keine Zusammenfassung geschrieben werden. Was gesagt wurde, steht im Protokoll.',
    descriptionNobody: 'In diesem Anruf wurde mit niemandem gesprochen.',
    open: 'Noch offen',
    offered: 'Über das Angebot entscheiden',
  },
  fr: {
    trouble: 'Je suis désolé, j’ai un problème technique et je dois mettre fin à cet appel. Au revoir.',
    titleDone: 'Tous les objectifs sont atteints',
    titleOpen: 'Certains points restent ouverts',
    titleNobody: 'Personne n’a été joint',
    description: 'Aucun résumé n’a pu être rédigé. La transcription contient ce qui a été dit.',
    descriptionNobody: 'Personne n’a parlé pendant cet appel.',
    open: 'Reste ouvert',
    offered: 'Décider de leur offre',
  },
  es: {
    trouble: 'Lo siento, tengo un problema técnico y debo terminar esta llamada. Adiós.',
    titleDone: 'Todos los objetivos cumplidos',
    titleOpen: 'Quedan puntos abiertos',
    titleNobody: 'No se habló con nadie',
    description: 'No se pudo escribir un resumen. La transcripción contiene lo que se dijo.',
    descriptionNobody: 'En esta llamada no se habló con nadie.',
    open: 'Sigue abierto',
    offered: 'Decidir sobre su oferta',
  },
  it: {
    trouble: 'Mi dispiace, ho un problema tecnico e devo terminare questa chiamata. Arrivederci.',
    titleDone: 'Tutti gli obiettivi raggiunti',
    titleOpen: 'Alcuni punti sono aperti',
    titleNobody: 'Non si è parlato con nessuno',
    description: 'Non è stato possibile scrivere un riassunto. La trascrizione contiene ciò che è stato detto.',
    descriptionNobody: 'In questa chiamata non si è parlato con nessuno.',
    open: 'Ancora aperto',
    offered: 'Decidere sulla loro offerta',
  },
  pt: {
    trouble: 'Lamento, tenho um problema técnico e preciso de terminar esta chamada. Adeus.',
    titleDone: 'Todos os objetivos alcançados',
    titleOpen: 'Alguns pontos estão em aberto',
    titleNobody: 'Não se falou com ninguém',
    description: 'Não foi possível escrever um resumo. A transcrição contém o que foi dito.',
    descriptionNobody: 'Nesta chamada não se falou com ninguém.',
    open: 'Ainda em aberto',
    offered: 'Decidir sobre a oferta',
  },
  el: {
    trouble: 'Λυπάμαι, έχω ένα τεχνικό πρόβλημα και πρέπει να τερματίσω αυτή την κλήση. Αντίο.',
    titleDone: 'Όλοι οι στόχοι επιτεύχθηκαν',
    titleOpen: 'Ορισμένα σημεία μένουν ανοιχτά',
    titleNobody: 'Δεν μιλήσαμε με κανέναν',
    description: 'Δεν ήταν δυνατό να γραφτεί περίληψη. Η απομαγνητοφώνηση περιέχει όσα ειπώθηκαν.',
    descriptionNobody: 'Σε αυτή την κλήση δεν μιλήσαμε με κανέναν.',
    open: 'Παραμένει ανοιχτό',
    offered: 'Αποφασίστε για την προσφορά τους',
  },
  ar: {
    trouble: 'أعتذر، لدي مشكلة تقنية ويجب أن أنهي هذه المكالمة. مع السلامة.',
    titleDone: 'تحققت جميع الأهداف',
    titleOpen: 'بعض النقاط ما زالت مفتوحة',
    titleNobody: 'لم يتم التحدث مع أحد',
    description: 'تعذرت كتابة ملخص. يحتوي نص المكالمة على ما قيل.',
    descriptionNobody: 'لم يتم التحدث مع أحد في هذه المكالمة.',
    open: 'ما زال مفتوحًا',
    offered: 'اتخذ قرارًا بشأن عرضهم',
  },
  hi: {
    trouble: 'क्षमा करें, मुझे एक तकनीकी समस्या है और मुझे यह कॉल समाप्त करनी होगी। नमस्ते।',
    titleDone: 'सभी उद्देश्य पूरे हुए',
    titleOpen: 'कुछ बातें बाकी हैं',
    titleNobody: 'किसी से बात नहीं हुई',
    description: 'सारांश नहीं लिखा जा सका। जो कहा गया वह प्रतिलेख में है।',
    descriptionNobody: 'इस कॉल में किसी से बात नहीं हुई।',
    open: 'अभी बाकी',
    offered: 'उनके प्रस्ताव पर निर्णय लें',
  },
  ja: {
    trouble: '申し訳ございません。技術的な問題が発生したため、この通話を終了いたします。失礼いたします。',
    titleDone: 'すべての目的を達成しました',
    titleOpen: '未解決の項目があります',
    titleNobody: '誰とも話していません',
    description: '要約を作成できませんでした。発言の内容は文字起こしにあります。',
    descriptionNobody: 'この通話では誰とも話していません。',
    open: '未解決',
    offered: '提案について決めてください',
  },
  zh: {
    trouble: '很抱歉，我遇到了技术问题，必须结束这次通话。再见。',
    titleDone: '所有目标均已达成',
    titleOpen: '仍有未完成的事项',
    titleNobody: '没有与任何人通话',
    description: '未能写出摘要。通话内容见文字记录。',
    descriptionNobody: '本次通话中没有与任何人交谈。',
    open: '仍未解决',
    offered: '请决定是否接受对方的提议',
  },
}

function wordingIn(language: string): Wording {
  // English is in the table.
  return WORDINGS[language.toLowerCase().split('-')[0] ?? ''] ?? (WORDINGS['en'] as Wording)
}

export function troubleIn(language: string): string {
  return wordingIn(language).trouble
}

/** The summary that the record of outcomes allows, in the reader's language; the quotes stay as they were said. */
export function summaryOfRecord({ order, language, turns }: EndedCall, outcomes: readonly Outcome[]): CallSummary {
  const words = wordingIn(order.readerLanguage ?? language)
  const spoke = turns.some(({ speaker }) => speaker === 'user')
  const isDone = outcomes.length > 0 && outcomes.every(isMet)
  const said = ({ objective, quote, offer }: Outcome) =>
    [objective, offer ?? '', quote === null ? '' : `"${quote}"`].filter((part) => part !== '').join(': ')
  const nextSteps = outcomes.flatMap((outcome) => {
    if (outcome.status === 'offered') return [`${words.offered}: ${said(outcome)}`]
    return outcome.status === 'open' ? [`${words.open}: ${outcome.objective}`] : []
  })
  return {
    type: isDone ? 'success' : spoke && nextSteps.length > 0 ? 'pending' : spoke ? 'other' : 'failed',
    title: spoke ? (isDone ? words.titleDone : words.titleOpen) : words.titleNobody,
    description: spoke ? words.description : words.descriptionNobody,
    insights: outcomes.filter(({ status }) => status !== 'open').map(said),
    nextSteps,
    actionRequired: nextSteps.length > 0,
    actionText: nextSteps[0] ?? null,
  }
}
