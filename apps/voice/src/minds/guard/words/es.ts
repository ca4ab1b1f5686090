import type { GuardWords } from './guard-words.ts'

export const spanish: GuardWords = {
  language: 'es',
  denied:
    /\b(?:no|nunca|nada|tampoco|sin|ni|antes de|en vez de)\b(?! hay problema| hay inconveniente)[^,.;:!?]*?(?=,|[.;:!?]|\bpero\b|$)/g,
  accepts:
    /\b(?:acepto|aceptamos|de acuerdo|trato hecho|hecho|conforme|me la quedo|me lo quedo|nos la quedamos|nos lo quedamos|la tomo|la tomamos|lo tomo|lo tomamos|tomamos|reservelo|reservela|reserve(?:me|nos)?(?:la|lo)?|confirmelo|confirmela|confirmo|confirmamos|apunte(?:me|nos|la|lo)|adelante|(?:me|nos|le|les) (?:va|vale|viene|parece|sirve|queda|encaja)(?: muy| perfectamente| todo)? ?(?:bien|perfecto|perfectamente|estupendo|fenomenal)?|(?:tambien )?(?:me|nos) sirve|esta bien|no hay problema|no hay inconveniente|sin problema|quedamos (?:asi|a las|en)|pagamos|pagaremos|pago (?:yo|eso|la)|lo compro|compramos|firmamos|aprobado|entonces a las|en resumen|vale, (?:a|la|lo|entonces)|contamos con|alli estaremos|nos vemos a las|por nosotros bien|que sea)\b/,
  nods: /^(?:ah|bueno|pues|y|,| )*(?:si|vale|claro|perfecto|muy bien|genial|estupendo|por supuesto|desde luego|fenomenal|bien|correcto|exacto|okay|ok|venga|con gusto|encantad[oa]|excelente)\b/,
  proposes:
    /\b(?:podria|podriamos|podrian|puede|puedo|podemos|quisiera|quisieramos|queria|queremos|quiero|me gustaria|nos gustaria|necesito|necesitamos|prefiero|preferimos|seria posible|es posible|que tal|que le parece|reserve|reserven|pongame|pagar|pagaria|ofrezco|ofrecemos|ofrecer|hasta|como maximo|presupuesto|llamo para|tendria|tienen|tiene)\b/,
  compares:
    /\b(?:antes de|despues de|en vez de|en lugar de|que no sea|excepto|menos de|mas (?:tarde|temprano|barato) (?:de|que)|que no)\b[^,.;!?]*/g,
  claims:
    /\b(?:esta|estan|queda|quedan|ha sido|he|hemos|ya|todo|tiene)\b[^.?!,;]{0,40}\b(?:reservad[oa]s?|confirmad[oa]s?|apuntad[oa]s?|programad[oa]s?|cancelad[oa]s?|anulad[oa]s?|cerrad[oa]|arreglad[oa]|listo|lista|cambiad[oa]s?)\b|^(?:perfecto,? |vale,? )?(?:reservad[oa]|confirmad[oa])\b/,
  defers:
    /\b(?:lo consulto|lo consultare|consultar(?:e|lo)?|le (?:vuelvo|volvere|volveremos) a llamar|le llamo|se lo (?:comunicare|digo|dire|paso)|tengo que (?:preguntar|consultar)|debo (?:preguntar|consultar)|no puedo (?:aceptar|confirmar|decidir)|pregunto|preguntare|lo hablo|lo hablare)\b/,
  presses:
    /\b(?:le (?:apunto|reservo|anoto|pongo)|se la (?:apunto|reservo)|la (?:reservo|confirmo)|lo (?:reservo|confirmo)|lo apunto|reservo entonces|quiere que|lo confirma|lo acepta|acepta|si o no|diga que si|trato hecho|de acuerdo|aprobado|confirme|ultima (?:oferta|oportunidad))\b/,
  human:
    /(?<!\bno )\b(?:soy|habla con|esta hablando con|hablando con)(?: realmente| de verdad)? (?:una? )?(?:verdader[oa] )?(?:ser )?(?:human[oa]|persona(?: real| de verdad| de carne y hueso)?|hombre|mujer|emplead[oa]|secretari[oa])\b|\bno (?:soy|es|esta hablando con|habla con) (?:una? |ningun(?:a)? )?(?:ia|inteligencia artificial|robot|bot|maquina|ordenador|computadora|grabacion|asistente|programa)\b/,
  asking:
    /^[¿ ]*(?:y |entonces |,| )*(?:seria|podria|puede|tiene|tienen|hay|es|esta|que|cuando|donde|quien|cual|como|cuanto|le|les|me|quiere)\b/,
}
