import type { Spoken } from '../memory.ts'
import type { Kind } from './limits.ts'

/** Phrases that set limits. All but `splits` and `splitsBefore` match folded text. */
export interface LimitWords {
  /** Between two clauses. */
  readonly splits: RegExp
  /** A fallback clause for when the first wish fails; limits nothing by itself. */
  readonly failing: RegExp
  /** The first wish follows. */
  readonly preferring: RegExp
  /** The clause begins with another thing that may be agreed to. */
  readonly alternative: RegExp
  /** The clause's value may, or may not, be agreed to. */
  readonly fine: RegExp
  readonly unfit: RegExp
  // A value follows
  readonly least: RegExp
  readonly leastStrict: RegExp
  readonly most: RegExp
  readonly mostStrict: RegExp
  /** Half an hour to both sides. */
  readonly around: RegExp
  // A value comes before
  readonly leastAfter: RegExp
  readonly mostAfter: RegExp
  /** Two groups: from, to. */
  readonly between: RegExp
  /** The first wish or anything on one side of it. */
  readonly orLater: RegExp
  readonly orEarlier: RegExp
  readonly firm: readonly (readonly [RegExp, readonly Kind[]])[]
  readonly only: RegExp
  readonly free: readonly (readonly [RegExp, readonly Kind[]])[]
  /** Dayparts: from, to, in hours. */
  readonly dayparts: readonly (readonly [RegExp, number, number])[]
  /** Verbs of change with a before and an after, and the word between the two. */
  readonly moves: RegExp
  readonly target: RegExp
  /** The user sells, so more is better. */
  readonly sells: RegExp
}

const EVERYTHING: readonly Kind[] = ['time', 'date', 'money', 'percent', 'count', 'thing']
const WHEN: readonly Kind[] = ['time', 'date']
const ASKED_BACK =
  "(?:please )?(?:(?:do not|don't|never)(?: \\w+)?$|leave it|let it (?:go|be)|forget (?:it|about it)|nothing|cancel|decline|hang up|say no|ask me|call me|tell me|let me know|come back to me|check with me|get back to me|keep (?:the|my) )"

const english: LimitWords = {
  splits:
    /(?<=[.!?])(?<!\b(?:dr|mr|mrs|ms|st|no|prof|sr|sra)\.)\s+|\s*[;\n()]\s*|,\s+|\s+[–—-]\s+|(?<!\b(?:any\w*|every\w*|all|whatever|whichever|other|no\w*)\b[^.;,]{0,30})\s+(?=but\b)|\s+(?=(?:otherwise|or(?! take\b| so\b)|alternatively|failing that|preferably|ideally|if (?:that|it|this|not|they|there|nothing|\d)|(?:and )?(?:only if|do not|don't|never|no later|not later|not before|no earlier|not after|at most|no more than|not more than|as long as it))\b)|\s+and\s+(?=(?:no|not|only|nothing|up to)\b)/gi,
  failing:
    /^(?:but |and )?(?:only )?if (?:(?:that|it|this|they|there|nothing|none|.{1,40}?) (?:is|are|'s|isn't|aren't|can|can't|cannot|do|don't|does|doesn't|will|won't|have|has)\b.{0,40}?\b(?:not|n't|no|possible|available|free|work|works|full|gone|taken|left|booked)\b|not(?: possible| available| free)?\b|(?:that|this|it) (?:fails|(?:is|'s) (?:full|taken|gone|impossible|unavailable))|(?:that|it) (?:isn't|doesn't|can't)\b)(?: be)?(?: possible| available| free| work| do it| do that| an option)?(?: then)?/,
  preferring: /\b(?:preferably|ideally|if possible|by preference|my first choice is|best at|best would be)\b[,:]? ?/,
  alternative:
    /^(?:but |and )?(?:or(?! later\b| earlier\b)|otherwise|else|or else|alternatively|failing that|then|second choice|as a second choice|(?:if|and if) (?:need be|necessary|need)|(?:you (?:may|can) )?(?:also )?(?:accept|take|agree to|settle for|book)|i(?:'d| would|'ll)?(?: also)? (?:accept|take|be (?:fine|ok|okay|happy) with)|also)\b/,
  fine: /\b(?:(?:is|are|would be|'s)(?: also| just as| still| equally)? (?:fine|ok|okay|good|acceptable|all right|possible|welcome)|(?:would|will)(?: also| just)? do\b|(?:also )?works?(?: too| as well| for (?:me|us))?$|will do|would do|suits me|too$|as well$|also (?:works|possible|fine|ok|okay)|(?:accept|take|agree to|settle for)\b)/,
  unfit: /(?:\b(?:not|never|avoid|except|but not|anything but|no)|n't)\b/,
  least:
    /\b(?:(?:not?|never) (?:earlier|sooner|before|less|fewer|lower|cheaper|smaller)(?: than)?|(?:not?|never) (?:under|below)|earliest(?: is)?|at least|min(?:imum)?(?: of| is)?|starting (?:at|from)|from(?= .{1,24} on(?:wards?)?\b))\b/,
  leastStrict: /\b(?:after|later than|more than|over|above)\b/,
  most: /\b(?:up to(?: and including)?|until|till?|(?:not?|never) (?:later|after|more|higher|longer|dearer)(?: than)?|(?:not?|never) (?:over|above|beyond)|at (?:the )?(?:most|maximum|max)|max(?:imum)?(?: of| is)?|as (?:late|much|high|far) as|not (?:to )?exceed(?:ing)?|(?:limit|budget|ceiling)(?: is| of)?|latest(?: is)?|by(?= (?:\d|half|quarter|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)))\b/,
  mostStrict: /\b(?:before|below|under|(?:less|cheaper|lower|earlier|fewer|smaller) than)\b/,
  around: /\b(?:around|approximately|roughly|about(?= (?:\d|half|quarter|noon)))\b/,
  leastAfter:
    /(?:at the earliest|at the (?:very )?least|(?:as a|at) minimum|or (?:later|after|more|better|above|over)|and later|onwards?|or any ?time (?:after|later))/,
  mostAfter:
    /(?:at (?:the )?(?:very )?(?:latest|most|max(?:imum)?)|or (?:earlier|before|less|below|under|cheaper|fewer)|max(?:imum)?|tops)/,
  between: /\bbetween (.+?) (?:and|to) (.+)$/,
  orLater: /^or (?:(a (?:bit|little)|slightly) )?(?:later|after that|more)\b/,
  orEarlier: /^or (?:(a (?:bit|little)|slightly) )?(?:earlier|before that|less|cheaper|fewer)\b/,
  firm: [
    [
      /\b(?:do not|don't|never|not|no|nothing|without)\b.{0,24}?\b(?:another|other|different|alternative|any other|change of|changing the) (?:day|date)s?\b/,
      ['date'],
    ],
    [
      /\b(?:do not|don't|never|not|no|without)\b.{0,24}?\b(?:another|other|different|alternative|any other) (?:time|hour|slot)s?\b/,
      WHEN,
    ],
    [
      /\b(?:do not|don't|never|not|no)\b.{0,24}?\b(?:another|other|different|any other|higher) (?:price|amount|rate|cost)s?\b/,
      ['money', 'percent'],
    ],
    [
      /\b(?:do not|don't|never|not|no)\b.{0,24}?\b(?:another|other|different|any other) (?:number|party size|size|number of (?:people|guests))\b/,
      ['count'],
    ],
    [
      /\b(?:do not|don't|never|not) (?:accept|agree|take|settle|book|allow|commit|confirm)\b.{0,60}?\b(?:else|other|another|different|alternatives?|anything|instead|offers?|less|changes?|without (?:asking|checking|my))\b/,
      EVERYTHING,
    ],
    [
      /\b(?:no|without)(?: other)? (?:alternatives?|exceptions?|substitutes?|compromises?|changes|flexibility|other (?:option|offer)s?)\b/,
      EVERYTHING,
    ],
    [
      /\b(?:nothing (?:else|other)|not (?:negotiable|flexible)|non-?negotiable|or nothing|or not at all|no other|inflexible|not anything else)\b/,
      EVERYTHING,
    ],
    [new RegExp(`^(?:or |otherwise |else |then )+${ASKED_BACK}`), EVERYTHING],
  ],
  only: /\b(?:only|exactly|strictly|must be|has to be|have to be|it needs to be|precisely)\b/,
  free: [
    [
      /\b(?:any|whatever|whichever|every) (?:time|hour|slot)\b|\banytime\b|\bother times? (?:is|are|would be|works?)\b/,
      ['time'],
    ],
    [
      /\b(?:any|whatever|whichever) (?:day|date)\b|\b(?:another|other|different) (?:day|date)s? (?:is|are|would be|works?|will do)\b/,
      ['date'],
    ],
    [/\b(?:another|other|a different) (?:time|hour)s? (?:is|are|would be|works?|will do)\b/, ['time']],
    [/\bflexible (?:on|with|about|in) (?:the |my )?(?:price|cost|budget)\b/, ['money']],
    [
      /\bflexible (?:on|with|about|in) (?:the |my )?(?:day|date)s?\b|\b(?:day|date)s?(?: is| are)? flexible\b/,
      ['date'],
    ],
    [
      /\bflexible\b(?! (?:on|with|about|in)\b)|\bflexible (?:on|with|about|in) (?:the |my )?(?:time|hour)s?\b/,
      ['time'],
    ],
    [
      /\bwhatever (?:time )?(?:is|they have|they've got|you can get|they offer|comes|you find)\b|\b(?:next|first|closest|nearest|earliest) (?:available|free|possible|open)\b|\bas (?:close|near) (?:to .{1,20} )?as possible\b/,
      WHEN,
    ],
    [/\b(?:anything|whatever) (?:else )?(?:is|they offer|works|would be|goes|will do)\b/, ['time', 'date', 'thing']],
  ],
  dayparts: [
    [/\b(?:evening|tonight|dinner ?time)\b/, 17, 23],
    [/\bafternoon\b/, 12, 18],
    [/\bmorning\b/, 6, 12],
    [/\b(?:lunch ?time|midday)\b/, 11.5, 14.5],
  ],
  moves:
    /\b(?:mov(?:e|ed|ing)|chang(?:e|ed|ing)|reschedul(?:e|ed|ing)|postpon(?:e|ed|ing)|shift(?:ed|ing)?|push(?:ed|ing)?|bring forward|switch(?:ed|ing)?|transfer(?:red|ring)?|rebook(?:ed|ing)?|amend(?:ed|ing)?|put back)\b/,
  target: /\b(?:to|until|till|into|for)\b/,
  sells: /\b(?:sell|selling|sale of|rent out|let out)\b/,
}

const spanish: LimitWords = {
  splits:
    /(?<=[.!?])(?<!\b(?:dr|mr|mrs|ms|st|no|prof|sr|sra)\.)\s+|\s*[;\n()]\s*|,\s+|\s+[–—-]\s+|\s+(?=(?:pero|si no|o|preferiblemente|no acept\w+|sin otra|como m[aá]ximo|como muy tarde|a m[aá]s tardar|m[aá]ximo)\b)/gi,
  failing:
    /^(?:pero |y )?si (?:(?:eso |.{1,30}? )?no (?:es|fuera|hay|esta|se|puede)(?: (?:posible|libre|disponible|puede|sitio|mesa))*|no)\b/,
  preferring: /\b(?:preferiblemente|preferentemente|a ser posible|idealmente)\b[,:]? ?/,
  alternative: /^(?:pero |y )?(?:o|u|si no|en su defecto|tambien|puede(?:s)? aceptar|acepte|acepta)\b/,
  fine: /\b(?:(?:esta|estaria|va|me va|vale|sirve|seria)(?: tambien)? ?(?:bien|aceptable|posible)?(?: tambien)?|tambien (?:vale|sirve|esta bien|va bien|puede ser))\b/,
  unfit: /\b(?:no|nunca|salvo|menos)\b/,
  least:
    /\b(?:no antes de(?: las?)?|al menos|como minimo|minimo|por lo menos|a partir de(?: las?)?|desde(?: las?)?)(?= )/,
  leastStrict: /\b(?:despues de(?: las?)?|mas de)(?= )/,
  most: /\b(?:hasta(?: las?)?|(?:no|nunca) (?:mas tarde|despues|mas alla) de(?: las?)?|como muy tarde(?: a las?)?|a mas tardar(?: a las?)?|como maximo|(?:un )?maximo(?: de)?|no mas de|no pase de)(?= )/,
  mostStrict: /\b(?:antes de(?: las?)?|menos de|por debajo de)(?= )/,
  around: /\b(?:sobre|alrededor de|hacia)(?= las?)/,
  leastAfter: /(?:o (?:mas tarde|despues|mas)|como minimo|en adelante)/,
  mostAfter: /(?:como (?:maximo|mucho|muy tarde)|a mas tardar|o (?:antes|menos))/,
  between: /\bentre (?:las? )?(.+?) y (?:las? )?(.+)$/,
  orLater: /^o (?:(un poco) )?(?:mas tarde|despues)\b/,
  orEarlier: /^o (?:(un poco) )?(?:antes|mas temprano)\b/,
  firm: [
    [/\b(?:no|ningun|ninguna|sin)\b.{0,24}?\b(?:otro|otra|distint[oa]|cambiar de) (?:dia|fecha)\b/, ['date']],
    [/\b(?:no|ninguna|sin)\b.{0,24}?\b(?:otra|distinta) hora\b/, WHEN],
    [
      /\bno (?:acept\w+|cojas|tome|confirm\w+)\b.{0,40}?\b(?:otra|otro|nada|alternativas?|ninguna)\b|\b(?:sin alternativas|nada mas|o nada|ninguna otra)\b/,
      EVERYTHING,
    ],
  ],
  only: /\b(?:solo|solamente|unicamente|exactamente|tiene que ser|debe ser)\b/,
  free: [
    [/\b(?:cualquier|a cualquier) hora\b|\bflexible\b/, ['time']],
    [/\bcualquier (?:dia|fecha)\b/, ['date']],
    [/\b(?:lo que (?:haya|tengan|este libre)|cualquier cosa)\b/, WHEN],
  ],
  dayparts: [
    [/\bpor la (?:tarde|noche)\b/, 13, 23],
    [/\bpor la manana\b/, 6, 13],
  ],
  moves: /\b(?:mover|cambiar|pasar|aplazar|adelantar|trasladar)\b/,
  target: /\b(?:al?|para|hasta)\b/,
  sells: /\bvender\b/,
}

const french: LimitWords = {
  splits:
    /(?<=[.!?])(?<!\b(?:dr|mr|mrs|ms|st|no|prof|sr|sra)\.)\s+|\s*[;\n()]\s*|,\s+|\s+[–—-]\s+|\s+(?=(?:mais|sinon|ou|de pr[eé]f[eé]rence|n'accept\w+|au plus tard|au maximum|maximum)\b)/gi,
  failing:
    /^(?:mais |et )?(?:si (?:ce |cela |c'|.{1,30} )?(?:n'est|n'a|ne)\b.{0,30}?(?:pas|plus)(?: possible| libre| disponible)?|si ce n'est pas possible|si impossible)/,
  preferring: /\b(?:de preference|idealement|si possible)\b[,:]? ?/,
  alternative: /^(?:mais |et )?(?:ou|sinon|a defaut|autrement|(?:vous pouvez |tu peux )?accepte[rz]?)\b/,
  fine: /\b(?:(?:convient|va|est|serait)(?: aussi| egalement)? ?(?:bien|aussi|egalement|possible|acceptable|d'accord)?)\b/,
  unfit: /\b(?:pas|jamais|sauf)\b/,
  least: /\b(?:pas avant|au moins|au minimum|minimum|a partir de|des)(?= )/,
  leastStrict: /\b(?:apres|plus de)(?= )/,
  most: /\b(?:jusqu'a|au plus tard(?: a)?|(?:pas|jamais) apres|(?:pas|jamais) plus tard que|au maximum|au plus|maximum|pas plus de)(?= )/,
  mostStrict: /\b(?:avant|moins de|en dessous de)(?= )/,
  around: /\b(?:vers|autour de|aux alentours de)(?= )/,
  leastAfter: /(?:ou (?:plus tard|apres|plus)|au minimum|au moins)/,
  mostAfter: /(?:au (?:maximum|plus(?: tard)?)|maximum|ou (?:avant|moins))/,
  between: /\bentre (.+?) et (.+)$/,
  orLater: /^ou (?:(un peu) )?(?:plus tard|apres)\b/,
  orEarlier: /^ou (?:(un peu) )?(?:plus tot|avant)\b/,
  firm: [
    [/\b(?:pas|aucun|sans)\b.{0,24}?\bautre (?:jour|date)\b/, ['date']],
    [/\b(?:pas|aucun|aucune|sans)\b.{0,24}?\bautre (?:heure|horaire|creneau)\b/, WHEN],
    [
      /\bn'accept\w+\b.{0,40}?\b(?:autre|rien|aucun|aucune|alternatives?)\b|\b(?:rien d'autre|sans alternative|ou rien|pas autre chose)\b/,
      EVERYTHING,
    ],
  ],
  only: /\b(?:seulement|uniquement|exactement|doit etre|imperativement)\b/,
  free: [
    [/\b(?:n'importe quelle heure|toute heure|flexible)\b/, ['time']],
    [/\bn'importe quel (?:jour|date)\b/, ['date']],
    [/\b(?:ce qui est libre|ce qu'il y a|n'importe quoi)\b/, WHEN],
  ],
  dayparts: [
    [/\b(?:soir|soiree)\b/, 17, 23],
    [/\bapres-midi\b/, 12, 18],
    [/\bmatin\b/, 6, 12],
  ],
  moves: /\b(?:deplacer|reporter|changer|decaler|avancer|modifier)\b/,
  target: /\b(?:a|au|pour)\b/,
  sells: /\bvendre\b/,
}

const german: LimitWords = {
  splits:
    /(?<=[.!?])(?<!\b(?:dr|mr|mrs|ms|st|no|prof|sr|sra)\.)\s+|\s*[;\n()]\s*|,\s+|\s+[–—-]\s+|\s+(?=(?:aber|sonst|oder|ansonsten|am liebsten|h[oö]chstens|maximal|sp[aä]testens|nicht sp[aä]ter|keine? ander\w+)\b)/gi,
  failing:
    /^(?:aber |und )?(?:wenn|falls) .{0,40}?\b(?:nicht|kein\w*)\b(?: (?:geht|moglich|frei|klappt|ist|gibt|mehr))*/,
  preferring: /\b(?:am liebsten|vorzugsweise|wenn moglich|bevorzugt)\b[,:]? ?/,
  alternative:
    /^(?:aber |und )?(?:oder|sonst|ansonsten|andernfalls|auch|du (?:kannst|darfst) .{0,20}?(?:annehmen|zusagen))\b/,
  fine: /\b(?:(?:ist|ware|geht|ginge|passt|klappt)(?: auch| ebenfalls)?(?: noch)?(?: gut| in ordnung| okay| ok| moglich)?|auch (?:gut|in ordnung|okay|ok|moglich))\b/,
  unfit: /\b(?:nicht|kein\w*|nie|ausser)\b/,
  least: /\b(?:nicht (?:vor|fruher als)|fruhestens|mindestens|ab|nicht unter)(?= )/,
  leastStrict: /\b(?:nach|mehr als|uber)(?= )/,
  most: /\b(?:bis(?: zu)?|(?:nicht|nie) (?:spater als|nach|mehr als|uber)|spatestens|hochstens|maximal|max)(?= )/,
  mostStrict: /\b(?:vor|unter|weniger als)(?= )/,
  around: /\b(?:gegen|ungefahr|etwa|circa|ca)(?= )/,
  leastAfter: /(?:oder (?:spater|mehr)|fruhestens)/,
  mostAfter: /(?:oder (?:fruher|weniger)|spatestens|hochstens|maximal)/,
  between: /\bzwischen (.+?) und (.+)$/,
  orLater: /^oder (?:(etwas|ein bisschen) )?spater\b/,
  orEarlier: /^oder (?:(etwas|ein bisschen) )?fruher\b/,
  firm: [
    [/\b(?:kein\w*|nicht|ohne)\b.{0,24}?\banderen? (?:tag|datum)\b/, ['date']],
    [/\b(?:kein\w*|nicht|ohne)\b.{0,24}?\banderen? (?:zeit|uhrzeit|termin)\b/, WHEN],
    [
      /\b(?:nichts anderes|keine? (?:alternativen?|andere[ns]?)|sonst nichts|oder gar nicht|nicht verhandelbar)\b/,
      EVERYTHING,
    ],
  ],
  only: /\b(?:nur|genau|ausschliesslich|muss .{0,20}?sein)\b/,
  free: [
    [/\b(?:jede uhrzeit|egal wann|jederzeit|flexibel)\b/, ['time']],
    [/\b(?:jeder tag|egal welcher tag)\b/, ['date']],
    [/\b(?:was (?:frei ist|sie haben)|egal was)\b/, WHEN],
  ],
  dayparts: [
    [/\babends?\b/, 17, 23],
    [/\bnachmittags?\b/, 12, 18],
    [/\bvormittags?\b/, 6, 12],
  ],
  moves: /\b(?:verschieben|verlegen|umbuchen|andern|vorziehen)\b/,
  target: /\b(?:auf|zu)\b/,
  sells: /\bverkaufen\b/,
}

export const LIMIT_WORDS: Readonly<Record<Spoken, LimitWords>> = { en: english, es: spanish, fr: french, de: german }
