import { anyOf, fold, plain } from './phrases.ts'

interface Phrases {
  readonly phrases: RegExp
  /** Lookalikes of an opt-out, removed first. */
  readonly decoys: RegExp
}

const NOT = "(?:do not|don'?t|never|not|nobody|no one|refrain from|stop)"
/** Words allowed between the refusal and its object: "don't hesitate to call again" is no opt-out. */
const BETWEEN =
  '(?:(?:you|ever|dare|dared|please|again|even|try|trying|to|is|are|be|want|wish|like|anyone|anybody|people|the lot of you|think|of|about|bother|keep|go|start) )*'
const CALL = '(?:call|phone|ring|contact|bother|dial|telephone|disturb|harass|pester|text)(?:ing|s)?'
const US =
  '(?: (?:up|back|on|at|me|us|here|(?:this|that|my|our|the|his|her) (?:\\w+ )?(?:numbers?|phone|telephone|line|house|home|office|place|mobile|cell|extension|address|business|shop|people|family|mother|mom|mum|father|dad|parents|wife|husband|customers|staff|patients)))*'
const EVER = '(?: (?:ever again|again|ever|any ?more|any longer|from now on|in (?:the )?future))'
const PARTING = '(?: (?:at all|please|good ?bye|bye|thanks|thank you|okay|ok|sir|madam))*$'

/** Opt-out phrases in plain text. Used by every mind, and by the session when no mind has the time. */
export const OPT_OUT = {
  en: {
    phrases: anyOf([
      '(?:take|remove|delete|get|strike|scratch|cross) (?:me|us|my number|our number|this number|my name|our name)(?: \\w+)? (?:off|from|out)(?: of)?(?: \\w+){0,4} (?:lists?|database|records?|system)',
      '(?:take|remove) (?:me|us) off(?: it| this| that| please)?$',
      '(?:stop|quit) (?:calling|phoning|ringing|contacting|bothering|harassing)(?: me| us| here| this number)?(?! (?:sir|ma|that|it|him|her|them|names|mister))',
      "(?:do not|don'?t|never)(?: you)?(?: ever| dare)? (?:call|phone|ring|contact|bother) (?:me|us|here|this number|this house|back)?(?: ?again| anymore| any more| ever)*(?: please)?$",
      "(?:do not|don'?t|never)(?: you)?(?: ever| dare)? (?:call|phone|ring|contact|bother)(?: me| us| here| this number| back)? (?:again|anymore|any more|ever)",
      `${NOT} ${BETWEEN}${CALL}${US}${EVER}`,
      `${NOT} (?:(?:ever|again|you|please|to) )*${CALL}(?= (?:me|us|here|this|my|our))${US}${PARTING}`,
      `never again(?: (?:do you|are you to|to|may you|should you))? ${CALL}${US}`,
      'lose (?:my|this|our) number',
      'unsubscribe',
      'opt(?: me| us)? out',
      'do not call (?:list|register|registry)',
      'no more calls',
      "(?:do not|don'?t) want (?:any more|more|any|these|your|to (?:get|receive))(?: of)?(?: these| your| any| more)*(?: \\w+)? calls",
      '(?:delete|erase|remove) (?:my|our|this) (?:number|data|details)',
    ]),
    decoys: anyOf([
      "(?:stop|quit) calling (?:me|him|her|it|them) (?:sir|ma'?am|madam|that|names|a \\w+)",
      "(?:do not|don't|never|please don't) (?:take|remove|delete)(?: \\w+){0,4} (?:list|off)",
      "(?:do not|don't) (?:call|phone|ring)(?: me| us)?(?: back)? (?:before|after|until|on|at|now|today|tomorrow|later|too|so|this (?:early|late|morning|afternoon|evening|week)|in the)",
      "(?:do not|don't) stop calling",
      "never mind|(?:do not|don'?t) (?:hesitate|forget)",
    ]),
  },
  es: {
    phrases: anyOf([
      '(?:quiteme|quitenme|quita ?me|saqueme|saquenme|borreme|borrenme|elimineme|retireme|deme de baja)(?: \\w+){0,4}(?: lista| base| listado)?',
      '(?:quite|saque|borre|elimine|retire)(?:n)? (?:mi|este|nuestro) (?:numero|nombre|telefono)',
      'nunca(?: mas)? (?:me|nos) (?:llame|llamen|llames|vuelva a llamar|vuelvan a llamar)',
      'no (?:me |nos )?(?:vuelva|vuelvan|vuelvas) a (?:llamar|contactar|molestar)(?:me|nos)?',
      'no (?:me|nos) (?:llame|llamen|llames)(?: mas| nunca| nunca mas)?(?! (?:antes|despues|ahora|hoy|manana|a las))',
      '(?:deje|dejen|deja|paren|pare) de (?:llamar|molestar)(?:me|nos)?',
      '(?:no|nunca)(?: (?:me|nos|mas))? (?:llame|llamen|llames|marque|marquen|telefonee|telefoneen)(?: (?:nunca|mas|jamas))* (?:a )?(?:este|mi|nuestro|aqui)(?: (?:numero|telefono))?',
      'no quiero (?:mas|recibir(?: mas)?|sus) llamadas',
    ]),
    decoys: anyOf(['no me llame (?:antes|despues|ahora|hoy|manana)']),
  },
  fr: {
    phrases: anyOf([
      '(?:retirez|enlevez|supprimez|effacez|rayez|otez)(?:-moi| moi|-nous| nous| mon numero| ce numero| mon nom| notre numero)(?: \\w+){0,4}',
      "(?:ne )?(?:m'|me |nous )?(?:appelez|rappelez|contactez|telephonez|composez)(?:-moi| moi|-nous| nous)? (?:plus jamais|plus|jamais)(?! (?:tard|tot|souvent))",
      "(?:arretez|cessez) de (?:m'|me |nous )?(?:appeler|harceler|deranger|telephoner|contacter)",
      'je ne veux plus (?:etre appele\\w*|recevoir|de vos appels)|plus d.appels?|desinscri\\w+|liste rouge|bloctel',
    ]),
    decoys: anyOf(["ne m'appelez pas (?:avant|apres|maintenant|demain)"]),
  },
  de: {
    phrases: anyOf([
      '(?:nehmen(?: sie)? (?:mich|uns|meine nummer|unsere nummer|diese nummer|meinen namen)(?: \\w+){0,2} (?:von|aus|raus|runter|herunter)|(?:streichen|loschen|entfernen)(?: sie)? (?:mich|uns|meine nummer|unsere nummer|diese nummer|meinen namen|meine daten)(?: \\w+){0,5})',
      '(?:rufen|rufe?t?|kontaktieren|belastigen|wahlen|wahl)(?: sie)? ?(?:mich|uns|hier|diese nummer|dieses telefon|meine nummer|unsere nummer|bei (?:mir|uns))?(?: bitte)? ?(?:nicht|nie|niemals)(?: mehr| wieder)(?: an)?',
      '(?:rufen|ruf)(?: sie)? (?:mich|uns|hier) (?:bitte )?(?:nicht|nie) an(?! (?:vor|nach|heute|morgen|jetzt))',
      '(?:horen|hor)(?: sie)? auf(?: \\w+){0,3} (?:anzurufen|zu belastigen)',
      'keine (?:anrufe|werbeanrufe)(?: mehr)?|keine weiteren anrufe|ich mochte nicht mehr angerufen werden|nie wieder anrufen|von (?:der|ihrer) liste',
    ]),
    decoys: anyOf(['rufen sie (?:mich|uns) nicht (?:vor|nach|heute|morgen|jetzt)']),
  },
} as const satisfies Readonly<Record<string, Phrases>>

/** "~" stands for a few letters without a space, "_" for up to three words. */
const OTHERS = [
  // Italian
  '(?:mi |ci )?(?:tolga|togliete|toglietemi|tolgami|cancelli|cancellate|cancellatemi|rimuova|rimuovete|eliminate)_ (?:dalla|dalle|da questa) (?:vostra |sua )?list',
  'non (?:mi |ci )?(?:chiami|chiamate|chiamatemi|chiamarmi|richiami|richiamate|telefoni|telefonate|contatti|contattate)_ (?:mai )?piu',
  '(?:smetta|smettete|smettetela|la smetta) di (?:chiamar|telefonar|disturbar|contattar)',
  'non voglio (?:piu |ricevere )+_ ?(?:chiamate|telefonate)',
  // Portuguese
  '(?:tire|tirem|retire|retirem|remova|removam|apague|exclua)_ (?:da|de)(?: sua| vossa| tua)? lista',
  'nao (?:me |nos )?(?:ligue|liguem|telefone|telefonem|contate|contacte|voltem? a ligar)~_ (?:mais|nunca mais|de novo|outra vez)',
  'nunca mais (?:me |nos )?(?:ligue|liguem|telefone|telefonem)',
  '(?:pare|parem|deixe|deixem) de (?:me |nos )?(?:ligar|telefonar|incomodar|contactar)',
  'nao quero (?:mais |receber )+_ ?(?:ligacoes|chamadas|telefonemas)',
  // Greek
  'μην? (?:με |μας )?(?:ξαναπαρ|ξανακαλεσ|ξανατηλεφων|ξαναενοχλησ)',
  'μην? (?:με |μας )?(?:παρετε|καλεσετε|τηλεφωνησετε) (?:ποτε |ποτε πια )?(?:ξανα|αλλη φορα)',
  '(?:σταματηστε|σταματα) να (?:με |μας )?(?:καλ|παιρν|ενοχλ|τηλεφων)',
  '(?:βγαλτε|διαγραψτε|αφαιρεστε|σβηστε) (?:με|μας|τον αριθμο|το νουμερο)',
  // Hindi
  '(?:दोबारा|फिर से|फिर कभी|कभी भी|आगे से|आइंदा)_ (?:कॉल|फ़ोन|फोन) (?:मत|न|ना) ',
  '(?:कॉल|फ़ोन|फोन) करना बंद',
  '(?:मेरा|हमारा|मेरे) (?:नंबर|नाम|नम्बर)_ (?:हटा|निकाल|मिटा)',
  // Chinese
  '(?:不要|别|別|请勿|請勿)再~(?:打|联系|聯繫|致电|致電|来电|來電|骚扰|騷擾)',
  '(?:把|将|將)(?:我|我们|我們|这个号码|這個號碼)~(?:删|刪|移除|除名|去掉)',
  // Japanese
  '(?:もう|二度と|今後)~(?:電話|連絡)~(?:ないで|やめて|不要)',
  '(?:電話|連絡)(?:を)?(?:二度と|もう)~ないで',
  'リストから~(?:外し|はずし|削除|消し|除い)',
  // Arabic
  'لا (?:تتصل|تتصلوا|تتصلي|تكلمني|تكلمونا)_ (?:مرة أخرى|مجددا|أبدا|بعد الآن|ثانية)',
  '(?:توقف|توقفوا|كفوا|كف) عن (?:الاتصال|إزعاج)',
  '(?:احذف|احذفوا|أزل|أزيلوا|امسح)~_ (?:رقمي|اسمي|من القائمة|من قائمت)',
]
const IN_OTHERS = new RegExp(
  OTHERS.map((phrase) => fold(phrase).replaceAll('~', '\\S{0,12}').replaceAll('_', '(?: \\S+){0,3}')).join('|'),
  'u',
)

/** Whether the text is an opt-out in any language of the call forms, not only that of the call. */
export function isOptOut(text: string): boolean {
  const words = plain(text)
  if (IN_OTHERS.test(words)) return true
  return Object.values(OPT_OUT).some(({ phrases, decoys }) =>
    phrases.test(words.replace(new RegExp(decoys, 'gu'), ' ')),
  )
}
