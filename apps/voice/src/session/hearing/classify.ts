import { remembered } from '@parley/voice-ports'
import { wordsOf } from '../turns/phrases.ts'

/** recorder: leave a message. menu: press a key. screening: say who you are. waiting: stay on the line. */
export type Sounds = 'person' | 'recorder' | 'menu' | 'screening' | 'waiting'

const RECORDER: readonly RegExp[] = [
  /\b(leave|record)( me| us)? (a|an|your|the)( short| brief| detailed| quick)*( name| message)/,
  /\b(after|at) the (tone|beep|signal)\b/,
  /\b(voice ?mail|voice message|answering machine|mailbox)\b/,
  /\bhas been forwarded to\b/,
  /\b(can't|cannot|unable to|not able to) (come to|answer|take|get to) (the|my|your) (phone|call)\b/,
  /\bget back to you\b.*\b(soon|possible|can)\b/,
  /\b(person|party|number|customer|subscriber) you( are|'re| have|'ve)? (calling|called|dialed|trying to reach|reached)\b.*\b(not|un)\s?(available|answering)\b/,
  /\bdej[ae] (su|tu|un|nos)( un)? mensaje\b/,
  /\bdespués (de la|del) (señal|tono)\b/,
  /\b(buzón de voz|contestador)\b/,
  /\blaiss(ez|er?)( moi|-moi| nous|-nous)? (un|votre) message\b/,
  /\baprès le (bip|signal)/,
  /\b(messagerie|répondeur)\b/,
  /\b(signalton|piepton|anrufbeantworter|mailbox)\b/,
  /\bhinterlass(e|en|t) .*nachricht\b|\bnachricht .*hinterlassen\b/,
  /\blasci(ate|are|a)? (un|il suo|il vostro) messaggio\b|\bdopo il (segnale|bip)\b|\bsegreteria telefonica\b/,
  /\bdeixe (a sua |sua |uma )?mensagem\b|\bapós o (sinal|bipe|bip)(?!\p{L})|\b(caixa postal|correio de voz)\b/u,
  /αφήστε .*μήνυμα|μετά (τον|το) (ήχο|τόνο|σήμα)|τηλεφωνητή/,
  /संदेश छोड़|बीप के बाद|वॉइसमेल/,
  /留言|提示音|语音信箱|語音信箱/,
  /メッセージ を|発信 ?音|留守番 ?電話/,
  /اترك رسالة|بعد (سماع )?الصافرة|البريد الصوتي/,
]
const MENU: readonly RegExp[] = [
  /\b(press|dial|push|hit|enter|select|choose) (\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash)\b/,
  /\b(pulse|marque|oprima|presione) (el |la )?(\d|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|cero)\b/,
  /\b(tapez|appuyez sur|faites le) (le |la )?(\d|un|deux|trois|quatre|cinq|six|sept|huit|neuf|zéro)\b/,
  /\b(drücken|wählen) sie( bitte)? (die )?(\d|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|null)\b/,
  /\b(prema|premi|premere|digiti|digitate|selezioni) (il |lo )?(tasto )?(\d|uno|due|tre|quattro|cinque|sei|sette|otto|nove|zero)\b/,
  /\b(tecle|digite|pressione|aperte|carregue no|prima) (o |a )?(\d|um|dois|três|quatro|cinco|seis|sete|oito|nove|zero)(?!\p{L})/u,
  /(πατήστε|πληκτρολογήστε) (το )?(\d|ένα|δύο|τρία|τέσσερα|πέντε|έξι|επτά|οκτώ|εννέα|μηδέν)/,
  /(\d|एक|दो|तीन|चार|पाँच|पांच|छह|सात|आठ|नौ|शून्य) दबा/,
  /按 ?(\d|一|二|三|四|五|六|七|八|九|零)/,
  /(\d|[一二三四五六七八九]) ?(番 ?)?を ?(押|お)/,
  /اضغط (على )?(الرقم |رقم )?(\d|واحد|اثنين|ثلاثة|أربعة|خمسة|صفر)/,
  /\blisten (carefully )?(to|as) (the following|our|the) (options|menu)\b/,
]
const SCREENING: readonly RegExp[] = [
  /\b(state|say|tell me|give)( me)? (your|who|the) ?(name|is calling|you are|reason).*\b(why|reason|calling|about|name)\b/,
  /\b(screening|call assistant|virtual assistant)\b/,
  /\b(google voice|using a screening)\b/,
  /\bsay who('s| is) calling and why\b/,
]
const WAITING: readonly RegExp[] = [
  /\b(stay on|hold) the line\b/,
  /\bplease (hold|wait)\b/,
  /\b(you are|you're|now|i'm|we are) (being |now )?(connect|transferr)(ed|ing)\b/,
  /\byour call is (very )?important\b/,
  /\b(all|our) (agents|operators|representatives)( are)?( currently)? busy\b/,
  /\b(resti|rimanga|attenda) in linea\b|\b(aguarde (na linha|um momento)|não desligue)\b/,
  /παραμείνετε στη γραμμή|μην κλείσετε|लाइन पर बने|प्रतीक्षा करें|请 ?稍 ?(候|等)|请 ?不要 ?挂|そのまま お ?待ち|少々 ?お ?待ち|ابق على الخط|انتظر على الخط/,
  /\b(no cuelgue|manténgase a la espera|ne quittez pas|restez en ligne|bleiben sie (bitte )?(dran|am apparat|in der leitung)|einen moment,? sie werden verbunden)\b/,
]

/** Phrases of a person who mentions machines: their own voicemail, somebody who is away. */
const PERSON: readonly RegExp[] = [
  /\b(can|could|may|shall|should|would you like( me)?|do you want( me)?)( to)? (i |you )?(take|give|leave|tell|pass|ask|help|know)\b/,
  /\bwho('s| is| am i) (this|that|speaking|it)\b/,
  /\b(i|we)('ve| have)? (just )?(got|heard|listened to|checked|received|left)\b/,
  /\bcall (him|her|them|me) (back|later|tomorrow)\b/,
]

/** Classifies who says these words at the beginning of a call or after a machine. */
export const classify = remembered((text): Sounds => {
  const words = wordsOf(text).join(' ')
  const says = (phrases: readonly RegExp[]) => phrases.some((phrase) => phrase.test(words))
  if (says(MENU)) return 'menu'
  if (says(SCREENING)) return 'screening'
  if (says(RECORDER) && !says(PERSON) && !text.trim().endsWith('?')) return 'recorder'
  if (says(WAITING) && !text.trim().endsWith('?')) return 'waiting'
  return 'person'
})
