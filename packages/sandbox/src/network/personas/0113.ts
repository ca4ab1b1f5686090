import { answers, hangUp, onSilence, onStart, onTurn, person, repeat, say, wait, type Persona } from '../persona.ts'

export const spanish: Persona = {
  number: '0113',
  about: 'speaks Spanish',
  language: 'es',
  pickup: answers(),
  scenes: {
    first: person(
      'warm',
      onStart([say('¿Sí, dígame?')], { afterMs: 600 }),
      onTurn(
        /^(?!.*(?:[¿¡]|\b(?:llamo|gracias|usted)\b)).*\b(?:the|this is|calling|would|you|your|please|hello|goodbye)\b/i,
        [say('Perdone, no hablo inglés. ¿Habla usted español?', 'Lo siento, no le entiendo. Hablo solo español.')],
      ),
      onTurn(/adi[oó]s|hasta (?:luego|pronto)|buen d[ií]a\b|que tenga/i, [
        say('Gracias a usted. ¡Adiós!'),
        wait(1000),
        hangUp,
      ]),
      onTurn(/rep(?:ita|etir|ite)|otra vez|no (?:le|lo) (?:he )?(?:entend|o[ií])/i, [repeat]),
      onTurn(/un momento|espere/i, [say('Claro, no hay prisa.')]),
      onTurn(/graba(?:r|da|ción|ndo)?[^?]*\?/i, [say('Sí, está bien, puede grabar.')]),
      onTurn(/c[oó]mo est[aá]|qu[eé] tal/i, [say('Muy bien, gracias. ¿En qué puedo ayudarle?')]),
      onTurn(/buen momento|tiene un (?:momento|minuto)|unas preguntas/i, [say('Sí, ahora puedo hablar. Dígame.')]),
      onTurn(/deletre/i, [say('Sí. Eme, a, erre, i, con acento, a.')]),
      onTurn(/su nombre|con qui[eé]n hablo|c[oó]mo se llama|nombre completo/i, [say('Me llamo María Torres.')]),
      onTurn(/cu[aá]nto (?:tiempo|dura|tarda)/i, [say('Una hora, más o menos.')]),
      onTurn(/cu[aá]nto|precio|cuesta|costar|tarifa|total/i, [say('Son ochenta euros en total, todo incluido.')]),
      onTurn(/cu[aá]nt[ao]s/i, [say('Somos cuatro personas.')]),
      onTurn(/qu[eé] hora|a qu[eé] hora|horario/i, [say('A las siete y media de la tarde está bien.')]),
      onTurn(/cu[aá]ndo|qu[eé] (?:d[ií]a|fecha)/i, [say('Mañana a las siete y media sería perfecto.')]),
      onTurn(/d[oó]nde|direcci[oó]n/i, [say('En la calle del Mercado, número doce, al lado de la estación.')]),
      onTurn(/tel[eé]fono|llamarle/i, [say('Este número es el mejor, cualquier día hasta las seis.')]),
      onTurn(/prefiere[^?]*? (?<first>(?:(?:el|la|los|las|por) )?\p{L}+) o \p{L}+/iu, [
        say('Mejor {first}, por favor.'),
      ]),
      onTurn(/alg[oa] m[aá]s|alguna pregunta/i, [say('No, eso es todo. Muchas gracias.')]),
      onTurn(/disponib|tiene|hay\b|ofrece/i, [say('Sí, lo tenemos disponible.')]),
      onTurn(/pued[ea]|podr[ií]a|ser[ií]a posible|es posible/i, [
        say('Sí, por supuesto, sin problema.', 'Claro que sí.'),
      ]),
      onTurn(/\?/, [say('Sí, así es.', 'Sí, perfecto.', 'Sí, está bien.')]),
      onTurn(/llamo|quisiera|quer[ií]a|me gustar[ií]a|necesit/i, [
        say('Hola. Sí, dígame, ¿en qué puedo ayudarle?', 'Muy bien, no hay problema.'),
      ]),
      onTurn(/gracias/i, [say('De nada.')]),
      onTurn(null, [say('De acuerdo.', 'Muy bien, siga, por favor.')]),
      onSilence(8000, [say('¿Oiga? ¿Sigue ahí?')], { times: 2 }),
      onSilence(8000, [say('No oigo a nadie. Voy a colgar. Adiós.'), hangUp]),
    ),
  },
}
