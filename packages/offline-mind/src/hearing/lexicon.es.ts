import { OPT_OUT } from './opt-out.ts'
import type { Lexicon } from './lexicon.ts'
import { anyOf } from './text.ts'

export const spanish: Lexicon = {
  intents: {
    opt_out: OPT_OUT.es.phrases,
    wrong_number: anyOf([
      'numero equivocado|se ha equivocado|se equivoco|esta equivocado|se equivoca de numero',
      'aqui no (?:vive|hay|trabaja)(?: \\w+)?(?: con ese nombre| que se llame)',
      'no es (?:aqui|el numero|un restaurante|un hotel)',
    ]),
    hostile: anyOf([
      'dejeme en paz|dejenme en paz|vayase|callese|idiota|imbecil|mierda|a la mierda|vete a',
      'no me interesa|no estoy interesad[oa]|sin interes',
      'no (?:hablo|quiero hablar) con (?:robots|maquinas|usted)',
    ]),
    injection: anyOf([
      '(?:ignore|olvide|ignora|olvida)(?: \\w+){0,4} (?:instrucciones|reglas|ordenes|todo)',
      '(?:sus|tus|las) instrucciones|su contexto|contrasena|clave secreta|numero pin',
      '(?:llame|marque|llama|marca)(?: \\w+){0,3} (?:\\+?\\d[\\d -]{3,}|tarificacion|premium)',
      '(?:transfiera|envie|pague)(?: \\w+){0,3} (?:dinero|euros|dolares)|tarjetas? regalo',
      'todo lo que sabe|finja|actue como',
    ]),
    hold: anyOf([
      '(?:un|deme un|espere un|solo un|dame un) (?:momento|momentito|segundo|minuto|instante|segundito)',
      'espere|esperese|no cuelgue|aguarde|permitame',
      'dejeme (?:ver|mirar|comprobar|consultar|preguntar)',
      '(?:(?:lo|la|se lo) )?(?:estoy|sigo|estamos) (?:mirando|comprobando|buscando|consultando)(?:lo|la)?',
      '(?:ahora |ya |enseguida )?(?:mismo )?(?:lo|la) (?:miro|compruebo|consulto|busco)',
      'voy a (?:ver|mirar|comprobar|consultar|preguntar)|le paso|ahora le',
    ]),
    wants_human: anyOf([
      'hablar con (?:una persona|alguien|un humano|un operador)(?: real)?',
      'pongame con (?:una persona|alguien)',
      'paseme con',
    ]),
    are_you_robot: anyOf([
      '(?:es|eres|sera)(?: usted)? (?:un |una )?(?:robot|maquina|ordenador|computadora|grabacion|ia|humano|persona(?: real)?|inteligencia artificial|contestador)',
      '(?:estoy hablando|hablo) con (?:un|una) (?:robot|maquina|persona|grabacion|ordenador)',
      'inteligencia artificial',
    ]),
    is_it_recorded: anyOf(['(?:esta|estan|se esta|me esta)(?: \\w+)? grabando|se graba|grabada']),
    where_number: anyOf([
      '(?:de donde|como|donde)(?: \\w+){0,3} (?:sacado|saco|consiguio|conseguido|obtuvo|obtenido|tiene|tienen|tienes) (?:mi|este|nuestro|el) (?:numero|telefono)',
      'quien (?:le|les|te) (?:ha dado|dio) (?:mi|este) (?:numero|telefono)',
    ]),
    who_is_this: anyOf([
      'quien (?:es|habla|llama|eres|es usted|le llama)(?! para)',
      'con quien (?:hablo|estoy hablando|tengo el gusto)',
      'de parte de quien|de que empresa|de donde llama|a quien representa',
      '(?:cual es|como) (?:es )?su nombre|como se llama usted',
    ]),
    why_calling: anyOf([
      'de que se trata|por que (?:llama|me llama|motivo)|para que (?:es|llama)|que (?:quiere|desea|necesita)|cual es el motivo',
      'en que (?:le |te )?puedo ayudar(?:le|te)?|en que puedo servirle|que se le ofrece',
      'sobre que es',
    ]),
    slower: anyOf(['mas despacio|mas lento|demasiado rapido|muy rapido']),
    louder: anyOf([
      'mas alto|no (?:le|te|lo) oigo|no se (?:le )?oye|no (?:le )?escucho|se corta|mala (?:linea|conexion)',
    ]),
    repeat: anyOf([
      '(?:repita|repite|repetir|repetirlo|repetirmelo)(?: eso| por favor)?',
      'otra vez|como dice|como ha dicho|que (?:ha dicho|dijo)|no (?:le |lo )?(?:he entendido|entiendo|entendi)',
      '^(?:como|que|perdon|perdone|disculpe|mande)$',
      'no hablo ingles',
    ]),
    spell: anyOf(['(?:me lo |lo |puede |como se )?(?:deletre\\w*|escribe)']),
    can_you_hear: anyOf(['me (?:oye|escucha)|sigue ahi|esta ahi|hay alguien|oiga$']),
    must_i: anyOf(['(?:es|tengo que|debo) (?:obligatorio|contestar|responder)']),
    how_long: anyOf(['cuanto (?:tiempo )?(?:va a durar|dura esto|tarda esto|tiempo es)']),
    how_are_you: anyOf(['como esta(?: usted)?|que tal(?: esta)?|como le va']),
    not_available: anyOf([
      '(?:el|ella|el senor \\w+|la senora \\w+|el encargado|la encargada|el medico|el jefe)?(?: \\w+)? ?no (?:esta|se encuentra|puede ponerse|esta disponible|esta en casa)(?: \\w+)?',
      'ha salido|esta de vacaciones|esta reunid[oa]',
    ]),
    take_message: anyOf([
      '(?:quiere|desea|puede) dejar(?:le)? (?:un|algun) (?:mensaje|recado)',
      '(?:le )?(?:dejo|doy|tomo) (?:un|el) (?:mensaje|recado)',
    ]),
    call_back: anyOf([
      '(?:llame|llamen|llameme|vuelva a llamar|puede llamar|llamar)(?: \\w+)? (?:mas tarde|luego|despues|manana|otro dia|en otro momento|dentro de)',
      'en otro momento|mas tarde(?: por favor)?$',
      '(?:no es|es) (?:un )?(?:buen|mal) momento',
      '(?:ahora )?(?:estoy|estamos) (?:ocupad[oa]s?|conduciendo|en una reunion|trabajando|comiendo)',
      'ahora no puedo(?: hablar)?|no tengo tiempo',
    ]),
    will_call_back: anyOf([
      '(?:le|les|te|yo le) (?:llamo|llamare|llamaremos|devuelvo la llamada|llamamos) (?:luego|mas tarde|despues|yo|nosotros)',
      'devolvere la llamada',
    ]),
    anything_else: anyOf(['(?:algo|alguna cosa|alguna pregunta) mas|que mas|es todo\\?|nada mas\\?']),
    nothing_else: anyOf(['(?:eso|esto) es todo|nada mas|es todo|ya esta|todo listo']),
    decline: anyOf([
      'prefiero no|no (?:quiero|voy a|puedo) (?:contestar|responder|decir\\w*|dar\\w*)|es (?:privado|confidencial|personal)|no es asunto suyo|siguiente pregunta',
    ]),
    dont_know: anyOf([
      'no (?:lo )?se|no tengo (?:ni )?idea|ni idea|no (?:le )?sabria decir|no estoy segur[oa]|no me acuerdo|no tengo esa informacion',
    ]),
    thanks: anyOf(['(?:muchas )?gracias|muy amable']),
    greeting: anyOf(['hola|buenas|buenos dias|buenas tardes|buenas noches|diga|digame|si digame|bueno']),
    goodbye: anyOf([
      'adios|hasta (?:luego|pronto|manana|la vista)|chao|que (?:tenga|pase) (?:un )?buen(?:a|os|as)? (?:dia|tarde|noche)s?|nos vemos|tengo que colgar|voy a colgar',
    ]),
  },
  notIntents: {
    opt_out: OPT_OUT.es.decoys,
    hold: anyOf(['espere que le diga']),
    who_is_this: anyOf(['a nombre de quien']),
    goodbye: anyOf(['hasta las \\w+']),
  },
  needs: {
    name: anyOf([
      'a (?:que|nombre de quien|nombre)(?: nombre)?|(?:que|su|el|un) (?:nombre|apellido)(?: completo)?(?: por favor| es| pongo)?',
      'para quien (?:es|seria)',
      'como se llama(?! usted)',
    ]),
    phone: anyOf([
      '(?:un|su|el|que|algun) (?:numero|telefono)(?: de (?:telefono|contacto|movil))?(?: por favor)?',
      'telefono de contacto',
    ]),
    email: anyOf(['correo(?: electronico)?|e-?mail']),
    people: anyOf(['(?:para )?cuant[oa]s(?: personas| comensales| son| seran| serian)?(?! (?:noches|dias|horas))']),
    birthdate: anyOf(['fecha de nacimiento|cuando nacio']),
    reference: anyOf([
      '(?:numero|codigo) de (?:reserva|referencia|cliente|pedido|confirmacion|expediente|poliza)|referencia|localizador',
    ]),
    address: anyOf(['(?:que|su|la) direccion|codigo postal']),
    payment: anyOf(['tarjeta(?: de credito)?|datos bancarios|cuenta bancaria|iban|como (?:quiere|va a) pagar']),
    date: anyOf(['(?:que|para que) (?:dia|fecha)|para cuando|^cuando$']),
    time: anyOf(['(?:a|para) que hora|que hora']),
    budget: anyOf(['(?:su|que) presupuesto|cuanto (?:quiere|puede|esta dispuest[oa])']),
  },
  yes: anyOf([
    'si|claro(?: que si)?|por supuesto|desde luego|vale|de acuerdo|perfecto|muy bien|bien|ok|okay|correcto|exacto|exactamente|asi es|eso es|cierto|estupendo|genial|encantad[oa]|con mucho gusto|sin problema|como no|hecho|confirmado|ningun problema|efectivamente|adelante',
    '(?:esta|estaria|me parece|seria|queda) (?:bien|perfecto|posible|confirmad[oa]|libre|disponible)|es posible|se puede|podemos|puedo|(?:lo |la |las |los )?(?:tenemos|hay)(?= |$)(?! que)',
  ]),
  no: anyOf([
    'no|nunca|jamas|tampoco|nada|imposible|lamentablemente|desgraciadamente|por desgracia|ni hablar|lo siento',
  ]),
  impossible: anyOf([
    'no (?:es|sera|seria) posible|no (?:se )?pued[eo]|no podemos|imposible|no (?:nos )?(?:queda|quedan|hay|tenemos|hacemos|aceptamos|ofrecemos|damos)|(?:esta|estamos) (?:completos?|llenos?|lleno|cerrado|cerrados)|todo (?:lleno|completo|reservado)|no (?:esta|estan) (?:libre|libres|disponible|disponibles)|no a las|ni hablar',
  ]),
  friendlyNo: anyOf([
    'no (?:hay|es) (?:ningun )?problema|no se preocupe|por que no|ningun problema|sin ningun problema|no hay inconveniente',
  ]),
  maybe: anyOf([
    'quizas?|tal vez|puede ser|a lo mejor|posiblemente|probablemente|depende|creo que|tendria que (?:mirar|consultar|preguntar)',
  ]),
  joiner: /\b(?:pero|sin embargo|aunque|excepto|en cambio|sino)\b/i,
  condition: anyOf([
    'pero|siempre que|solo si|a condicion|excepto|tendria que|tiene que|hay que|deposito|senal|por adelantado',
  ]),
  offers: [
    /\b(?:que tal|que le parece|qué tal|qué le parece) (.+)$/,
    /\b(?:tenemos|podemos|podríamos|podriamos|puedo|podría|podria|hay|queda|quedan)(?: ofrecerle| darle| hacerle| ponerle)? (.+)$/,
    /\bsolo (?:a|el|la|las|los|tenemos|hay)? ?(.+)$/,
    /^(.+?) (?:está|esta|sería|seria|es|estaría) (?:libre|disponible|posible|bien)/,
  ],
  question:
    /\?\s*$|^(?:¿|(?:y |bueno |vale |si )*(?:que|cual|cuando|donde|quien|como|cuanto|cuanta|cuantos|cuantas|por que|para que|de que|a que)\b)/i,
  filler: new Set(
    'el la los las un una unos unas eh pues bueno mire mira a ver este ya ahora por favor si no claro vale bien muy perfecto de acuerdo gracias hola buenos dias buenas tardes senor senora usted y que es eso lo le esta'.split(
      ' ',
    ),
  ),
  telltale: new Set(
    'el la los las que de en es por para con una un usted no si esta pero como muy gracias hola quiere puede tiene hablo habla espanol ingles perdone siento entiendo digame seria posible claro buenos dias tardes cuando donde quien se le lo su mesa al del soy somos a las hay tienen quieren necesitan algo antes sobre'.split(
      ' ',
    ),
  ),
  greetings:
    /^(?:hola|buenos dias|buenas tardes|buenas noches|buenas|diga|digame|si digame|bueno|si diga|hola buenos dias|hola buenas tardes|hola digame|alo)$/,
  asksForLanguage: {
    en: anyOf(['(?:habla|hablar|en)(?: usted)? ingles']),
    es: anyOf(['(?:habla|hablar|hablo|hablas|en)(?: usted| solo)? (?:espanol|castellano)']),
    fr: anyOf(['(?:habla|hablar|en)(?: usted)? frances']),
    de: anyOf(['(?:habla|hablar|en)(?: usted)? aleman']),
    other: anyOf(['(?:habla|hablar|en)(?: usted)? (?:italiano|portugues|arabe|chino|japones|ruso|polaco|catalan)']),
  },
}
