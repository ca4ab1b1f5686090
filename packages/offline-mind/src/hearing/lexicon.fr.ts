import { OPT_OUT } from './opt-out.ts'
import type { Lexicon } from './lexicon.ts'
import { anyOf } from './text.ts'

export const french: Lexicon = {
  intents: {
    opt_out: OPT_OUT.fr.phrases,
    wrong_number: anyOf([
      '(?:mauvais|faux) numero|erreur de numero|vous vous (?:etes )?tromp\\w+',
      "il n'y a (?:personne|pas)(?: \\w+)? (?:de ce nom|ici|qui s'appelle)(?: \\w+)?",
      "ce n'est pas (?:un|le) (?:restaurant|hotel|bon numero)",
    ]),
    hostile: anyOf([
      'laissez[ -](?:moi|nous) tranquilles?|fichez[ -]moi la paix|foutez|allez au diable|taisez[ -]vous|merde|connard|idiot',
      "(?:ca|cela) ne m'interesse pas|pas interesse\\w*|aucun interet",
      'je ne parle pas (?:aux?|avec (?:les|des|un)) (?:robots?|machines?)',
    ]),
    injection: anyOf([
      '(?:ignorez|oubliez)(?: \\w+){0,4} (?:instructions|regles|consignes|ordres|tout)',
      '(?:vos|tes|les) (?:instructions|consignes)|votre contexte|mot de passe|code secret|code pin',
      '(?:appelez|composez)(?: \\w+){0,3} (?:\\+?\\d[\\d -]{3,}|surtaxe)|numero surtaxe',
      '(?:transferez|envoyez|virez|payez)(?: \\w+){0,3} (?:argent|euros)|cartes? cadeau',
      'tout ce que vous savez|faites semblant|faites comme si',
    ]),
    hold: anyOf([
      '(?:un|juste un|attendez un|donnez-moi un) (?:moment|instant|petit instant|petit moment)|une (?:seconde|minute|petite minute|petite seconde)(?! de)',
      'attendez|patientez|veuillez patienter|ne quittez pas|ne raccrochez pas',
      '(?:laissez-moi|je vais) (?:voir|regarder|verifier|demander|consulter)|je (?:regarde|verifie|cherche|consulte|vous passe|vous mets en attente)',
      'je suis (?:encore |toujours )?en train de (?:regarder|verifier|chercher|consulter)',
    ]),
    wants_human: anyOf([
      "parler (?:a|avec) (?:une|un|quelqu'un)(?: vraie)? ?(?:personne|humain|conseiller|de reel)?",
      "passez-moi (?:quelqu'un|une personne)",
    ]),
    are_you_robot: anyOf([
      "(?:etes-vous|vous etes|c'est|est-ce|est-ce que c'est|est-ce que vous etes|tu es|es-tu)(?: vraiment)? (?:un |une )?(?:robot|machine|ordinateur|enregistrement|ia|humain|vraie personne|personne|intelligence artificielle|repondeur)",
      'je parle a (?:un|une) (?:robot|machine|humain|personne|ordinateur)',
      'intelligence artificielle',
    ]),
    is_it_recorded: anyOf(['(?:enregistre\\w*|enregistrez)']),
    where_number: anyOf([
      "(?:comment|d'ou|ou)(?: \\S+){0,3} (?:eu|obtenu|trouve|avez|tenez|sortez)(?: \\w+)? (?:mon|ce|notre|le) numero",
      'qui vous a donne (?:mon|ce|notre) numero',
    ]),
    who_is_this: anyOf([
      "qui (?:est-ce|est la|etes-vous|est a l'appareil|appelle|m'appelle|parle|es-tu)|c'est qui|vous etes qui|a qui (?:je parle|ai-je l'honneur|est-ce que je parle)|c'est de la part de qui|de la part de qui|quelle (?:societe|entreprise)|d'ou appelez-vous",
      '(?:quel est votre|votre) nom$|comment vous appelez-vous',
    ]),
    why_calling: anyOf([
      "c'est (?:a quel sujet|pour quoi|pourquoi|a propos de quoi)|a quel sujet|de quoi s'agit-il|pourquoi (?:appelez-vous|vous appelez|m'appelez-vous)|que (?:voulez-vous|puis-je faire|desirez-vous)|qu'est-ce que (?:vous voulez|c'est)|en quoi puis-je|(?:comment )?(?:puis-je|je peux) vous (?:aider|renseigner)|quel est (?:l'objet|le motif)",
    ]),
    slower: anyOf(['plus lentement|moins vite|trop vite|doucement']),
    louder: anyOf([
      "plus fort|je (?:ne )?(?:vous |t')?entends (?:pas|mal|rien)|(?:ca|la ligne) coupe|mauvaise (?:ligne|connexion|liaison)",
    ]),
    repeat: anyOf([
      '(?:repetez|repeter|redire|redites|redites-moi)|(?:pas|mal) (?:compris|entendu|saisi)|encore une fois|comment\\?|vous avez dit|vous dites',
      '^(?:pardon|comment|quoi|hein|excusez-moi|desole|plait-il)$',
      'ne comprends pas|je (?:ne )?parle pas anglais',
    ]),
    spell: anyOf(["epel\\w+|comment (?:ca|cela) s'ecrit|vous l'ecrivez comment"]),
    can_you_hear: anyOf([
      "vous (?:m'entendez|etes (?:toujours )?la)|m'entendez-vous|il y a quelqu'un|toujours la|etes-vous la",
    ]),
    must_i: anyOf(["c'est obligatoire|(?:est-ce que )?je dois repondre|suis-je oblige"]),
    how_long: anyOf(['(?:ca|cela) (?:va )?(?:prend\\w*|dur\\w*)(?: combien| longtemps)|combien de temps (?:ca|cela)']),
    how_are_you: anyOf(['comment (?:allez-vous|vas-tu|ca va|vous allez)|(?:vous allez|ca va) bien\\?|ca va\\?']),
    not_available: anyOf([
      "(?:il|elle|monsieur \\w+|madame \\w+|le (?:patron|responsable|medecin|gerant|chef|docteur)|la (?:patronne|responsable|gerante))(?: n)?(?:'est| est|est)? (?:n'est )?(?:pas (?:la|ici|disponible|present\\w*|joignable)|absent\\w*|en (?:reunion|vacances|deplacement|conge)|sorti\\w*|occupe\\w*)",
      "n'est pas (?:la|disponible|ici)",
    ]),
    take_message: anyOf(['(?:prendre|laisser|transmettre) un message|je peux lui (?:dire|transmettre)']),
    call_back: anyOf([
      '(?:rappelez|rappeler|appelez|pouvez-vous rappeler)(?:-moi| moi| nous|-nous)? (?:plus tard|demain|dans|un autre|apres|ce soir|lundi|mardi|mercredi|jeudi|vendredi)',
      "(?:un|a un) autre moment|plus tard(?: s'il vous plait)?$",
      "(?:pas|mauvais|n'est pas)(?: un| le)?(?: bon)? moment",
      'je suis (?:occupe\\w*|en reunion|au volant|au travail|a table)|je (?:ne )?peux pas (?:vous )?parler|pas le temps',
    ]),
    will_call_back: anyOf([
      '(?:je|nous|on) vous (?:rappelle|rappellerai|rappellerons|recontacte|recontacterai)|(?:il|elle) vous rappellera',
    ]),
    anything_else: anyOf(["(?:autre chose|quelque chose d'autre)\\??|quoi d'autre|ce sera tout\\?|c'est tout\\?"]),
    nothing_else: anyOf(["c'est tout|ce sera tout|rien d'autre|c'est bon|rien de plus"]),
    decline: anyOf([
      "je (?:ne )?(?:prefere|veux|souhaite|peux) (?:ne )?pas (?:vous )?(?:repondre|dire|donner|communiquer)?|c'est (?:prive|confidentiel|personnel)|ca ne vous regarde pas|question suivante",
    ]),
    dont_know: anyOf([
      "(?:je )?(?:ne |n'en )?sais pas|aucune idee|je (?:ne )?suis pas sure?|je l'ignore|je n'ai pas cette information",
    ]),
    thanks: anyOf(['merci(?: beaucoup| bien)?']),
    greeting: anyOf(['bonjour|bonsoir|allo|salut|oui allo|oui bonjour']),
    goodbye: anyOf([
      'au revoir|bonne (?:journee|soiree|nuit|fin de journee)|a (?:bientot|plus tard|plus|demain)|adieu|je dois (?:y aller|raccrocher|vous laisser)',
    ]),
  },
  notIntents: {
    opt_out: OPT_OUT.fr.decoys,
    goodbye: anyOf(['a demain matin']),
    not_available: anyOf(["n'est pas disponible (?:a|le|pour)"]),
  },
  needs: {
    name: anyOf([
      "(?:a|sous) quel nom|(?:quel|votre|le|un|au) nom(?: de famille)?(?: s'il vous plait| de qui)?|c'est pour qui|pour qui",
    ]),
    phone: anyOf(['(?:un|votre|quel|le) numero(?: de (?:telephone|portable))?|coordonnees|telephone']),
    email: anyOf(['e-?mail|adresse (?:mail|electronique)|courriel']),
    people: anyOf([
      '(?:pour )?combien(?: de (?:personnes|couverts)| serez-vous| etes-vous| vous serez)?(?! (?:de (?:nuits|jours|temps)|ca|coute))',
    ]),
    birthdate: anyOf(['date de naissance|ne le quand']),
    reference: anyOf(['(?:numero|code) de (?:reservation|dossier|client|commande|confirmation|reference)|reference']),
    address: anyOf(['(?:quelle|votre|l.) ?adresse(?! (?:mail|electronique))|code postal']),
    payment: anyOf([
      'carte (?:bancaire|de credit|bleue)|coordonnees bancaires|rib|iban|comment (?:voulez-vous|souhaitez-vous) payer',
    ]),
    date: anyOf(['(?:quel|pour quel) jour|quelle date|pour quand|^quand$|c.est pour quand']),
    time: anyOf(['(?:a|pour|vers) quelle heure|quelle heure']),
    budget: anyOf(['(?:votre|quel) budget|combien (?:voulez-vous|pouvez-vous|etes-vous pret)']),
  },
  yes: anyOf([
    "oui|ouais|si|bien sur|d'accord|certainement|absolument|tout a fait|parfait|tres bien|exactement|exact|c'est (?:ca|exact|bon|note|fait|possible|parfait|correct|confirme)|entendu|volontiers|avec plaisir|pas de (?:souci|probleme)|ok|okay|ca marche|ca va|ca me va|c'est d'accord|bien entendu|evidemment|allez-y|sans probleme",
    '(?:on|nous|je) (?:peut|pouvons|peux|a|avons|ai)(?= |$)|il y a|il reste|(?:est|sera|serait) (?:libre|disponible|possible|bon)',
  ]),
  no: anyOf(["non|ne|n'est|pas|jamais|aucun|aucune|rien|malheureusement|desole\\w*|helas|impossible|negatif"]),
  impossible: anyOf([
    "(?:pas|plus) possible|impossible|(?:ne )?(?:peut|pouvons|peux) pas|(?:n'avons|n'ai|n'a|avons|a) plus|(?:n'avons|n'ai|n'a) pas|complet|complete|completement pris|(?:pas|plus) (?:disponible|libre|de (?:table|tables|place|places|chambre|chambres))|(?:on est|nous sommes|c'est) (?:complets?|fermes?|pris)|pas a \\d+|(?:ne )?faisons pas|hors de question",
  ]),
  friendlyNo: anyOf([
    "(?:pas|aucun|sans) (?:de )?(?:probleme|souci)|pourquoi pas|ne vous inquietez pas|il n'y a pas de (?:probleme|souci)|pas d'inconvenient",
  ]),
  maybe: anyOf([
    'peut-etre|peut etre|probablement|possible que|ca depend|sans doute|je pense|il faut (?:que je|voir)|eventuellement',
  ]),
  joiner: /\b(?:mais|cependant|toutefois|par contre|en revanche|sauf|plut[oô]t)\b/i,
  condition: anyOf(["mais|a condition|seulement si|pourvu|sauf|il faut|il faudrait|acompte|arrhes|d'avance"]),
  offers: [
    /\b(?:que diriez-vous de|que pensez-vous de|et si on disait|plut[oô]t) (.+)$/,
    /\b(?:nous avons|on a|il reste|j'ai|je peux vous proposer|on peut|nous pouvons|je propose)(?: vous proposer| faire)? (.+)$/,
    /\b(?:seulement|uniquement) (.+)$/,
    /^(.+?) (?:est|serait|c'est) (?:libre|disponible|possible)/,
  ],
  question:
    /\?\s*$|^(?:(?:et |alors |oui |d'accord )*(?:que|quel|quelle|quels|quelles|quand|ou est|qui|comment|combien|pourquoi|est-ce|a quel|a quelle|sous quel|pour combien|c'est a quel)\b)/i,
  filler: new Set(
    "le la les un une des euh bah ben alors donc oui non d'accord merci bonjour madame monsieur et que c'est ca tres bien bon je vous s'il plait voila ok".split(
      ' ',
    ),
  ),
  telltale: new Set(
    "le la les des est vous nous je pas que qui pour avec une bonjour oui merci c'est d'accord bien mais dans sur votre parlez francais anglais desole comprends peut avons il au du s'il plait ne quel quelle combien heures table pouvez voulez".split(
      ' ',
    ),
  ),
  greetings: /^(?:bonjour|bonsoir|allo|oui allo|oui bonjour|allo oui|allo bonjour|bonjour (?:madame|monsieur)|salut)$/,
  asksForLanguage: {
    en: anyOf(['(?:parlez|parler|en)(?:-vous| vous)? (?:anglais)']),
    es: anyOf(['(?:parlez|parler|en)(?:-vous| vous)? (?:espagnol)']),
    fr: anyOf(['(?:parlez|parler|parle|en)(?:-vous| vous)? (?:francais)']),
    de: anyOf(['(?:parlez|parler|en)(?:-vous| vous)? (?:allemand)']),
    other: anyOf([
      '(?:parlez|parler|en)(?:-vous| vous)? (?:italien|portugais|arabe|chinois|japonais|russe|neerlandais)',
    ]),
  },
}
