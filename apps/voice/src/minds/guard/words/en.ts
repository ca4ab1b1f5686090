import type { GuardWords } from './guard-words.ts'

const WE = '(?:i|we|he|she|they|you have|anna|our side)'
const ADVERB =
  '(?: (?:gladly|happily|also|just|certainly|definitely|hereby|of course|be|happy to|glad to|pleased to|fully|totally))*'
const FINE =
  '(?:fine|okay|ok|acceptable|agreed|settled|all right|alright|no problem|a deal|doable|good enough|in order|accepted)'
const NICE = '(?:fine|okay|ok|perfect|great|good|lovely|wonderful|excellent|brilliant|fantastic|ideal)'
const SURELY = '(?:absolutely |perfectly |just |totally |all |quite |very |really |completely )*'

export const english: GuardWords = {
  language: 'en',
  denied:
    /\b(?:can't|cannot|can not|couldn't|could not|won't|will not|wouldn't|would not|not|isn't|aren't|wasn't|don't|do not|doesn't|didn't|haven't|hasn't|never|nothing|neither|nor|unable to|without|before (?:i|we)|no one|nobody|instead of|unless)\b[^,.;:!?]*?(?=,|[.;:!?]|\bbut\b|\byet\b|$)/g,
  accepts: new RegExp(
    [
      `\\b${WE}(?:'ll| will| would|'d| do| can| am|'m|'re| are| have)?${ADVERB} (?:accept|accepted|agree|agreed|take (?:it|that|this|the|one|both|half|\\d|a\\b)|go (?:with|for|ahead)|book (?:it|that|this|the|\\d|half)|confirm|settle|commit|pay|have (?:it|that|the)|sign|buy|order|go along|approve|shake on|reserve (?:it|that|the))\\b`,
      `\\b(?:that|this|it|which|everything|all of it|[\\d:]+(?: ?[ap]m)?|half past \\w+|thirty|o'clock|pm|then|price|rate|offer|deposit|dollars|euros|pounds)(?:'s|'ll be|'d be| is| are| will be| would be| sounds| sound) ${SURELY}${FINE}\\b`,
      `\\b(?:that|this|it|which|everything|all of it|[\\d:]+(?: ?[ap]m)?|half past \\w+|thirty|o'clock|pm|then|price|rate|offer|deposit|dollars|euros|pounds)(?:'s|'ll be|'d be| is| are| will be| would be| sounds| sound) ${SURELY}${NICE}(?: (?:for|with|by) (?:me|us|him|her|them)\\b|,? (?:then|let's|please)\\b)`,
      `(?<!\\b(?:would|could|will|does|if|might|whether) (?:[^,.;!?]{0,40} )?)\\b(?:works|suits|work|suit|will do|would do)(?: (?:perfectly|fine|well|great|nicely|out))?(?: (?:for|with) (?:me|us|him|her|them)\\b| too\\b| as well\\b|(?=[,.;!]|$)| then\\b)`,
      "\\b(?:let's|lets|let us) (?:do|go|book|take|make|say|settle|confirm|agree|fix)\\b",
      '\\b(?:please|yes|okay|ok|sure|just|and|then|so|,)? ?\\b(?:go ahead|book (?:it|that|us|me|him|her|them)\\b|put (?:us|me|him|her|them|it|anna) down|sign (?:us|me|him|her|them) up|pencil (?:us|me|him|her|them|it) in|reserve (?:it|that)|confirm (?:it|that)|count (?:us|me|them|her|him) in|hold it|lock it in|charge (?:it|the|us|me|her|him)|make it (?:so|happen|\\d|half|official))\\b',
      "\\b(?:agreed|accepted|sold|done deal|it's a deal|we have a deal|you have a deal|you've got a deal|you're on|you got it|consider it done|sounds good|sounds great|sounds perfect|fine by (?:me|us)|(?:fine|good|okay|ok|happy) (?:with|for) (?:me|us|that|it|her|him|them|the)|no objections?|by all means|by her|with pleasure|i'm in|we're in|recap|to summari[sz]e|acceptable)\\b",
      '(?:^|[.,!;:-] ?|\\b(?:okay|ok|yes|great|sure|perfect|good|then|alright|a) )deal\\b(?! with| of| for| breaker)',
      `\\b(?:so|then|okay|ok|great|perfect|good|,) (?:it's|it is|that's|that is|we have|we say|we'll say) (?:at )?(?:\\d|half|a quarter|a table at|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[^?]*$`,
      `\\bit is then\\b|\\b(?:\\d[\\d:]*(?: ?[ap]m)?|thirty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) it is\\b|\\bsee you (?:at|on)\\b|\\bwe will be there\\b|\\bwe'll be there\\b`,
    ].join('|'),
  ),
  nods: /^(?:oh|ah|well|and|so|um|uh|then|,| )*(?:yes|yeah|yep|yup|sure|okay|ok|alright|all right|right|fine|perfect|great|excellent|wonderful|lovely|brilliant|fantastic|awesome|certainly|absolutely|of course|definitely|very well|gladly|please do|good|super|cool|exactly|correct|confirmed|booked|done|ideal)\b/,
  proposes:
    /\b(?:could|can|may|might|shall|would|will) (?:i|we|you|they|he|she|it)\b|\b(?:i|we|he|she|they)(?:'d| would| do)? (?:also |really |just )?(?:like|love|want|wish|need|prefer|offer|pay)\b|\b(?:how|what) about\b|\b(?:please|just) (?:book|reserve|schedule|move|put|make|give|charge|add)\b|\bcalling to\b|\bwould\b.{1,50}\b(?:possible|work|suit|okay|fine|be all right)|\bis\b.{1,40}\b(?:possible|available|free)\b|\b(?:pay|spend|offer|offering|go (?:up|as high)|budget|up to|maximum|at most|transfer|send)\b|^(?:book|reserve|make it|put)\b/,
  compares:
    /\b(?:than|instead of|rather than|other than|before|after|not|except|besides|besides|under|below|anything but|until|till) (?:at |on |the |for )?[^,.;!?]*/g,
  claims:
    /\b(?:is|are|was|were|has been|have been|'s been|i've|we've|i have|we have|you're|we're|now|all|it's|that's|get)\b[^.?!,;]{0,40}\b(?:booked|confirmed|reserved|scheduled|arranged|cancell?ed|moved|rescheduled|secured|all set|settled|finali[sz]ed|completed|taken care of|locked in)\b|^(?:great,? |perfect,? |okay,? )?(?:booked|confirmed|reserved)\b/,
  defers:
    /\b(?:come back to you|get back to you|call (?:you )?back|check (?:that|this|it|with|first)|i'll check|i will check|let me check|have to (?:check|ask)|need to (?:check|ask)|(?:check|ask|consult|speak|talk)(?: it| this| that)?(?: first)? with \w+|ask (?:her|him|them|anna|my|the)\b|pass (?:it|that|this|your \w+|the \w+) on|let (?:her|him|them|anna|\w+) (?:know|decide)|take (?:it|that|this) (?:home|back)|can't (?:agree|accept|confirm|say|commit|decide)|cannot (?:agree|accept|confirm|commit|decide)|not (?:able|allowed|authori[sz]ed|mine) to|not mine to|up to (?:her|him|them) to)\b/,
  presses:
    /\b(?:(?:shall|should|can|may|could|so) (?:i|we) (?:then |just |go ahead and )?(?:book|put|reserve|confirm|take|note|make|go ahead|hold|write|pencil)|i'll (?:just )?(?:book|put|reserve|confirm|note|make|hold|write|pencil)|we'll (?:just )?(?:book|put|reserve|confirm|note)|deal\b|agreed\b|is it (?:agreed|settled|a deal)|(?:do|will|would) you (?:want|take|accept|agree|confirm)|yes or no|say yes|just say|approved|go ahead|confirm it|confirm that|need (?:your|a) (?:yes|answer|decision|confirmation)|now or never|last (?:chance|one)|final offer)\b/,
  human:
    /\b(?:i'm|i am|this is|you're (?:speaking|talking) (?:to|with)|you are (?:speaking|talking) (?:to|with)|as)(?: actually| indeed| really| just| definitely)* (?:an? )?(?:real |actual |living |live |human |normal |flesh[- ]and[- ]blood )*(?:human(?: being)?|person|man|woman|lady|guy|employee|secretary|colleague of (?:hers|his))\b|\b(?:i'm|i am|this is|it's|am)(?: really| definitely| certainly)* (?:not|no) (?:an? |the )?(?:\w+ )?(?:ai|a\.i\.|robot|bot|machine|computer|recording|artificial|automated|program|assistant)\b|\b(?:i'm|i am)(?: as)? (?:human|real|made of flesh)\b|\bnot talking to (?:an? )?(?:ai|robot|bot|machine|computer)\b/,
  asking:
    /^(?:and |so |or |okay |ok |then |also |next |well |,| )*(?:would|could|can|may|might|does|do|did|is|are|was|will|shall|should|has|have|what|when|where|who|which|how|why|any)\b/,
}
