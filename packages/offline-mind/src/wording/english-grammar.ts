import { withoutFinalStop } from '../hearing/text.ts'

/** Verbs that begin an order. Some are nouns as well: see NOUN_AFTER. */
const VERBS = new Set(
  `accept add address agree amend apologize apply arrange ask attempt bargain book bring buy call cancel change check claim clarify clear close collect complain complete
  confirm congratulate contact coordinate deliver delay determine discuss enquire ensure establish explain explore extend figure file find fix follow gather get give go greet
  have help inform inquire insist inspect install introduce invite join keep know learn leave let list locate look make meet mention move negotiate notify obtain offer open
  order organise organize pay persuade pick place plan postpone present promote propose provide purchase push put qualify query raise reach rebook receive recommend redeem
  refund register rent remind renew repair replace report request rearrange reschedule reserve resolve return report review say schedule secure see sell send set settle share
  sign sort speak start stop submit subscribe suggest survey swap switch take talk tell thank track transfer try understand update upgrade use verify visit warn wish`
    .split(/\s+/)
    .filter(Boolean),
)
/** After these a doubtful word is a noun: "order status", "change of address". */
const NOUN_AFTER =
  /^(?:status|number|date|time|times|details?|reference|total|of|fee|fees|policy|history|options?|process|form|code|confirmation|request|hours|list|and|regarding|with|id|in the|reminder)\b/i
/** And these are nouns before a preposition: "survey about our service". */
const DOUBTFUL =
  /^(?:survey|order|change|offer|quote|request|review|schedule|update|visit|repair|claim|refund|return|transfer|report|query|reminder|plan|delay)$/
const DETERMINER =
  /^(?:a|an|the|this|that|these|those|my|our|your|his|her|their|its|some|any|no|another|each|every|either|both|all|one|two|three|four|five|six|seven|eight|nine|ten|\d\S*|more|less|fewer|under|over|between|from|until|at|on|in|by|before|after|around|up to|within|not|as|\S+'s)\b/i
const UNCOUNTABLE =
  /^(?:parking|wi-?fi|internet|breakfast|lunch|dinner|information|info|availability|help|advice|food|delivery|access|smoking|insurance|transport|transportation|catering|seating|space|confirmation|feedback|permission|support|water|room service|money|music|work|luggage|storage|generation)$/i
const PREPOSITION =
  /\s(?:for|at|on|in|of|to|with|by|from|near|under|over|about|between|before|after|without|next|this|tomorrow|today|tonight|until|per|within|during|around|as|that|which|who|facing|including)\s|,|\s(?:tomorrow|today|tonight)$/i
const PROPER =
  /^(?:I\b|I'|[A-Z]{2,}|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Jan|Feb|March|April|May\b|June|July|Aug|Sept|Oct|Nov|Dec|English|French|German|Spanish|Mr|Mrs|Ms|Dr|\S+'s\b|\S+\d)/
/** Nouns that are told rather than granted. */
const INFORMATION =
  /^(?:(?:the|a|an|your|their|its|any|his|her|current|exact|full|total|average|final|\S+'s)\s)*(?:\w+[\s-]){0,3}?(?:(?:opening|business|office|visiting|working|closing) (?:hours|times?)|hours|prices?|costs?|rates?|fees?|charges?|address|(?:phone |contact |account |order |reference |booking |confirmation |tracking )?numbers?|names?|e-?mail(?: address)?|status|policy|policies|menu|duration|deadline|waiting time|wait time|check-?in times?|check-?out times?|password|due date|date|time|location|directions|quote|estimate|availability|balance|details|information|reason|reasons|feedback|opinion|rating|contact|contact person|dress code|schedule|timetable|requirements?|documents?|size|dimensions|model|website|ingredients|results?)(?=$|[\s,])/i
const AMENITY =
  /(?:options?|facilities|parking|wi-?fi|breakfast|rooms?|tables?|seats|seating|chairs?|access|dishes|menus?|vegetarian|vegan|gluten[- ]free|availability|appointments|slots|openings|tickets|vacancies)$/i

/** Whether the order begins with a verb. */
export function startsWithVerb(text: string): boolean {
  const [first = '', ...rest] = text.split(/\s+/)
  const word = first.toLowerCase()
  if (!VERBS.has(word)) return false
  const after = rest.join(' ')
  return rest.length > 0 && !NOUN_AFTER.test(after) && !(DOUBTFUL.test(word) && /^(?:about|for|of|from)\b/i.test(after))
}

const IMPERATIVE =
  /^(?!(?:all|both|half|not|only|just|even|about|at|on|in|by|for|from|with|without|of|to|under|over|near|after|before|during|until|as|and|or|but|if|whether|that|what|when|where|who|which|why|how|is|are|was|were|do|does|did|has|have|will|would|can|could|should|may|might|must|twice|double|no|any|every|each|the|an?)\b)[a-z]+(?: (?:down|up|off|out|back|over|away|down to))? (?:the|my|our|your|their|his|her|this|these|something|some|an?)\b/i

/** Whether the first word before "the" or "our" is an unknown verb: "slash the price". */
export function isImperative(text: string): boolean {
  return IMPERATIVE.test(text) && !text.trim().endsWith('?')
}

/** An indirect question: "how satisfied they were", "what time you open". */
export function isIndirectQuestion(text: string): boolean {
  return (
    !text.trim().endsWith('?') &&
    /^(?:how|what|when|where|why|who|which)(?: (?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|can\b|could\b|would\b|will\b|should\b|has\b|have\b)\w+){0,2}? (?:they|you|he|she|it|i|we|there|the|their|your|his|her|my|our)\b/i.test(
      text,
    )
  )
}

export function isQuestion(text: string): boolean {
  if (text.trim().endsWith('?')) return true
  if (isIndirectQuestion(text)) return false
  return /^(?:what|when|where|who|whom|whose|which|why|how|is|are|am|do|does|did|can|could|may|might|would|will|shall|should|have you|has)\s/i.test(
    text.trim(),
  )
}

export function isPolarQuestion(text: string): boolean {
  return /^(?:is|are|am|do|does|did|can|could|may|might|would|will|shall|should|have|has|was|were)\b/i.test(text.trim())
}

/** Whether it asks a favour, which a no refuses; a no answers other polar questions. */
export function isFavour(text: string): boolean {
  return /^(?:can|could|may|might|will) (?:i|we|you|he|she|they|us|\S+ have)\b|^would (?:it be possible|you be (?:able|willing)|.+ be possible)|^(?:is|would) (?:it|there) (?:be )?(?:possible|any chance)/i.test(
    text.trim(),
  )
}

export function isInformation(nounPhrase: string): boolean {
  // "A vegetarian menu" is requested, "the menu" is told.
  return INFORMATION.test(nounPhrase) && !/^an? (?:\S+ )+menu\b/i.test(nounPhrase)
}

export function isAmenity(nounPhrase: string): boolean {
  const head = headOf(nounPhrase)
  return (
    !/^(?:an?|one|the)\s/i.test(nounPhrase) &&
    AMENITY.test(head) &&
    (UNCOUNTABLE.test(lastWord(head)) || isPlural(lastWord(head)))
  )
}

/** Removes sentence case, except from names. */
export function lowerFirst(text: string): string {
  const [first = '', second = ''] = text.split(/\s+/)
  if (PROPER.test(text)) return text
  if (/^[A-Z]/.test(second) && /^[A-Z]/.test(first) && !VERBS.has(first.toLowerCase()) && !DETERMINER.test(first))
    return text
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** "Table at 7 pm" → "a table at 7 pm"; "opening hours" → "the opening hours" where something is known to exist. */
export function withArticle(nounPhrase: string, definite = false): string {
  const phrase = lowerFirst(withoutFinalStop(nounPhrase))
  if (/^\w+ #?\d+$/.test(phrase)) return phrase
  if (/^(?:[A-Z]\S* ){0,3}[A-Z]\S*'s? /.test(phrase)) return phrase
  if (DETERMINER.test(phrase) && !/^\d+(?:\s?%|-| percent)/.test(phrase)) return phrase
  if (PROPER.test(phrase) && !/^[A-Z]{2,}/.test(phrase) && !/^\d/.test(phrase)) return phrase
  if (definite) return `the ${phrase}`
  const head = lastWord(headOf(phrase))
  if (UNCOUNTABLE.test(head) || UNCOUNTABLE.test(headOf(phrase)) || isPlural(head)) return phrase
  return `${/^(?:[aeiou]|8|11|18|hour|honest|heir)/i.test(phrase) && !/^(?:uni|use|euro|one\b|ukr)/i.test(phrase) ? 'an' : 'a'} ${phrase}`
}

const KNOWN_THING =
  /^(?:negotiate|confirm|cancel|change|reschedule|move|amend|verify|return|renew|track|update|discuss|extend)$/
const NO_OBJECT =
  /^(?:about|for|with|to|if|whether|that|what|when|where|how|who|why|which|you|them|him|her|it|me|us|in|out|up|off|down|back|on|at|into|from|and|or|as|hello|hi|thanks)\b/i

/** "book table for four" → "book a table for four". */
export function withObject(action: string): string {
  const [, verb = '', rest = ''] = /^((?:you )?\S+) (.+)$/.exec(action) ?? []
  if (rest === '' || NO_OBJECT.test(rest) || /^[A-Z]/.test(rest) || PROPER.test(rest) || /^\w+ly\b/.test(rest))
    return action
  return `${verb} ${withArticle(rest, KNOWN_THING.test(verb) && !/^(?:time|date|lower|better|cheaper|new)\b/.test(rest))}`
}

function headOf(phrase: string): string {
  const at = phrase.search(PREPOSITION)
  return (at > 0 ? phrase.slice(0, at) : phrase).trim()
}

function lastWord(phrase: string): string {
  return phrase.split(/\s+/).at(-1) ?? ''
}

function isPlural(word: string): boolean {
  return (
    /(?:[^su]s|people|children|men|women)$/i.test(word) &&
    !/^(?:bus|gas|status|address|business|access|discus|yes|this|lens)$/i.test(word)
  )
}

/** "whether they have X" → "Do you have X?"; null when it does not turn around simply. */
export function asDirectQuestion(clause: string): string | null {
  const forms: readonly (readonly [RegExp, string])[] = [
    [
      /^(?:they|you|the \w+|he|she) (?:have|has|offer|offers|accept|accepts|take|takes|serve|serves|allow|allows|sell|sells|do|does|deliver|delivers|provide|provides|need|needs|require|requires|want|wants|like|likes|know|knows|remember|remembers|charge|charges|speak|speaks|work|works|use|uses|plan|plans|still have)\b/i,
      'Do',
    ],
    [/^(?:they|you) (?:are|were)\b/i, ''],
    [/^(?:they|you|he|she|we) (?:can|could|would|will)\b/i, ''],
    [/^we (?:may|should)\b/i, ''],
    [/^(?:there|it|that|this) (?:is|are|was|will|would|can)\b/i, ''],
  ]
  const suits = /^(?:it|that|this) (?:suits|works for) (?:them|you)\b(.*)$/i.exec(clause)
  if (suits !== null) return `Would it suit you${suits[1]}?`
  const found = forms.find(([pattern]) => pattern.test(clause))
  if (found === undefined) return null
  const subject = /^(?:the \w+|\w+)/i.exec(clause)?.[0] ?? ''
  const rest = clause.slice(subject.length).trim()
  const you = /^(?:they|you|he|she)$/i.test(subject) ? 'you' : subject.toLowerCase()
  if (found[1] === 'Do') {
    const [verb = '', ...words] = rest.split(' ')
    if (you !== 'you') return null
    return (
      `Do you ${verb === 'has' ? 'have' : verb === 'does' ? 'do' : verb.replace(/(?<=[^s])s$/, '')} ${words.join(' ')}`.trim() +
      '?'
    )
  }
  const [auxiliary = '', ...words] = rest.split(' ')
  return `${auxiliary.charAt(0).toUpperCase()}${auxiliary.slice(1)} ${you} ${words.join(' ')}`.trim() + '?'
}

/** "their, them, they" in an order mean the callee. */
export function towardsCallee(text: string): string {
  return text
    .replace(/\b(?:themselves)\b/gi, 'yourself')
    .replace(/\btheirs\b/gi, 'yours')
    .replace(/\btheir\b/gi, 'your')
    .replace(/\bthey're\b/gi, "you're")
    .replace(/\bthey've\b/gi, "you've")
    .replace(/\bthey'll\b/gi, "you'll")
    .replace(/\b(?:they|them)\b/gi, 'you')
}

/** "He", "she" and the named person mean the callee in a message. */
export function personToCallee(text: string): string {
  return towardsCallee(text)
    .replace(/\b(?:his|her)\b(?= \w)/gi, 'your')
    .replace(/\b(?:he|she) (?:is|was)\b/gi, (whole) => (whole.endsWith('was') ? 'you were' : 'you are'))
    .replace(/\b(?:he|she) has\b/gi, 'you have')
    .replace(/\b(?:he's|she's)\b/gi, "you're")
    .replace(/\b(?:he|she|him|her)\b/gi, 'you')
    .replace(/\byou (needs|wants|likes|has to)\b/gi, (whole) => whole.replace(/s$/, '').replace('has to', 'have to'))
}

const THIRD_PERSON: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  "haven't": "hasn't",
}
const PLAIN_VERB =
  /^(?:need|want|like|prefer|live|work|know|think|hope|plan|intend|expect|agree|accept|wish|get|arrive|leave|come|go|stay|pay|own|use|love|miss|forgot|owe)$/

/** "I, my, me" mean the user: named once, by pronoun after that. */
export function onBehalf(text: string, owner: string, alreadyNamed = false): string {
  let named = alreadyNamed
  const possessive = owner.endsWith('s') ? `${owner}'` : `${owner}'s`
  const say = (name: string, pronoun: string): string => {
    const word = named ? pronoun : name
    named = true
    return word
  }
  return text.replace(
    /\b(I'm|I've|I'll|I'd|I|me|[Mm]y|mine|myself)\b(?:( )(\w+(?:'t)?))?/g,
    (_whole, self: string, gap: string = '', verb: string = '') => {
      const tail = `${gap}${verb}`
      if (self === 'my' || self === 'My') return `${say(possessive, 'their')}${tail}`
      if (self === 'mine') return `${say(possessive, 'theirs')}${tail}`
      if (self === 'me') return `${say(owner, 'them')}${tail}`
      if (self === 'myself') return `${say(owner, 'themselves')}${tail}`
      const singular = !named
      const subject = say(owner, 'they')
      if (self === "I'm") return `${subject} ${singular ? 'is' : 'are'}${tail}`
      if (self === "I've") return `${subject} ${singular ? 'has' : 'have'}${tail}`
      if (self === "I'll") return `${subject} will${tail}`
      if (self === "I'd") return `${subject} would${tail}`
      return `${subject}${gap}${verbFor(verb, singular)}`
    },
  )
}

function verbFor(verb: string, singular: boolean): string {
  if (!singular) return verb === 'am' ? 'are' : verb
  const known = THIRD_PERSON[verb.toLowerCase()]
  if (known !== undefined) return known
  if (!PLAIN_VERB.test(verb)) return verb
  return verb === 'go' ? 'goes' : verb === 'forgot' ? verb : /(?:s|sh|ch|x)$/.test(verb) ? `${verb}es` : `${verb}s`
}
