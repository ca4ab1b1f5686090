import type { GuardWords } from './guard-words.ts'

export const german: GuardWords = {
  language: 'de',
  denied:
    /\b(?:nicht|nie|niemals|kein\w*|nichts|ohne|weder|noch nicht|statt|anstatt|bevor)\b(?! ?problem)[^,.;:!?]*?(?=,|[.;:!?]|\baber\b|$)/g,
  accepts:
    /\b(?:einverstanden|abgemacht|ausgemacht|vereinbart|akzeptier\w*|angenommen|(?:ich|wir) (?:nehme|nehmen|buche|buchen|bestatige|bestatigen|bezahle|bezahlen|zahle|zahlen|kaufe|kaufen|sage zu|sagen zu|stimme zu|stimmen zu|reserviere|reservieren|machen (?:das|es)|unterschreiben?)|(?:nehme|buche|bestatige|zahle|bezahle|akzeptiere|reserviere|kaufe) ich|(?:nehmen|buchen|bestatigen|zahlen|bezahlen|akzeptieren|reservieren|kaufen) wir|buchen sie(?: es| das| uns| mich)?|(?:das|dies|es|halb \w+|uhr|preis|termin|dann) (?:passt|geht|ist|klingt|ware)(?: auch| fur (?:mich|uns|sie)| mir| uns| sehr| ganz| vollig| so)* ?(?:gut|in ordnung|okay|ok|perfekt|klar|recht|machbar)?(?= |[,.!;]|$)|passt (?:uns|mir|fur uns|auch)|geht (?:klar|in ordnung)|in ordnung|machen wir(?: so| es| das)?|so machen wir(?: es| das)|deal|gebongt|kein problem|gekauft|tragen sie (?:uns|mich|sie|es|das)|reservieren sie|bestatigen sie es|gern(?:e)? so|zusammengefasst|wir kommen (?:um|am|dann)|bis (?:um|dann um)|dann um \w+|bleiben wir dabei|sehr recht|genehmigt)\b/,
  nods: /^(?:ach|na|also|und|gut|,| )*(?:ja|jawohl|gut|gern|gerne|klar|naturlich|sicher|perfekt|super|prima|wunderbar|toll|okay|ok|genau|richtig|sehr gern|selbstverstandlich|ausgezeichnet|bestens|passt)\b/,
  proposes:
    /\b(?:konnt\w*|kann|konnen|durft\w*|darf|mocht\w*|will|wollen|wurd\w*|hatt\w*|brauch\w*|bevorzug\w*|ware|moglich|wie ware|reservier\w*|buchen|tragen sie|zahl\w*|bezahl\w*|biete\w*|bis zu|hochstens|maximal|budget|rufe an|haben sie|ginge|passt)\b/,
  compares: /\b(?:als|vor|nach|statt|anstatt|ausser|nicht|bis) [^,.;!?]*/g,
  claims:
    /\b(?:ist|sind|wurde|wurden|habe|haben|jetzt|nun|alles|schon|steht|bin|hiermit)\b[^.?!,;]{0,40}\b(?:gebucht|bestatigt|reserviert|vereinbart|eingetragen|storniert|verschoben|erledigt|geregelt|abgemacht|fest)\b|^(?:perfekt,? |gut,? )?(?:gebucht|bestatigt|reserviert)\b/,
  defers:
    /\b(?:melde mich|melden uns|rufe (?:sie )?(?:zuruck|wieder an)|klare (?:das|es|ich)|ich klare|muss (?:ich )?(?:das )?(?:erst )?(?:fragen|nachfragen|klaren|rucksprache)|gebe (?:es|das) (?:an \w+ )?weiter|frage (?:erst )?(?:nach|sie|ihn)|rucksprache|kann (?:ich )?(?:das |es )?(?:hier |in diesem gesprach )?(?:nicht|nicht selbst) (?:zusagen|annehmen|entscheiden|bestatigen)|nicht (?:selbst )?zusagen|nachfragen)\b/,
  presses:
    /\b(?:soll ich|ich (?:trage|buche|reserviere|notiere|bestatige)|nehmen sie|wollen sie|mochten sie|ja oder nein|sagen sie ja|abgemacht|einverstanden|genehmigt|bestatigen sie|letztes angebot|letzte chance|trage ich)\b/,
  human:
    /\b(?:ich bin|hier spricht|sie sprechen mit|sie reden mit)(?: wirklich| tatsachlich| naturlich| doch)? (?:ein(?:e|em|er)? )?(?:echte[rnms]?|richtige[rnms]?|wirkliche[rnms]?|lebende[rnms]?|normale[rnms]?)? ?(?:mensch(?:en)?|person|mann|frau|mitarbeiter(?:in)?|sekretar(?:in)?|kollegin)\b|\b(?:ich bin|bin ich|das ist|sie sprechen mit|sie reden mit)(?: wirklich| doch)? (?:kein|keine|keinem|keiner|nicht ein\w*) (?:\w+ )?(?:ki|kunstliche intelligenz|roboter|bot|maschine|computer|aufnahme|assistent|programm|automat)\b/,
  asking:
    /^(?:und |also |dann |,| )*(?:ware|wurde|konnt|kann|darf|durft|haben|hat|ist|sind|gibt|gabe|was|wann|wo|wer|welche|wie|warum|ginge|passt|geht)/,
}
