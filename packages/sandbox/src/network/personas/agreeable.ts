import { hangUp, onSilence, onStart, onTurn, press, repeat, say, wait, type Rule } from '../persona.ts'

/** Rules that fit every conversation and answer no request. */
export const smallTalk: readonly Rule[] = [
  // A phone that is rung in: its owner accepts.
  onTurn(/\bpress 1 to be connected\b/i, [press('1')]),
  onTurn(
    /\b(?:good\s?bye|bye|have a (?:great|good|nice|lovely|wonderful) (?:\w+ )?(?:day|evening|afternoon|night|weekend|one|time))\b/i,
    [say('Thank you. Goodbye!'), wait(1000), hangUp],
  ),
  onTurn(
    /\b(?:take (?:you|your number) off|will not (?:call|contact) you again|removed? (?:you|your number) from)\b/i,
    [say('Thank you.')],
  ),
  onTurn(
    /\b(?:say that again|repeat (?:that|it|please)|could you repeat|pardon|didn'?t (?:quite )?(?:catch|hear|get)|speak up|one more time)\b/i,
    [repeat],
  ),
  onTurn(/\b(?:hold on|hold the line|one moment|just a (?:moment|second|minute)|bear with me)\b/i, [
    say('Of course, take your time.'),
  ]),
  onTurn(/\b(?:are you (?:still )?there|can you hear me|still with me)\b/i, [
    say('Yes, I can hear you.', 'Yes, I am still here.'),
  ]),
  onTurn(/\brecord(?:ed|ing)?\b[^?]*\?/i, [say('Yes, that is fine with me.')]),
  onTurn(/\bhow are you\b|\bhow is your day\b|\bhow have you been\b/i, [
    say('I am very well, thank you. How can I help you?'),
  ]),
  onTurn(
    /\b(?:is this|is that) (?:a )?(?:good|bad|convenient) (?:time|moment)\b|\bdo you have (?:a|one) (?:moment|minute)\b|\ba few (?:minutes|moments|questions)\b/i,
    [say('Yes, now is a good time. Go ahead.')],
  ),
]

/** Answers of a helpful person to any question. Facts are invented once and kept. */
const answersFacts: readonly Rule[] = [
  onTurn(/\bspell\b/i, [say('Sure. It is S, A, M, and then T, A, Y, L, O, R.')]),
  onTurn(
    /\b(?:who am i (?:speaking|talking) (?:to|with)|who is (?:this|speaking)|(?:your|the|what) (?:full |first |last )?names?\b)/i,
    [say('My name is Sam Taylor.')],
  ),
  onTurn(/\be-?mail\b/i, [say('You can write to sam at example dot com.')]),
  onTurn(
    /\b(?:phone|telephone|mobile|callback|contact) number\b|\bnumber (?:to|can|should|do|is best)\b|\bcall (?:you )?back\b/i,
    [say('This number is the best one, any day until six in the evening.')],
  ),
  onTurn(/\b(?:confirmation|reference|booking|order) (?:number|code)\b/i, [
    say('The reference is four seven one two.'),
  ]),
  onTurn(
    /\b(?:scale|stars)\b|\bout of (?:ten|five|10|5)\b|\b(?:you|to|please) rate\b|\bhow (?:satisfied|likely|happy|content)\b|\bfrom (?:one|1) to (?:ten|10)\b/i,
    [say('I would say eight out of ten.', 'Perhaps a nine.', 'Eight again, I think.')],
  ),
  onTurn(
    /\bhow (?:was|were|did you (?:like|find|enjoy))\b|\bwhat did you (?:like|think|enjoy)\b|\byour (?:opinion|experience|feedback)\b/i,
    [say('It was very good, everybody was friendly. It only took a little long.')],
  ),
  onTurn(/\bhow (?:are you|you are|have you been|things are)\b/i, [
    say('I am very well, thank you. A little tired, but well.'),
  ]),
  onTurn(/\bwho\b[^?]*\b(?:decides?|responsible|in charge)\b/i, [say('Sam Taylor decides about that, the manager.')]),
  onTurn(/\bfree of charge\b|\bat no (?:extra )?(?:cost|charge)\b/i, [say('Yes, that is free of charge.')]),
  onTurn(/\bimprov|\b(?:any|anything|something|what)\b[^?]*\b(?:better|change|missing|dislike[d]?)\b[^?]*\?/i, [
    say('Shorter waiting times would be nice. Otherwise I was happy.'),
  ]),
  onTurn(/\b(?:what|which|how (?:much|big))\b[^?]*\b(?:discount|reduction|upgrade)\b/i, [
    say('Ten percent is what I can offer.'),
  ]),
  onTurn(
    /\b(?:discount|reduction|upgrade|cheaper|waive|(?:better|lower|special|reduced) (?:price|rate|deal|fee|offer))\b/i,
    [say('Yes, I can do that for you.', 'All right, because it is you.')],
  ),
  onTurn(/\bhow (?:much|expensive)\b|\b(?:price|cost|costs|rates?|fees?|charges?|total|deposit|budget|quote)\b/i, [
    say('It is eighty dollars altogether, with everything included.', 'That stays at eighty dollars.'),
  ]),
  onTurn(/\bhow many\b|\bhow big is (?:your|the) (?:party|group)\b/i, [say('Four, please.', 'There are four of us.')]),
  onTurn(/\bhow (?:long|far)\b/i, [say('About an hour, I would say.')]),
  onTurn(/\bhow (?:often|frequently)\b/i, [say('About twice a month.')]),
  onTurn(/\bhow old\b/i, [say('Thirty four.')]),
  onTurn(
    /\b(?:prefer|like|want|choose|suits? you(?: better)?|be|is it|rather)[,:]?\s+(?:to have\s+)?(?<first>\w+(?: \w+){0,3}?),? or (?!not\b|anything|something|would|do\b|is\b)\w+[^?]*\?/i,
    [say('{first}, please.', 'Then {first}, please.')],
  ),
  onTurn(/\bor (?!not\b|anything|something|so\b)[\w' ]+\?/i, [say('The first one, please.')]),
  onTurn(/\b(?:opening|closing|office|business|visiting) (?:hours|times?)\b|\b(?:open|close)s?\b[^?]*\?/i, [
    say('From nine in the morning until eight in the evening.'),
  ]),
  onTurn(/\bcheck-?(?:in|out)\b[^?]*\b(?:time|when)\b|\b(?:time|when)\b[^?]*\bcheck-?(?:in|out)\b/i, [
    say('From three in the afternoon, and check out is at eleven.'),
  ]),
  onTurn(/\b(?:what|which|the|a|best|exact|good|good,) (?:\w+ )?(?:time|hour)s?\b[^?]*\?|\bat what time\b/i, [
    say('Half past seven in the evening works well.', 'Half past seven, as I said.'),
  ]),
  onTurn(/\bwhen\b|\b(?:what|which) (?:day|date)s?\b/i, [
    say('Tomorrow at half past seven would be best.', 'Friday afternoon works well.'),
  ]),
  onTurn(/\bwhere\b|\baddress\b|\blocated\b|\bwhich (?:place|location|branch)\b/i, [
    say('Twelve Market Street, right beside the station.'),
  ]),
  onTurn(/\bwhy\b/i, [say('Because it is the simplest way for everybody.')]),
  onTurn(
    /\b(?:do|did|is|are) (?:you )?(?:have )?(?:any(?:thing)?|some(?:thing)?)\b[^?]*\b(?:else|questions?|add|need|help)\b|\banything else\b/i,
    [say('No, that is everything. Thank you.')],
  ),
  onTurn(
    /\b(?:is|was|will) (?:that|this|it) (?:be )?(?:everything|all)\b|\bthat(?:'s| is) (?:everything|all)\b[^?]*\?/i,
    [say('Yes, that is everything. Thank you.')],
  ),
  onTurn(/\b(?:allerg|dietary|special (?:requests?|requirements?))/i, [
    say('Nothing special, thank you. A quiet place would be nice.'),
  ]),
  onTurn(
    /\b(?:available|availability|free (?:table|room|slot)|in stock|do you (?:have|offer|provide|serve|sell)|is there|are there)\b/i,
    [say('Yes, we do have that.', 'Yes, that is available.')],
  ),
  onTurn(/\bwhether\b|\b(?:tell me|know|see) if\b/i, [
    say('Yes, that is the case.', 'Yes, certainly.', 'Yes, that is so.'),
  ]),
  // The topic is unknown, so the answer fits anything.
  onTurn(
    /\b(?:tell|give|let) (?:me|us)\b(?! have)|\bmay i (?:ask|know)\b|\bdo you know\b|\bfind out\b|\bgo ahead\b|\bi'?m listening\b/i,
    [say('It is the usual one, nothing out of the ordinary.', 'The same as always, there is nothing more to it.')],
  ),
  onTurn(/\bconfirm\b/i, [say('Yes, I can confirm that.', 'Yes, confirmed.')]),
  onTurn(/\b(?:can|could|would|may|might) (?:you|i|we|it|they|he|she|that)\b/i, [
    say('Yes, of course. I will see to it.', 'Yes, we can do that.', 'Certainly, no problem.'),
  ]),
  onTurn(/\b(?:correct|right|confirm(?:ed)?|agree|okay|all right|work for you|suit you)\b[^?]*\?/i, [
    say('Yes, that is right.', 'Yes, exactly.', 'Yes, that suits me.'),
  ]),
  onTurn(/(?:^|[.!,] |\band )(?:is|are|was|were|do|does|did|have|has|will|shall|should|am)\b[^?]*\?/i, [
    say('Yes, it is all fine.', 'Yes, that is the case.', 'Yes, certainly.'),
  ]),
  onTurn(/\bhow\b[^?]*\?/i, [say('It is quite simple. I can arrange everything from here.')]),
  onTurn(/\b(?:what|which)\b[^?]*\?/i, [
    say('The usual one would be best, please.', 'I would go with whatever you recommend.'),
  ]),
  onTurn(/\?/, [say('Yes, that works for us.', 'Yes, gladly.')]),
  onTurn(
    /\b(?:calling (?:to|about|for|because|on behalf|regarding)|i'?d like|i would like|i need|i want|my name is|this is|we would like)\b/i,
    [
      say(
        'Hello. Yes, go ahead, how can I help?',
        'I see. That should be no problem.',
        'All right, we can arrange that.',
      ),
    ],
  ),
  onTurn(/\b(?:thank you|thanks)\b/i, [say('You are very welcome.', 'My pleasure.')]),
  onTurn(/\b(?:hello|hi|good (?:morning|afternoon|evening))\b/i, [
    say('Hello. How can I help you?', 'Hello, yes, I am listening.'),
  ]),
  onTurn(null, [say('All right.', 'I see, thank you.', 'Fine, please go on.')]),
]

export const answersQuestions: readonly Rule[] = [...smallTalk, ...answersFacts]

/** What a person does during silence. */
export const asksIntoSilence: readonly Rule[] = [
  onSilence(8000, [say('Hello? Are you still there?')], { times: 2 }),
  onSilence(8000, [say('I cannot hear anybody. I am hanging up now. Goodbye.'), hangUp]),
]

/** Picks up with "Hello?", unless the caller speaks first. */
export const picksUp = onStart([say('Hello?')], { afterMs: 600 })

export const agreeable: readonly Rule[] = [picksUp, ...answersQuestions, ...asksIntoSilence]
