import type { Spoken } from '../memory.ts'
import type { Kind } from './limits.ts'

/** The closed vocabulary of permissions. Folded; § stands for a value. */
export interface Vocabulary {
  /** Words allowed in a granting clause. None forbids, excludes or sets a condition. */
  readonly granting: readonly string[]
  /** Words allowed in "if that is not possible", and those that make it one. */
  readonly failing: readonly string[]
  readonly failed: RegExp
  /** "Not on §": grants nothing and excludes one value. */
  readonly excluding: RegExp
  /** Forbids, excludes, sets a condition, or says more of a value than that it is wanted. */
  readonly restricting: RegExp
  /** A complement of the request: "for my mother on Friday". */
  readonly complement: RegExp
  /** A clause with its own verb: no complement. */
  readonly clause: RegExp
  /** A range: neither of its values is asked for. */
  readonly range: RegExp
  /** A predicate of a value: "8:30 is ...". */
  readonly predicate: RegExp
  /** Asks to end something: its values only identify it. */
  readonly removal: RegExp
  /** Kinds that a clause mentions without a value. */
  readonly touching: readonly (readonly [RegExp, readonly Kind[]])[]
}

const english: Vocabulary = {
  granting: [
    '§|or|otherwise|else|alternatively|failing that|then|(?:as )?a? ?second choice|if need be|if necessary|and|also|please|instead',
    '(?:too|as well)$',
    "preferably|ideally|if possible|by preference|my first choice is|best|it|that|this|is|are|'s|would|will|can|could|may|be|do|works?|suits?|for (?:me|us)|with (?:me|us)",
    'fine|ok|okay|good|acceptable|all right|alright|possible|welcome|great|perfect|equally|just(?: as)?|still',
    "you (?:may|can)|accept|take|agree to|settle for|book|go(?: up)?|to(?= §)|i'd|i'll|i would|i am|i'm|we'd|we'll|we are|we're|happy with|pay",
    'at|on|for|in|the|a|an|my|our|any|whatever|whichever|every|anytime|another|other|a different|different',
    'flexible(?: (?:on|with|about|in)(?: the| my)?)?|quite|very|fully',
    'whatever (?:is|they have|they have got|you can get|they offer|comes|you find)|(?:anything|whatever) (?:else )?(?:is|they offer|works|would be|goes|will do)|next|first|closest|nearest|earliest|available|free|open|as (?:close|near) (?:to §? ?)?as',
    'evening|tonight|afternoon|morning|lunch ?time|dinner ?time|midday|slightly|a (?:bit|little)|later|earlier|more|less|cheaper|fewer',
    'tables?|rooms?|appointment|booking|reservation|slots?|seats?|times?|hours?|days?|dates?|price|rate|cost|budget|discount|offer',
    '(?:a|an|per|each|every) (?:night|person|head|hour|day|week|month|year)',
    'only|exactly|strictly|precisely|must be|has to be|have to be|it needs to be',
  ],
  failing: [
    "but|and|if|that|it|this|they|there|nothing|none|not|is|are|isn't|aren't|can|can't|cannot|do|don't|does|doesn't|will|won't|have|has|be|no|n't",
    'possible|available|free|full|gone|taken|left|booked|works?|fails|impossible|unavailable|then|at|on|for|the|a|an|option|any|§|tables?|rooms?|slots?|appointment|booking|time|day|date|price|do that|do it',
  ],
  failed:
    /\b(?:not|n't|isn't|aren't|can't|cannot|don't|doesn't|won't|no|nothing|none|full|gone|taken|booked|fails|impossible|unavailable)\b/,
  excluding: /^(?:but |and )?(?:not|never|avoid|except|but not|anything but|no)(?: on| at| for| the)* §(?: please)?$/,
  restricting:
    /\b(?:not|no|none|nobody|never|nor|neither|nothing|without|unless|except\w*|excluding|excluded|exclude|but|other than|apart from|save for|besides|rather|avoid\w*|refuse\w*|reject\w*|declin\w+|forbid\w*|rule out|only|solely|must\w*|has to|have to|if|when|whenever|while|which|who|because|since|although|though|provided|providing|depending|as long as|so long as|on condition|condition\w*|too|limit\w*|cap|ceiling|can't|cannot|couldn't|until|till|before|after|prior|start\w*|begin\w*|ends?|closes?|home|busy|meetings?|give or take|either way|latest|earliest|(?:ask|check with|come back to|get back to) (?:me|us))\b|n't\b/,
  complement: /^(?:and )?(?:for|at|on|with|in|from|near|by|under|facing|including)\b/,
  clause:
    /\b(?:i|we|he|she|they|you|it|is|are|was|were|am|be|will|would|can|could|should|may|might|starts?|begins?|ends?|has|have|had|need\w*|want\w*)\b|'(?:s|m|re|ll|d|ve)\b/,
  range: /§ ?(?:until|till?|to|through|-|–) ?§/,
  predicate:
    /^(?:at |on )?§ (?:is|are|was|would|will|won't|does|doesn't|can't|cannot|isn't|wouldn't|may|might|must|'s)\b/,
  removal:
    /^(?:please )?(?:(?:i|we)(?:'d| would)? (?:like|want|need) to )?(?:cancel\w*|call off|annul|delete|remove|terminate|give up)\b/,
  touching: [
    [
      /\b(?:times?|hours?|late|later|latest|early|earlier|earliest|o'clock|evening|morning|afternoon|night|tonight|noon|lunch\w*|minutes?|slots?|schedule)\b/,
      ['time'],
    ],
    [/\b(?:days?|dates?|week\w*|months?|today|tomorrow|\w+days?)\b/, ['date']],
    [
      /\b(?:prices?|cost\w*|pay\w*|spend\w*|budget|dollars?|euros?|pounds?|fees?|rates?|expensive|cheap\w*|money|discount\w*|percent)\b|[$€£%]/,
      ['money', 'percent'],
    ],
    [/\b(?:people|persons?|guests?|party|seats?|of us)\b/, ['count']],
  ],
}

const spanish: Vocabulary = {
  granting: [
    '§|o|u|si no|en su defecto|tambien|y|por favor|(?:puede|puedes) aceptar|acept[ae]|esta|estaria|va|me va|vale|sirve|me sirve|seria|es|son|bien|aceptable|posible|puede ser|entonces',
    'a|las?|el|los|un|una|de|del|en|por la (?:tarde|noche|manana)|para|cualquier|hora|horas|dia|fecha|flexible|soy|somos|estoy|muy',
    'preferiblemente|preferentemente|a ser posible|idealmente|un poco|mas tarde|antes|mas temprano|lo que (?:haya|tengan|este libre)',
    'mesa|cita|reserva|habitacion|precio|descuento|por (?:noche|persona|mes)|al mes|solo|solamente|unicamente|exactamente|tiene que ser|debe ser',
  ],
  failing: [
    'pero|y|si|eso|no|es|fuera|hay|esta|se|puede|posible|libre|disponible|sitio|mesa|a|las?|los|el|en|otra cosa|queda|quedan|§|entonces',
  ],
  failed: /\bno\b/,
  excluding: /^(?:pero |y )?(?:no|nunca|salvo|excepto|menos)(?: a| el| las?| los)* §$/,
  restricting:
    /\b(?:no|ni|nunca|jamas|sin|salvo|excepto|menos|solo|solamente|demasiado|si|cuando|mientras|porque|aunque|pero|limite|tope|tengo que|tenemos que|debo|debe|en casa|antes|despues|hasta|reunion\w*|empieza|termina|cierra|sino|ningun\w*|evit\w+|rechac\w+|otr[oa]s?|tarde|temprano)\b/,
  complement: /^(?:y )?(?:para|a|en|con|el|la|las|de)\b/,
  clause:
    /\b(?:yo|es|son|esta|estan|estoy|tengo|tenemos|tiene|tienen|hay|soy|somos|sera|seria|puede\w*|quiero|empieza|termina)\b/,
  range: /§ ?(?:hasta|a|-|–)(?: las?)? ?§/,
  predicate: /^(?:a )?(?:las? )?§ (?:es|son|seria|esta|no|ya|me)\b/,
  removal: /^(?:quiero |por favor )?(?:cancel\w+|anul\w+|dar de baja|elimin\w+)\b/,
  touching: [
    [/\b(?:horas?|tarde|temprano|noche|manana|mediodia|minutos?|horario)\b/, ['time']],
    [/\b(?:dias?|fechas?|semanas?|fin de semana|mes|hoy)\b/, ['date']],
    [
      /\b(?:precios?|cost\w*|pag\w+|euros?|dolares|presupuesto|tarifa|car[oa]|barat\w+|descuento|por ciento)\b|[$€%]/,
      ['money', 'percent'],
    ],
    [/\b(?:personas?|comensales)\b/, ['count']],
  ],
}

const french: Vocabulary = {
  granting: [
    "§|ou|sinon|a defaut|autrement|aussi|egalement|et|s'il vous plait|(?:vous pouvez|tu peux) accepter|accepte[rz]?|convient|va|est|serait|irait|c'est|ca|bien|possible|acceptable|d'accord|me|alors",
    "a|vers|les?|la|un|une|de|du|des|pour|par|n'importe quelle?|toute|heure|jour|date|flexibles?|je suis|nous sommes|tres",
    "de preference|idealement|si possible|un peu|plus tard|plus tot|apres|avant|ce qui est libre|ce qu'il y a|soir|soiree|apres-midi|matin|midi",
    'table|rendez-vous|chambre|prix|remise|par (?:nuit|personne|mois)|seulement|uniquement|exactement|doit etre|imperativement',
  ],
  failing: [
    "mais|et|si|ce|cela|c'|n'est|n'a|ne|pas|plus|possible|impossible|libre|disponible|est|a|l'on|il|y|de|table|place|§|n'y|alors|c'est",
  ],
  failed: /\b(?:pas|plus|impossible)\b/,
  excluding: /^(?:mais |et )?(?:pas|jamais|sauf|excepte)(?: a| le| la)* §$/,
  restricting:
    /\b(?:pas|jamais|sans|sauf|excepte|hormis|ne|trop|si|quand|lorsque|pendant|parce|mais|limite|plafond|seulement|aucune?|ni|avant|apres|jusqu'a|refus\w+|evit\w+|dois|doit|devons|reunion\w*|commence|finit|ferme|chez moi|autres?|tard|tot)\b|\bn'/,
  complement: /^(?:et )?(?:pour|a|en|avec|le|la|de|du|au)\b/,
  clause:
    /\b(?:je|nous|vous|il|elle|est|sont|suis|sommes|ai|avons|a|ont|sera|serait|peut|peuvent|dois|doit|commence|finit)\b/,
  range: /§ ?(?:jusqu'a|a|-|–) ?§/,
  predicate: /^(?:a )?§ (?:est|sont|serait|ne|n'est|c'est|me)\b/,
  removal: /^(?:je veux |je voudrais )?(?:annul\w+|resili\w+|supprim\w+)\b/,
  touching: [
    [/\b(?:heures?|horaires?|tard|tot|soir\w*|matin|midi|minutes?|creneaux?)\b/, ['time']],
    [/\b(?:jours?|dates?|semaines?|week-?end|mois|aujourd'hui|demain)\b/, ['date']],
    [
      /\b(?:prix|cout\w*|pay\w+|euros?|dollars|budget|tarif|cher|moins cher|remise|pour cent)\b|[$€%]/,
      ['money', 'percent'],
    ],
    [/\b(?:personnes?|couverts)\b/, ['count']],
  ],
}

const german: Vocabulary = {
  granting: [
    '§|oder|sonst|ansonsten|andernfalls|auch|und|bitte|du (?:kannst|darfst)|annehmen|zusagen|ist|ware|geht|ginge|passt|klappt|noch|gut|in ordnung|okay|ok|moglich|ebenfalls|mir|uns|es|dann',
    'um|am|an|ein|eine|einen|der|die|das|den|dem|fur|jede|jeder|uhrzeit|egal wann|egal welcher tag|jederzeit|flexibel|ich bin|wir sind|sehr',
    'am liebsten|vorzugsweise|wenn moglich|bevorzugt|etwas|ein bisschen|spater|fruher|was (?:frei ist|sie haben)|abends?|nachmittags?|vormittags?',
    'tisch|termin|zimmer|tag|zeit|preis|rabatt|uhr|pro (?:nacht|person|monat)|im monat|zahlen|nur|genau|ausschliesslich|muss|sein',
  ],
  failing: [
    'aber|und|wenn|falls|das|es|dies|nicht|kein\\w*|geht|moglich|frei|klappt|ist|gibt|mehr|um|am|da|dann|§|tisch|termin|zimmer|sein|sollte|uhr',
  ],
  failed: /\b(?:nicht|kein\w*)\b/,
  excluding: /^(?:aber |und )?(?:nicht|kein\w*|nie|ausser)(?: um| am| den| der)* §$/,
  restricting:
    /\b(?:nicht|nichts|nie|niemals|kein\w*|ohne|ausser|zu (?:spat|fruh|teuer|viel)|wenn|falls|sofern|solange|weil|aber|sondern|nur|muss|mussen|soll\w*|darf|grenze|limit|bis|vor|nach|beginnt|fangt|endet|schliesst|zuhause|hause|besprechung\w*|ander\w*|vermeid\w*|ablehnen|spatestens|hochstens)\b/,
  complement: /^(?:und )?(?:fur|um|am|an|im|in|mit|auf|bei|zum|zur)\b/,
  clause:
    /\b(?:ich|wir|er|sie|es|ist|sind|bin|war|ware|hat|haben|habe|wird|werden|kann|konnen|beginnt|endet|will|wollen)\b/,
  range: /§ ?(?:bis|-|–)(?: um)? ?§/,
  predicate: /^(?:um |am )?§ (?:ist|ware|sind|geht|ginge|wird|passt|kann|muss)\b/,
  removal: /\b(?:stornieren|absagen|kundigen|loschen)\b|^(?:stornier\w*|absage|kundig\w*)\b/,
  touching: [
    [/\b(?:uhr\w*|zeit\w*|spat\w*|fruh\w*|abends?|morgens?|mittags?|nachmittags?|minuten?|stunden?)\b/, ['time']],
    [/\b(?:tage?|datum|woche\w*|monat\w*|heute|\w+tags?)\b/, ['date']],
    [
      /\b(?:preise?|kost\w*|zahl\w*|euro|dollar|budget|teuer|billig\w*|gunstig\w*|rabatt|prozent)\b|[$€%]/,
      ['money', 'percent'],
    ],
    [/\b(?:personen?|leute|gaste)\b/, ['count']],
  ],
}

export const VOCABULARY: Readonly<Record<Spoken, Vocabulary>> = { en: english, es: spanish, fr: french, de: german }
