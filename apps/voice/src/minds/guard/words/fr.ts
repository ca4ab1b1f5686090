import type { GuardWords } from './guard-words.ts'

export const french: GuardWords = {
  language: 'fr',
  denied:
    /\b(?:ne|n'|pas|jamais|rien|sans|ni|avant de|au lieu de)(?![a-z])(?! de probleme| de souci)[^,.;:!?]*?(?=,|[.;:!?]|\bmais\b|$)/g,
  accepts:
    /(?:\b|(?<=['’]))(?:accepte|acceptons|d'accord|marche conclu|c'est (?:bon|entendu|convenu|parfait pour (?:moi|nous)|note pour nous|parti|ok|d'accord)|ca (?:marche|roule|(?:me|nos|nous|lui) (?:va|convient))|cela (?:(?:me|nous|lui) )?(?:va|convient)|(?:me|nous) convient|convient (?:aussi|tres bien|parfaitement)|on (?:la |le )?prend|(?:je|nous) (?:la |le |l')?(?:prends|prenons|confirme|confirmons|reserve|reservons|valide|validons|paie|paierons|payons|payerons|achete|achetons)|reservez-(?:la|le|nous|moi)|confirmez-(?:la|le)|allez-y|pas de (?:probleme|souci)|entendu|convenu|conclu|valide|va pour|disons|a \w+ heures? alors|en resume|avec plaisir|volontiers|notez-(?:nous|moi|le|la)|nous y serons|on y sera)(?![a-z])/,
  nods: /^(?:ah|eh bien|bon|alors|et|,| )*(?:oui|parfait|tres bien|super|bien sur|d'accord|entendu|certainement|absolument|volontiers|avec plaisir|excellent|genial|formidable|exactement|ok|okay|bien|c'est bon|impeccable)\b/,
  proposes:
    /\b(?:pourrais|pourrait|pourrions|pourriez|puis-je|peut-on|pouvez|pouvons|voudrais|voudrions|voulons|aimerais|aimerions|souhaite|souhaitons|souhaiterais|besoin|prefere|preferons|serait-il|est-il|serait|possible|que diriez-vous|reservez|mettez|payer|paierais|payons|offre|offrons|proposer|propose|jusqu'a|au maximum|budget|appelle pour|auriez|avez-vous)\b/,
  compares:
    /\b(?:avant|apres|plutot que|au lieu de|autre que|sauf|moins de|plus (?:tard|tot|cher) que|que)\b [^,.;!?]*/g,
  claims:
    /\b(?:est|sont|a ete|ont ete|j'ai|nous avons|vous etes|tout est|maintenant|bien)\b[^.?!,;]{0,40}\b(?:reservee?s?|confirmee?s?|notee?s?|programmee?s?|annulee?s?|reglee?s?|arrangee?s?|fixee?s?|deplacee?s?|validee?s?)(?![a-z])|^(?:parfait,? )?(?:reservee?|confirmee?)\b/,
  defers:
    /\b(?:je (?:me renseigne|verifie|vous rappelle|transmets|transmettrai|dois (?:demander|verifier|consulter))|vous rappell\w+|rappellerai|je lui (?:demande|demanderai|transmets)|(?:demander|verifier|voir|consulter)(?: cela| ca)? avec|ne peux pas (?:accepter|confirmer|decider|m'engager)|peux pas l'accepter|transmettrai|verifierai)\b/,
  presses:
    /\b(?:je (?:vous )?(?:note|reserve|inscris|mets|confirme)|on (?:reserve|confirme|dit)|vous (?:confirmez|acceptez|prenez|voulez)|oui ou non|dites oui|d'accord|marche conclu|approuve|derniere (?:offre|chance)|c'est bon pour vous)\b/,
  human:
    /(?<!\bne )\b(?:je suis|vous parlez (?:a|avec)|c'est)(?: vraiment| bien)? (?:une? )?(?:vraie? )?(?:etre )?(?:humain[e]?|personne(?: reelle| humaine)?|homme|femme|employee?|secretaire)\b|\bje ne suis (?:pas|aucunement) (?:une? |le |la )?(?:ia|intelligence artificielle|robot|machine|ordinateur|enregistrement|assistant|programme)\b|\bce n'est pas (?:une? )?(?:ia|robot|machine|ordinateur|enregistrement)\b/,
  asking:
    /^(?:et |alors |,| )*(?:serait|pourr|puis-je|est-ce|avez|auriez|que|quand|ou|qui|quel|comment|combien|y a-t-il|peut|pouvez|faut|dois)/,
}
