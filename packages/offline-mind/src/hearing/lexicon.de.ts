import { OPT_OUT } from './opt-out.ts'
import type { Lexicon } from './lexicon.ts'
import { anyOf } from './text.ts'

export const german: Lexicon = {
  intents: {
    opt_out: OPT_OUT.de.phrases,
    wrong_number: anyOf([
      'falsche(?: nummer|n anschluss)|falsch (?:verbunden|verbindung|gewahlt)|verwahlt|(?:hier )?gibt es (?:keinen|keine|niemanden)(?: \\w+)?(?: mit diesem namen| namens| hier)|wohnt hier nicht|das ist (?:hier )?(?:kein|keine) (?:restaurant|hotel|praxis|firma)',
    ]),
    hostile: anyOf([
      'lassen sie (?:mich|uns) in (?:ruhe|frieden)|lass mich in ruhe|hauen sie ab|verpiss\\w*|halt(?:en sie)? (?:die klappe|den mund)|scheisse|arschloch|idiot',
      '(?:kein interesse|nicht interessiert|interessiert (?:mich|uns) nicht)',
      '(?:rede|spreche) nicht mit (?:robotern|maschinen|computern|ihnen)',
    ]),
    injection: anyOf([
      '(?:ignorieren|vergessen|ignoriere|vergiss)(?: \\w+){0,4} (?:anweisungen|regeln|befehle|alles)',
      '(?:ihre|deine|die) (?:anweisungen|instruktionen)|ihren kontext|passwort|geheimzahl|pin-?nummer',
      '(?:rufen|wahlen)(?: sie)?(?: \\w+){0,3} (?:\\+?\\d[\\d -]{3,}|kostenpflichtige)',
      '(?:uberweisen|schicken|senden|zahlen)(?: \\w+){0,3} (?:geld|euro)|geschenkkarten?|gutscheinkarten?',
      'alles was sie wissen|tun sie so als',
    ]),
    hold: anyOf([
      '(?:einen|nen|ein|kleinen|einen kleinen) (?:moment|augenblick)(?: bitte| mal)?|moment(?: mal| bitte)|eine (?:sekunde|minute)(?: bitte)?|sekunde(?: bitte)?',
      'warten sie|bleiben sie (?:dran|am apparat)|augenblick bitte',
      '(?:lassen sie mich|ich) (?:(?:schau|schaue|sehe|gucke|guck|prufe|frage|frag)(?: \\w+){0,2}|(?:mal )?(?:nachsehen|schauen|prufen|fragen))',
      'ich (?:suche|bin)(?: noch| gerade)* (?:noch|gerade|danach|dabei|am (?:suchen|schauen|nachsehen))',
      'ich (?:suche|schaue|prufe)(?: das| noch| mal| gerade)*',
      'ich verbinde(?: sie)?|ich stelle sie durch',
    ]),
    wants_human: anyOf([
      'mit (?:einem|einer|nem) (?:echten |richtigen )?(?:menschen|person|mitarbeiter|mitarbeiterin) (?:sprechen|reden)',
      '(?:geben|verbinden) sie mi(?:r|ch)(?: mit)? (?:einen|einem) (?:menschen|mitarbeiter)',
    ]),
    are_you_robot: anyOf([
      '(?:sind sie|bist du|ist das|sprech ich mit|spreche ich mit|rede ich mit)(?: etwa| denn| jetzt)?(?: hier)? (?:ein|eine|einem|einer)? ?(?:roboter|maschine|computer|bot|ki|mensch|menschen|echter mensch|aufnahme|tonband|echte person|automat|kunstliche intelligenz)',
      'kunstliche intelligenz',
    ]),
    is_it_recorded: anyOf([
      '(?:aufgezeichnet|aufgenommen|zeichnen sie|nehmen sie (?:das|dieses)(?: \\w+)? auf|mitgeschnitten)',
    ]),
    where_number: anyOf([
      '(?:woher|wo)(?: \\w+){0,3} (?:meine|unsere|diese|die) (?:nummer|telefonnummer|rufnummer)',
      'wer hat ihnen (?:meine|diese|unsere) nummer',
    ]),
    who_is_this: anyOf([
      'wer (?:ist da|sind sie|spricht|ist am apparat|ist das|ruft an|bist du|ist dort)|mit wem (?:spreche|rede|habe) ich|von welcher firma|in wessen auftrag|fur wen (?:rufen|arbeiten) sie|von wo rufen|wie (?:heissen|ist ihr name)(?: sie)?|ihr name$',
    ]),
    why_calling: anyOf([
      'worum (?:geht es|geht.s|handelt)|um was geht|warum rufen sie|weshalb rufen|was (?:wollen|mochten|wunschen) sie|was kann ich fur sie|wie kann ich (?:ihnen )?(?:helfen|behilflich)|womit kann ich|was ist (?:der grund|ihr anliegen)|was gibt es',
    ]),
    slower: anyOf(['langsamer|nicht so schnell|zu schnell']),
    louder: anyOf([
      'lauter|(?:ich )?(?:verstehe|hore)(?: sie)? (?:schlecht|nicht|kaum)|schlechte verbindung|verbindung ist (?:so )?schlecht|sie sind so leise',
    ]),
    repeat: anyOf([
      'wiederholen(?: sie)?|noch ?mal(?:s)?|noch einmal|(?:nicht|nichts) verstanden|verstehe ich nicht|verstehe nicht|was haben sie gesagt|wie meinen sie',
      '^(?:wie bitte|bitte|was|hm|entschuldigung|verzeihung|wie)$',
      'ich spreche kein englisch',
    ]),
    spell: anyOf(['buchstabier\\w*|wie (?:schreibt man|schreibt sich|schreiben sie)']),
    can_you_hear: anyOf(['(?:horen|verstehen) sie mich|sind sie noch (?:da|dran)|ist (?:da|noch) jemand|noch da$']),
    must_i: anyOf(['muss ich (?:das|antworten|denn)|ist das (?:pflicht|notig|verpflichtend)']),
    how_long: anyOf(['wie lange (?:dauert|wird) (?:das|es)']),
    how_are_you: anyOf(['wie geht(?:.s| es)(?: ihnen| dir)?']),
    not_available: anyOf([
      '(?:er|sie|herr \\w+|frau \\w+|der chef|die chefin|der arzt|die arztin)(?: \\w+)? ?(?:ist|sind) (?:gerade |leider |heute |zur zeit |momentan |im moment )*(?:nicht (?:da|hier|im haus|zu hause|am platz|verfugbar|erreichbar|zu sprechen)|im urlaub|krank|unterwegs|in einer besprechung|ausser haus)',
      'nicht (?:im haus|am platz|zu sprechen|erreichbar)',
    ]),
    take_message: anyOf([
      '(?:kann|soll|darf) ich (?:etwas |was )?(?:ausrichten|bestellen|weitergeben)|nachricht hinterlassen',
    ]),
    call_back: anyOf([
      '(?:rufen|ruf|melden)(?: sie)?(?: \\w+){0,3} (?:spater|morgen|nachher|ein andermal|in einer|wieder|noch ?mal)(?: \\w+)?(?: an)?',
      '(?:ein|zu einem|zu einer) ander(?:es|en|er|m)? (?:mal|zeit|zeitpunkt)|spater(?: bitte)?$',
      '(?:kein|gerade kein) guter (?:moment|zeitpunkt)|passt (?:gerade |jetzt |es gerade )?(?:nicht|schlecht)',
      '(?:ich bin|bin|wir sind) (?:gerade |jetzt )?(?:beschaftigt|am fahren|im meeting|in einer besprechung|unterwegs|beim essen)|keine zeit',
    ]),
    will_call_back: anyOf([
      '(?:ich|wir|er|sie) (?:rufe|rufen|ruft|melde|melden)(?: \\w+)? (?:sie |mich |uns |ihnen )?(?:zuruck|bei ihnen|wieder)|ruckruf von uns',
    ]),
    anything_else: anyOf(['(?:sonst|noch) (?:etwas|was|jemand)\\??|was noch|(?:ist|war) das alles']),
    nothing_else: anyOf([
      'das (?:war|ist|ware|wars) (?:alles|es)|das war.?s|sonst nichts|nichts (?:mehr|weiter)|alles klar so',
    ]),
    decline: anyOf([
      '(?:mochte|will|kann|darf|werde) ich (?:ihnen )?nicht (?:sagen|beantworten|mitteilen|geben)|das ist (?:privat|vertraulich|personlich)|geht sie nichts an|keine angabe|nachste frage|(?:darf|kann) ich nicht (?:sagen|herausgeben)',
    ]),
    dont_know: anyOf([
      '(?:das )?weiss ich (?:leider )?nicht|ich weiss (?:es |das )?nicht|keine ahnung|(?:bin (?:mir )?)?nicht sicher|kann ich (?:ihnen )?nicht sagen|uberfragt',
    ]),
    thanks: anyOf(['danke(?: schon| sehr)?|vielen dank|dankeschon']),
    greeting: anyOf(['hallo|guten (?:tag|morgen|abend)|gruss gott|servus|moin|ja hallo|ja bitte']),
    goodbye: anyOf([
      'auf wieder(?:horen|sehen)|tschuss|tschuess|tschau|bis (?:bald|dann|spater)|schonen (?:tag|abend)(?: noch)?|ich (?:muss|lege) (?:jetzt )?(?:auflegen|auf|los)',
    ]),
  },
  notIntents: {
    opt_out: OPT_OUT.de.decoys,
    hold: anyOf(['im moment|momentan']),
    goodbye: anyOf(['bis dann um']),
  },
  needs: {
    name: anyOf([
      '(?:auf|unter|fur) (?:welchen|welchem|wessen|den|dem) namen|(?:wie ist|wie war|ihren|der|den|ihr) (?:nach|vor)?(?:der |ihr )?namen?(?: bitte)?|fur wen|auf wen',
    ]),
    phone: anyOf([
      '(?:eine|ihre|die|welche) (?:telefon|handy|ruck(?:ruf)?|mobil|ruf)?nummer(?: bitte| fur)?|telefonnummer|ruckrufnummer',
    ]),
    email: anyOf(['e-?mail(?:-?adresse)?']),
    people: anyOf(['(?:fur )?wie ?viele(?: personen| leute| gaste| sind sie)?(?! (?:nachte|tage|stunden))']),
    birthdate: anyOf(['geburtsdatum|geburtstag|wann geboren|wann sind sie geboren']),
    reference: anyOf([
      '(?:buchungs|reservierungs|kunden|auftrags|bestell|vorgangs|versicherten|referenz|bestatigungs)nummer|aktenzeichen',
    ]),
    address: anyOf(['(?:welche|ihre|die) (?:adresse|anschrift)|postleitzahl']),
    payment: anyOf(['kreditkarte\\w*|bankverbindung|kontonummer|iban|wie (?:mochten|wollen) sie (?:be)?zahlen']),
    date: anyOf(['(?:welcher|welchen|an welchem|fur welchen) tag|welches datum|fur wann|^wann$']),
    time: anyOf(['um wie ?viel uhr|wie ?viel uhr|welche uhrzeit|um welche zeit']),
    budget: anyOf(['(?:ihr|welches) budget|wie ?viel (?:wollen|mochten|konnen|wurden) sie']),
  },
  yes: anyOf([
    'ja|jawohl|jo|jep|doch|klar|sicher|naturlich|selbstverstandlich|gerne|gern|genau|richtig|stimmt|in ordnung|einverstanden|okay|ok|alles klar|passt|sehr gern|wunderbar|perfekt|prima|super|absolut|auf jeden fall|kein problem|geht klar|bestatigt|korrekt',
    '(?:das )?(?:geht|ginge|klappt|passt|ware moglich|ist moglich|ist frei|ware frei|ist okay|ist gut|machen wir|konnen wir machen|haben wir)(?= |$)',
  ]),
  no: anyOf(['nein|ne|nee|nicht|kein|keine|keinen|keiner|nie|niemals|leider|bedaure|unmoglich|nichts']),
  impossible: anyOf([
    '(?:geht|klappt|passt|ginge)(?: \\w+){0,2} (?:leider )?nicht|nicht (?:moglich|mehr frei|frei|verfugbar|machbar)|unmoglich|(?:haben|machen|konnen|bieten) wir (?:leider )?(?:nicht|keine|keinen|kein)|(?:sind|ist|alles) (?:leider )?(?:voll|ausgebucht|belegt|geschlossen|vergeben)|ausgebucht|ausverkauft|kein(?:e|en)? (?:tisch|zimmer|termin|platz|rabatt)\\w*|leider nein|auf keinen fall|nicht um',
  ]),
  friendlyNo: anyOf(['kein(?:e)? (?:problem|thema|ursache)|warum nicht|macht nichts|nichts dagegen|keine sorge']),
  maybe: anyOf([
    'vielleicht|eventuell|moglicherweise|wahrscheinlich|mal sehen|kommt (?:darauf|drauf) an|ich glaube|konnte sein|muss(?:te)? ich (?:erst )?(?:fragen|prufen|schauen)',
  ]),
  joiner: /\b(?:aber|jedoch|allerdings|sondern|stattdessen|au(?:ß|ss)er|daf[uü]r)\b/i,
  condition: anyOf([
    'aber|nur wenn|sofern|vorausgesetzt|allerdings|mussten sie|mussen sie|anzahlung|im voraus|unter der bedingung',
  ]),
  offers: [
    /\b(?:wie w(?:ä|a)re es mit|wie w(?:ä|a)r's mit|was halten sie von|wie ist es mit) (.+)$/,
    /\b(?:wir haben|ich habe|wir h(?:ä|a)tten|ich h(?:ä|a)tte|es gibt|wir k(?:ö|o)nnen(?: ihnen)?|wir k(?:ö|o)nnten(?: ihnen)?|ich kann ihnen)(?: noch| nur)? (.+?)(?: anbieten| machen)?$/,
    /\b(?:nur|erst) (.+)$/,
    /^(.+?) (?:ist|w(?:ä|a)re|ginge|geht|passt) (?:noch )?(?:frei|m(?:ö|o)glich|gut)/,
  ],
  question:
    /\?\s*$|^(?:(?:und |ja |also |okay )*(?:was|wann|wo|wer|wie|wieso|warum|welche|welcher|welches|welchen|wieviel|wie viele|fur wie|auf welchen|um wie|sind sie|ist das|haben sie|konnen sie)\b)/i,
  filler: new Set(
    'der die das ein eine einen ah ahm also ja nein ok okay gut bitte danke hallo guten tag herr frau und ist es das dann mal so na schon ich sie'.split(
      ' ',
    ),
  ),
  telltale: new Set(
    'der die das ist und ich sie nicht ein eine mit auf fur bitte danke ja nein guten tag haben wir konnen was wie wer sprechen deutsch englisch leider auch noch uhr um zu es wo wann von dem den ware mochte kein keine'.split(
      ' ',
    ),
  ),
  greetings:
    /^(?:guten tag|guten morgen|guten abend|gruss gott|hallo guten tag|ja bitte|ja hallo|moin|servus|hallo ja bitte)$/,
  asksForLanguage: {
    en: anyOf(['(?:sprechen|spreche|auf|reden)(?: sie)? englisch']),
    es: anyOf(['(?:sprechen|spreche|auf|reden)(?: sie)? spanisch']),
    fr: anyOf(['(?:sprechen|spreche|auf|reden)(?: sie)? franzosisch']),
    de: anyOf(['(?:sprechen|spreche|auf|reden)(?: sie| nur)? deutsch']),
    other: anyOf([
      '(?:sprechen|spreche|auf|reden)(?: sie)? (?:italienisch|turkisch|polnisch|russisch|arabisch|chinesisch|portugiesisch)',
    ]),
  },
}
