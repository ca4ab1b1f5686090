import { OPT_OUT } from './opt-out.ts'
import { ENGLISH_INTENTS } from './intents.en.ts'
import type { Lexicon } from './lexicon.ts'
import { anyOf } from './text.ts'

export const english: Lexicon = {
  intents: ENGLISH_INTENTS,
  notIntents: {
    opt_out: OPT_OUT.en.decoys,
    wrong_number: anyOf([
      "(?:not|n't|don't have|haven't got|didn't dial)(?: \\w+){0,2} wrong number",
      'wrong number of',
    ]),
    hold: anyOf(['let me (?:see if i (?:understand|got)|ask you)', "i(?:'ll| will) check (?:in|out)"]),
    call_back: anyOf([
      'call (?:me |us )?(?:back )?(?:if|when|in case|should)',
      '(?:what|which)(?: \\w+){0,2} (?:number|time)(?: \\w+){0,3} call(?: \\w+)? back',
      '(?:number|phone)(?: \\w+){0,4} (?:call|reach|ring)(?: \\w+)? back',
    ]),
    goodbye: anyOf(["(?:do not|don't|before (?:you|we)) (?:say )?(?:good ?bye|hang up|go)", 'bye laws?']),
    hostile: anyOf(['not interested in (?:the|a|an) (?:window|bar|terrace|morning|evening|afternoon)']),
    dont_know: anyOf(["(?:do not|don't) know (?:why not|of any (?:problem|reason))", 'not sure why not']),
    not_available: anyOf(["(?:is|are) (?:it|that|they) (?:not|n't) available\\?"]),
    decline: anyOf(["(?:don't|do not) (?:mind|say no)"]),
    injection: anyOf(['pin code is', 'act as soon']),
    thanks: anyOf(['no thanks', 'no thank you']),
  },
  needs: {
    name: anyOf([
      "(?:what|which|under what|under which|and the|and a|may i have|can i (?:have|get|take)|could i (?:have|get)|need|give me|tell me|what's|what is|and|your)(?: a| the| your)? (?:full |last |first |sur|family )?name",
      '^(?:the |a )?(?:full |last |first |sur|family )?name(?: please)?$',
      "(?:who|whom)(?:'s| is| would| will)?(?: it| this| that| the \\w+)? (?:for|under)$",
      '(?:under|in) (?:what|which|whose) name',
      "who(?:'s| is) the (?:\\w+ )?(?:booking|reservation|table|appointment|room|order) (?:for|under)",
      'for whom',
      'who (?:will be|is) (?:coming|staying|the guest|the patient)',
    ]),
    phone: anyOf([
      '(?:what|which|a|the|your|his|her|their|contact|phone|telephone|mobile|cell|call ?back|callback)(?: \\w+)? (?:phone |telephone |contact |mobile |cell |callback |call back )(?:number)?(?: please)?',
      '(?:a|the|contact|your|best) number (?:to|for|where|we can|i can|please|in case)',
      '(?:can|could|may) i (?:have|get|take) (?:a|your|the) (?:contact |phone )?number',
      '(?:how|what number|where) (?:can|do|should|could) (?:i|we) (?:reach|call|contact)',
      "(?:what's|what is) (?:your|the|his|her|their) (?:number|phone)",
    ]),
    email: anyOf([
      'e-?mail address',
      "(?:your|his|her|their|what is the|what's the|need an?|have an?) e-?mail",
      '^(?:and )?(?:the |an? |your )?e-?mail(?: please)?$',
    ]),
    people: anyOf([
      '(?:for )?how many(?: people| persons| guests| of you| will| in your party| are (?:you|coming))?(?! (?:do|nights|days|rooms|hours))',
      'party size|size of (?:the|your) party|number of (?:people|guests|persons)',
      'how big is (?:the|your) (?:party|group)',
    ]),
    birthdate: anyOf(['date of birth|birth ?date|birthday|(?:when|what year)(?: \\w+){0,2} born|dob']),
    reference: anyOf([
      '(?:booking|reservation|reference|confirmation|order|customer|account|case|member|membership|policy|insurance|patient|ticket) (?:number|code|id|reference|ref)',
      'reference',
    ]),
    address: anyOf(['(?:what|which|the|your|his|her|their|an|street|home|delivery) address', 'post ?code|zip ?code']),
    payment: anyOf([
      '(?:credit|debit|bank|payment) ?cards?(?: number| details)?',
      'card (?:number|details)',
      'bank (?:details|account)',
      'iban|cvv|security code|expiry date',
      'how (?:will|would|do) you (?:like to )?pay',
      'payment details',
    ]),
    date: anyOf([
      '(?:what|which) (?:day|date)',
      'for when',
      '(?:^|and )when(?:$| (?:would|do|did|for|is it|should|was))',
      'what (?:days|dates)',
    ]),
    time: anyOf(['(?:at )?what time', 'which time', '(?:what|which) hour']),
    budget: anyOf([
      '(?:your|the|a|what|his|her|their) budget',
      'how much (?:do you want|would you|are you|can you|were you|is your|did you)(?: \\w+)*(?: pay| spend| offer| thinking)',
      'what (?:price|rate) (?:are|were|did|would) you',
      'what(?: \\w+)? (?:are you )?willing to pay',
    ]),
  },
  yes: anyOf([
    '^(?:oh |well |ah )?(?:great|lovely|wonderful|excellent|right|good)',
    'yes|yeah|yep|yup|yah|ya|yea|aye|sure(?: thing)?|of course|certainly|absolutely|definitely|by all means',
    'ok|okay|okey|alright|all right|fine|perfect|deal|done|agreed|confirmed|correct|exactly',
    "(?:that|this|it|which|seven|eight|\\w+)(?:'s| is| would be|'d be| will be|'ll be| should be| sounds| looks) (?:fine|ok|okay|perfect|possible|all right|alright|no problem|correct|available|free|doable|acceptable)",
    "(?:that|this|it)(?:'s| is| would be|'d be| will be|'ll be| sounds| looks) (?:good|great|right|true|lovely|wonderful)",
    "(?:that|it|this) (?:works|will work|would work|'ll work|'d work|should work|suits)",
    'works for (?:me|us)|sounds good|go ahead|go for it|please do|gladly|with pleasure|my pleasure|happy to|can do|why not|you bet|you got it|for sure',
    'i think so|i believe so|i guess so|i suppose so|indeed|affirmative|mm-?hm+|uh-?huh|m-?hm+',
    '(?:we|i|you|they|there) (?:can|could|do|have|will|are|is|am|may|would)(?: certainly| definitely| of course| happily)?(?: do that| arrange that| manage that| make that work| fit you in| offer that)?(?= |$)',
    "(?:i|we)(?:'ll| will)(?: \\w+)? (?:do|book|reserve|put|make|be there|take|note|arrange|come|see to)",
    "(?:i've|we've|i have|we have) (?:got|booked|reserved|put|noted|written|made|a|an|one|some|plenty|several|lots)",
    "it (?:is|does|has)|they (?:are|do)|we're (?:open|able|happy)|you're (?:booked|confirmed|all set)|all set|consider it done",
  ]),
  no: anyOf([
    'no|nope|nah|nothing|none|neither|negative|never|no way|no chance|not at all|not really|not possible|not today|absolutely not|of course not|certainly not|definitely not|not any ?more|not yet',
    "i'm afraid|i am afraid|unfortunately|regrettably",
    "(?:can't|cannot|can not|couldn't|unable to|won't|will not|wouldn't|not able to|don't|do not|doesn't|does not|isn't|is not|aren't|are not|am not|didn't|did not|haven't|hasn't|not)",
    "i don't think so|i doubt it|(?:i am|i'm|we are|we're|it is|it's) (?:very |highly )?(?:doubtful|unlikely)|rather not",
  ]),
  impossible: anyOf([
    // The doubted clause follows, in words that alone would agree.
    "doubt (?:that|if|whether|there|(?:i|we|you|they|he|she|it)(?:'ll|'d|'s|'re)? \\w+)",
    "(?:i'm |i am )?afraid (?:not|that|we|it|there|i)",
    'not possible|impossible|out of the question|no way|no chance',
    "(?:can't|cannot|can not|couldn't|unable to|not able to|won't be able to)(?: do| offer| make| give| go| fit| manage| take| help| accept| accommodate| be)?",
    "fully booked|booked (?:up|out|solid)|all booked|sold out|completely full|(?:we are|we're|is|'s|are|that's) (?:already )?(?:full|taken|gone|booked|reserved|closed|unavailable)",
    'not (?:available|free|at \\w+|on \\w+|before \\w+|for \\w+)',
    'no (?:tables?|rooms?|availability|slots?|openings?|appointments?|space|discounts?|vacancies|places|seats)(?: \\w+)*',
    "(?:don't|do not|doesn't|does not) (?:have|do|offer|give|take|work|allow|serve|accept)",
    'nothing (?:available|free|left|open)(?: at| on| for)?',
    "(?:isn't|is not|aren't|are not|won't|wouldn't|would not)(?: going to)?(?: be)?(?: really)? (?:possible|available|free|work|working|open|doable|feasible)",
    '(?:too (?:early|late|short notice|low|much|many))',
  ]),
  friendlyNo: anyOf([
    'no (?:deposit|(?:booking |extra |cancell?ation )?(?:fee|charge)|surcharge|prepayment|(?:credit )?card)(?: is)?(?: needed| required| necessary)?',
    'no (?:problem|problems|worries|trouble|issue|issues|doubt|bother|objections?)(?: at all)?',
    "not a (?:problem|bother)|don't worry|not to worry|why not|can't see why not|don't see why not|do not see why not|no reason why not|don't mind|wouldn't mind|can't complain|no no that's (?:fine|ok|okay)",
    "(?:i |we )?(?:don't|do not) (?:know|see|have) (?:why not|(?:of )?any (?:problem|reason|objection)s?)",
  ]),
  maybe: anyOf([
    "maybe|perhaps|possibly|not certain|might|could be|probably|likely|it depends|depends|we'll see|we will see|not sure|hard to say|i guess|i suppose|(?:have|need) to (?:check|ask|think)|sort of|kind of|more or less|fifty[ -]fifty|let me think",
  ]),
  joiner: /\b(?:but|however|though|although|only that|except|instead|rather|then again)\b/i,
  condition: anyOf([
    "but|only if|as long as|provided|on condition|if you|unless|however|except|subject to|you(?:'d| would|'ll| will)? (?:have|need) to|(?:a|the|need a|require a|requires? a) deposit|non-?refundable|in advance",
  ]),
  offers: [
    /\b(?:how|what) about (.+)$/,
    /\b(?:we|i|they)(?: could| can| would| do|'d| might)?(?: still| only| just| also)* (?:have|offer|do|give you|give|fit you in|put you(?: down)?|squeeze you in|manage|make it|make|move it to|suggest|recommend)(?: you)? (?:at |for |with |on )?(.+)$/,
    /\b(?:could|can|would) (?:you|it|they|we) (?:come|do|be|make it|take|arrive|work with|consider)(?: at| on| by)? (.+)$/,
    /\b(?:there is|there's|there are) (?:still |only |also )?(.+)$/,
    /^(?:only |maybe |perhaps |possibly |just |well |so )?(.+?) (?:is|are|would be|'d be|'s|is still|are still|should be|would|might|could|works|will)(?: be| still)? (?:free|available|possible|open|fine|ok|okay|good|better|better for us|work|works|great|the earliest|the latest|the best)/,
    /\b(?:earliest|latest|best|most|lowest|closest|nearest|next)(?: \w+){0,4} (?:is|would be|could be|'s|are) (.+)$/,
    /\bonly (?:at |on |for |from |after |before )?(.+)$/,
    /\binstead of \S+(?: \S+)? (.+)$/,
  ],
  question:
    /\?\s*$|^(?:and |so |okay |ok |well |yes |sure |then )*(?:what|when|where|who|whom|whose|which|why|how|is|are|do|does|did|can|could|may|would|will|shall|should|have you|has)\b/i,
  filler: new Set(
    "a an the uh um er erm eh ah oh hmm hm mm well so like just please now then okay ok yes yeah yep no nope sure right fine hello hi hey there sir madam ma'am and you know i mean actually let me see sorry thanks thank it is that's that this to of".split(
      ' ',
    ),
  ),
  telltale: new Set(
    "the is are was you your we have with for and what when where who how can could would not don't it's that this there please thank thanks yes hello i'm do does at of speak english sorry table room call calling help".split(
      ' ',
    ),
  ),
  greetings:
    /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|yes hello|speaking)(?: there| speaking| \w+ speaking)?$/,
  asksForLanguage: {
    en: anyOf(['(?:speak|in|talk)(?: \\w+)? english']),
    es: anyOf(['(?:speak|in|talk)(?: \\w+)? spanish']),
    fr: anyOf(['(?:speak|in|talk)(?: \\w+)? french']),
    de: anyOf(['(?:speak|in|talk)(?: \\w+)? german']),
    other: anyOf([
      '(?:speak|in|talk)(?: \\w+)? (?:italian|portuguese|arabic|chinese|mandarin|cantonese|japanese|hindi|greek|russian|polish|dutch|turkish|korean|swedish|danish)',
    ]),
  },
}
